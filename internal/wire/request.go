package wire

import "github.com/valyala/fasthttp"

// Request is one HTTP request as a [RequestDecoder] read it. Its slices belong to the Request and stay valid until
// Reset; they never alias the bytes that were fed. Reuse a Request: after the first few it allocates nothing.
type Request struct {
	Method Method
	// Path is the raw path of the target, without query.
	Path []byte
	// Query is what follows the first '?', raw.
	Query []byte
	// HTTP10 is set for an HTTP/1.0 client: it needs "Connection: keep-alive" in an answer to reuse the connection.
	HTTP10 bool
	// KeepAlive says that the client lets the connection be reused after the answer.
	KeepAlive bool
	// Expect says that the client waits for "100 Continue" before it sends its body.
	Expect bool
	// ContentLength is the length of the body in bytes, or Chunked when only the coding tells.
	ContentLength int
	// ID is the value of X-Request-Id; empty when the client sent none, or one that is not 1 to 64 characters of
	// [A-Za-z0-9._-].
	ID []byte
	// Timing is set by "X-Lab-Timing: 1": the answer carries Server-Timing.
	Timing bool
	// Body is the decoded body, complete once the decoder said [Complete].
	Body []byte

	args       fasthttp.Args
	argsParsed bool
}

// Chunked is the ContentLength of a body whose length is not known in advance.
const Chunked = -1

// MaxKept is the largest buffer, in bytes, that a server keeps from one message to the next: for a body, a reply or an
// answer. What is larger is let go once it is used, so that a burst of big messages does not stay in memory.
const MaxKept = 64 << 10

// Reset empties the request and keeps its memory, but for a body above [MaxKept].
func (r *Request) Reset() {
	r.Method, r.ContentLength = 0, 0
	r.HTTP10, r.KeepAlive, r.Expect, r.Timing, r.argsParsed = false, false, false, false, false
	r.Path, r.Query, r.ID, r.Body = r.Path[:0], r.Query[:0], r.ID[:0], emptied(r.Body)
}

// emptied returns b without content, and without its memory when that is large.
func emptied(b []byte) []byte {
	if cap(b) > MaxKept {
		return nil
	}
	return b[:0]
}

// Arg returns the first value of a query argument, percent-decoded, and whether it is there. The value is valid until
// Reset.
func (r *Request) Arg(name string) ([]byte, bool) {
	if !r.argsParsed {
		r.args.ParseBytes(r.Query)
		r.argsParsed = true
	}
	if !r.args.Has(name) {
		return nil, false
	}
	return r.args.Peek(name), true
}

// Method is a request method the lab knows.
type Method uint8

// Methods. A method that is none of these is refused by the decoder with 501.
const (
	Get Method = iota + 1
	Head
	Post
	Put
	Delete
	Options
	Patch
	Trace
	Connect
)

var methodNames = [...]string{
	Get: "GET", Head: "HEAD", Post: "POST", Put: "PUT", Delete: "DELETE",
	Options: "OPTIONS", Patch: "PATCH", Trace: "TRACE", Connect: "CONNECT",
}

// String is the method as it is written in a request line; empty for the zero Method.
func (m Method) String() string { return methodNames[m] }

// methodOf returns 0 for a method that the lab does not know. Methods are case-sensitive (RFC 9110 §9.1).
func methodOf(name []byte) Method {
	for m := Get; m <= Connect; m++ {
		if methodNames[m] == string(name) {
			return m
		}
	}
	return 0
}
