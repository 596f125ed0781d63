package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/flow"
	"poolvsloop/internal/meter"
	"poolvsloop/internal/wire"
)

// play is what a scripted downstream does with one connection: it answers each request with the next text, and closes
// after the last. An empty text answers nothing and waits for the client to leave.
type play []string

// scripted is a downstream that plays one play a connection, in order, and refuses further ones.
func scripted(t *testing.T, plays ...play) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer listener.Close()
		for _, p := range plays {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			p.on(c)
		}
	}()
	t.Cleanup(func() {
		listener.Close()
		<-ended
	})
	return listener.Addr().String()
}

func (p play) on(c net.Conn) {
	defer c.Close()
	in := bufio.NewReader(c)
	for _, text := range p {
		if _, err := http.ReadRequest(in); err != nil {
			return
		}
		_, _ = io.WriteString(c, text)
		if text == "" {
			_, _ = io.Copy(io.Discard, in)
		}
	}
}

const (
	fine   = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine"
	broken = "HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\ncut"
)

func TestCallsOfADownstream(t *testing.T) {
	type outcome struct {
		failure flow.Failure
		kept    bool // the connection, for the next call
	}
	ok := outcome{flow.OK, true}
	cases := []struct {
		name   string
		plays  []play
		want   []outcome
		resent uint64
	}{
		{"reuse", []play{{fine, fine, fine, ""}}, []outcome{ok, ok, ok}, 0},
		{"closed while idle", []play{{fine}, {fine, ""}}, []outcome{ok, ok}, 1},
		{"closed while idle, then down", []play{{fine}}, []outcome{ok, {flow.Down, false}}, 1},
		{"closed while idle twice", []play{{fine}, {fine}, {fine, ""}}, []outcome{ok, ok, ok}, 2},
		{"new connection closed at once", []play{{}, {fine, ""}}, []outcome{{flow.Down, false}, ok}, 0},
		{"closed within the answer", []play{{fine, broken}, {fine, ""}}, []outcome{ok, {flow.Down, false}, ok}, 0},
		{"silent", []play{{fine, ""}, {fine, ""}}, []outcome{ok, {flow.Late, false}, ok}, 0},
		{"not HTTP", []play{{"SSH-2.0-x\r\n"}, {fine, ""}}, []outcome{{flow.Malformed, false}, ok}, 0},
		{"ends by closing", []play{{"HTTP/1.1 200 OK\r\n\r\nfine"}, {fine, ""}}, []outcome{{flow.OK, false}, ok}, 0},
		{"says close", []play{
			{"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\nfine"}, {fine, ""},
		}, []outcome{{flow.OK, false}, ok}, 0},
		{"more than was asked for", []play{{fine + fine}, {fine, ""}}, []outcome{{flow.OK, false}, ok}, 0},
		{"down", nil, []outcome{{flow.Down, false}}, 0},
	}
	for mode, waits := range map[string]waiting{"thread": threads{}, "goroutine": goroutines{}} {
		for _, each := range cases {
			t.Run(mode+"/"+each.name, func(t *testing.T) {
				m := meter.New("test")
				answer := newHTTPAnswer()
				o := &outbound{
					target: flow.DownstreamA, addr: scripted(t, each.plays...), timeout: 100 * time.Millisecond,
					waits: waits, meter: m, answer: answer,
				}
				defer o.close()
				for _, want := range each.want {
					if want.failure != flow.Late {
						o.timeout = patience
					} else {
						o.timeout = 50 * time.Millisecond
					}
					failure := o.call([]byte("GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
					require.Equal(t, want, outcome{failure, o.conn != nil})
					if failure == flow.OK {
						require.Equal(t, "fine", string(answer.reply.Body))
					}
				}
				require.Equal(t, each.resent, m.Counts().Resent["downstream_a"])
			})
		}
	}
}

// cacheThatSays is a cache that writes a text to each connection as soon as something is asked.
func cacheThatSays(t *testing.T, pieces ...string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		c, err := listener.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		_, _ = c.Read(make([]byte, 1024))
		for _, piece := range pieces {
			_, _ = io.WriteString(c, piece)
			time.Sleep(time.Millisecond) // so that the pieces are read one by one
		}
	}()
	t.Cleanup(func() {
		listener.Close()
		<-ended
	})
	return listener.Addr().String()
}

func TestCallsOfTheCache(t *testing.T) {
	cases := map[string]struct {
		pieces []string
		want   flow.Failure
		kind   wire.ValueKind
	}{
		"value":     {[]string{"$5\r\nhello\r\n"}, flow.OK, wire.Bulk},
		"in pieces": {[]string{"$", "5\r\nhe", "llo\r", "\n"}, flow.OK, wire.Bulk},
		"null":      {[]string{"$-1\r\n"}, flow.OK, wire.Null},
		"error":     {[]string{"-LOADING\r\n"}, flow.OK, wire.CacheError},
		"not RESP":  {[]string{"HTTP/1.1 400\r\n"}, flow.Malformed, wire.Null},
		"cut":       {[]string{"$5\r\nhe"}, flow.Down, wire.Null},
		"closed":    {nil, flow.Down, wire.Null},
	}
	for mode, waits := range map[string]waiting{"thread": threads{}, "goroutine": goroutines{}} {
		for name, each := range cases {
			t.Run(mode+"/"+name, func(t *testing.T) {
				answer := new(cacheAnswer)
				o := &outbound{
					target: flow.Cache, addr: cacheThatSays(t, each.pieces...), timeout: patience,
					waits: waits, meter: meter.New("test"), answer: answer,
				}
				defer o.close()
				require.Equal(t, each.want, o.call(wire.AppendGet(nil, []byte("k"))))
				require.Equal(t, each.kind, answer.value.Kind)
				if each.kind == wire.Bulk {
					require.Equal(t, "hello", string(answer.value.Data))
				}
			})
		}
	}
}
