package load

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"poolvsloop/internal/deadport"
)

const goodbye = "GET /crowd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

// crowdServer answers the requests of the run, and has crowd serve the connections of crowds: those whose first bytes ask
// for /crowd, or that send none before patience is over.
func crowdServer(t *testing.T, crowd func(c *net.TCPConn, r *bufio.Reader)) Config {
	t.Helper()
	addr := listen(t, func(c *net.TCPConn) {
		r := bufio.NewReaderSize(c, 64<<10)
		for {
			first, err := r.Peek(len("GET /c"))
			if err != nil || string(first) == "GET /c" {
				crowd(c, r)
				return
			}
			if _, err := http.ReadRequest(r); err != nil {
				return
			}
			if _, err := io.WriteString(c, hello); err != nil {
				return
			}
		}
	})
	return Config{Addr: addr, Source: Fixed(get), Clients: 2, KeepAlive: true, Timeout: 10 * time.Second}
}

// withCrowd makes a run of a few requests that lasts so long beside a crowd.
func withCrowd(t *testing.T, c Config, lasts time.Duration, g Crowd) CrowdResult {
	t.Helper()
	c.Duration, c.Think, c.Crowds = lasts, 10*time.Millisecond, []Crowd{g}
	r := mustRun(t, c)
	require.Positive(t, r.OK2xx)
	require.Equal(t, r.Sent, r.OK2xx, "what the crowd meets is not of the run")
	require.Equal(t, 2, r.Opened)
	require.Len(t, r.Crowds, 1)
	require.NoError(t, r.Crowds[0].Books())
	return r.Crowds[0]
}

func answer(text string) func(*net.TCPConn, *bufio.Reader) {
	return func(c *net.TCPConn, r *bufio.Reader) {
		if _, err := http.ReadRequest(r); err == nil {
			_, _ = io.WriteString(c, text)
		}
	}
}

func hush(c *net.TCPConn, r *bufio.Reader) { _, _ = io.Copy(io.Discard, r) }

