package main

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// patience is how long a test waits for what must come.
const patience = 10 * time.Second

// client is a raw HTTP client of one connection.
type client struct {
	t      testing.TB
	socket *net.TCPConn
	in     *bufio.Reader
}

func newClient(t testing.TB, socket *net.TCPConn) *client {
	return &client{t, socket, bufio.NewReader(socket)}
}

// get is a request of that path.
func get(path string, headers ...string) string {
	return "GET " + path + " HTTP/1.1\r\nHost: test\r\n" + strings.Join(append(headers, ""), "\r\n") + "\r\n"
}

// post is a request head of that path for a body of that length, as the header says it.
func post(path, length string) string {
	return "POST " + path + " HTTP/1.1\r\nHost: test\r\nContent-Length: " + length + "\r\n\r\n"
}

func (c *client) send(text string) *client {
	c.t.Helper()
	_, err := io.WriteString(c.socket, text)
	require.NoError(c.t, err)
	return c
}

// reply is one answer.
type reply struct {
	status int
	header http.Header
	body   string
	closes bool // it says Connection: close
}

// next reads one answer.
func (c *client) next() reply {
	c.t.Helper()
	r, err := c.try()
	require.NoError(c.t, err)
	return r
}

func (c *client) try() (reply, error) {
	if err := c.socket.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return reply{}, err
	}
	response, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return reply{}, err
	}
	body, err := io.ReadAll(response.Body)
	return reply{response.StatusCode, response.Header, string(body), response.Close}, err
}

// expect reads one answer of that status.
func (c *client) expect(status int) reply {
	c.t.Helper()
	r := c.next()
	require.Equal(c.t, status, r.status, "%s", r.body)
	return r
}

// expectEnd waits until the server has closed the connection in order, without another byte.
func (c *client) expectEnd() {
	c.t.Helper()
	require.NoError(c.t, c.socket.SetReadDeadline(time.Now().Add(patience)))
	_, err := c.in.ReadByte()
	require.ErrorIs(c.t, err, io.EOF)
}

// expectCut waits until the server has closed or reset the connection.
func (c *client) expectCut() {
	c.t.Helper()
	require.NoError(c.t, c.socket.SetReadDeadline(time.Now().Add(patience)))
	_, err := io.Copy(io.Discard, c.in)
	require.False(c.t, errors.Is(err, os.ErrDeadlineExceeded), "still open")
}

// reset closes the connection with a RST.
func (c *client) reset() {
	require.NoError(c.t, c.socket.SetLinger(0))
	require.NoError(c.t, c.socket.Close())
}

// isGone says that an error is of a closed or reset connection.
func isGone(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) ||
		errors.Is(err, syscall.EPIPE)
}
