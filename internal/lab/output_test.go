package lab

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOutput(t *testing.T) {
	var lines []string
	o := newOutput(func(line string) { lines = append(lines, line) })
	require.Equal(t, "it logged nothing", o.last())
	for _, part := range []string{"one\ntw", "o\n", `{"message":"listen`, `ing","addr":"127.0.0.1:1","admin":""}` + "\n", "rest"} {
		n, err := fmt.Fprint(o, part)
		require.NoError(t, err)
		require.Equal(t, len(part), n)
	}
	require.Equal(t, []string{"one", "two", `{"message":"listening","addr":"127.0.0.1:1","admin":""}`}, lines)
	require.Equal(t, announcement{Message: "listening", Addr: "127.0.0.1:1"}, <-o.announced)
	require.True(t, strings.HasSuffix(o.last(), "\n  rest"), o.last())
}

func TestOutputKeepsTheLastLines(t *testing.T) {
	o := newOutput(nil)
	for i := range 100 {
		fmt.Fprintf(o, "line %d\n", i)
	}
	require.Equal(t, tailLines, strings.Count(o.last(), "\n"))
	require.Contains(t, o.last(), "line 99")
	require.NotContains(t, o.last(), "line 84")
	long := strings.Repeat("x", 3*maxLine)
	fmt.Fprint(o, long, long, "\nshort\n")
	require.Equal(t, maxLine, strings.Count(o.last(), "x"))
	require.True(t, strings.HasSuffix(o.last(), "\n  short"))
}

func TestOutputAnnouncedTwice(t *testing.T) {
	o := newOutput(nil)
	for i := range 3 {
		fmt.Fprintf(o, "{\"message\":\"listening\",\"addr\":\"127.0.0.1:%d\"}\n", i)
	}
	require.Equal(t, "127.0.0.1:0", (<-o.announced).Addr)
}

// However the bytes are cut, the same lines come out.
func FuzzOutput(f *testing.F) {
	f.Add([]byte("a\nb\n{\"message\":\"listening\"}\nc"), uint8(3))
	f.Add([]byte("\n\n\r\n"), uint8(1))
	f.Fuzz(func(t *testing.T, text []byte, size uint8) {
		whole, cut := newOutput(nil), newOutput(nil)
		_, _ = whole.Write(text)
		for rest := text; len(rest) > 0; {
			n := min(len(rest), int(size)+1)
			_, _ = cut.Write(rest[:n])
			rest = rest[n:]
		}
		require.Equal(t, whole.last(), cut.last())
		require.Len(t, cut.announced, len(whole.announced))
		require.LessOrEqual(t, len(whole.last()), (tailLines+1)*(maxLine+3)+20)
	})
}
