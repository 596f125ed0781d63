package equality

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// patience bounds one case: longer than any server's own timeouts for a request.
	patience = 60 * time.Second
	// closing bounds the wait for a close that was announced.
	closing = 5 * time.Second
	// maxBody bounds the body of an answer, in bytes; a line is bounded by the reader's buffer of 4 KiB.
	maxBody = 1 << 20
	// maxLines bounds the header lines of an answer.
	maxLines = 100
)

// answer is one response as it came.
type answer struct {
	status string
	header []string
	body   string
}

// conversation is what came back on the connection of a case: one answer per request as long as the server kept it, and
// how it ended.
type conversation struct {
	answers []answer
	end     string
	// closed says that the server ended it instead of an answer.
	closed bool
}

// How a conversation ends. Any other end is the text of what went wrong.
const (
	endKept   = "connection kept"
	endClosed = "connection closed, as announced"
	endLeft   = "Connection: close announced, but left open"
)

// converse sends a case's requests to a side. What the server does wrong is part of the conversation; an error is a
// failure to connect, or the end of ctx.
func converse(ctx context.Context, side Side, c Case) (conversation, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", side.Addr)
	if err != nil {
		return conversation{}, fmt.Errorf("connect to %s: %w", side.Name, err)
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()

	talk := hold(conn, side, c)
	if err := ctx.Err(); errors.Is(err, context.Canceled) {
		return conversation{}, context.Cause(ctx)
	}
	return talk, nil
}

// hold sends the requests one after the other for as long as the server keeps the connection.
func hold(conn net.Conn, side Side, c Case) (talk conversation) {
	answers := bufio.NewReader(conn)
	for _, r := range c.Requests {
		a, err := exchange(conn, answers, side, r)
		if err != nil {
			talk.closed, talk.end = closed(a, err), "no answer: "+cause(err)
			return talk
		}
		talk.answers = append(talk.answers, a)
		if a.closes(r.Proto) {
			talk.end = awaitClose(conn, answers)
			return talk
		}
	}
	talk.end = endKept
	next, err := exchange(conn, answers, side, afterwards())
	switch {
	case err != nil:
		talk.closed, talk.end = closed(next, err), "not announced to close, but of no further use: "+cause(err)
	case !strings.HasPrefix(next.status, "HTTP/1.1 "):
		talk.end = fmt.Sprintf("out of step: the next answer begins with %q", next.status)
	}
	return talk
}

// exchange sends one request and reads its answer. A reset while writing is not the end: the answer may be there.
func exchange(conn net.Conn, from *bufio.Reader, side Side, r Request) (answer, error) {
	_, writing := conn.Write(r.bytes(side))
	a, err := read(from, r.Method == http.MethodHead)
	if err != nil {
		return a, errors.Join(writing, err)
	}
	return a, nil
}

// closed says whether err is the end of a connection on which no byte of the answer a came.
func closed(a answer, err error) bool {
	return a.status == "" && (errors.Is(err, io.EOF) || errors.Is(err, unix.ECONNRESET) || errors.Is(err, unix.EPIPE))
}

// read reads one response.
func read(from *bufio.Reader, head bool) (a answer, err error) {
	if a.status, err = readLine(from); err != nil {
		return a, err
	}
	for len(a.header) <= maxLines {
		line, err := readLine(from)
		if err != nil {
			return a, err
		}
		if line == "" {
			break
		}
		a.header = append(a.header, line)
	}
	if head {
		return a, nil
	}
	length, err := strconv.Atoi(a.field("Content-Length"))
	if err != nil || length < 0 || length > maxBody {
		return a, fmt.Errorf("Content-Length %q of %q", a.field("Content-Length"), a.status)
	}
	body := make([]byte, length)
	_, err = io.ReadFull(from, body)
	a.body = string(body)
	return a, err
}

// readLine reads a line of the head and drops its CRLF; a line that ends otherwise keeps what it has.
func readLine(from *bufio.Reader) (string, error) {
	line, err := from.ReadSlice('\n')
	return strings.TrimSuffix(string(line), "\r\n"), err
}

// field is the value of the first header line of that name.
func (a answer) field(name string) string {
	for _, line := range a.header {
		if n, value, ok := strings.Cut(line, ":"); ok && strings.EqualFold(n, name) {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// says tells whether the answer has that status.
func (a answer) says(status int) bool {
	return strings.HasPrefix(a.status, fmt.Sprintf("HTTP/1.1 %d ", status))
}

// closes says whether the server announced to close, for HTTP/1.0 by not saying keep-alive.
func (a answer) closes(proto string) bool {
	connection := a.field("Connection")
	if proto == "HTTP/1.0" {
		return !strings.EqualFold(connection, "keep-alive")
	}
	return strings.EqualFold(connection, "close")
}

// awaitClose waits for the close that was announced.
func awaitClose(conn net.Conn, from *bufio.Reader) string {
	_ = conn.SetReadDeadline(time.Now().Add(closing))
	n, err := from.Discard(1)
	switch {
	case n > 0:
		return "bytes after an answer with Connection: close"
	case errors.Is(err, io.EOF):
		return endClosed
	case errors.Is(err, os.ErrDeadlineExceeded):
		return endLeft
	}
	return "after an answer with Connection: close: " + cause(err)
}

// cause is an error without addresses, which differ between sides and connections.
func cause(err error) string {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return "timed out"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "connection closed"
	}
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err.Error()
	}
	return err.Error()
}
