package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// scripted is a downstream or a cache that does exactly what a test says, one connection and one request at a time.
type scripted struct {
	t        testing.TB
	listener net.Listener
	requests chan *asked
}

// asked is a request that came.
type asked struct {
	net.Conn
	t    testing.TB
	path string // of an HTTP request, or the command
}

func newScripted(t testing.TB, read func(*bufio.Reader) (string, error)) *scripted {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &scripted{t: t, listener: listener, requests: make(chan *asked, 1000)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = c.Close() })
			go func() {
				for r := bufio.NewReader(c); ; {
					path, err := read(r)
					if err != nil {
						return
					}
					s.requests <- &asked{c, t, path}
				}
			}()
		}
	}()
	t.Cleanup(func() { _ = listener.Close(); <-done })
	return s
}

func newScriptedDownstream(t testing.TB) *scripted {
	return newScripted(t, func(r *bufio.Reader) (string, error) {
		request, err := http.ReadRequest(r)
		if err != nil {
			return "", err
		}
		return request.URL.Path, nil
	})
}

// newScriptedCache hands out commands as their words with spaces between.
func newScriptedCache(t testing.TB) *scripted {
	line := func(r *bufio.Reader) (string, error) {
		text, err := r.ReadString('\n')
		return strings.TrimSpace(text), err
	}
	return newScripted(t, func(r *bufio.Reader) (string, error) {
		head, err := line(r)
		if err != nil {
			return "", err
		}
		var count int
		if _, err := fmt.Sscanf(head, "*%d", &count); err != nil {
			return "", err
		}
		var words []string
		for range count {
			if _, err := line(r); err != nil {
				return "", err
			}
			word, err := line(r)
			if err != nil {
				return "", err
			}
			words = append(words, word)
		}
		return strings.Join(words, " "), nil
	})
}

func (s *scripted) addr() string { return s.listener.Addr().String() }

func (s *scripted) next() *asked {
	s.t.Helper()
	select {
	case r := <-s.requests:
		return r
	case <-time.After(patience):
		require.FailNow(s.t, "nothing was asked")
		return nil
	}
}

// none requires that nothing is asked for a moment.
func (s *scripted) none() {
	s.t.Helper()
	select {
	case r := <-s.requests:
		require.FailNow(s.t, "asked: "+r.path)
	case <-time.After(30 * time.Millisecond):
	}
}

func (a *asked) say(text string) {
	a.t.Helper()
	_, err := a.Write([]byte(text))
	require.NoError(a.t, err)
}

// answer is what A says of a customer.
func (a *asked) answer(customer string) {
	a.t.Helper()
	body := fmt.Sprintf(`{"customer_id":%q,"tier":"gold","discount_bp":250}`, customer)
	a.say(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body))
}

func (a *asked) reset() {
	_ = a.Conn.(*net.TCPConn).SetLinger(0)
	_ = a.Close()
}
