package wire

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var testLimits = Limits{MaxHeader: 8192, MaxHeaders: 100, MaxBody: 2 << 20}

func get(target, header string) string {
	return "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n" + header + "\r\n"
}

func post(header, body string) string {
	return "POST /v1/hold?ms=0 HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nContent-Type: application/octet-stream\r\n" +
		header + "\r\n" + body
}

// A request and what becomes of it: "ok" for each complete request, the status of a refusal, "more" when bytes are
// still awaited.
type requestCase struct{ name, in, want string }

var (
	plainGet = get("/v1/hold?ms=0", "")
	hostLine = "Host: 127.0.0.1:8080\r\n"
	hidden   = "0\r\n\r\n" + get("/v1/hold?ms=0&hidden=1", "")
	hiddenCL = "Content-Length: " + strconv.Itoa(len(hidden)) + "\r\n"
)

var targetCases = []requestCase{
	{"get", plainGet, "ok"},
	{"get twice", plainGet + plainGet, "ok ok"},
	{"pipeline of ten", strings.Repeat(plainGet, 10), strings.TrimSpace(strings.Repeat("ok ", 10))},
	{"empty lines before", "\r\n\r\n" + plainGet + "\r\n" + plainGet, "ok ok"},
	{"only half an empty line", plainGet + "\r", "ok"},
	{"half an empty line, then a request", "\rGET / HTTP/1.1\r\n", "400"},
	{"empty lines without end", strings.Repeat("\r\n", 5000), "431"},
	{"http 1.0 without host", "GET /x HTTP/1.0\r\n\r\n", "ok"},
	{"head", "HEAD / HTTP/1.1\r\n" + hostLine + "\r\n", "ok"},
	{"cut in the request line", "GET /v1", "more"},
	{"cut in the header", "GET / HTTP/1.1\r\nHost: x\r\n", "more"},
	{"bare lf", strings.ReplaceAll(plainGet, "\r\n", "\n"), "400"},
	{"lf alone", "\n", "400"},
	{"absolute, same host", "GET http://127.0.0.1:8080/v1/hold HTTP/1.1\r\n" + hostLine + "\r\n", "ok"},
	{"absolute, other host", "GET HTTP://other.example?x=1 HTTP/1.1\r\n" + hostLine + "\r\n", "ok"},
	{"absolute, no host", "GET http:///x HTTP/1.1\r\n" + hostLine + "\r\n", "400"},
	{"absolute, user", "GET http://u@h/x HTTP/1.1\r\n" + hostLine + "\r\n", "400"},
	{"absolute, other scheme", "GET ftp://h/x HTTP/1.1\r\n" + hostLine + "\r\n", "400"},
	{"authority form", "CONNECT h:80 HTTP/1.1\r\n" + hostLine + "\r\n", "400"},
	{"asterisk of options", "OPTIONS * HTTP/1.1\r\n" + hostLine + "\r\n", "ok"},
	{"asterisk of get", "GET * HTTP/1.1\r\n" + hostLine + "\r\n", "400"},
	{"host missing", "GET / HTTP/1.1\r\n\r\n", "400"},
	{"host empty", "GET / HTTP/1.1\r\nHost:\r\n\r\n", "400"},
	{"host twice", "GET / HTTP/1.1\r\n" + hostLine + "Host: other\r\n\r\n", "400"},
	{"host with a bad port", "GET / HTTP/1.1\r\nHost: localhost:99999x\r\n\r\n", "400"},
	{"host with a port too high", "GET / HTTP/1.1\r\nHost: localhost:65536\r\n\r\n", "400"},
	{"host with a slash", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", "400"},
	{"host IPv6", "GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", "ok"},
	{"host IPv6 open", "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", "400"},
	{"host IPv6 trailing", "GET / HTTP/1.1\r\nHost: [::1]x\r\n\r\n", "400"},
	{"path with two dots", get("/v1/../v1/hold", ""), "ok"},
	{"path with bad percent", get("/v1/hold%zz", ""), "ok"},
	{"path in raw utf-8", get("/v1/hold\xc3\xa9", ""), "ok"},
	{"query with braces and quotes", get("/?x={y}&z=\"", ""), "ok"},
	{"fragment", get("/#frag", ""), "400"},
	{"no slash", get("v1/sync", ""), "400"},
	{"no target", "GET  HTTP/1.1\r\n" + hostLine + "\r\n", "400"},
	{"nul in target", get("/\x00", ""), "400"},
	{"del in target", get("/\x7f", ""), "400"},
}

var lineCases = []requestCase{
	{"method in lower case", "get / HTTP/1.1\r\n" + hostLine + "\r\n", "501"},
	{"method unknown", "FOO / HTTP/1.1\r\n" + hostLine + "\r\n", "501"},
	{"method not a token", "G(T / HTTP/1.1\r\n" + hostLine + "\r\n", "400"},
	{"method put", "PUT / HTTP/1.1\r\n" + hostLine + "\r\n", "ok"},
	{"garbage", "GARBAGE\r\n\r\n", "400"},
	{"http 0.9", "GET /\r\n\r\n", "400"},
	{"two spaces", "GET  /  HTTP/1.1\r\n" + hostLine + "\r\n", "400"},
	{"tabs", "GET\t/\tHTTP/1.1\r\n" + hostLine + "\r\n", "400"},
	{"trailing space", "GET / HTTP/1.1 \r\n" + hostLine + "\r\n", "400"},
	{"version 1.2", "GET / HTTP/1.2\r\n" + hostLine + "\r\n", "505"},
	{"version 2.0", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505"},
	{"version 2.0 of get", "GET / HTTP/2.0\r\n" + hostLine + "\r\n", "505"},
	{"version bad", "GET / HTTX/1.1\r\n" + hostLine + "\r\n", "400"},
	{"tls", "\x16\x03\x01\x00\xa5\x01\x00", "400"},
	{"upgrade", get("/", "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n"), "ok"},
	{"no colon", get("/", "Foo\r\n"), "400"},
	{"no name", get("/", ": bar\r\n"), "400"},
	{"space before colon", get("/", "Foo : bar\r\n"), "400"},
	{"folded", get("/", "Foo: bar\r\n baz\r\n"), "400"},
	{"first line folded", "GET / HTTP/1.1\r\n Foo: bar\r\n" + hostLine + "\r\n", "400"},
	{"bad name", get("/", "Fo(o: bar\r\n"), "400"},
	{"high bytes in a value", get("/", "Foo: \xff\xfe\r\n"), "ok"},
	{"nul in a value", get("/", "Foo: a\x00b\r\n"), "400"},
	{"bare cr in a value", get("/", "Foo: a\rb\r\n"), "400"},
	{"bare lf ends a header line", "GET / HTTP/1.1\r\nFoo: x\n" + hostLine + "\r\n", "400"},
	{"trailer of a forbidden name", get("/", "Trailer: Content-Length\r\n"), "400"},
	{"header of 7 KiB", get("/", "X-Big: "+strings.Repeat("a", 7<<10)+"\r\n"), "ok"},
	{"header of 9 KiB", get("/", "X-Big: "+strings.Repeat("a", 9<<10)+"\r\n"), "431"},
	{"header without end", "GET / HTTP/1.1\r\nX: " + strings.Repeat("a", 9<<10), "431"},
	{"90 header lines", get("/", strings.Repeat("X: y\r\n", 90)), "ok"},
	{"110 header lines", get("/", strings.Repeat("X: y\r\n", 110)), "431"},
	{"target of 7 KiB", get("/?q="+strings.Repeat("a", 7<<10), ""), "ok"},
	{"target of 9 KiB", get("/?q="+strings.Repeat("a", 9<<10), ""), "431"},
	{"expect in 1.0", "POST / HTTP/1.0\r\nContent-Length: 1\r\nExpect: 200-maybe\r\n\r\nx", "ok"},
	{"expect another", post("Content-Length: 5\r\nExpect: 200-maybe\r\n", "hello"), "417"},
	{"expect two", post("Content-Length: 5\r\nExpect: 100-continue\r\nExpect: x\r\n", "hello"), "417"},
	{"expect and too large", post("Content-Length: 100000000\r\nExpect: 100-continue\r\n", ""), "413"},
}

var bodyCases = []requestCase{
	{"get with a body", get("/", "Content-Length: 5\r\n") + "hello" + plainGet, "ok ok"},
	{"post without a length", post("", ""), "ok"},
	{"length", post("Content-Length: 5\r\n", "hello") + plainGet, "ok ok"},
	{"length 0", post("Content-Length: 0\r\n", "") + plainGet, "ok ok"},
	{"length, body cut", post("Content-Length: 10\r\n", "hello"), "head more"},
	{"length, no number", post("Content-Length: abc\r\n", "hello"), "400"},
	{"length negative", post("Content-Length: -5\r\n", "hello"), "400"},
	{"length with a plus", post("Content-Length: +5\r\n", "hello"), "400"},
	{"length empty", post("Content-Length:\r\n", "hello"), "400"},
	{"length in hex", post("Content-Length: 0x5\r\n", "hello"), "400"},
	{"length with a leading zero", post("Content-Length: 005\r\n", "hello"), "ok"},
	{"length as a list", post("Content-Length: 5, 5\r\n", "hello"), "400"},
	{"length twice", post("Content-Length: 5\r\nContent-Length: 5\r\n", "hello"), "400"},
	{"two lengths", post("Content-Length: 5\r\nContent-Length: 6\r\n", "hello"), "400"},
	{"length that overflows", post("Content-Length: 18446744073709551621\r\n", "hello"), "413"},
	{"length of the largest int", post("Content-Length: 9223372036854775807\r\n", "hello"), "413"},
	{"length at the limit", post("Content-Length: 2097152\r\n", strings.Repeat("b", 2<<20)), "ok"},
	{"length above the limit", post("Content-Length: 2097153\r\n", ""), "413"},
	{"chunked", post("Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n0\r\n\r\n") + plainGet, "ok ok"},
	{"chunked in capitals", post("Transfer-Encoding: CHUNKED\r\n",
		"5\r\nhello\r\nA\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n"), "ok"},
	{"chunked, leading zeros", post("Transfer-Encoding: chunked\r\n", "0005\r\nhello\r\n000\r\n\r\n"), "ok"},
	{"chunk extension", post("Transfer-Encoding: chunked\r\n", "5;a=b\r\nhello\r\n0;x\r\n\r\n"), "ok"},
	{"chunk extension, long", post("Transfer-Encoding: chunked\r\n", "5;a="+strings.Repeat("b", 300)+"\r\nhello"), "400"},
	{"chunk extension with lf", post("Transfer-Encoding: chunked\r\n", "5;a\nhello\r\n"), "400"},
	{"many small chunks with extensions", post("Transfer-Encoding: chunked\r\n",
		strings.Repeat("1;"+strings.Repeat("e", 200)+"\r\nx\r\n", 100)), "400"},
	{"chunk size bad", post("Transfer-Encoding: chunked\r\n", "zz\r\nhello\r\n0\r\n\r\n"), "400"},
	{"chunk size negative", post("Transfer-Encoding: chunked\r\n", "-5\r\nhello\r\n0\r\n\r\n"), "400"},
	{"chunk size missing", post("Transfer-Encoding: chunked\r\n", "\r\nhello\r\n0\r\n\r\n"), "400"},
	{"chunk size with a space", post("Transfer-Encoding: chunked\r\n", "5 \r\nhello\r\n0\r\n\r\n"), "400"},
	{"chunk size that overflows", post("Transfer-Encoding: chunked\r\n", "10000000000000005\r\nhello"), "413"},
	{"chunks with bare lf", post("Transfer-Encoding: chunked\r\n", "5\nhello\n0\n\n"), "400"},
	{"chunk longer than its size", post("Transfer-Encoding: chunked\r\n", "5\r\nhelloX\r\n0\r\n\r\n"), "400"},
	{"chunk without lf", post("Transfer-Encoding: chunked\r\n", "5\r\nhello\rX"), "400"},
	{"chunked, cut", post("Transfer-Encoding: chunked\r\n", "5\r\nhel"), "head more"},
	{"chunked, too large", post("Transfer-Encoding: chunked\r\n",
		strings.Repeat("10000\r\n"+strings.Repeat("b", 0x10000)+"\r\n", 33)), "413"},
	{"trailer", post("Transfer-Encoding: chunked\r\n", "0\r\nX-A: b\r\nX-C:\r\n\r\n") + plainGet, "ok ok"},
	{"trailer folded", post("Transfer-Encoding: chunked\r\n", "0\r\nX-A: b\r\n c\r\n\r\n"), "400"},
	{"trailer without name", post("Transfer-Encoding: chunked\r\n", "0\r\n: b\r\n\r\n"), "400"},
	{"trailer with nul", post("Transfer-Encoding: chunked\r\n", "0\r\nX: \x00\r\n\r\n"), "400"},
	{"trailers without end", post("Transfer-Encoding: chunked\r\n", "0\r\n"+strings.Repeat("X: y\r\n", 4000)), "400"},
	{"coding and length", post(hiddenCL+"Transfer-Encoding: chunked\r\n", hidden), "400"},
	{"coding and length, tab", post(hiddenCL+"Transfer-Encoding:\tchunked\r\n", hidden), "400"},
	{"coding with a space before the colon", post(hiddenCL+"Transfer-Encoding : chunked\r\n", hidden), "400"},
	{"coding identity and length", post(hiddenCL+"Transfer-Encoding: identity\r\n", hidden), "400"},
	{"coding unknown and length", post(hiddenCL+"Transfer-Encoding: xchunked\r\n", hidden), "400"},
	{"coding identity", post("Transfer-Encoding: identity\r\n", hidden), "501"},
	{"coding gzip", post("Transfer-Encoding: gzip\r\n", ""), "501"},
	{"coding twice", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", hidden), "501"},
	{"coding as a list", post("Transfer-Encoding: chunked, gzip\r\n", hidden), "501"},
	{"coding in 1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n" + hidden, "400"},
}

func requestCases() []requestCase {
	return append(append(append([]requestCase(nil), targetCases...), lineCases...), bodyCases...)
}

// seen is what a decoder made of some bytes.
type seen struct {
	requests []string // one line for each complete request, with all that was read of it
	head     bool     // a head is complete whose body is not
	refusal  *Refusal
	left     int  // bytes never taken
	blank    bool // they are the first half of an empty line
}

// class folds what was seen into the words of a requestCase.
func (s seen) class() string {
	words := make([]string, len(s.requests), len(s.requests)+2)
	for i := range words {
		words[i] = "ok"
	}
	switch {
	case s.refusal != nil:
		words = append(words, strconv.Itoa(s.refusal.Status))
	case s.head:
		words = append(words, "head more")
	case s.left > 0 && !s.blank:
		words = append(words, "more")
	}
	return strings.Join(words, " ")
}

// decode feeds in to a new decoder, cut into pieces of the given sizes (the last one repeats), as a server would:
// what was not taken comes again with more behind it.
func decode(t require.TestingT, l Limits, in string, sizes ...int) (s seen) {
	d := NewRequestDecoder(l)
	r := &Request{}
	var pending []byte
	for i := 0; len(in) > 0; i++ {
		size := min(len(in), max(1, sizes[min(i, len(sizes)-1)]))
		pending = append(pending, in[:size]...)
		in = in[size:]
		for {
			n, p, err := d.Decode(pending, r)
			require.LessOrEqual(t, n, len(pending))
			pending = pending[n:]
			if err != nil {
				require.ErrorAs(t, err, &s.refusal)
				return s
			}
			if p == More {
				break
			}
			if s.head = p == HeadDone; p == Complete {
				require.False(t, d.Started())
				s.requests = append(s.requests, describe(r))
			}
		}
		require.Equal(t, s.head || len(pending) > 0 && pending[0] != '\r', d.Started())
	}
	s.left, s.blank = len(pending), string(pending) == "\r"
	return s
}

func describe(r *Request) string {
	return fmt.Sprintf("%v %q %q 1.0=%v keep=%v expect=%v length=%d id=%q timing=%v body=%q",
		r.Method, r.Path, r.Query, r.HTTP10, r.KeepAlive, r.Expect, r.ContentLength, r.ID, r.Timing, r.Body)
}

func TestRequestDecoder(t *testing.T) {
	for _, c := range requestCases() {
		t.Run(c.name, func(t *testing.T) {
			whole := decode(t, testLimits, c.in, len(c.in))
			require.Equal(t, c.want, whole.class(), "%+v", whole)
			require.Equal(t, whole, decode(t, testLimits, c.in, 1000), "in pieces of 1000")
			if len(c.in) < 20_000 {
				require.Equal(t, whole, decode(t, testLimits, c.in, 1), "byte by byte")
			}
		})
	}
}

func TestRequestDecoderAnySplit(t *testing.T) {
	cases := requestCases()
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SampledFrom(cases).Draw(t, "first").in + rapid.SampledFrom(cases).Draw(t, "second").in
		sizes := rapid.SliceOfN(rapid.IntRange(1, 400), 1, 20).Draw(t, "sizes")
		require.Equal(t, decode(t, testLimits, in, len(in)), decode(t, testLimits, in, sizes...))
	})
}

func TestRequestFields(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"all", "POST http://h/v1/sync?a=1?b HTTP/1.1\r\nHost: h\r\nX-Request-Id: a-B_9.z\r\nX-Lab-Timing: 1\r\n" +
			"Expect: 100-Continue\r\ncontent-length: 2\r\n\r\nhi",
			`POST "/v1/sync" "a=1?b" 1.0=false keep=true expect=true length=2 id="a-B_9.z" timing=true body="hi"`},
		{"absolute without path", "GET http://h HTTP/1.1\r\nHost: h\r\n\r\n",
			`GET "/" "" 1.0=false keep=true expect=false length=0 id="" timing=false body=""`},
		{"absolute with query only", "GET http://h?q HTTP/1.1\r\nHost: h\r\n\r\n",
			`GET "/" "q" 1.0=false keep=true expect=false length=0 id="" timing=false body=""`},
		{"http 1.0", "GET / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n",
			`GET "/" "" 1.0=true keep=false expect=false length=0 id="" timing=false body=""`},
		{"http 1.0, keep-alive", "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n",
			`GET "/" "" 1.0=true keep=true expect=false length=0 id="" timing=false body=""`},
		{"close", "GET / HTTP/1.1\r\nHost: h\r\nConnection: x, close\r\n\r\n",
			`GET "/" "" 1.0=false keep=false expect=false length=0 id="" timing=false body=""`},
		{"expect without a body", "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n",
			`POST "/" "" 1.0=false keep=true expect=false length=0 id="" timing=false body=""`},
		{"expect with chunks", "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n" +
			"2\r\nhi\r\n0\r\n\r\n",
			`POST "/" "" 1.0=false keep=true expect=true length=-1 id="" timing=false body="hi"`},
		{"id with a bad character", "GET / HTTP/1.1\r\nHost: h\r\nX-Request-Id: a b\r\n\r\n",
			`GET "/" "" 1.0=false keep=true expect=false length=0 id="" timing=false body=""`},
		{"id too long", "GET / HTTP/1.1\r\nHost: h\r\nX-Request-Id: " + strings.Repeat("a", 65) + "\r\n\r\n",
			`GET "/" "" 1.0=false keep=true expect=false length=0 id="" timing=false body=""`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := decode(t, testLimits, c.in, len(c.in))
			require.Nil(t, s.refusal)
			require.Equal(t, []string{c.want}, s.requests)
		})
	}
}

