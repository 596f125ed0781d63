package wire

import (
	"bytes"
	"errors"
	"strconv"
	"time"
)

// ValueKind is the kind of a RESP2 value the cache may answer with.
type ValueKind uint8

// Kinds of a [Value].
const (
	Null ValueKind = iota
	Bulk
	Simple
	Integer
	CacheError
)

// Value is one reply of the cache. Data aliases the parsed bytes.
type Value struct {
	Kind ValueKind
	Data []byte
}

// maxValueLine bounds the first line of a reply, in bytes with its CRLF. Redis cuts what it quotes in errors to 128.
const maxValueLine = 1 << 10

// Errors of ParseValue.
var (
	errValueLine   = errors.New("RESP: line too long or without CRLF")
	errValueKind   = errors.New("RESP: not a RESP2 string, integer, error or null")
	errValueNumber = errors.New("RESP: malformed number")
	errValueSize   = errors.New("RESP: value too large")
	errValueEnd    = errors.New("RESP: value does not end in CRLF")
)

// ParseValue parses one RESP2 reply at the start of b. n is 0 while it is incomplete. A bulk longer than max bytes, or
// anything that is not RESP2, is an error: the connection is of no further use.
func ParseValue(b []byte, max int) (v Value, n int, err error) {
	if len(b) == 0 {
		return Value{}, 0, nil
	}
	kind, err := kindOf(b[0])
	if err != nil {
		return Value{}, 0, err
	}
	line, n, err := valueLine(b)
	if err != nil || n == 0 {
		return Value{}, 0, err
	}
	switch kind {
	case Bulk:
		return parseBulk(b, line, n, max)
	case Integer:
		if _, ok := digits(bytes.TrimPrefix(line, []byte{'-'})); !ok {
			return Value{}, 0, errValueNumber
		}
	}
	return Value{Kind: kind, Data: line}, n, nil
}

func kindOf(c byte) (ValueKind, error) {
	switch c {
	case '$':
		return Bulk, nil
	case '+':
		return Simple, nil
	case ':':
		return Integer, nil
	case '-':
		return CacheError, nil
	}
	return Null, errValueKind
}

// valueLine returns the first line without its kind and CRLF, and the length of all that.
func valueLine(b []byte) (line []byte, n int, err error) {
	b = b[:min(len(b), maxValueLine)]
	end := bytes.IndexByte(b, '\r')
	switch {
	case bytes.IndexByte(b, '\n') >= 0 && bytes.IndexByte(b, '\n') != end+1:
		return nil, 0, errValueLine
	case end < 0 || end+1 == len(b):
		if len(b) == maxValueLine {
			return nil, 0, errValueLine
		}
		return nil, 0, nil
	case b[end+1] != '\n':
		return nil, 0, errValueLine
	}
	return b[1:end], end + 2, nil
}

// parseBulk parses a bulk string whose first line is read; start is where its bytes begin.
func parseBulk(b, line []byte, start, max int) (Value, int, error) {
	if string(line) == "-1" {
		return Value{Kind: Null}, start, nil
	}
	size, ok := digits(line)
	if !ok {
		return Value{}, 0, errValueNumber
	}
	if size > max {
		return Value{}, 0, errValueSize
	}
	end := start + size
	if len(b) > end && b[end] != '\r' || len(b) > end+1 && b[end+1] != '\n' {
		return Value{}, 0, errValueEnd
	}
	if len(b) < end+2 {
		return Value{}, 0, nil
	}
	return Value{Kind: Bulk, Data: b[start:end]}, end + 2, nil
}

// AppendGet appends GET key.
func AppendGet(dst []byte, key []byte) []byte {
	return appendBulk(append(dst, "*2\r\n$3\r\nGET\r\n"...), key)
}

// AppendSet appends SET key value EX ttl; ttl is rounded up to whole seconds, at least one.
func AppendSet(dst []byte, key, value []byte, ttl time.Duration) []byte {
	seconds := max(1, int64((ttl+time.Second-1)/time.Second))
	dst = appendBulk(append(dst, "*5\r\n$3\r\nSET\r\n"...), key)
	dst = append(appendBulk(dst, value), "$2\r\nEX\r\n"...)
	var number [20]byte
	return appendBulk(dst, strconv.AppendInt(number[:0], seconds, 10))
}

func appendBulk(dst, b []byte) []byte {
	dst = append(dst, '$')
	dst = strconv.AppendInt(dst, int64(len(b)), 10)
	dst = append(dst, '\r', '\n')
	dst = append(dst, b...)
	return append(dst, '\r', '\n')
}
