package wire

import "time"

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
func (r *Response) Problem(status int, text string) { panic("not written") }

// Close says what becomes of the connection behind a response.
type Connection uint8

// What the Connection line says; Reuse is silent for HTTP/1.1 and "keep-alive" for HTTP/1.0.
const (
	Reuse Connection = iota
	Close
)

// AppendResponse appends the whole response: status line, header, and the body unless the request was HEAD. date is
// the value of the Date line (see [DateLine]).
func AppendResponse(dst []byte, r *Response, req *Request, c Connection, date []byte) []byte {
	panic("not written")
}

// AppendContinue appends the interim response "100 Continue".
func AppendContinue(dst []byte) []byte { panic("not written") }

// DateLine formats the Date of a response once a second. Each worker and each loop has its own.
type DateLine struct {
	second int64
	line   []byte
}

// At returns the value for that moment, valid until the next call.
func (d *DateLine) At(now time.Time) []byte { panic("not written") }

// AppendCall appends a request to a downstream: method, path, Host, X-Request-Id, and with a body Content-Type and
// Content-Length.
func AppendCall(dst []byte, method Method, host string, path, id, body []byte) []byte {
	panic("not written")
}
