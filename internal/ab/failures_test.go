package ab

import (
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/abreport"
	"poolvsloop/internal/load"
)

// Every failure has one class; those that end the run say why in ab's words.
func TestFailures(t *testing.T) {
	reset := load.Failure{Outcome: load.Reset, Errno: syscall.ECONNRESET}
	late := load.Failure{Outcome: load.TimedOut}
	const timedOut = "apr_pollset_poll: The timeout specified has expired (70007)\n"
	kernel := func(e syscall.Errno) load.Failure { return load.Failure{Outcome: load.Aborted, Errno: e} }
	old := func(f load.Failure) load.Failure { f.Reused = true; return f }
	for name, c := range map[string]struct {
		line           string
		failure        load.Failure
		class          abreport.Failed
		fatal          string // what is said, empty when the run goes on
		code           int
		stdout, stderr string
	}{
		"reset":                {"", reset, abreport.Failed{Receive: 1}, "apr_socket_recv: Connection reset by peer (104)\n", 104, "", ""},
		"reset, -r":            {"-r", reset, abreport.Failed{Receive: 1}, "", 0, "", ""},
		"reset, -r -v":         {"-r -v 1", reset, abreport.Failed{Receive: 1}, "", 0, "", "apr_socket_recv: Connection reset by peer (104)\n"},
		"timeout":              {"", late, abreport.Failed{Exceptions: 1}, timedOut, 70007, "", ""},
		"timeout, -r":          {"-r", late, abreport.Failed{Exceptions: 1}, "", 0, "", ""},
		"kernel gave up":       {"", kernel(syscall.ETIMEDOUT), abreport.Failed{Receive: 1}, "apr_socket_recv: Connection timed out (110)\n", 110, "", ""},
		"no route":             {"", kernel(syscall.EHOSTUNREACH), abreport.Failed{Connect: 1}, "apr_socket_recv: No route to host (113)\n", 113, "", ""},
		"no descriptor":        {"-r", kernel(syscall.EMFILE), abreport.Failed{}, "socket: Too many open files (24)\n", 24, "", ""},
		"not sent":             {"", kernel(syscall.EPIPE), abreport.Failed{Exceptions: 1}, "", 0, "Send request failed!\n", ""},
		"cut answer":           {"", kernel(0), abreport.Failed{Length: 1}, "", 0, "", ""},
		"old connection":       {"", old(reset), abreport.Failed{Length: 1}, "", 0, "", ""},
		"old connection hangs": {"", old(late), abreport.Failed{Exceptions: 1}, timedOut, 70007, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr strings.Builder
			f := failures{Options: parse(t, c.line+" http://h/"), stdout: &stdout, stderr: &stderr}
			require.Equal(t, c.fatal != "", f.add(c.failure))
			require.Equal(t, c.class, f.count(0))
			require.Equal(t, c.stdout, stdout.String())
			require.Equal(t, c.stderr, stderr.String())
			if c.fatal == "" {
				require.Nil(t, f.fatal)
				return
			}
			require.True(t, f.add(reset), "the run is over")
			x := load.Result{Counts: load.Counts{Answered: 7, Reset: 2}}
			require.Equal(t, &Exit{Code: c.code, Stdout: "Total of 7 requests completed\n", Stderr: c.fatal}, f.exit(&x))
		})
	}
}

// With TLS only a timeout ends the run.
func TestFailuresOfTLS(t *testing.T) {
	var stderr strings.Builder
	f := failures{Options: parse(t, "https://h/"), stderr: &stderr}
	require.False(t, f.add(load.Failure{Outcome: load.Refused, Errno: syscall.ECONNREFUSED, Unconnected: true}))
	require.False(t, f.add(load.Failure{Outcome: load.Aborted, Cause: "TLS handshake: no", Unconnected: true}))
	require.Equal(t, "SSL read failed (5) - closing connection\nSSL handshake failed (1).\nTLS handshake: no\n", stderr.String())
	require.Equal(t, abreport.Failed{Connect: 2}, f.count(0))
	require.False(t, f.add(load.Failure{Outcome: load.Reset, Errno: syscall.ECONNRESET, Unconnected: true}))
	require.Equal(t, abreport.Failed{Connect: 3}, f.count(0), "reset within the handshake")
	require.False(t, f.add(load.Failure{Outcome: load.Reset, Errno: syscall.ECONNRESET}))
	require.Equal(t, abreport.Failed{Connect: 3, Receive: 1}, f.count(0))
	require.True(t, f.add(load.Failure{Outcome: load.TimedOut}))
}

// The note about the histogram, and the refusal to write single times, come behind the report.
func TestReportWithoutSamples(t *testing.T) {
	var stdout, stderr strings.Builder
	s := session{Options: parse(t, "-g "+t.TempDir()+"/g -n 3000000 http://h/"), stdout: &stdout, stderr: &stderr}
	s.failures = failures{Options: s.Options}
	x := whole(t)
	x.Samples = nil
	err := s.report(x)
	require.Equal(t, &Exit{Code: 1, Stderr: "Cannot write gnuplot output file: it needs single times\n"}, err)
	require.Contains(t, stdout.String(), "Complete requests:      3\n")
	require.Equal(t, "Single times are kept for up to 2000000 requests: "+
		"medians and percentiles come from a histogram of three digits\n", stderr.String())
}

// whole is the result of a short run.
func whole(t *testing.T) *load.Result {
	s := newServer(t)
	o := parse(t, "-n 3 http://127.0.0.1/plain")
	x := session{Options: o}
	c, err := x.config()
	require.NoError(t, err)
	c.Addr = addr(s.plain)
	r, err := load.Run(t.Context(), c)
	require.NoError(t, err)
	return r
}
