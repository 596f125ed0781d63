package load

import (
	"bytes"
	"math"
)

// readStatus reads "HTTP/1.x NNN reason" (RFC 9112 §4).
func (f *framer) readStatus(line []byte) error {
	const shortest = len("HTTP/1.1 200")
	if len(line) < shortest || string(line[:7]) != "HTTP/1." || line[8] != ' ' || (len(line) > shortest && line[12] != ' ') {
		return errStatusLine
	}
	status := 0
	for _, d := range line[9:12] {
		if d < '0' || d > '9' {
			return errStatusLine
		}
		status = status*10 + int(d-'0')
	}
	if status < 100 || line[7] < '0' || line[7] > '9' {
		return errStatusLine
	}
	if status == 101 {
		return errSwitched
	}
	f.status, f.http10, f.step = status, line[7] == '0', stepHeader
	return nil
}

// readHeader reads the few header lines that matter here and passes over the others.
func (f *framer) readHeader(line []byte) error {
	colon := bytes.IndexByte(line, ':')
	if colon <= 0 || line[colon-1] == ' ' || line[colon-1] == '\t' {
		return errHeader
	}
	name, value := line[:colon], line[colon+1:]
	if equal(name, f.want) {
		f.keepValue(bytes.Trim(value, " \t"))
	}
	switch {
	case len(name) == 14 && equal(name, "content-length"):
		return f.readLength(bytes.Trim(value, " \t"))
	case len(name) == 10 && equal(name, "connection"):
		f.readConnection(value)
	case len(name) == 17 && equal(name, "transfer-encoding"):
		f.readCoding(value)
	case f.wantServer && len(name) == 6 && equal(name, "server"):
		f.server = string(bytes.Trim(value, " \t"))
	}
	return nil
}

// keepValue copies a line of the wanted header; several lines are one list (RFC 9110 §5.3).
func (f *framer) keepValue(value []byte) {
	if len(f.value) > 0 {
		f.value = append(f.value, ", "...)
	}
	f.value = append(f.value, value...)
}

// readLength reads Content-Length: digits, and never two that differ.
func (f *framer) readLength(value []byte) error {
	if len(value) == 0 {
		return errLength
	}
	var n int64
	for _, d := range value {
		if d < '0' || d > '9' || n > (math.MaxInt64-9)/10 {
			return errLength
		}
		n = n*10 + int64(d-'0')
	}
	if f.length >= 0 && f.length != n {
		return errLength
	}
	f.length = n
	return nil
}

// readConnection reads the options of a Connection line.
func (f *framer) readConnection(value []byte) {
	for option := range bytes.SplitSeq(value, []byte{','}) {
		option = bytes.Trim(option, " \t")
		f.close = f.close || equal(option, "close")
		f.persist = f.persist || equal(option, "keep-alive")
	}
}

// readCoding reads the codings of a Transfer-Encoding line; only the last one matters for framing.
func (f *framer) readCoding(value []byte) {
	last := value[bytes.LastIndexByte(value, ',')+1:]
	f.coding = unknownCoding
	if equal(bytes.Trim(last, " \t"), "chunked") {
		f.coding = chunked
	}
}

// readChunkSize reads the line before a chunk (RFC 9112 §7.1); extensions are passed over.
func (f *framer) readChunkSize(line []byte) error {
	const maxDigits = 15
	var n int64
	digits := 0
	for ; digits < len(line); digits++ {
		d := hexDigit(line[digits])
		if d < 0 {
			break
		}
		n = n<<4 | d
		if digits == maxDigits {
			return errChunk
		}
	}
	rest := bytes.TrimLeft(line[digits:], " \t")
	if digits == 0 || (len(rest) > 0 && rest[0] != ';') {
		return errChunk
	}
	f.remain, f.step = n, stepChunk
	if n == 0 {
		f.step, f.lines = stepTrailer, 0
	}
	return nil
}

// hexDigit returns the value of a hexadecimal digit, or -1.
func hexDigit(c byte) int64 {
	switch {
	case c >= '0' && c <= '9':
		return int64(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int64(c|0x20-'a') + 10
	}
	return -1
}

// equal compares with a lower-case word without regard to case; ASCII only.
func equal(b []byte, lower string) bool {
	if len(b) != len(lower) {
		return false
	}
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}
