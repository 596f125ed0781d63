package wire

// Limits bounds what a client may send.
type Limits struct {
	// MaxHeader bounds request line and header together, in bytes; above it 431.
	MaxHeader int
	// MaxHeaders bounds the number of header lines; above it 431.
	MaxHeaders int
	// MaxBody bounds the decoded body, in bytes; above it 413.
	MaxBody int
}

// Progress says how far a decoder has come with a message.
type Progress uint8

// Steps of a message, in order.
const (
	// More: the message goes on; feed the rest, and again whatever was not taken.
	More Progress = iota
	// HeadDone: the request's head is complete and checked. Decode goes on with the body at the next call, also for a
	// request without one (which is then Complete at once, with nothing taken).
	HeadDone
	// Complete: the message is whole; the decoder is ready for the next one.
	Complete
)

// Refusal is the error of a request that must be answered with Status and then be closed.
type Refusal struct {
	Status int
	Reason string
}

// Error implements error.
func (r *Refusal) Error() string { panic("not written") }

// RequestDecoder frames and parses the requests of one connection, strictly: what two readers could understand in two
// ways (RFC 9112 §6.3, §11) is refused.
type RequestDecoder struct {
	limits Limits
}

// NewRequestDecoder returns a decoder for one connection.
func NewRequestDecoder(l Limits) *RequestDecoder { panic("not written") }

// Decode reads from b and fills r. It returns the number of bytes taken: of an unfinished head none (feed the same
// bytes again with more behind them: the search goes on where it stopped), of a body all that belongs to it. The error,
// if any, is a *[Refusal].
func (d *RequestDecoder) Decode(b []byte, r *Request) (n int, p Progress, err error) {
	panic("not written")
}

// Started says whether the first byte of a message was seen and the message is not complete: the difference between an
// idle connection and a slow one.
func (d *RequestDecoder) Started() bool { panic("not written") }

// Reply is one HTTP response of a downstream. Body belongs to the Reply and is valid until the next Decode into it.
type Reply struct {
	Status    int
	Body      []byte
	KeepAlive bool
}

// ReplyDecoder frames and parses the responses of one downstream connection: Content-Length, chunked, or until close;
// interim 1xx answers are passed over.
type ReplyDecoder struct {
	limits Limits
}

// NewReplyDecoder returns a decoder for one downstream connection.
func NewReplyDecoder(l Limits) *ReplyDecoder { panic("not written") }

// Decode reads from b and fills r, as [RequestDecoder.Decode] does; it reports Complete or More. An error means that
// the connection is of no further use.
func (d *ReplyDecoder) Decode(b []byte, r *Reply) (n int, p Progress, err error) {
	panic("not written")
}

// Closed tells the decoder that the downstream closed: Complete when the reply ends there by rule, an error otherwise.
func (d *ReplyDecoder) Closed(r *Reply) (Progress, error) { panic("not written") }

// Started says whether a byte of the current reply was seen: a call may be sent again on another connection only
// before that.
func (d *ReplyDecoder) Started() bool { panic("not written") }

// Reset makes the decoder ready for a new connection.
func (d *ReplyDecoder) Reset() { panic("not written") }
