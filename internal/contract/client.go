package contract

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// client is one raw connection to the server. Reads and writes that take longer than patience fail.
type client struct {
	t *testing.T
	*net.TCPConn
	reader *bufio.Reader
}

func (w *world) dial(t *testing.T) *client {
	t.Helper()
	conn, err := net.DialTimeout("tcp", w.Addr, patience)
	require.NoError(t, err)
	require.NoError(t, conn.SetDeadline(time.Now().Add(2*patience)))
	t.Cleanup(func() { drop(conn) })
	return &client{t: t, TCPConn: conn.(*net.TCPConn), reader: bufio.NewReader(conn)}
}

func (c *client) send(raw string) {
	c.t.Helper()
	_, err := io.WriteString(c, raw)
	require.NoError(c.t, err)
}

// answer is one whole response.
type answer struct {
	status int
	header http.Header
	body   string
	// closes says that the server announced the end of the connection.
	closes bool
}

// readTo reads the next answer, to a request of that method. What every answer must have is checked here.
func (c *client) readTo(method string) answer {
	c.t.Helper()
	a, err := readAnswer(c.reader, method)
	require.NoError(c.t, err)
	return a
}

func (c *client) read() answer {
	c.t.Helper()
	return c.readTo(http.MethodGet)
}

func readAnswer(r *bufio.Reader, method string) (answer, error) {
	resp, err := http.ReadResponse(r, &http.Request{Method: method})
	if err != nil {
		return answer{}, fmt.Errorf("read an answer: %w", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	a := answer{status: resp.StatusCode, header: resp.Header, body: string(body), closes: resp.Close}
	switch {
	case err != nil:
		return a, fmt.Errorf("read the body of a %d: %w", a.status, err)
	case a.status < 200:
		return a, nil
	case resp.ContentLength < 0 || a.header.Get("Content-Type") != "application/json" || a.header.Get("Date") == "":
		return a, fmt.Errorf("answer %d without length, JSON or date: %v", a.status, a.header)
	case method != http.MethodHead && !json.Valid(body):
		return a, fmt.Errorf("answer %d is not JSON: %.100q", a.status, body)
	}
	return a, nil
}

// ask sends a request and reads its answer.
func (c *client) ask(raw string) answer {
	c.t.Helper()
	c.send(raw)
	method, _, _ := strings.Cut(raw, " ")
	return c.readTo(method)
}

// ends requires that the server closes in order, with no further byte.
func (c *client) ends() {
	c.t.Helper()
	rest, err := io.ReadAll(c.reader)
	require.NoError(c.t, err, "the connection must end in order")
	require.Empty(c.t, string(rest), "nothing must come before the end")
}

// isGone waits until the connection ends in any way.
func (c *client) isGone() {
	c.t.Helper()
	_, err := io.Copy(io.Discard, c.reader)
	require.False(c.t, isTimeout(err), "the connection must end")
}

// staysSilent requires that nothing comes for a moment.
func (c *client) staysSilent() {
	c.t.Helper()
	require.NoError(c.t, c.SetReadDeadline(time.Now().Add(50*time.Millisecond)))
	_, err := c.reader.Peek(1)
	require.True(c.t, isTimeout(err), "want silence, got %v", err)
	require.NoError(c.t, c.SetReadDeadline(time.Now().Add(2*patience)))
}

// reset ends the connection by RST.
func (c *client) reset() {
	c.t.Helper()
	require.NoError(c.t, c.SetLinger(0))
	require.NoError(c.t, c.Close())
}

// request is the bytes of an HTTP/1.1 request; headers are whole lines without their ends.
func request(method, target, body string, headers ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: lab\r\n", method, target)
	for _, h := range headers {
		b.WriteString(h + "\r\n")
	}
	if body != "" || method == http.MethodPost {
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(body))
	}
	return b.String() + "\r\n" + body
}

// order is the body of an order.
func order(customerID, sku string, quantity int, note string) string {
	return fmt.Sprintf(`{"customer_id":%q,"sku":%q,"quantity":%d,"note":%q}`, customerID, sku, quantity, note)
}

// orderRequest is the bytes of an ordinary order.
func (w *world) orderRequest(headers ...string) string {
	return request(http.MethodPost, w.server.Path, order("c-1", "s-1", 3, "n"), headers...)
}

// hold is the bytes of a request that the server answers alone.
func hold(args string) string { return request(http.MethodGet, "/v1/hold?"+args, "") }

// mustServe requires that a new client is served.
func (w *world) mustServe(t *testing.T) {
	t.Helper()
	c := w.dial(t)
	require.Equal(t, http.StatusOK, c.ask(w.orderRequest("Connection: close")).status)
	c.ends()
}
