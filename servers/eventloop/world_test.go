package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/rs/zerolog"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"poolvsloop/internal/config"
	"poolvsloop/internal/meter"
	"poolvsloop/internal/program"
)

// asProgram in the environment makes the test binary the program itself, for tests that need it as a process of its own.
const asProgram = "TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		program.Main(newCommand())
	}
	// gnet's global pool of goroutines lives as long as the process; the others are what it keeps for ten seconds.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/panjf2000/ants/v2.(*poolCommon).purgeStaleWorkers"),
		goleak.IgnoreAnyFunction("github.com/panjf2000/ants/v2.(*poolCommon).ticktock"),
		goleak.IgnoreAnyFunction("github.com/panjf2000/ants/v2.(*goWorker).run.func1"))
}

// patience bounds every wait of a test; nothing that works takes so long.
const patience = 10 * time.Second

// world is the two downstreams and the cache of a test.
type world struct {
	a, b     *httptest.Server
	cache    *miniredis.Miniredis
	delayA   atomic.Int64 // a time.Duration
	hangA    atomic.Bool  // A does not answer
	statusB  atomic.Int64
	askedA   atomic.Int64
	answered chan struct{} // closed at the end: lets go of what hangs
}

func newWorld(t testing.TB) *world {
	w := &world{answered: make(chan struct{}), cache: miniredis.RunT(t)}
	w.a = httptest.NewServer(http.HandlerFunc(w.serveA))
	w.b = httptest.NewServer(http.HandlerFunc(w.serveB))
	t.Cleanup(w.b.Close)
	t.Cleanup(w.a.Close)
	t.Cleanup(func() { close(w.answered) })
	return w
}

func (w *world) serveA(rw http.ResponseWriter, r *http.Request) {
	w.askedA.Add(1)
	if w.hangA.Load() {
		select {
		case <-w.answered:
		case <-r.Context().Done():
		}
		return
	}
	select {
	case <-time.After(time.Duration(w.delayA.Load())):
	case <-w.answered:
	}
	fmt.Fprintf(rw, `{"customer_id":%q,"tier":"gold","discount_bp":250}`, r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:])
}

func (w *world) serveB(rw http.ResponseWriter, r *http.Request) {
	if status := w.statusB.Load(); status != 0 {
		rw.WriteHeader(int(status))
		return
	}
	var quote struct {
		SKU string `json:"sku"`
	}
	_ = json.NewDecoder(r.Body).Decode(&quote)
	fmt.Fprintf(rw, `{"quote_id":"0123456789abcdef","unit_price":100,"total":300,`+
		`"catalog":{"sku":%q,"name":"Item %s","list_price":100}}`, quote.SKU, quote.SKU)
}

// newConfig returns the defaults, on free ports.
func newConfig() Config {
	var c Config
	c.Bind(pflag.NewFlagSet(name, pflag.PanicOnError))
	c.Addr, c.Admin = "127.0.0.1:0", ""
	c.MaxConns, c.Drain, c.Loops = 1000, 2*time.Second, 1
	return c
}

// newConfig returns the defaults, in this world.
func (w *world) newConfig(t testing.TB) Config {
	c := newConfig()
	c.DownstreamA, c.DownstreamB, c.Redis = w.a.URL, w.b.URL, w.cache.Addr()
	require.NoError(t, c.Validate())
	return c
}

// started is a server that runs until the test ends.
type started struct {
	*server
	t    testing.TB
	stop func() error
}

// serve starts a server; prepare, if any, changes it before it accepts anything.
func serve(t testing.TB, c Config, prepare ...func(*server)) *started {
	t.Helper()
	s, err := newServer(c, config.Values(pflag.NewFlagSet(name, pflag.PanicOnError)), zerolog.New(zerolog.NewTestWriter(t)))
	require.NoError(t, err)
	for _, do := range prepare {
		do(s)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.run(ctx) }()
	running := &started{server: s, t: t}
	var err2 error
	stopped := false
	running.stop = func() error {
		if stopped {
			return err2
		}
		stopped = true
		cancel()
		select {
		case err2 = <-ended:
		case <-time.After(patience):
			t.Error("the server does not stop")
		}
		return err2
	}
	t.Cleanup(func() { _ = running.stop() })
	return running
}

// eventually waits for a condition.
func eventually(t testing.TB, condition func() bool, what string, args ...any) {
	t.Helper()
	require.Eventually(t, condition, patience, 2*time.Millisecond, append([]any{what}, args...)...)
}

// onLoop runs do on a loop of the server and waits for it. In do use assert: require would end the loop.
func (s *started) onLoop(do func(l *loop)) {
	s.t.Helper()
	done := make(chan struct{})
	l := s.loops[0]
	l.post(func() {
		defer close(done)
		do(l)
	})
	select {
	case <-done:
	case <-time.After(patience):
		s.t.Fatal("the loop does not answer")
	}
}

func (s *started) counts() meter.Counts { return s.meter.Counts() }

// client is a raw connection to a server.
type client struct {
	net.Conn
	t testing.TB
	r *bufio.Reader
}

func (s *started) dial() *client {
	s.t.Helper()
	return dialTo(s.t, s.listener.Addr().String())
}

func dialTo(t testing.TB, addr string) *client {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	require.NoError(t, c.SetDeadline(time.Now().Add(patience)))
	t.Cleanup(func() { _ = c.Close() })
	return &client{c, t, bufio.NewReader(c)}
}

func (c *client) send(text string) {
	c.t.Helper()
	_, err := c.Write([]byte(text))
	require.NoError(c.t, err)
}

// answer is a response as the client saw it.
type answer struct {
	*http.Response
	body string
}

func (c *client) read() answer {
	c.t.Helper()
	a, err := c.tryRead()
	require.NoError(c.t, err)
	return a
}

func (c *client) tryRead() (answer, error) {
	response, err := http.ReadResponse(c.r, nil)
	if err != nil {
		return answer{}, err
	}
	body, err := io.ReadAll(response.Body)
	return answer{response, string(body)}, err
}

// atEnd requires that the server has closed, or closes, in order.
func (c *client) atEnd() {
	c.t.Helper()
	rest, err := io.ReadAll(c.r)
	require.NoError(c.t, err)
	require.Empty(c.t, string(rest))
}

// reset closes the connection so that the server sees a reset.
func (c *client) reset() {
	c.t.Helper()
	require.NoError(c.t, c.Conn.(*net.TCPConn).SetLinger(0))
	require.NoError(c.t, c.Close())
}

func get(target string, header ...string) string {
	return "GET " + target + " HTTP/1.1\r\nHost: lab\r\n" + strings.Join(append(header, ""), "\r\n") + "\r\n"
}

func order(customer string, header ...string) string {
	body := fmt.Sprintf(`{"customer_id":%q,"sku":"sku-00042","quantity":3,"note":"x"}`, customer)
	return fmt.Sprintf("POST /v1/async HTTP/1.1\r\nHost: lab\r\nContent-Length: %d\r\n%s\r\n%s",
		len(body), strings.Join(append(header, ""), "\r\n"), body)
}

func TestFlagsAreKnown(t *testing.T) {
	newCommand().Flags().VisitAll(func(f *pflag.Flag) {
		require.Contains(t, config.Variables(), config.Variable(f.Name), "add it to the known flags")
	})
}
