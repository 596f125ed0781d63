package load

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// framed is what a framer says of some bytes.
type framed struct {
	status   int
	body     string
	done     bool // complete before the server closed
	closed   bool // complete once it had
	reusable bool
	rest     int // bytes behind the answer
	err      error
}

// frame feeds pieces one after another and then closes.
func frame(headOf bool, pieces ...string) framed {
	var f framer
	f.reset(headOf, true, true)
	var got framed
	for i, p := range pieces {
		n, err := f.feed([]byte(p))
		if err != nil {
			return framed{err: err}
		}
		if n < len(p) || f.done() {
			got.rest = len(strings.Join(pieces[i:], "")) - n
			break
		}
	}
	got.done, got.closed = f.done(), f.closed()
	got.status, got.body, got.reusable = f.status, string(f.content), f.reusable()
	return got
}

// bytewise cuts into single bytes.
func bytewise(s string) []string {
	pieces := make([]string, len(s))
	for i := range pieces {
		pieces[i] = s[i : i+1]
	}
	return pieces
}

func TestFramer(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\n"
	complete := func(status int, body string) framed {
		return framed{status: status, body: body, done: true, closed: true, reusable: true}
	}
	once := func(f framed) framed { f.reusable = false; return f }
	for _, c := range []struct {
		name, in string
		want     framed
	}{
		{"length", ok + "Content-Length: 5\r\n\r\nhello", complete(200, "hello")},
		{"length in any case, without blank", ok + "cONTENT-lENGTH:5\r\n\r\nhello", complete(200, "hello")},
		{"length with blanks", ok + "Content-Length: \t 5 \t\r\n\r\nhello", complete(200, "hello")},
		{"the same length twice", ok + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello", complete(200, "hello")},
		{"empty", ok + "Content-Length: 0\r\n\r\n", complete(200, "")},
		{"no reason", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", complete(200, "")},
		{"line feeds only", "HTTP/1.1 404 No\nContent-Length: 2\n\nno", complete(404, "no")},
		{"not here yet", ok + "Content-Length: 5\r\n\r\nhell", framed{status: 200, body: "hell", reusable: true}},
		{"until close", ok + "\r\nhello", once(framed{status: 200, body: "hello", closed: true})},
		{"until close, empty", ok + "\r\n", once(framed{status: 200, closed: true})},
		{"chunked", ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA;x=\"y\"\r\n0123456789\r\n0\r\n\r\n", complete(200, "hello0123456789")},
		{"chunked with trailer", ok + "Transfer-Encoding: gzip, Chunked\r\n\r\n1 \r\nx\r\n000\r\nSum: 1\r\n\r\n", complete(200, "x")},
		{"chunked and length", ok + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", once(complete(200, "x"))},
		{"chunked not last", ok + "Transfer-Encoding: chunked, gzip\r\n\r\nabc", once(framed{status: 200, body: "abc", closed: true})},
		{"chunk without end", ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", framed{status: 200, body: "hello", reusable: true}},
		{"interim first", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nContent-Length: 9\r\n\r\n" + ok + "Content-Length: 2\r\n\r\nhi", complete(200, "hi")},
		{"interim that closes", "HTTP/1.1 102 P\r\nConnection: close\r\n\r\n" + ok + "Content-Length: 0\r\n\r\n", complete(200, "")},
		{"no content", "HTTP/1.1 204 No Content\r\nContent-Length: 7\r\n\r\n", complete(204, "")},
		{"not modified", "HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n", complete(304, "")},
		{"close", ok + "Connection: x, Close\r\nContent-Length: 0\r\n\r\n", once(complete(200, ""))},
		{"HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", once(complete(200, ""))},
		{"HTTP/1.0 keep-alive", "HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 0\r\n\r\n", complete(200, "")},
		{"more behind it", ok + "Content-Length: 2\r\n\r\nhi" + ok, framed{status: 200, body: "hi", done: true, closed: true, reusable: true, rest: len(ok)}},
		{"nothing", "", framed{reusable: true}},

		{"other protocol", "SSH-2.0-x\r\n", framed{err: errStatusLine}},
		{"HTTP/2", "HTTP/2.0 200 OK\r\n", framed{err: errStatusLine}},
		{"short status", "HTTP/1.1 20\r\n", framed{err: errStatusLine}},
		{"long status", "HTTP/1.1 2000\r\n", framed{err: errStatusLine}},
		{"status below 100", "HTTP/1.1 099 X\r\n", framed{err: errStatusLine}},
		{"status of letters", "HTTP/1.1 2x0 OK\r\n", framed{err: errStatusLine}},
		{"empty line first", "\r\n" + ok, framed{err: errStatusLine}},
		{"switched", "HTTP/1.1 101 Switching Protocols\r\n\r\n", framed{err: errSwitched}},
		{"no colon", ok + "Content-Length 5\r\n\r\n", framed{err: errHeader}},
		{"no name", ok + ": 5\r\n\r\n", framed{err: errHeader}},
		{"blank before the colon", ok + "Content-Length : 5\r\n\r\n", framed{err: errHeader}},
		{"two lengths", ok + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n", framed{err: errLength}},
		{"negative length", ok + "Content-Length: -1\r\n\r\n", framed{err: errLength}},
		{"no length", ok + "Content-Length:\r\n\r\n", framed{err: errLength}},
		{"length above int64", ok + "Content-Length: 92233720368547758070\r\n\r\n", framed{err: errLength}},
		{"list of lengths", ok + "Content-Length: 5, 5\r\n\r\n", framed{err: errLength}},
		{"chunk of no digit", ok + "Transfer-Encoding: chunked\r\n\r\n;x\r\n", framed{err: errChunk}},
		{"chunk of rubbish", ok + "Transfer-Encoding: chunked\r\n\r\n5x\r\n", framed{err: errChunk}},
		{"chunk above int64", ok + "Transfer-Encoding: chunked\r\n\r\n1234567890123456\r\n", framed{err: errChunk}},
		{"chunk longer than it says", ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n", framed{err: errChunk}},
		{"endless header", ok + "X: " + strings.Repeat("x", maxHead), framed{err: errHeadSize}},
		{"endless headers", ok + strings.Repeat("X: x\r\n", maxHead/6), framed{err: errHeadSize}},
		{"endless chunk line", ok + "Transfer-Encoding: chunked\r\n\r\n1;" + strings.Repeat("x", maxHead), framed{err: errHeadSize}},
		{"endless trailer", ok + "Transfer-Encoding: chunked\r\n\r\n0\r\n" + strings.Repeat("X: x\r\n", maxHead/6+1), framed{err: errHeadSize}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, frame(false, c.in))
			if len(c.in) > 1000 {
				require.Equal(t, c.want, frame(false, c.in[:999], c.in[999:]))
				return
			}
			for i := range c.in {
				require.Equal(t, c.want, frame(false, c.in[:i], c.in[i:]), "split at %d", i)
			}
			require.Equal(t, c.want, frame(false, bytewise(c.in)...), "byte by byte")
		})
	}
}

func TestFramerHead(t *testing.T) {
	got := frame(true, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
	require.Equal(t, framed{status: 200, done: true, closed: true, reusable: true}, got)
}

// One framer serves many answers; nothing of one shows in the next.
func TestFramerReuse(t *testing.T) {
	var f framer
	for i := range 3 {
		for _, answer := range []string{
			"HTTP/1.0 503 X\r\nServer: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
			"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
		} {
			f.reset(false, true, true)
			require.False(t, f.started())
			half := len(answer) / 2
			for _, p := range []string{answer[:half], answer[half:]} {
				n, err := f.feed([]byte(p))
				require.NoError(t, err)
				require.Equal(t, len(p), n)
			}
			require.True(t, f.done(), "round %d", i)
			require.EqualValues(t, len(f.content), f.bodyBytes)
		}
		require.Equal(t, "hi", string(f.content))
		require.Empty(t, f.server)
		require.True(t, f.reusable())
		require.EqualValues(t, len("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"), f.headBytes)
	}
}

// FuzzFramer feeds the same bytes in one piece and in two pieces and byte by byte: the framer must see the same, must
// not take more than there is, and must not read on behind an answer.
func FuzzFramer(f *testing.F) {
	for _, s := range []string{
		hello,
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nT: x\r\n\r\nHTTP/1.1",
		"HTTP/1.1 103 X\r\nA: b\r\n\r\nHTTP/1.0 204 Y\nConnection: keep-alive\n\n",
		"HTTP/1.1 200 OK\r\n\r\nuntil close",
		"HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551616\r\n\r\n",
	} {
		f.Add([]byte(s), uint16(len(s)/2), false)
	}
	f.Fuzz(func(t *testing.T, in []byte, at uint16, headOf bool) {
		whole := frame(headOf, string(in))
		i := min(int(at), len(in))
		require.Equal(t, whole, frame(headOf, string(in[:i]), string(in[i:])), "split at %d", i)
		if len(in) < 4096 {
			require.Equal(t, whole, frame(headOf, bytewise(string(in))...), "byte by byte")
		}
		require.GreaterOrEqual(t, whole.rest, 0)
		if whole.done && whole.rest > 0 {
			require.Equal(t, framed{
				status: whole.status, body: whole.body, done: true, closed: true, reusable: whole.reusable,
			}, frame(headOf, string(in[:len(in)-whole.rest])), "without what is behind it")
		}
	})
}

func BenchmarkFramer(b *testing.B) {
	body := strings.Repeat("x", 550)
	for name, answer := range map[string]string{
		"length":  fmt.Sprintf("HTTP/1.1 200 OK\r\nServer: x\r\nDate: Mon, 30 Nov 2026 18:19:24 GMT\r\nContent-Type: application/json\r\nContent-Length: 550\r\n\r\n%s", body),
		"chunked": fmt.Sprintf("HTTP/1.1 200 OK\r\nDate: Mon, 30 Nov 2026 18:19:24 GMT\r\nTransfer-Encoding: chunked\r\n\r\n226\r\n%s\r\n0\r\n\r\n", body),
	} {
		b.Run(name, func(b *testing.B) {
			in := []byte(answer)
			var f framer
			b.ReportAllocs()
			for b.Loop() {
				f.reset(false, false, false)
				if n, err := f.feed(in); err != nil || n != len(in) || !f.done() {
					b.Fatal(n, err)
				}
			}
		})
	}
}

// A framer that knows the header of the answer before sees in the next one what a new framer sees.
func TestFramerKnowsHeaders(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\n"
	answers := []string{
		ok + "Content-Length: 5\r\n\r\nhello", ok + "Content-Length: 5\r\n\r\nworld", ok + "Content-Length: 50\r\n\r\nhello",
		ok + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", "HTTP/1.1 103 X\r\n\r\n" + ok + "Content-Length: 0\r\n\r\n",
		ok + "Connection: close\r\nContent-Length: 2\r\n\r\nhi", "HTTP/1.0 404 X\r\nContent-Length: 2\r\n\r\nhi",
		"HTTP/1.1 204 X\r\n\r\n", ok + "\r\nuntil close", ok, "HTTP/1.1 20", "x\r\n",
	}
	see := func(f *framer, in string, headOf bool) (got [12]any) {
		f.reset(headOf, true, false)
		n, err := f.feed([]byte(in))
		got = [12]any{n, err, f.done(), f.reusable(), f.status, string(f.content), f.headBytes, f.bodyBytes, f.remain, f.step}
		got[10], got[11] = f.closed(), f.reusable()
		return got
	}
	f := framer{known: &known{}}
	for _, first := range answers {
		for _, second := range answers {
			for _, heads := range [][2]bool{{false, false}, {true, false}, {false, true}} {
				see(&f, first, heads[0])
				var fresh framer
				require.Equal(t, see(&fresh, second, heads[1]), see(&f, second, heads[1]), "%q behind %q", second, first)
			}
		}
	}
	require.NotEmpty(t, f.known.bytes)
}
