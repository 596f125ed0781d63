package wire

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var valueCases = []struct {
	name, in string
	value    Value
	n        int
	err      error
}{
	{"nothing", "", Value{}, 0, nil},
	{"null", "$-1\r\n+", Value{Kind: Null}, 5, nil},
	{"bulk", "$2\r\nhi\r\nmore", Value{Bulk, []byte("hi")}, 8, nil},
	{"empty bulk", "$0\r\n\r\n", Value{Bulk, []byte{}}, 6, nil},
	{"bulk with line ends", "$4\r\n\r\n\r\n\r\n", Value{Bulk, []byte("\r\n\r\n")}, 10, nil},
	{"simple", "+OK\r\n", Value{Simple, []byte("OK")}, 5, nil},
	{"error", "-ERR no\r\n", Value{CacheError, []byte("ERR no")}, 9, nil},
	{"integer", ":-12\r\n", Value{Integer, []byte("-12")}, 6, nil},
	{"bulk cut in the length", "$2", Value{}, 0, nil},
	{"bulk cut in the line end", "$2\r", Value{}, 0, nil},
	{"bulk cut in the data", "$2\r\nh", Value{}, 0, nil},
	{"bulk cut in its end", "$2\r\nhi\r", Value{}, 0, nil},
	{"bulk at the limit", "$100\r\n" + strings.Repeat("x", 100) + "\r\n",
		Value{Bulk, []byte(strings.Repeat("x", 100))}, 108, nil},
	{"bulk above the limit", "$101\r\n", Value{}, 0, errValueSize},
	{"bulk that overflows", "$99999999999999999999\r\n", Value{}, 0, errValueSize},
	{"bulk of no number", "$x\r\n", Value{}, 0, errValueNumber},
	{"bulk of another negative", "$-2\r\n", Value{}, 0, errValueNumber},
	{"bulk with a wrong end", "$2\r\nhix", Value{}, 0, errValueEnd},
	{"bulk with half an end", "$2\r\nhi\rx", Value{}, 0, errValueEnd},
	{"integer of no number", ":1x\r\n", Value{}, 0, errValueNumber},
	{"integer of nothing", ":\r\n", Value{}, 0, errValueNumber},
	{"array", "*0\r\n", Value{}, 0, errValueKind},
	{"http", "HTTP/1.1 200 OK\r\n", Value{}, 0, errValueKind},
	{"bare lf", "+OK\n", Value{}, 0, errValueLine},
	{"bare cr", "+O\rK\r\n", Value{}, 0, errValueLine},
	{"line without end", "-" + strings.Repeat("x", maxValueLine), Value{}, 0, errValueLine},
	{"line too long", "-" + strings.Repeat("x", maxValueLine) + "\r\n", Value{}, 0, errValueLine},
}

func TestParseValue(t *testing.T) {
	for _, c := range valueCases {
		t.Run(c.name, func(t *testing.T) {
			v, n, err := ParseValue([]byte(c.in), 100)
			require.Equal(t, c.value, v)
			require.Equal(t, c.n, n)
			require.Equal(t, c.err, err)
			requireSamePrefixes(t, []byte(c.in), 100)
		})
	}
}

// requireSamePrefixes checks that a reply that comes in pieces is incomplete until it is parsed, or refused, as the
// whole is.
func requireSamePrefixes(t require.TestingT, in []byte, max int) {
	v, n, err := ParseValue(in, max)
	require.LessOrEqual(t, n, len(in))
	for i := range in {
		pv, pn, perr := ParseValue(in[:i], max)
		same := errors.Is(perr, err) && pn == n && pv.Kind == v.Kind && bytes.Equal(pv.Data, v.Data)
		awaited := perr == nil && pn == 0 && (err != nil || n == 0 || n > i)
		if !same && !awaited {
			require.Failf(t, "prefix differs", "%d of %q: %v %d %v", i, in, pv, pn, perr)
		}
	}
}

func TestAppendCommands(t *testing.T) {
	require.Equal(t, "*2\r\n$3\r\nGET\r\n$3\r\nc:1\r\n", string(AppendGet(nil, []byte("c:1"))))
	for _, c := range []struct {
		ttl  time.Duration
		want string
	}{
		{0, "$1\r\n1"}, {time.Millisecond, "$1\r\n1"}, {time.Second, "$1\r\n1"}, {1001 * time.Millisecond, "$1\r\n2"},
		{time.Hour, "$4\r\n3600"},
	} {
		require.Equal(t, "*5\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n$2\r\nEX\r\n"+c.want+"\r\n",
			string(AppendSet(nil, []byte("k"), []byte("v"), c.ttl)))
	}
}
