package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/wire"
)

// gate is a stack whose requests to /gate… stay with their worker until they are let through. All workers share it.
type gate struct {
	t       *testing.T
	arrived chan string // paths, in the order in which workers took them
	pass    chan struct{}
}

func newGate(t *testing.T) *gate {
	return &gate{t, make(chan string, 1024), make(chan struct{})}
}

// open lets everything through from now on.
func (g *gate) open() { close(g.pass) }

func (g *gate) hire() stack { return g }
func (g *gate) close()      {}

// answer implements stack: /gate… waits, /panic panics, /size… answers a lot, any other path answers its body.
func (g *gate) answer(dst []byte, j *job) ([]byte, int) {
	path := string(j.request.Path)
	response := wire.Response{Status: http.StatusOK, Body: []byte(`"` + string(j.request.Body) + `"`)}
	switch {
	case strings.HasPrefix(path, "/gate"):
		g.arrived <- path
		<-g.pass
	case path == "/panic":
		panic("as asked")
	case path == "/large":
		response.Body = make([]byte, 8<<20)
	}
	return wire.AppendResponse(dst, &response, j.request, j.settle(), j.date.At(time.Now())), response.Status
}

// expect waits until workers have taken n requests more, and returns their paths.
func (g *gate) expect(n int) (paths []string) {
	g.t.Helper()
	for range n {
		select {
		case path := <-g.arrived:
			paths = append(paths, path)
		case <-time.After(patience):
			require.FailNow(g.t, "no worker took a request", "have %v", paths)
		}
	}
	return paths
}

// let lets n requests through.
func (g *gate) let(n int) {
	g.t.Helper()
	for range n {
		select {
		case g.pass <- struct{}{}:
		case <-time.After(patience):
			require.FailNow(g.t, "no request waits at the gate")
		}
	}
}
