package wire

import "net/http"

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
	head   head
	body   body
	inBody bool
	begun  bool
}

// NewReplyDecoder returns a decoder for one downstream connection.
func NewReplyDecoder(l Limits) *ReplyDecoder { return &ReplyDecoder{limits: l} }

// Decode reads from b and fills r, as [RequestDecoder.Decode] does; it reports Complete or More. An error means that
// the connection is of no further use.
func (d *ReplyDecoder) Decode(b []byte, r *Reply) (n int, p Progress, err error) {
	d.begun = d.begun || len(b) > 0
	for !d.inBody {
		length, err := d.readHead(b[n:])
		if err != nil || length == 0 {
			return n, More, err
		}
		interim, err := d.fill(b[n:n+length], r)
		if err != nil {
			return n, More, err
		}
		n += length
		d.head, d.inBody = head{}, !interim
	}
	m, content, done, err := d.body.read(b[n:], r.Body, &d.limits)
	r.Body = content
	if err != nil || !done {
		return n + m, More, err
	}
	d.inBody, d.begun = false, false
	return n + m, Complete, nil
}

// Closed tells the decoder that the downstream closed: Complete when the reply ends there by rule, an error otherwise.
func (d *ReplyDecoder) Closed(r *Reply) (Progress, error) {
	if !d.inBody || d.body.mode != bodyUntilClose {
		return More, errCut
	}
	d.inBody, d.begun = false, false
	return Complete, nil
}

// Started says whether a byte of the current reply was seen: a call may be sent again on another connection only
// before that.
func (d *ReplyDecoder) Started() bool { return d.begun }

// Reset makes the decoder ready for a new connection.
func (d *ReplyDecoder) Reset() { *d = ReplyDecoder{limits: d.limits} }

func (d *ReplyDecoder) readHead(b []byte) (int, error) {
	for {
		line, ok, err := d.head.next(b, &d.limits)
		switch {
		case err != nil || !ok:
			return 0, err
		case d.head.lines == 1:
			err = statusLine(line)
		case len(line) == 0:
			return d.head.start, nil
		default:
			err = d.header(line)
		}
		if err != nil {
			return 0, err
		}
	}
}

func (d *ReplyDecoder) header(line []byte) error {
	name, value, err := field(line)
	if err != nil {
		return err
	}
	return d.head.framing.add(name, value)
}

// statusLine checks HTTP/1.0 or 1.1, a space, three digits and a reason, which may be missing (RFC 9112 §4).
func statusLine(line []byte) error {
	const start = "HTTP/1.1 200"
	if len(line) < len(start) || len(line) > len(start) && line[len(start)] != ' ' {
		return errStatusLine
	}
	version, code := line[:8], line[9:12]
	if string(version) != "HTTP/1.1" && string(version) != "HTTP/1.0" || line[8] != ' ' {
		return errStatusLine
	}
	if n, ok := digits(code); !ok || n < 100 || n > 599 || !valueChars.all(line[12:]) {
		return errStatusLine
	}
	return nil
}

// fill parses the complete head. interim says that it belongs to a 1xx response, behind which another head follows.
func (d *ReplyDecoder) fill(b []byte, r *Reply) (interim bool, err error) {
	p := parsers.Get().(*parser)
	defer p.release()
	if err := p.parseResponse(b); err != nil {
		return false, err
	}
	f, framing := &p.response, &d.head.framing
	if err := framing.check(!f.IsHTTP11(), &d.limits); err != nil {
		return false, err
	}
	r.Status, r.KeepAlive, r.Body = f.StatusCode(), !f.ConnectionClose(), emptied(r.Body)
	switch {
	case r.Status == http.StatusSwitchingProtocols:
		return false, errInterim
	case r.Status < 200:
		return true, nil
	case r.Status == http.StatusNoContent || r.Status == http.StatusNotModified:
		d.body.begin(0)
	case framing.lengths == 0 && !framing.chunked:
		d.body = body{mode: bodyUntilClose}
		r.KeepAlive = false
	default:
		d.body.begin(framing.bodyLength())
	}
	return false, nil
}
