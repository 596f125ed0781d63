package ab

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// url is that of a behaviour on the plain port.
func (s *server) url(path string) string {
	return "http://127.0.0.1:" + strconv.Itoa(s.plain) + "/" + path
}

func TestRequestHead(t *testing.T) {
	for line, want := range map[string]string{
		"http://h:8080/a?b":              "GET /a?b HTTP/1.0\r\nHost: h:8080\r\nUser-Agent: ApacheBench/2.3\r\nAccept: */*\r\n\r\n",
		"-C a=1 -C b=2 -H Accept:x h/":   "GET / HTTP/1.0\r\nCookie: a=1; b=2\r\nAccept:x\r\nHost: h\r\nUser-Agent: ApacheBench/2.3\r\n\r\n",
		"-k -i -H HOST:x https://[::1]/": "HEAD / HTTP/1.0\r\nConnection: Keep-Alive\r\nHOST:x\r\nUser-Agent: ApacheBench/2.3\r\nAccept: */*\r\n\r\n",
		"-X p:1 http://h/a":              "GET http://h/a HTTP/1.0\r\nHost: h\r\nUser-Agent: ApacheBench/2.3\r\nAccept: */*\r\n\r\n",
	} {
		require.Equal(t, want, parse(t, line).head(), line)
	}
}

func TestHeadTooLong(t *testing.T) {
	got := run(t.Context(), "ab", []string{"-H", "X: " + strings.Repeat("x", 8192), "http://h/"})
	require.Equal(t, outcome{stderr: "Request too long\n\n", code: "1"}, got)
}

// A name with an address where nobody listens is tried before the run, and counted nowhere.
func TestName(t *testing.T) {
	s := newServer(t)
	got := run(t.Context(), "ab", []string{"-n", "3", strings.Replace(s.url("plain"), "127.0.0.1", "localhost", 1)})
	require.Equal(t, "0", got.code, got.stderr)
	require.Contains(t, got.stdout, "Server Hostname:        localhost\n")
	require.Contains(t, got.stdout, "Failed requests:        0\n")
	require.EqualValues(t, 3, s.requests.Load())
}

func TestProxyWithoutPort(t *testing.T) {
	got := run(t.Context(), "ab", []string{"-X", "127.0.0.1", "http://h/"})
	require.Equal(t, "111", got.code)
	require.Equal(t, "apr_socket_recv: Connection refused (111)\n", got.stderr)
	require.True(t, strings.HasSuffix(got.stdout, "Benchmarking h [through 127.0.0.1:0] (be patient)..."))
}

// A proxy without a name is one that can't be found, as in ab, and not none.
func TestProxyWithoutName(t *testing.T) {
	for _, proxy := range []string{"", ":80"} {
		got := run(t.Context(), "ab", []string{"-X", proxy, "http://127.0.0.1/"})
		require.Equal(t, "50", got.code)
		require.Equal(t, "apr_sockaddr_info_get() for : Name or service not known (670002)\n", got.stderr)
		require.Contains(t, got.stdout, "[through :")
	}
}

// An address of -B is of the kind of the server's address.
func TestBindOfOtherFamily(t *testing.T) {
	for local, remote := range map[string]string{"::1": "127.0.0.1", "127.0.0.1": "::1"} {
		got := run(t.Context(), "ab", []string{"-B", local, "http://" + net.JoinHostPort(remote, "1") + "/"})
		require.Equal(t, "57", got.code)
		require.Equal(t, "apr_sockaddr_info_get() for "+remote+": Address family for hostname not supported (670009)\n", got.stderr)
	}
}

// One request hangs while the others go on: it is noticed all the same, and with -r the run goes on without it.
func TestTimeoutOfOneRequest(t *testing.T) {
	s := newServer(t)
	began := time.Now()
	got := run(t.Context(), "ab", []string{"-n", "9", "-c", "3", "-s", "1", "-r", s.url("hang/4")})
	require.Equal(t, "0", got.code)
	require.Contains(t, got.stdout, "Complete requests:      9\n")
	require.Contains(t, got.stdout, "(Connect: 0, Receive: 0, Length: 0, Exceptions: 2)\n")
	require.Regexp(t, ` 100% +\d{4} `, got.stdout, "the hanging requests are in the percentiles")
	require.Less(t, time.Since(began), 30*time.Second)
}

// A time limit below 0 lets nothing start.
func TestTimeLimitBelowZero(t *testing.T) {
	s := newServer(t)
	got := run(t.Context(), "ab", []string{"-t", "-1", s.url("slow/2000")})
	require.Equal(t, "0", got.code)
	require.Contains(t, got.stdout, "Complete requests:      0\n")
	require.Equal(t, "Finished 0 requests\n", got.stderr)
}

// The files have a line per percent and per request.
func TestFiles(t *testing.T) {
	s, dir := newServer(t), t.TempDir()
	csv, tsv := filepath.Join(dir, "e.csv"), filepath.Join(dir, "g.tsv")
	got := run(t.Context(), "ab", []string{"-n", "30", "-c", "3", "-e", csv, "-g", tsv, s.url("plain")})
	require.Equal(t, "0", got.code, got.stderr)
	for file, lines := range map[string]int{csv: 102, tsv: 31} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, lines, strings.Count(string(text), "\n"), file)
	}
	got = run(t.Context(), "ab", []string{"-n", "1", "-e", dir, s.url("plain")})
	require.Equal(t, "Cannot open CSV output file: Is a directory\n", got.stderr)
	require.Equal(t, "1", got.code)
}

// No connection is opened that has no request to carry.
func TestConnections(t *testing.T) {
	s := newServer(t)
	run(t.Context(), "ab", []string{"-n", "10", "-c", "10", s.url("slow/20")})
	require.EqualValues(t, 10, s.connections.Load())
}
