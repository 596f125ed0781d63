package contract

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/config"
	"poolvsloop/internal/meter"
)

var failureCases = []testCase{
	{"failures: A", func(t *testing.T, s Server) {
		failing(t, s, func(w *world) *downstream { return w.a }, "a", "downstream_a")
	}},
	{"failures: B", func(t *testing.T, s Server) {
		failing(t, s, func(w *world) *downstream { return w.b }, "b", "downstream_b")
	}},
	{"failures: a late answer is not taken for the next one's", lateAnswer},
	{"failures: odd but good answers of a downstream", oddAnswers},
	{"failures: a downstream that comes back costs no request", comesBack},
	{"failures: a downstream that drops idle connections costs no request", dropsIdle},
	{"failures: retries", retries},
}

// fault is a way in which a downstream fails: what the client gets, and as what the call is counted.
type fault struct {
	name    string
	does    behaviour
	status  int
	outcome string
}

var (
	late   = fault{"late", behaviour{hangs: true}, 504, "late"}
	faults = []fault{
		{"status 500", behaviour{status: 500}, 502, "ok"},
		{"status 404", behaviour{status: 404}, 502, "ok"},
		{"reset", behaviour{resets: true}, 502, "down"},
		{"not HTTP", behaviour{raw: "SSH-2.0-OpenSSH\r\n\r\n"}, 502, "malformed"},
		{"cut in the head", behaviour{raw: "HTTP/1.1 200 OK\r\nContent-"}, 502, "down"},
		{"cut in the body", behaviour{raw: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"}, 502, "down"},
		{"bad chunk", behaviour{raw: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"}, 502, "malformed"},
		{"not JSON", behaviour{body: "hello"}, 502, "ok"},
		{"other JSON", behaviour{body: `{"x":1}`}, 502, "ok"},
		{"somebody else's answer", behaviour{body: `{"customer_id":"c-2","tier":"gold","quote_id":""}`}, 502, "ok"},
	}
)

// isBroken says that the outcome is of a call that was cut or not understood; not every library tells these apart.
func isBroken(outcome string) bool { return outcome == "down" || outcome == "malformed" }

// failing has one downstream fail in every way. Only the late call has a timeout that a busy machine could exceed.
func failing(t *testing.T, s Server, pick func(*world) *downstream, step, target string) {
	impatient := newWorld(t, s, func(c *config.Server) { c.DownstreamTimeout = 2 * short })
	impatient.fails(t, impatient.dial(t), pick(impatient), late, step, target)
	w := newWorld(t, s, nil)
	c, d := w.dial(t), pick(w)
	for _, f := range faults {
		w.fails(t, c, d, f, step, target)
		d.set(behaviour{})
		require.Equal(t, http.StatusOK, c.ask(w.orderRequest()).status, "after %s", f.name)
	}
}

// fails has a downstream fail in one way: it costs the request, with a problem that names the step, and nothing else.
func (w *world) fails(t *testing.T, c *client, d *downstream, f fault, step, target string) {
	before := w.Counts().Calls[target]
	d.set(f.does)
	got := c.ask(w.orderRequest())
	require.Equal(t, f.status, got.status, f.name)
	require.Contains(t, got.body, fmt.Sprintf(`"step":%q`, step), f.name)
	require.False(t, got.closes, "%s: the client's connection goes on", f.name)
	w.counted(t, f.name+" is counted once, as "+f.outcome, func(c meter.Counts) bool {
		rose := uint64(0)
		for outcome, n := range c.Calls[target] {
			if outcome == f.outcome || w.server.Library && isBroken(outcome) && isBroken(f.outcome) {
				rose += n - before[outcome]
			}
		}
		return rose == 1
	})
}

// retries: a call that fails is made again as often as --retries says, under the request's id.
func retries(t *testing.T, s Server) {
	if s.Library {
		t.Skip("the flow that the servers share retries")
	}
	w := newWorld(t, s, func(c *config.Server) { c.DownstreamTimeout, c.Retries = 2*short, 2 })
	c := w.dial(t)
	for _, k := range []struct {
		name   string
		does   behaviour
		status int
	}{
		{"late", behaviour{hangs: true}, 504}, {"status 500", behaviour{status: 500}, 502}, {"malformed", behaviour{raw: "SSH-2.0-OpenSSH\r\n\r\n"}, 502},
	} {
		before := len(w.b.calls())
		w.b.set(k.does)
		require.Equal(t, k.status, c.ask(w.orderRequest()).status, k.name)
		made := w.b.calls()[before:]
		require.Len(t, made, 3, k.name)
		require.Equal(t, []string{made[0], made[0]}, made[1:], k.name)
		w.b.set(behaviour{})
		require.Equal(t, http.StatusOK, c.ask(w.orderRequest()).status, "after %s", k.name)
	}
}

// lateAnswer lets A answer after the timeout: the connection that brings it must not serve anybody else.
func lateAnswer(t *testing.T, s Server) {
	w := newWorld(t, s, func(c *config.Server) { c.DownstreamTimeout = 2 * short })
	w.a.hold()
	c := w.dial(t)
	require.Equal(t, http.StatusGatewayTimeout, c.ask(request("POST", s.Path, order("late", "s-1", 1, ""))).status)
	w.a.release()
	for i := range 10 {
		id := fmt.Sprintf("c-%d", i)
		require.Contains(t, c.ask(request("POST", s.Path, order(id, "s-1", 1, ""))).body, `"customer_id":"`+id+`"`)
	}
}

func oddAnswers(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	c := w.dial(t)
	body := customer("/customers/c-1", nil)
	whole := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	for name, does := range map[string]behaviour{
		"in chunks":       {chunked: true},
		"closed at once":  {closes: true},
		"until the close": {raw: "HTTP/1.1 200 OK\r\n\r\n" + body},
		"HTTP/1.0":        {raw: fmt.Sprintf("HTTP/1.0 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)},
		"twice":           {raw: whole + whole},
		"interim first": {raw: fmt.Sprintf("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nConnection: close\r\n"+
			"Content-Length: %d\r\n\r\n%s", len(body), body)},
	} {
		w.a.set(does)
		for range 5 {
			require.Equal(t, http.StatusOK, c.ask(w.orderRequest()).status, name)
		}
	}
}

// warm has n requests in service at once, so that the server holds connections to A and B.
func (w *world) warm(t *testing.T, n int) {
	t.Helper()
	w.b.hold()
	clients := make([]*client, n)
	before := len(w.b.calls())
	for i := range clients {
		clients[i] = w.dial(t)
		clients[i].send(w.orderRequest())
	}
	eventually(t, func() bool { return len(w.b.calls()) == before+n }, "all at B")
	w.b.release()
	for _, c := range clients {
		require.Equal(t, http.StatusOK, c.read().status)
		require.NoError(t, c.Close())
	}
}

// comesBack restarts A and B on their ports while nobody asks. Pooled connections are dead then; no request may pay.
func comesBack(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	for range 3 {
		w.warm(t, 8)
		w.a.stop()
		w.b.stop()
		w.a.start()
		w.b.start()
		w.everybodyIsServed(t, 16)
	}
}

func dropsIdle(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	w.a.set(behaviour{closes: true})
	w.b.set(behaviour{closes: true})
	for range 5 {
		w.everybodyIsServed(t, 8)
	}
}

// everybodyIsServed sends n orders side by side; all must be answered with 200.
func (w *world) everybodyIsServed(t *testing.T, n int) {
	t.Helper()
	var asking sync.WaitGroup
	statuses := make([]int, n)
	for i := range n {
		c := w.dial(t)
		asking.Go(func() {
			c.send(w.orderRequest())
			got, _ := readAnswer(c.reader, http.MethodPost)
			statuses[i] = got.status
		})
	}
	asking.Wait()
	for i, status := range statuses {
		require.Equal(t, http.StatusOK, status, "client %d of %d", i, n)
	}
}
