package wire

import (
	"net/http"
	"strconv"
	"time"
)

// Response is what a server of the lab answers. Every response has a Content-Length and is JSON.
type Response struct {
	Status int
	Body   []byte
	// ID is returned as X-Request-Id when not empty.
	ID []byte
	// Allow is sent with 405.
	Allow string
	// RetryAfter is sent with 503, in whole seconds, when above zero.
	RetryAfter int
	// ServerTiming is the value of Server-Timing; empty leaves the line out.
	ServerTiming []byte
}

// Problem fills the response with a JSON problem of that status: {"error":text}. The text must need no escaping.
// Everything else in the response stays as it is; the body's memory is used again.
func (r *Response) Problem(status int, text string) {
	r.Status = status
	r.Body = append(r.Body[:0], `{"error":"`...)
	r.Body = append(r.Body, text...)
	r.Body = append(r.Body, `"}`...)
}

// Connection says what becomes of the connection behind a response.
type Connection uint8

// What the Connection line says; Reuse is silent for HTTP/1.1 and "keep-alive" for HTTP/1.0.
const (
	Reuse Connection = iota
	Close
)

// AppendResponse appends the whole response: status line, header, and the body unless the request was HEAD. date is
// the value of the Date line (see [DateLine]).
func AppendResponse(dst []byte, r *Response, req *Request, c Connection, date []byte) []byte {
	dst = append(dst, "HTTP/1.1 "...)
	dst = strconv.AppendInt(dst, int64(r.Status), 10)
	dst = append(dst, ' ')
	dst = append(dst, http.StatusText(r.Status)...)
	dst = append(dst, "\r\nServer: poolvsloop\r\nDate: "...)
	dst = append(dst, date...)
	dst = append(dst, "\r\nContent-Type: application/json\r\nContent-Length: "...)
	dst = strconv.AppendInt(dst, int64(len(r.Body)), 10)
	if len(r.ID) > 0 {
		dst = append(dst, "\r\nX-Request-Id: "...)
		dst = append(dst, r.ID...)
	}
	if r.Status == http.StatusMethodNotAllowed {
		dst = append(dst, "\r\nAllow: "...)
		dst = append(dst, r.Allow...)
	}
	if r.Status == http.StatusServiceUnavailable && r.RetryAfter > 0 {
		dst = append(dst, "\r\nRetry-After: "...)
		dst = strconv.AppendInt(dst, int64(r.RetryAfter), 10)
	}
	if len(r.ServerTiming) > 0 {
		dst = append(dst, "\r\nServer-Timing: "...)
		dst = append(dst, r.ServerTiming...)
	}
	switch {
	case c == Close:
		dst = append(dst, "\r\nConnection: close"...)
	case req.HTTP10:
		dst = append(dst, "\r\nConnection: keep-alive"...)
	}
	dst = append(dst, "\r\n\r\n"...)
	if req.Method == Head {
		return dst
	}
	return append(dst, r.Body...)
}

// AppendContinue appends the interim response "100 Continue".
func AppendContinue(dst []byte) []byte { return append(dst, "HTTP/1.1 100 Continue\r\n\r\n"...) }

// DateLine formats the Date of a response once a second. Each worker and each loop has its own.
type DateLine struct {
	second int64
	line   []byte
}

// At returns the value for that moment, valid until the next call.
func (d *DateLine) At(now time.Time) []byte {
	if s := now.Unix(); s != d.second || len(d.line) == 0 {
		d.second = s
		d.line = now.UTC().AppendFormat(d.line[:0], http.TimeFormat)
	}
	return d.line
}

// AppendCall appends a request to a downstream: method, path, Host, X-Request-Id, and with a body Content-Type and
// Content-Length. A POST always says its length.
func AppendCall(dst []byte, method Method, host string, path, id, body []byte) []byte {
	dst = append(dst, method.String()...)
	dst = append(dst, ' ')
	dst = append(dst, path...)
	dst = append(dst, " HTTP/1.1\r\nHost: "...)
	dst = append(dst, host...)
	dst = append(dst, "\r\nX-Request-Id: "...)
	dst = append(dst, id...)
	if len(body) > 0 || method == Post {
		dst = append(dst, "\r\nContent-Type: application/json\r\nContent-Length: "...)
		dst = strconv.AppendInt(dst, int64(len(body)), 10)
	}
	dst = append(dst, "\r\n\r\n"...)
	return append(dst, body...)
}

// AppendPadded appends n, 0 or more, with leading zeros up to width digits.
func AppendPadded(dst []byte, n int64, width int) []byte {
	var number [20]byte
	text := strconv.AppendInt(number[:0], n, 10)
	for range width - len(text) {
		dst = append(dst, '0')
	}
	return append(dst, text...)
}