// A refusal leaves what an answer needs to know of the request: whether it was HEAD, and its version.
func TestRefusedRequestKeepsMethod(t *testing.T) {
	var r Request
	_, _, err := NewRequestDecoder(testLimits).Decode([]byte("HEAD / HTTP/1.0\r\nFoo\r\n\r\n"), &r)
	require.EqualError(t, err, errField.Reason)
	require.Equal(t, Head, r.Method)
	require.True(t, r.HTTP10)
}

func TestReasonsNeedNoEscaping(t *testing.T) {
	for _, c := range requestCases() {
		if refusal := decode(t, testLimits, c.in, len(c.in)).refusal; refusal != nil {
			var r Response
			r.Problem(refusal.Status, refusal.Reason)
			require.True(t, json.Valid(r.Body), "%s", r.Body)
		}
	}
}

func TestRequestArg(t *testing.T) {
	var r Request
	r.Query = append(r.Query, "ms=5&ms=6&empty=&flag&a%20b=c%2Bd+e"...)
	for _, c := range []struct {
		name, want string
		there      bool
	}{
		{"ms", "5", true}, {"empty", "", true}, {"flag", "", true}, {"a b", "c+d e", true}, {"none", "", false},
	} {
		value, there := r.Arg(c.name)
		require.Equal(t, c.want, string(value), c.name)
		require.Equal(t, c.there, there, c.name)
	}
	r.Reset()
	_, there := r.Arg("ms")
	require.False(t, there, "after Reset")
}

func TestRequestResetDropsLargeBody(t *testing.T) {
	r := Request{Body: make([]byte, MaxKept+1)}
	r.Reset()
	require.Zero(t, cap(r.Body))
}
