package load

import (
	"bytes"
	"errors"
)

// maxHead bounds the header of an answer, its interim answers and its trailer, in bytes each.
const maxHead = 64 << 10

// What can be wrong with an answer.
var (
	errStatusLine = errors.New("no HTTP/1 status line")
	errSwitched   = errors.New("protocol switched unasked")
	errHeader     = errors.New("broken header line")
	errLength     = errors.New("broken Content-Length")
	errChunk      = errors.New("broken chunk")
	errHeadSize   = errors.New("header above 64 KiB")
)

// step is what a framer expects next.
type step uint8

const (
	stepStatus step = iota
	stepHeader
	stepBody
	stepUntilClose
	stepChunkSize
	stepChunk
	stepChunkEnd
	stepTrailer
	stepDone
)

// framer finds where an HTTP/1 answer ends (RFC 9112 §6.3), in whatever pieces it comes. It is line by line outside
// the body, so that only an unfinished line is ever kept. It serves one connection; reset makes it ready for the next
// answer.
type framer struct {
	step   step
	headOf bool   // the request was HEAD: no body follows, whatever the header says
	line   []byte // the start of a line whose end has not come
	lines  int    // bytes of the current header, chunk line or trailer
	remain int64  // bytes still to come of the body or the chunk
	known  *known // the last head of a loop's answers, nil without

	heading

	headBytes int64 // bytes of headers, interim answers included
	bodyBytes int64 // bytes of the decoded body

	collect bool   // keep the body in content
	content []byte // valid until reset; aliases the fed bytes when the body came in one piece
	spare   []byte // the memory behind content when it did not

	wantServer bool
	server     string // value of Server, when wanted

	want  string // name of another header that is wanted, in lower case; "" for none
	value []byte // its value, valid until reset
}

// heading is what a header says about its answer.
type heading struct {
	status  int
	http10  bool
	persist bool  // "Connection: keep-alive" was seen
	close   bool  // "Connection: close" was seen
	length  int64 // Content-Length, -1 without
	coding  coding
}

// known is a whole header and what it says. Answers of a server mostly have the header of the one before, byte for
// byte; comparing is much cheaper than reading.
type known struct {
	bytes []byte
	heading
}

// coding is what Transfer-Encoding said.
type coding uint8

const (
	plain coding = iota
	chunked
	// unknownCoding ends with the connection (RFC 9112 §6.3, rule 4).
	unknownCoding
)

// reset makes the framer ready for the answer to the next request.
func (f *framer) reset(headOf, collect, wantServer bool) {
	*f = framer{
		headOf: headOf, collect: collect, wantServer: wantServer, heading: heading{length: -1}, known: f.known,
		line: f.line[:0], spare: f.spare[:0], want: f.want, value: f.value[:0],
	}
}

// recall takes a header that is known, and returns its length, 0 when it is not.
func (f *framer) recall(b []byte) int {
	if f.known == nil || len(f.known.bytes) == 0 || f.wantServer || len(f.line) > 0 || !bytes.HasPrefix(b, f.known.bytes) {
		return 0
	}
	f.heading = f.known.heading
	n := len(f.known.bytes)
	f.headBytes += int64(n)
	f.endHead()
	return n
}

// learn keeps a header that came in one piece. One without a length means another thing in an answer to HEAD.
func (f *framer) learn(b []byte) {
	if f.known != nil && f.step != stepUntilClose {
		f.known.bytes, f.known.heading = append(f.known.bytes[:0], b...), f.heading
	}
}

// started says whether a byte of the answer has come.
func (f *framer) started() bool { return f.headBytes > 0 }

// done says whether the answer is complete.
func (f *framer) done() bool { return f.step == stepDone }

// reusable says whether the connection may carry another request after a complete answer (RFC 9112 §9.3).
func (f *framer) reusable() bool {
	return !f.close && (!f.http10 || f.persist) && (f.coding == plain || f.length < 0)
}

