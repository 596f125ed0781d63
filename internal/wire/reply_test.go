package wire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A reply and what becomes of it: each complete reply as status, reuse and body; then "cut" when the connection's end
// cuts one, or "error".
type replyCase struct{ name, in, want string }

var replyCases = []replyCase{
	{"length", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", `200 true "hi"`},
	{"no reason", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", `200 true ""`},
	{"empty reason", "HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n", `200 true ""`},
	{"two", "HTTP/1.1 500 E\r\nContent-Length: 1\r\n\r\na" + "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nb",
		`500 true "a" 200 true "b"`},
	{"chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n1\r\n!\r\n0\r\nX: y\r\n\r\n",
		`200 true "hi!"`},
	{"until close", "HTTP/1.1 200 OK\r\n\r\nhello", `200 false "hello"`},
	{"close", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi", `200 false "hi"`},
	{"http 1.0", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", `200 false "hi"`},
	{"http 1.0, keep-alive", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nhi", `200 true "hi"`},
	{"interim", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" +
		"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", `200 true ""`},
	{"no content", "HTTP/1.1 204 No Content\r\n\r\n", `204 true ""`},
	{"not modified, with a length", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", `304 true ""`},
	{"cut in the head", "HTTP/1.1 200 OK\r\nContent-Le", "cut"},
	{"cut in the body", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhi", "cut"},
	{"cut in the chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nh", "cut"},
	{"cut after an interim", "HTTP/1.1 100 Continue\r\n\r\n", "cut"},
	{"nothing", "", "cut"},
	{"switching protocols", "HTTP/1.1 101 Switching\r\n\r\n", "error"},
	{"empty line first", "\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "error"},
	{"other protocol", "HTTP/2 200\r\nContent-Length: 0\r\n\r\n", "error"},
	{"other version", "HTTP/1.2 200 OK\r\nContent-Length: 0\r\n\r\n", "error"},
	{"no space", "HTTP/1.1200 OKAY\r\nContent-Length: 0\r\n\r\n", "error"},
	{"status too long", "HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n", "error"},
	{"status too low", "HTTP/1.1 099 OK\r\nContent-Length: 0\r\n\r\n", "error"},
	{"status no number", "HTTP/1.1 2x0 OK\r\nContent-Length: 0\r\n\r\n", "error"},
	{"nul in the reason", "HTTP/1.1 200 O\x00\r\nContent-Length: 0\r\n\r\n", "error"},
	{"not http", "SSH-2.0-OpenSSH\r\n", "error"},
	{"bare lf", "HTTP/1.1 200 OK\nContent-Length: 0\n\n", "error"},
	{"bad header", "HTTP/1.1 200 OK\r\nFoo : x\r\n\r\n", "error"},
	{"no colon", "HTTP/1.1 200 OK\r\nFoo\r\n\r\n", "error"},
	{"two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx", "error"},
	{"length and coding", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "error"},
	{"coding in 1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "error"},
	{"coding unknown", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "error"},
	{"chunk bad", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", "error"},
	{"trailer forbidden", "HTTP/1.1 200 OK\r\nTrailer: Content-Length\r\nContent-Length: 0\r\n\r\n", "error"},
	{"too large", "HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n", "error"},
	{"too large until close", "HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("x", 1001), "error"},
	{"head too large", "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 1001), "error"},
	{"too many lines", "HTTP/1.1 200 OK\r\n" + strings.Repeat("X: y\r\n", 11), "error"},
}

var replyLimits = Limits{MaxHeader: 1000, MaxHeaders: 10, MaxBody: 1000}

// decodeReplies feeds in to d, cut into pieces of the given sizes (the last one repeats), and then closes.
func decodeReplies(t require.TestingT, d *ReplyDecoder, in string, sizes ...int) string {
	var words []string
	var pending []byte
	r := &Reply{}
	complete := func() { words = append(words, fmt.Sprintf("%d %v %q", r.Status, r.KeepAlive, r.Body)) }
	for i := 0; len(in) > 0; i++ {
		size := min(len(in), max(1, sizes[min(i, len(sizes)-1)]))
		pending = append(pending, in[:size]...)
		in = in[size:]
		for len(pending) > 0 {
			n, p, err := d.Decode(pending, r)
			require.LessOrEqual(t, n, len(pending))
			pending = pending[n:]
			if err != nil {
				return strings.Join(append(words, "error"), " ")
			}
			if p == More {
				require.True(t, d.Started())
				break
			}
			require.False(t, d.Started())
			complete()
		}
	}
	if d.Started() || len(words) == 0 {
		if p, err := d.Closed(r); err != nil {
			words = append(words, "cut")
		} else {
			require.Equal(t, Complete, p)
			complete()
		}
	}
	return strings.Join(words, " ")
}

func TestReplyDecoder(t *testing.T) {
	d := NewReplyDecoder(replyLimits)
	for _, c := range replyCases {
		t.Run(c.name, func(t *testing.T) {
			for _, size := range []int{1, 7, len(c.in)} {
				d.Reset()
				require.Equal(t, c.want, decodeReplies(t, d, c.in, size), "in pieces of %d", size)
			}
		})
	}
}

func TestReplyDecoderAnySplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SampledFrom(replyCases).Draw(t, "first").in + rapid.SampledFrom(replyCases).Draw(t, "second").in
		sizes := rapid.SliceOfN(rapid.IntRange(1, 100), 1, 20).Draw(t, "sizes")
		whole := decodeReplies(t, NewReplyDecoder(replyLimits), in, len(in)+1)
		require.Equal(t, whole, decodeReplies(t, NewReplyDecoder(replyLimits), in, sizes...))
	})
}
