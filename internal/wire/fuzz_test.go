package wire

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// smallLimits let a fuzzer reach every limit.
var smallLimits = Limits{MaxHeader: 300, MaxHeaders: 5, MaxBody: 200}

// splits turns fuzzed bytes into the sizes of pieces.
func splits(cuts []byte) []int {
	sizes := make([]int, 0, len(cuts)+1)
	for _, c := range cuts {
		sizes = append(sizes, int(c)+1)
	}
	return append(sizes, 1)
}

// Any split of the same bytes gives the same requests and the same refusal, and net/http frames each request alike.
func FuzzRequestDecoder(f *testing.F) {
	for _, c := range requestCases() {
		if len(c.in) < 4096 {
			f.Add([]byte(c.in), []byte{10, 0, 50})
		}
	}
	f.Fuzz(func(t *testing.T, in, cuts []byte) {
		for _, l := range []Limits{testLimits, smallLimits} {
			whole := decode(t, l, string(in), len(in)+1)
			require.Equal(t, whole, decode(t, l, string(in), splits(cuts)...))
		}
		requireFramedAlike(t, in)
	})
}

// requireFramedAlike compares each request that our decoder takes with what net/http reads in its bytes, if it takes
// them too (it is stricter about escapes in targets).
func requireFramedAlike(t require.TestingT, in []byte) {
	d, r := NewRequestDecoder(testLimits), &Request{}
	for start, pos := 0, 0; ; start = pos {
		for p := More; p != Complete; {
			var n int
			var err error
			if n, p, err = d.Decode(in[pos:], r); err != nil || p == More {
				return
			}
			pos += n
		}
		reader := bufio.NewReader(bytes.NewReader(bytes.TrimLeft(in[start:pos], "\r\n")))
		theirs, err := http.ReadRequest(reader)
		if err != nil {
			continue
		}
		content, err := io.ReadAll(theirs.Body)
		require.NoError(t, err)
		require.Equal(t, string(r.Body), string(content))
		require.Equal(t, r.Method.String(), theirs.Method)
		require.Zero(t, reader.Buffered(), "bytes behind the request")
	}
}

func TestFramedAlike(t *testing.T) {
	for _, c := range requestCases() {
		requireFramedAlike(t, []byte(c.in))
	}
}

// Any split of the same bytes gives the same replies and the same end.
func FuzzReplyDecoder(f *testing.F) {
	for _, c := range replyCases {
		f.Add([]byte(c.in), []byte{10, 0, 50})
	}
	f.Fuzz(func(t *testing.T, in, cuts []byte) {
		whole := decodeReplies(t, NewReplyDecoder(replyLimits), string(in), len(in)+1)
		require.Equal(t, whole, decodeReplies(t, NewReplyDecoder(replyLimits), string(in), splits(cuts)...))
	})
}

// A chunked body is the same however it is split, stays within the limit, and says the same when it is coded anew.
func FuzzChunked(f *testing.F) {
	for _, c := range bodyCases {
		if _, content, found := bytes.Cut([]byte(c.in), []byte("chunked\r\n\r\n")); found && len(content) < 4096 {
			f.Add(content, []byte{3, 0, 7})
		}
	}
	f.Fuzz(func(t *testing.T, in, cuts []byte) {
		n, content, done, err := readChunked(t, in, len(in)+1)
		n2, content2, done2, err2 := readChunked(t, in, splits(cuts)...)
		require.Equal(t, err, err2)
		require.Equal(t, done, done2)
		require.Equal(t, content, content2)
		require.Equal(t, n, n2)
		require.LessOrEqual(t, len(content), smallLimits.MaxBody)
		if done {
			_, again, done, err := readChunked(t, encodeChunks(content), len(in)+1)
			require.NoError(t, err)
			require.True(t, done)
			require.Equal(t, content, again)
		}
	})
}

// readChunked reads in as a chunked body, cut into pieces of the given sizes (the last one repeats).
func readChunked(t require.TestingT, in []byte, sizes ...int) (taken int, content []byte, done bool, err error) {
	var d body
	d.begin(Chunked)
	for i := 0; taken < len(in) && !done; i++ {
		piece := in[taken:min(len(in), taken+sizes[min(i, len(sizes)-1)])]
		var n int
		n, content, done, err = d.read(piece, content, &smallLimits)
		taken += n
		if err != nil {
			break
		}
		require.True(t, done || n == len(piece), "took %d of %d", n, len(piece))
	}
	return taken, content, done, err
}

// encodeChunks codes content in chunks of at most 15 bytes.
func encodeChunks(content []byte) (out []byte) {
	for len(content) > 0 {
		n := min(len(content), 15)
		out = append(out, "0123456789abcdef"[n], '\r', '\n')
		out = append(append(out, content[:n]...), '\r', '\n')
		content = content[n:]
	}
	return append(out, "0\r\n\r\n"...)
}

// A RESP value that comes in pieces is incomplete or refused as the whole is.
func FuzzParseValue(f *testing.F) {
	for _, c := range valueCases {
		f.Add([]byte(c.in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) > 4096 {
			return
		}
		requireSamePrefixes(t, in, 100)
	})
}
