package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// relay stands in front of a server and passes bytes on as they are, but for one request: that which holds marked is
// given to spoil, which may ask the server any number of times and returns what the client gets. Each request of the
// load engine has a connection of its own (no -k).
type relay struct {
	to, marked string
	spoil      func(ask func() []byte) []byte
}

// start serves until the test ends and returns the relay's host:port.
func (r relay) start(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { r.serve(client) })
		}
	})
	t.Cleanup(func() {
		require.NoError(t, listener.Close())
		serving.Wait()
	})
	return listener.Addr().String()
}

func (r relay) serve(client net.Conn) {
	defer client.Close()
	request := make([]byte, 64<<10) // a request is written at once, and shorter
	n, err := client.Read(request)
	if err != nil {
		return
	}
	request = request[:n]
	if bytes.Contains(request, []byte(r.marked)) {
		_, _ = client.Write(r.spoil(func() []byte { return r.ask(request) }))
		return
	}
	server, err := net.Dial("tcp", r.to)
	if err != nil {
		return
	}
	var copying sync.WaitGroup
	copying.Go(func() {
		defer server.Close()
		_, _ = io.Copy(server, io.MultiReader(bytes.NewReader(request), client))
	})
	_, _ = io.Copy(client, server)
	_ = client.Close()
	copying.Wait()
}

// ask has the server answer a request after which it closes.
func (r relay) ask(request []byte) []byte {
	server, err := net.Dial("tcp", r.to)
	if err != nil {
		return nil
	}
	defer server.Close()
	if _, err := server.Write(request); err != nil {
		return nil
	}
	answer, err := io.ReadAll(server)
	if err != nil {
		return nil
	}
	return answer
}

// lyingAdmin stands in front of an admin port and changes its answers to GET path by lie; it returns its host:port.
func lyingAdmin(t *testing.T, admin, path string, lie func(text []byte) []byte) string {
	t.Helper()
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: admin})
	proxy.ModifyResponse = func(answer *http.Response) error {
		if answer.Request.URL.Path != path {
			return nil
		}
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			return err
		}
		text = lie(text)
		answer.Header.Set("Content-Length", strconv.Itoa(len(text)))
		answer.Body, answer.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
		return nil
	}
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}
