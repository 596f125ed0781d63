package wire

import "slices"

// body reads the content of one message: a fixed length, chunks, or all until the connection closes.
type body struct {
	mode bodyMode
	left int // bytes of the fixed length, or of the chunk, still to come
	chunk
}

type bodyMode uint8

const (
	bodyNone bodyMode = iota
	bodyFixed
	bodyChunked
	bodyUntilClose
)

// maxAhead is how much memory, in bytes, the announcement of a body gets before the body is there.
const maxAhead = 16 << 10

// begin prepares for a body of length bytes, or Chunked.
func (d *body) begin(length int) {
	*d = body{}
	switch {
	case length == Chunked:
		d.mode = bodyChunked
	case length > 0:
		d.mode, d.left = bodyFixed, length
	}
}

// read appends what b holds of the content to dst. It takes every byte that belongs to the body.
func (d *body) read(b, dst []byte, l *Limits) (n int, content []byte, done bool, err error) {
	switch d.mode {
	case bodyFixed:
		n = min(d.left, len(b))
		dst = slices.Grow(dst, min(d.left, maxAhead))
		d.left -= n
		return n, append(dst, b[:n]...), d.left == 0, nil
	case bodyChunked:
		return d.readChunks(b, dst, l)
	case bodyUntilClose:
		if len(dst)+len(b) > l.MaxBody {
			return 0, dst, false, errBodySize
		}
		return len(b), append(dst, b...), false, nil
	}
	return 0, dst, true, nil
}

// chunk is the state of the chunked coding (RFC 9112 §7.1), a machine over single bytes but for the data.
type chunk struct {
	state chunkState
	line  int // bytes of the chunk's or trailer's line so far
	spent int // bytes of lines that no content paid for
}

type chunkState uint8

const (
	chunkSize chunkState = iota
	chunkExtension
	chunkSizeLF
	chunkData
	chunkDataCR
	chunkDataLF
	trailerStart
	trailerName
	trailerValue
	trailerLF
	chunkedEnd
)

const (
	// maxChunkLine bounds a line with a chunk's size and extensions, in bytes.
	maxChunkLine = 256
	// maxChunkWaste bounds the lines of a body with its trailers, in bytes, beyond what its content and 16 bytes a
	// chunk excuse: extensions must not multiply what a body of MaxBody bytes costs. net/http counts alike.
	maxChunkWaste = 16 << 10
)

func (d *body) readChunks(b, dst []byte, l *Limits) (n int, content []byte, done bool, err error) {
	for n < len(b) {
		if d.state == chunkData {
			m := min(d.left, len(b)-n)
			dst = append(dst, b[n:n+m]...)
			n += m
			if d.left -= m; d.left == 0 {
				d.state = chunkDataCR
			}
			continue
		}
		if err := d.step(b[n], len(dst), l); err != nil {
			return n, dst, false, err
		}
		n++
		if d.state == chunkedEnd {
			return n, dst, true, nil
		}
	}
	return n, dst, false, nil
}

// step takes one byte outside the data; have is the length of the content so far.
func (d *body) step(c byte, have int, l *Limits) error {
	if d.spent++; d.spent > maxChunkWaste {
		return errChunkLine
	}
	switch d.state {
	case chunkSize, chunkExtension:
		return d.sizeLine(c, have, l)
	case chunkSizeLF:
		return d.sizeEnd(c)
	case chunkDataCR:
		return d.expect(c, '\r', chunkDataLF, errChunk)
	case chunkDataLF:
		d.line = 0
		return d.expect(c, '\n', chunkSize, errChunk)
	}
	return d.trailer(c)
}

func (d *body) expect(c, want byte, next chunkState, err error) error {
	if c != want {
		return err
	}
	d.state = next
	return nil
}

// sizeLine takes a byte of the line that opens a chunk, up to its CR.
func (d *body) sizeLine(c byte, have int, l *Limits) error {
	if d.line++; d.line > maxChunkLine {
		return errChunkLine
	}
	if d.state == chunkSize {
		if digit, ok := hexDigit(c); ok {
			// The limit is checked at each digit, so nothing overflows.
			if d.left = d.left<<4 | digit; d.left > l.MaxBody-have {
				return errBodySize
			}
			return nil
		}
		if d.line == 1 {
			return errChunk
		}
	}
	switch {
	case c == '\r':
		d.state = chunkSizeLF
	case d.state == chunkSize && c == ';':
		d.state = chunkExtension
	case d.state == chunkSize || !valueChars[c]:
		return errChunk
	}
	return nil
}

// sizeEnd takes the LF of the line that opens a chunk.
func (d *body) sizeEnd(c byte) error {
	d.line = 0
	if d.left == 0 {
		return d.expect(c, '\n', trailerStart, errChunk)
	}
	d.spent = max(0, d.spent-16-2*d.left)
	return d.expect(c, '\n', chunkData, errChunk)
}

// trailer takes a byte of the trailer section, whose lines are checked as header lines are, and dropped.
func (d *body) trailer(c byte) error {
	switch d.state {
	case trailerStart:
		if c == '\r' {
			d.state, d.line = trailerLF, 0
			return nil
		}
		d.state, d.line = trailerName, 0
		fallthrough
	case trailerName:
		switch {
		case tokenChars[c]:
			d.line++
		case c == ':' && d.line > 0:
			d.state = trailerValue
		default:
			return errTrailer
		}
		return nil
	case trailerValue:
		switch {
		case c == '\r':
			d.state = trailerLF
		case !valueChars[c]:
			return errTrailer
		}
		return nil
	}
	// trailerLF: of an empty line, which ends the message, or of a field.
	if d.line == 0 {
		return d.expect(c, '\n', chunkedEnd, errTrailer)
	}
	return d.expect(c, '\n', trailerStart, errTrailer)
}

func hexDigit(c byte) (int, bool) {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0'), true
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10, true
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10, true
	}
	return 0, false
}