// feed takes bytes of the answer and returns how many belong to it: fewer than given only when the answer is complete
// or broken.
func (f *framer) feed(b []byte) (n int, err error) {
	for n < len(b) && f.step != stepDone {
		switch f.step {
		case stepStatus, stepHeader:
			k, err := f.takeHead(b[n:])
			n += k
			if err != nil {
				return n, err
			}
		case stepBody, stepChunk, stepUntilClose:
			n += f.takeData(b[n:])
		default:
			k, err := f.takeLine(b[n:])
			n += k
			if err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// takeHead takes the rest of a header, or all there is of it.
func (f *framer) takeHead(b []byte) (n int, err error) {
	if f.step == stepStatus {
		if n = f.recall(b); n > 0 {
			return n, nil
		}
	}
	whole := f.step == stepStatus && len(f.line) == 0
	for n < len(b) && f.step <= stepHeader {
		k, err := f.takeLine(b[n:])
		n += k
		if err != nil {
			return n, err
		}
		if f.step == stepStatus && f.status != 0 { // behind an interim answer
			return n, nil
		}
	}
	if whole && f.step > stepHeader {
		f.learn(b[:n])
	}
	return n, nil
}

// closed tells the framer that the server ended the connection, and says whether the answer is thereby complete.
func (f *framer) closed() bool {
	if f.step == stepUntilClose {
		f.step = stepDone
	}
	return f.step == stepDone
}

// takeData takes body bytes.
func (f *framer) takeData(b []byte) int {
	if f.step != stepUntilClose {
		b = b[:min(int64(len(b)), f.remain)]
		f.remain -= int64(len(b))
	}
	if f.collect {
		f.keep(b)
	}
	f.bodyBytes += int64(len(b))
	if f.remain == 0 {
		switch f.step {
		case stepBody:
			f.step = stepDone
		case stepChunk:
			f.step, f.lines = stepChunkEnd, 0
		}
	}
	return len(b)
}

// keep adds to the content; a body that is whole in one piece is not copied.
func (f *framer) keep(b []byte) {
	if f.step == stepBody && f.remain == 0 && f.bodyBytes == 0 {
		f.content = b
		return
	}
	f.spare = append(f.spare, b...)
	f.content = f.spare
}

// takeLine takes the rest of a line, or all there is of it.
func (f *framer) takeLine(b []byte) (int, error) {
	n, whole := len(b), false
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		n, whole = i+1, true
	}
	f.lines += n
	if f.step <= stepHeader {
		f.headBytes += int64(n)
	}
	if f.lines > maxHead {
		return n, errHeadSize
	}
	if !whole {
		f.line = append(f.line, b...)
		return n, nil
	}
	line := b[:n-1]
	if len(f.line) > 0 {
		f.line = append(f.line, line...)
		line, f.line = f.line, f.line[:0]
	}
	if k := len(line); k > 0 && line[k-1] == '\r' {
		line = line[:k-1]
	}
	return n, f.readLine(line)
}

// readLine reads a whole line, its end cut off.
func (f *framer) readLine(line []byte) error {
	switch f.step {
	case stepStatus:
		return f.readStatus(line)
	case stepHeader:
		if len(line) == 0 {
			f.endHead()
			return nil
		}
		return f.readHeader(line)
	case stepChunkSize:
		return f.readChunkSize(line)
	case stepChunkEnd:
		if len(line) != 0 {
			return errChunk
		}
		f.step, f.lines = stepChunkSize, 0
	case stepTrailer:
		if len(line) == 0 {
			f.step = stepDone
		}
	}
	return nil
}

// endHead decides what follows the header.
func (f *framer) endHead() {
	switch {
	case f.status < 200:
		f.step, f.length, f.coding, f.persist, f.close = stepStatus, -1, plain, false, false
		f.lines, f.value = 0, f.value[:0]
	case f.headOf || f.status == 204 || f.status == 304:
		f.step = stepDone
	case f.coding == chunked:
		f.step, f.lines = stepChunkSize, 0
	case f.coding == unknownCoding || f.length < 0:
		f.step, f.close = stepUntilClose, true
	case f.length == 0:
		f.step = stepDone
	default:
		f.step, f.remain = stepBody, f.length
	}
}
