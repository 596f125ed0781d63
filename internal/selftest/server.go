package selftest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// behaviour is what the server does to one connection until it returns; then the connection is closed.
type behaviour func(s *server, c net.Conn)

// server is the built-in server. It counts what reaches it, so that the generator's own counts can be held against it.
type server struct {
	ln   net.Listener
	ctx  context.Context
	stop context.CancelFunc
	all  sync.WaitGroup

	mu          sync.Mutex // guards the rest
	connections int
	requests    int
	resent      int // requests for a path that was asked for before
	closes      int // connections that the behaviour ended by itself
	paths       map[string]bool
	began       time.Time            // of the first request
	answered    map[string]time.Time // when a path was answered last
}

// startServer listens on a free port of the loopback.
func startServer(b behaviour) (*server, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start the built-in server: %w", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &server{ln: ln, ctx: ctx, stop: cancel, paths: map[string]bool{}, answered: map[string]time.Time{}}
	s.all.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.connections++
			s.mu.Unlock()
			s.all.Go(func() { s.serve(b, c) })
		}
	})
	return s, nil
}

// serve runs the behaviour on a connection, which the server's end breaks.
func (s *server) serve(b behaviour, c net.Conn) {
	defer c.Close()
	defer context.AfterFunc(s.ctx, func() { _ = c.Close() })()
	b(s, c)
}

// close ends the server and waits for all its connections.
func (s *server) close() {
	s.stop()
	// Closing a listener fails only when it is closed already.
	_ = s.ln.Close()
	s.all.Wait()
}

func (s *server) url() string { return "http://" + s.ln.Addr().String() + "/" }

// counts is what reached the server so far.
type counts struct{ connections, requests, resent, closes int }

func (s *server) counts() counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return counts{s.connections, s.requests, s.resent, s.closes}
}

// saw counts a request and returns its number, from 1, and the time since the first one.
func (s *server) saw(path string) (number int, since time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.requests++; s.requests == 1 {
		s.began = time.Now()
	}
	if s.paths[path] {
		s.resent++
	}
	s.paths[path] = true
	return s.requests, time.Since(s.began)
}

// answers notes the moment at which a path is answered.
func (s *server) answers(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answered[path] = time.Now()
}

// answer is what the server says to a request.
const answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

// exchange reads requests and has each answered after the pause that wait returns. It ends with the connection, or
// after limit answers when that is above 0.
func exchange(s *server, c net.Conn, text string, limit int, wait func(number int, since time.Duration) time.Duration) {
	in := bufio.NewReader(c)
	for k := 1; limit == 0 || k <= limit; k++ {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		if pause := wait(s.saw(r.URL.Path)); pause > 0 && !sleep(s.ctx, pause) {
			return
		}
		s.answers(r.URL.Path)
		if _, err := io.WriteString(c, text); err != nil {
			return
		}
	}
	s.mu.Lock()
	s.closes++
	s.mu.Unlock()
}

// sleep returns false when the context ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