// TestCrowdOutcomes: what becomes of connections has one name each, whatever the server does.
func TestCrowdOutcomes(t *testing.T) {
	const late = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
	storm := Crowd{Kind: Storm, Count: 5, Request: []byte(goodbye)}
	half := Crowd{Kind: HalfOpen, Count: 5, Request: []byte(goodbye), Sent: 10, Before: true}
	slow := Crowd{Kind: SlowSend, Count: 5, Request: []byte(goodbye), Sent: 10, Rate: 10, Before: true}
	idle := Crowd{Kind: IdleKept, Count: 5, Request: []byte(goodbye), Before: true}
	for name, c := range map[string]struct {
		crowd  Crowd
		server func(*net.TCPConn, *bufio.Reader)
		want   CrowdResult
	}{
		"storm, answered":       {storm, answer(hello), CrowdResult{Answered: 5, ByStatus: map[int]int{200: 5}}},
		"storm, refused by 503": {storm, answer("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n"), CrowdResult{Answered: 5, ByStatus: map[int]int{503: 5}}},
		"storm, closed":         {storm, func(*net.TCPConn, *bufio.Reader) {}, CrowdResult{ClosedByServer: 5}},
		"storm, reset":          {storm, func(c *net.TCPConn, _ *bufio.Reader) { reset(c) }, CrowdResult{Reset: 5}},
		"storm, broken":         {storm, answer("SSH-2.0\r\n\r\n"), CrowdResult{Failed: 5, Causes: map[string]int{"broken answer: " + errStatusLine.Error(): 5}}},
		"storm, until the end":  {storm, answer("HTTP/1.0 200 OK\r\n\r\nhello"), CrowdResult{Answered: 5, ByStatus: map[int]int{200: 5}}},
		"storm, half an answer": {storm, answer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"), CrowdResult{ClosedByServer: 5}},
		"half-open, silence":    {half, hush, CrowdResult{StillOpen: 5}},
		"half-open, 408":        {half, func(c *net.TCPConn, _ *bufio.Reader) { _, _ = io.WriteString(c, late) }, CrowdResult{Answered: 5, ByStatus: map[int]int{408: 5}}},
		"half-open, closed":     {half, func(*net.TCPConn, *bufio.Reader) {}, CrowdResult{ClosedByServer: 5}},
		"slow-send, silence":    {slow, hush, CrowdResult{StillOpen: 5}},
		"slow-send, 408":        {slow, func(c *net.TCPConn, _ *bufio.Reader) { _, _ = io.WriteString(c, late) }, CrowdResult{Answered: 5, ByStatus: map[int]int{408: 5}}},
		"slow-send, reset":      {slow, func(c *net.TCPConn, _ *bufio.Reader) { reset(c) }, CrowdResult{Reset: 5}},
		"idle":                  {idle, func(c *net.TCPConn, r *bufio.Reader) { answer(hello)(c, r); hush(c, r) }, CrowdResult{StillOpen: 5, ByStatus: map[int]int{200: 5}}},
		"idle, sent away":       {idle, func(c *net.TCPConn, r *bufio.Reader) { answer(hello)(c, r) }, CrowdResult{ClosedByServer: 5, ByStatus: map[int]int{200: 5}}},
		"idle, 408 in the end":  {idle, func(c *net.TCPConn, r *bufio.Reader) { answer(hello+late)(c, r) }, CrowdResult{ClosedByServer: 5, ByStatus: map[int]int{200: 5, 408: 5}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := withCrowd(t, crowdServer(t, c.server), 300*time.Millisecond, c.crowd)
			require.Equal(t, 5, got.Started)
			require.Equal(t, 5, got.Opened)
			require.EqualValues(t, 5, got.Connect.Count())
			for _, x := range []struct {
				name      string
				got, want int
			}{
				{"answered", got.Answered, c.want.Answered}, {"closed", got.ClosedByServer, c.want.ClosedByServer},
				{"reset", got.Reset, c.want.Reset}, {"failed", got.Failed, c.want.Failed}, {"still open", got.StillOpen, c.want.StillOpen},
			} {
				require.Equal(t, x.want, x.got, x.name)
			}
			require.Len(t, got.ByStatus, len(c.want.ByStatus))
			for status, n := range c.want.ByStatus {
				require.Equal(t, n, got.ByStatus[status])
			}
			if c.want.Causes != nil {
				require.Equal(t, c.want.Causes, got.Causes)
			}
		})
	}
}

func TestCrowdThatIsRefused(t *testing.T) {
	c := Config{Addr: deadport.Addr(t), Source: Fixed(get), Clients: 1, Requests: 1, Duration: 50 * time.Millisecond, Think: 40 * time.Millisecond,
		Crowds: []Crowd{{Kind: HalfOpen, Count: 7, Request: []byte(goodbye), Before: true}, {Kind: Storm, Count: 3, Request: []byte(goodbye), At: time.Hour}}}
	r := mustRun(t, c)
	require.Equal(t, 7, r.Crowds[0].Refused)
	require.Zero(t, r.Crowds[0].Opened)
	require.Equal(t, 3, r.Crowds[1].NotStarted)
	require.Zero(t, r.Crowds[1].Started)
}

func TestStormThatTimesOut(t *testing.T) {
	t.Parallel()
	c := crowdServer(t, hush)
	c.Timeout = 100 * time.Millisecond
	got := withCrowd(t, c, 400*time.Millisecond, Crowd{Kind: Storm, Count: 4, Request: []byte(goodbye)})
	require.Equal(t, 4, got.TimedOut)
}

// TestSlowClientsKeepTheirRate: no byte comes sooner than the rate allows, and what is whole at last is answered.
func TestSlowClientsKeepTheirRate(t *testing.T) {
	t.Parallel()
	const rate = 200.0
	var worst atomic.Int64
	slow := crowdServer(t, func(c *net.TCPConn, r *bufio.Reader) {
		start := time.Now().Add(-50 * time.Millisecond) // the connection stood a little earlier
		n := r.Buffered()
		head := string(must(r.Peek(n)))
		for !strings.HasSuffix(head, "\r\n\r\n") {
			if ahead := int64(float64(n) - 1 - rate*time.Since(start).Seconds()); ahead > worst.Load() {
				worst.Store(ahead)
			}
			if _, err := r.Peek(n + 1); err != nil {
				return
			}
			n = r.Buffered()
			head = string(must(r.Peek(n)))
		}
		_, _ = io.WriteString(c, hello)
	})
	got := withCrowd(t, slow, 1500*time.Millisecond, Crowd{Kind: SlowSend, Count: 3, Request: []byte(goodbye), Rate: rate, Before: true})
	require.Zero(t, worst.Load(), "bytes came ahead of the rate")
	require.Equal(t, 3, got.Answered)
	require.EqualValues(t, 3*len(goodbye), got.Written)
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

// TestSlowReadersHoldTheServer: the server cannot get rid of an answer that is larger than the buffers on the way.
func TestSlowReadersHoldTheServer(t *testing.T) {
	t.Parallel()
	const size = 8 << 20
	var written atomic.Int64
	c := crowdServer(t, func(c *net.TCPConn, r *bufio.Reader) {
		if _, err := http.ReadRequest(r); err != nil {
			return
		}
		_ = c.SetWriteBuffer(32 << 10)
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 8388608\r\n\r\n")
		n, _ := c.Write(make([]byte, size))
		written.Add(int64(n))
	})
	got := withCrowd(t, c, 700*time.Millisecond, Crowd{Kind: SlowRead, Count: 2, Request: []byte(goodbye), Rate: 1000, Before: true})
	require.Equal(t, 2, got.StillOpen)
	require.Less(t, got.Read, int64(2*(1+1000*60)), "no faster than the rate, whatever the machine did")
	require.Less(t, written.Load(), int64(2*size))

	small := withCrowd(t, crowdServer(t, answer(hello)), 900*time.Millisecond, Crowd{Kind: SlowRead, Count: 2, Request: []byte(goodbye), Rate: 1000, Before: true})
	require.Equal(t, 2, small.Answered)
	require.EqualValues(t, 2*len(hello), small.Read)

	gone := withCrowd(t, crowdServer(t, func(c *net.TCPConn, r *bufio.Reader) {
		if _, err := http.ReadRequest(r); err == nil {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"+strings.Repeat("x", 50000))
			reset(c)
		}
	}), 600*time.Millisecond, Crowd{Kind: SlowRead, Count: 2, Request: []byte(goodbye), Rate: 10, Before: true})
	require.Equal(t, 2, gone.Reset, "a reset is seen at once, not when it would be read")
}

func TestCrowdComesAgain(t *testing.T) {
	t.Parallel()
	got := withCrowd(t, crowdServer(t, func(*net.TCPConn, *bufio.Reader) {}), 1500*time.Millisecond,
		Crowd{Kind: HalfOpen, Count: 2, Request: []byte(goodbye), Sent: 9, Before: true, Reopen: true})
	require.Equal(t, 4, got.Started, "each a second later")
	require.Equal(t, 4, got.ClosedByServer)
}

// TestStormOnAFullAcceptQueue: nobody accepts for a while, so that the kernel drops SYNs and sends them again.
func TestStormOnAFullAcceptQueue(t *testing.T) {
	t.Parallel()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	defer unix.Close(fd)
	require.NoError(t, unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	require.NoError(t, unix.Listen(fd, 2))
	at, err := unix.Getsockname(fd)
	require.NoError(t, err)
	addr := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: at.(*unix.SockaddrInet4).Port}
	c := Config{Addr: addr.AddrPort(), Source: Fixed(get), Clients: 1, Requests: 1, Duration: 3 * time.Second, Timeout: 2500 * time.Millisecond,
		Crowds: []Crowd{{Kind: Storm, Count: 20, Request: []byte(goodbye), Before: true}}}
	began := time.Now()
	drained := make(chan struct{})
	go func() { // takes all out of the queue once the first SYNs were lost
		defer close(drained)
		time.Sleep(300 * time.Millisecond)
		for range 21 {
			conn, _, err := unix.Accept(fd)
			if err != nil {
				return
			}
			_, _ = unix.Write(conn, []byte("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"))
			defer unix.Close(conn)
		}
	}()
	r := mustRun(t, c)
	require.NoError(t, unix.Shutdown(fd, unix.SHUT_RD))
	<-drained
	got := r.Crowds[0]
	require.NoError(t, got.Books())
	require.Equal(t, 20, got.Started)
	require.Positive(t, got.Retried, "a queue of 3 did not take 20 at once, in %s: %+v", time.Since(began), got)
	slow := 0
	for seconds, n := range got.BySeconds {
		require.Positive(t, seconds)
		slow += n
	}
	require.Equal(t, slow, got.Retried)
	require.GreaterOrEqual(t, got.Connect.Max, time.Second.Microseconds())
}

func TestCrowdsAreChecked(t *testing.T) {
	good := Crowd{Kind: SlowSend, Count: 1, Request: []byte(goodbye), Rate: 1}
	for name, change := range map[string]func(*Crowd){
		"nobody":           func(g *Crowd) { g.Count = 0 },
		"too many":         func(g *Crowd) { g.Count = MaxCrowd + 1 },
		"nothing to send":  func(g *Crowd) { g.Request = nil },
		"no rate":          func(g *Crowd) { g.Rate = 0 },
		"more than all":    func(g *Crowd) { g.Sent = 1000 },
		"before the start": func(g *Crowd) { g.At = -1 },
		"a span below 0":   func(g *Crowd) { g.Within = -1 },
		"a slow no-one":    func(g *Crowd) { g.Kind, g.Rate = SlowRead, -1 },
	} {
		t.Run(name, func(t *testing.T) {
			g := good
			change(&g)
			require.Error(t, g.validate())
		})
	}
	require.NoError(t, good.validate())
}

func TestAlarmsComeInOrder(t *testing.T) {
	a := &alarms{members: make([]member, 5)}
	for i := range a.members {
		a.members[i].place = noAlarm
	}
	for i, due := range []int64{30, 10, 20, 50, 40} {
		a.set(int32(i), due)
	}
	a.set(0, 60) // moved
	a.clear(3)
	a.clear(3)
	var order []int32
	for {
		i, _, ok := a.next()
		if !ok {
			break
		}
		order = append(order, i)
		a.clear(i)
	}
	require.Equal(t, []int32{1, 2, 4, 0}, order)
}
