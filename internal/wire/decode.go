package wire

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

// RequestDecoder frames and parses the requests of one connection, strictly: what two readers could understand in two
// ways (RFC 9112 §6.3, §11) is refused.
type RequestDecoder struct {
	limits Limits
	head   requestHead
	body   body
	inBody bool
	begun  bool
}

// NewRequestDecoder returns a decoder for one connection.
func NewRequestDecoder(l Limits) *RequestDecoder { return &RequestDecoder{limits: l} }

// Decode reads from b and fills r, which it resets once a head is complete. It returns the number of bytes taken: of an
// unfinished head none but empty lines before it (feed the same bytes again with more behind them: the search goes on
// where it stopped), of a body all that belongs to it. The error, if any, is a *[Refusal]; r then holds the method and
// version when they were read, and the decoder is of no further use.
func (d *RequestDecoder) Decode(b []byte, r *Request) (n int, p Progress, err error) {
	if !d.inBody {
		return d.decodeHead(b, r)
	}
	n, content, done, err := d.body.read(b, r.Body, &d.limits)
	r.Body = content
	if err != nil || !done {
		return n, More, err
	}
	d.inBody, d.begun = false, false
	return n, Complete, nil
}

// Started says whether the first byte of a message was seen and the message is not complete: the difference between an
// idle connection and a slow one.
func (d *RequestDecoder) Started() bool { return d.begun }

func (d *RequestDecoder) decodeHead(b []byte, r *Request) (n int, p Progress, err error) {
	n, err = d.head.skipBlank(b, &d.limits)
	b = b[n:]
	// A lone CR is the first half of one more empty line.
	d.begun = len(b) > 0 && b[0] != '\r'
	length := 0
	if err == nil && d.begun {
		length, err = d.readHead(b)
	}
	if err == nil && length == 0 {
		return n, More, nil
	}
	r.Reset()
	if err == nil {
		err = d.head.fill(b[:length], r)
	}
	if err != nil {
		r.Method, r.HTTP10 = d.head.method, d.head.http10
		return n, More, err
	}
	d.body.begin(r.ContentLength)
	d.head, d.inBody = requestHead{}, true
	return n + length, HeadDone, nil
}

// readHead checks the lines that are complete and returns the length of the head once it is, 0 before.
func (d *RequestDecoder) readHead(b []byte) (int, error) {
	for {
		line, ok, err := d.head.next(b, &d.limits)
		switch {
		case err != nil || !ok:
			return 0, err
		case d.head.lines == 1:
			err = d.head.requestLine(line)
		case len(line) == 0:
			return d.head.start, d.head.finish(&d.limits)
		default:
			err = d.head.header(line)
		}
		if err != nil {
			return 0, err
		}
	}
}
