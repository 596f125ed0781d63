package main

import (
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/flow"
	"poolvsloop/internal/meter"
	"poolvsloop/internal/wire"
)

// canned is a connection on which the answer is always there.
type canned struct {
	net.Conn
	answer string
}

func (c canned) Read(b []byte) (int, error)  { return copy(b, c.answer), nil }
func (c canned) Write(b []byte) (int, error) { return len(b), nil }
func (c canned) SetDeadline(time.Time) error { return nil }
func (c canned) Close() error                { return nil }

// cannedWaits connects to canned answers by address.
type cannedWaits struct {
	goroutines
	answers map[string]string
}

func (w cannedWaits) dial(addr string, _ time.Duration) (net.Conn, error) {
	return canned{answer: w.answers[addr]}, nil
}

func cannedStack(tb testing.TB) (*wireStack, *job) {
	tb.Helper()
	c := testConfig()
	handler, err := flow.New(flow.Config{
		Path: orderPath, Server: serverName, DownstreamA: "http://a:1", DownstreamB: "http://b:1", CacheTTL: time.Minute,
	})
	require.NoError(tb, err)
	c.DownstreamA, c.DownstreamB, c.Redis = "http://a:1", "http://b:1", "cache:1"
	s := &server{config: c, handler: handler, meter: meter.New("test"), waits: cannedWaits{answers: map[string]string{
		"a:1":     "HTTP/1.1 200 OK\r\nContent-Length: 51\r\n\r\n" + `{"customer_id":"c-1","tier":"gold","discount_bp":5}`,
		"b:1":     "HTTP/1.1 200 OK\r\nContent-Length: 45\r\n\r\n" + `{"quote_id":"q-1","unit_price":95,"total":95}`,
		"cache:1": "$43\r\n" + `{"sku":"s-1","name":"Item","list_price":95}` + "\r\n",
	}}}
	in := newInboxes(c.MaxHeader, c.MaxBody).borrow()
	body := `{"customer_id":"c-1","sku":"s-1","quantity":1}`
	in.to = copy(in.buf, post(orderPath, "46")+body)
	done, err := in.head()
	require.NoError(tb, err)
	require.True(tb, done && in.whole)
	return newWireStack(s), &job{request: &in.request, keeps: func() bool { return true }}
}

func TestWireStackAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("sync.Pool drops at random under the race detector")
	}
	stack, j := cannedStack(t)
	var out []byte
	out, status := stack.answer(out, j)
	require.Equal(t, 200, status, "%s", out)
	require.Equal(t, wire.Reuse, j.connection)
	require.Zero(t, testing.AllocsPerRun(100, func() { out, _ = stack.answer(out[:0], j) }))
}

func BenchmarkWireStack(b *testing.B) {
	stack, j := cannedStack(b)
	var out []byte
	b.ReportAllocs()
	for b.Loop() {
		out, _ = stack.answer(out[:0], j)
	}
}

// BenchmarkRequest sends requests over one keep-alive connection to a server whose handler does nothing.
func BenchmarkRequest(b *testing.B) {
	for _, worker := range workerKinds {
		b.Run(worker, func(b *testing.B) {
			s := start(b, testConfig(func(c *Config) { c.Worker = worker }), nil)
			socket, err := net.Dial("tcp", s.listener.Addr().String())
			require.NoError(b, err)
			defer socket.Close()
			request, answer := []byte(get("/healthz")), make([]byte, 1024)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := socket.Write(request); err != nil {
					b.Fatal(err)
				}
				if _, err := socket.Read(answer); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
