package wire

import "bytes"

// Limits bounds one message. The statuses are those of a request that is refused; a reply above a limit is malformed.
type Limits struct {
	// MaxHeader bounds request line and header together, in bytes; above it 431.
	MaxHeader int
	// MaxHeaders bounds the number of header lines; above it 431.
	MaxHeaders int
	// MaxBody bounds the decoded body, in bytes; above it 413.
	MaxBody int
}

// maxHeaders bounds the header lines of a request.
const maxHeaders = 100

// RequestLimits are those of a server's clients: maxHeader and maxBody, in bytes, and 100 header lines.
func RequestLimits(maxHeader, maxBody int) Limits {
	return Limits{MaxHeader: maxHeader, MaxHeaders: maxHeaders, MaxBody: maxBody}
}

// ReplyLimits are those of the downstreams and the cache, alike in all servers.
var ReplyLimits = Limits{MaxHeader: 64 << 10, MaxHeaders: 256, MaxBody: 4 << 20}

// head walks the lines of one message's head as they come in: each byte is looked at once, however the head is split.
// Positions count from the first byte of the start line.
type head struct {
	searched int // no line end before here is left to be found
	start    int // where the line that is being read starts
	lines    int // complete lines, start line included
	blank    int // bytes of empty lines before the message
	framing  framing
}

// skipBlank passes over empty lines before a message (RFC 9112 §2.2) and returns their length. They count as header.
func (h *head) skipBlank(b []byte, l *Limits) (n int, err error) {
	if h.start > 0 || h.searched > 0 {
		return 0, nil
	}
	for len(b) >= n+2 && b[n] == '\r' && b[n+1] == '\n' {
		n += 2
	}
	h.blank += n
	b = b[n:]
	switch {
	case h.blank > l.MaxHeader:
		return n, errHeaderSize
	case len(b) == 0 || tokenChars[b[0]] || len(b) == 1 && b[0] == '\r':
		return n, nil
	case b[0] == '\n':
		return n, errBareLF
	}
	return n, errStart
}

// next returns the next line without its CRLF. ok is false while it is incomplete.
func (h *head) next(b []byte, l *Limits) (line []byte, ok bool, err error) {
	i := bytes.IndexByte(b[h.searched:], '\n')
	if i < 0 {
		h.searched = len(b)
		if h.blank+len(b) > l.MaxHeader {
			return nil, false, errHeaderSize
		}
		return nil, false, nil
	}
	end := h.searched + i
	if h.blank+end+1 > l.MaxHeader {
		return nil, false, errHeaderSize
	}
	if end == h.start || b[end-1] != '\r' {
		return nil, false, errBareLF
	}
	line = b[h.start : end-1]
	h.start, h.searched = end+1, end+1
	h.lines++
	// The start line and the empty one at the end are no header lines.
	if len(line) > 0 && h.lines-1 > l.MaxHeaders {
		return nil, false, errHeaderCount
	}
	return line, true, nil
}

// field splits a header line into its name and its value without the white space around it. Folded lines and spaces
// before the colon are refused (RFC 9112 §5.1, §5.2).
func field(line []byte) (name, value []byte, err error) {
	colon := 0
	for colon < len(line) && tokenChars[line[colon]] {
		colon++
	}
	if colon == 0 || colon == len(line) || line[colon] != ':' {
		return nil, nil, errField
	}
	value = bytes.Trim(line[colon+1:], " \t")
	if !valueChars.all(value) {
		return nil, nil, errField
	}
	return line[:colon], value, nil
}

// framing is what a head says about the length of the body.
type framing struct {
	length  int // Content-Length, saturated
	lengths int // number of Content-Length lines
	codings int // number of Transfer-Encoding lines
	chunked bool
}

// add takes one header line into account.
func (f *framing) add(name, value []byte) error {
	switch {
	case equalFold(name, "content-length"):
		n, ok := digits(value)
		if !ok || f.lengths > 0 {
			return errLength
		}
		f.length, f.lengths = n, 1
	case equalFold(name, "transfer-encoding"):
		f.codings++
		f.chunked = f.codings == 1 && equalFold(value, "chunked")
	}
	return nil
}

// check refuses what two readers could frame in two ways (RFC 9112 §6.1, §6.3).
func (f *framing) check(http10 bool, l *Limits) error {
	switch {
	case f.lengths > 0 && f.codings > 0:
		return errTwoFramings
	case f.codings > 0 && http10:
		return errCodingOld
	case f.codings > 0 && !f.chunked:
		return errCoding
	case f.length > l.MaxBody:
		return errBodySize
	}
	return nil
}

// bodyLength is the Content-Length, 0 without one, or Chunked.
func (f *framing) bodyLength() int {
	if f.chunked {
		return Chunked
	}
	return f.length
}
