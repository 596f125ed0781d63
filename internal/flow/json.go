package flow

import (
	"bytes"
	"io"
	"unicode/utf8"

	"github.com/go-faster/jx"
)

// members reads one object; member reads the value of each key and says whether to go on.
func members(d *jx.Decoder, member func(d *jx.Decoder, key []byte) bool) bool {
	fields, err := d.ObjIter()
	if err != nil {
		return false
	}
	for fields.Next() {
		if !member(d, fields.Key()) {
			return false
		}
	}
	return fields.Err() == nil
}

// atEnd says whether nothing but white space is left. The end within a second value is a wrapped io.EOF.
func atEnd(d *jx.Decoder) bool { return d.Skip() == io.EOF } //nolint:errorlint // so it must not be wrapped

// text reads a string of 1 to limit bytes. It may alias what is decoded.
func text(d *jx.Decoder, limit int) ([]byte, bool) {
	if d.Next() != jx.String {
		return nil, false
	}
	s, err := d.StrBytes()
	return s, err == nil && len(s) > 0 && len(s) <= limit
}

// word reads a string of 1 to limit letters, digits, "_" and "-" into dst, which a second value of the same key finds
// no longer empty.
func word(d *jx.Decoder, dst []byte, limit int) ([]byte, bool) {
	s, ok := text(d, limit)
	if !ok || len(dst) > 0 {
		return dst, false
	}
	for _, c := range s {
		if c != '_' && c != '-' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return dst, false
		}
	}
	return append(dst, s...), true
}

// plain reads a string of 1 to limit bytes of UTF-8 into the empty dst; nothing in it needs escaping in JSON.
func plain(d *jx.Decoder, dst []byte, limit int) ([]byte, bool) {
	s, ok := text(d, limit)
	if !ok || len(dst) > 0 || !utf8.Valid(s) {
		return dst, false
	}
	for _, c := range s {
		if c < ' ' || c == '"' || c == '\\' || c == 0x7f {
			return dst, false
		}
	}
	return append(dst, s...), true
}

// isString reads a string and says whether it is want.
func isString(d *jx.Decoder, want []byte) bool {
	s, ok := text(d, len(want))
	return ok && bytes.Equal(s, want)
}

// integer reads an integer from 0 to limit.
func integer(d *jx.Decoder, limit int) (int, bool) {
	if d.Next() != jx.Number {
		return 0, false
	}
	n, err := d.Int()
	return n, err == nil && n >= 0 && n <= limit
}

// once reads an integer from 0 to limit into *n, which is negative until then.
func once(d *jx.Decoder, n *int, limit int) (ok bool) {
	if *n >= 0 {
		return false
	}
	*n, ok = integer(d, limit)
	return ok
}
