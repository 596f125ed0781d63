package wire

import "bytes"

// requestHead is what the decoder keeps of a request's head while its lines come in.
type requestHead struct {
	head
	method Method
	http10 bool
	hosts  int
	expect bool
}

// requestLine checks the first line: method, target and version, one space between them (RFC 9112 §3).
func (h *requestHead) requestLine(line []byte) error {
	first, last := bytes.IndexByte(line, ' '), bytes.LastIndexByte(line, ' ')
	if first <= 0 || first == last {
		return errRequestLine
	}
	method, target, version := line[:first], line[first+1:last], line[last+1:]
	if !tokenChars.all(method) || !isVersion(version) {
		return errRequestLine
	}
	if !targetChars.all(target) || len(target) == 0 {
		return errTarget
	}
	switch string(version) {
	case "HTTP/1.1":
	case "HTTP/1.0":
		h.http10 = true
	default:
		return errVersion
	}
	if h.method = methodOf(method); h.method == 0 {
		return errMethod
	}
	if _, _, ok := splitTarget(h.method, target); !ok {
		return errTarget
	}
	return nil
}

func isVersion(v []byte) bool {
	return len(v) == len("HTTP/1.1") && string(v[:5]) == "HTTP/" && v[6] == '.' &&
		'0' <= v[5] && v[5] <= '9' && '0' <= v[7] && v[7] <= '9'
}

// splitTarget returns path and query of a target in origin form, in absolute form with the scheme http, or of the "*"
// of OPTIONS. ok is false for any other.
func splitTarget(m Method, target []byte) (path, query []byte, ok bool) {
	const scheme = "http://"
	switch {
	case target[0] == '/':
	case m == Options && string(target) == "*":
	case len(target) > len(scheme) && equalFold(target[:len(scheme)], scheme):
		authority := target[len(scheme):]
		end := bytes.IndexAny(authority, "/?")
		if end < 0 {
			end = len(authority)
		}
		if !isHost(authority[:end]) {
			return nil, nil, false
		}
		target = authority[end:]
	default:
		return nil, nil, false
	}
	path, query, _ = bytes.Cut(target, []byte{'?'})
	if len(path) == 0 {
		path = []byte{'/'}
	}
	return path, query, true
}

// isHost checks uri-host [ ":" port ] (RFC 9110 §7.2, RFC 3986 §3.2.2). An empty host is refused: no target that the
// lab serves goes without one.
func isHost(b []byte) bool {
	host, port := b, []byte(nil)
	if len(b) > 0 && b[0] == '[' {
		end := bytes.IndexByte(b, ']')
		if end < 2 || !ipv6Chars.all(b[1:end]) {
			return false
		}
		if port = b[end+1:]; len(port) > 0 && port[0] != ':' {
			return false
		}
	} else {
		if colon := bytes.IndexByte(b, ':'); colon >= 0 {
			host, port = b[:colon], b[colon:]
		}
		if len(host) == 0 || !hostChars.all(host) {
			return false
		}
	}
	if len(port) <= 1 {
		return true
	}
	n, ok := digits(port[1:])
	return ok && n <= 65535
}

// header checks one header line.
func (h *requestHead) header(line []byte) error {
	name, value, err := field(line)
	if err != nil {
		return err
	}
	switch {
	case equalFold(name, "host"):
		if h.hosts++; h.hosts > 1 {
			return errHostRepeated
		}
		if !isHost(value) {
			return errHost
		}
	case equalFold(name, "expect") && !h.http10:
		if !equalFold(value, "100-continue") {
			return errExpect
		}
		h.expect = true
	}
	return h.framing.add(name, value)
}

// finish checks what only the whole head can tell.
func (h *requestHead) finish(l *Limits) error {
	if h.hosts == 0 && !h.http10 {
		return errHostMissing
	}
	return h.framing.check(h.http10, l)
}

// fill parses the complete and checked head into r. fasthttp's parser and our lines must agree on the framing.
func (h *requestHead) fill(b []byte, r *Request) error {
	p := parsers.Get().(*parser)
	defer p.release()
	if err := p.parseRequest(b); err != nil {
		return err
	}
	f := &p.request
	r.Method, r.HTTP10, r.KeepAlive = h.method, !f.IsHTTP11(), !f.ConnectionClose()
	if r.ContentLength = f.ContentLength(); r.ContentLength == noLength {
		r.ContentLength = 0
	}
	if r.ContentLength != h.framing.bodyLength() || r.HTTP10 != h.http10 {
		return errDisagree
	}
	r.Expect = h.expect && r.ContentLength != 0
	path, query, _ := splitTarget(h.method, f.RequestURI())
	r.Path, r.Query = append(r.Path, path...), append(r.Query, query...)
	if id := f.Peek("X-Request-Id"); len(id) <= 64 && idChars.all(id) {
		r.ID = append(r.ID, id...)
	}
	r.Timing = string(f.Peek("X-Lab-Timing")) == "1"
	return nil
}

// noLength is what fasthttp's ContentLength says of a message without Content-Length and chunked coding.
const noLength = -2
