package wire

// Request is one HTTP request as a [RequestDecoder] read it. Its slices belong to the Request and stay valid until
// Reset; they never alias the bytes that were fed. Reuse a Request: after the first few it allocates nothing.
type Request struct {
	Method Method
	// Path is the raw path of the target, without query and fragment.
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
	// ID is the value of X-Request-Id; empty when the client sent none, or one that is not 1 to 64 visible characters.
	ID []byte
	// Timing is set by "X-Lab-Timing: 1": the answer carries Server-Timing.
	Timing bool
	// Body is the decoded body, complete once the decoder said [Complete].
	Body []byte
}

// Chunked is the ContentLength of a body whose length is not known in advance.
const Chunked = -1

// Reset empties the request and keeps its memory.
func (r *Request) Reset() { panic("not written") }

// Arg returns the first value of a query argument, percent-decoded, and whether it is there. The value is valid until
// Reset.
func (r *Request) Arg(name string) ([]byte, bool) { panic("not written") }

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
