package single

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"poolvsloop/internal/deadport"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// optionsOf parses a command line.
func optionsOf(t *testing.T, args ...string) Options {
	t.Helper()
	var o Options
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	Bind(fs, &o)
	require.NoError(t, fs.Parse(args))
	return o
}

// run makes a run with a command line and returns what it printed.
func run(t *testing.T, url string, args ...string) (string, error) {
	t.Helper()
	p, err := NewPlan(t.Context(), optionsOf(t, args...), url)
	require.NoError(t, err)
	var out strings.Builder
	err = Run(t.Context(), p, &out, io.Discard)
	return out.String(), err
}

// serve starts a server.
func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func hello(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }

// requireValidButLate forgives what a busy machine does to an open loop.
func requireValidButLate(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		require.ErrorContains(t, err, "did not keep its schedule")
	}
}

func TestRunText(t *testing.T) {
	text, err := run(t, serve(t, hello)+"/x", "-k", "-n", "600", "-c", "3")
	require.NoError(t, err)
	for _, says := range []string{
		"\nDocument Path:          /x\n", "\nComplete requests:      600\n", "(longest request)",
		"\nLoad model:             closed loop, 3 clients\n", "planned 600 = sent 600 + dropped 0", "status 200: 600",
		"3 opened, 597 requests on a reused one", "needs 4394 requests, 600 is too few", "3 clients, 0 starved", "The run is valid.",
	} {
		require.Contains(t, text, says)
	}
	text, err = run(t, serve(t, hello), "-k", "-n", "60", "--stages", "0..400:100ms,400", "--arrivals", "poisson", "--per-connection", "3")
	requireValidButLate(t, err)
	require.Contains(t, text, "partly open loop, poisson arrivals of sessions of 3 requests, 0..400:100ms,400 a second")
	require.Contains(t, text, "service time and send lag apart")
	require.Contains(t, text, "20 opened")
}

func TestRunSendsWhatItShould(t *testing.T) {
	body := filepath.Join(t.TempDir(), "body")
	require.NoError(t, os.WriteFile(body, []byte("id={{n}}"), 0o600))
	targets := filepath.Join(t.TempDir(), "targets")
	require.NoError(t, os.WriteFile(targets, []byte("3 GET /a\n1 PUT /b/{{n}} @"+body), 0o600))
	for _, c := range []struct {
		name string
		path string
		args []string
		want map[string]int
	}{
		{"query", "/x%20y?z=1", nil, map[string]int{"GET /x%20y?z=1 ": 8}},
		{"body", "", []string{"--body", "b"}, map[string]int{"POST / b": 8}},
		{"body of a file, templates", "/{{pick q}}", []string{"-p", body, "-m", "PATCH", "--variants", "2"},
			map[string]int{"PATCH /q id=0": 4, "PATCH /q id=1": 4}},
		{"targets", "", []string{"--targets", targets, "--variants", "8"},
			map[string]int{"GET /a ": 6, "PUT /b/2 id=2": 1, "PUT /b/6 id=6": 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var mu sync.Mutex
			got := map[string]int{}
			url := serve(t, func(w http.ResponseWriter, r *http.Request) {
				b, _ := io.ReadAll(r.Body)
				mu.Lock()
				got[r.Method+" "+r.RequestURI+" "+string(b)]++
				mu.Unlock()
				if r.Header.Get("X-Test") != "yes" {
					w.WriteHeader(http.StatusBadRequest)
				}
			})
			_, err := run(t, url+c.path, append(c.args, "-n", "8", "-H", "X-Test: yes", "--fail-if", "non_2xx>0")...)
			require.NoError(t, err)
			mu.Lock()
			defer mu.Unlock()
			require.Equal(t, c.want, got)
		})
	}
}

func TestRunFails(t *testing.T) {
	closed := "http://" + deadport.Addr(t).String()
	ok := serve(t, hello)
	failing := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	for _, c := range []struct {
		name, url string
		args      []string
		says      string
	}{
		{"all 500", failing, []string{"-n", "20"}, "no request succeeded"},
		{"nobody listens", closed, []string{"-n", "20"}, "no request succeeded"},
		{"a condition holds", ok, []string{"-n", "20", "--fail-if", "p50>=0"}, "--fail-if p50>=0: p50 is"},
		{"a condition can't be judged", ok, []string{"-n", "20", "--fail-if", "p99>1s"}, "p99 needs 441 requests, there are 20"},
		{"a condition of clients in an open loop", ok, []string{"-n", "20", "--rate", "1000", "--fail-if", "starved>0"}, "an open loop has not"},
		{"two conditions, one holds", ok, []string{"-n", "20", "--fail-if", "errors>0", "--fail-if", "failed==0"}, "--fail-if failed==0: failed is 0"},
		{"no condition holds", ok, []string{"-n", "20", "--fail-if", "errors>0", "--fail-if", "mean>1m", "--fail-if", "jain<0.5"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := run(t, c.url, c.args...)
			if c.says == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.says)
		})
	}
}

// Requests without an answer are in the percentiles, and conditions see them.
func TestRunCensored(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(5 * time.Second):
		}
	})
	text, err := run(t, url, "-k", "-n", "12", "-c", "6", "--timeout", "200ms", "--fail-if", "p50>100ms")
	require.Error(t, err)
	require.Regexp(t, `  p50 +≥ [2-9]\d\d\.\d ms`, text)
	require.Contains(t, text, "WARNING: 6 of 6 connections starved")
	require.Regexp(t, `FAILS: fail-if p50>100ms: p50 is ≥ [2-9]`, text)
	require.Contains(t, text, "INVALID: no request succeeded")
}

func TestFormats(t *testing.T) {
	url := serve(t, hello)
	text, err := run(t, url, "-n", "50", "-c", "2", "--format", "json", "--fail-if", "errors>0")
	require.NoError(t, err)
	var x Report
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&x))
	require.True(t, x.Valid)
	require.Equal(t, 50, x.Requests.OK2xx)
	require.Equal(t, closedLoop, x.Model.Loop)
	require.Len(t, x.Response.Percentiles, len(percents))
	require.Positive(t, *x.Response.Percentiles[0].MS)
	require.Nil(t, x.Response.Percentiles[4].MS)
	require.Equal(t, []Gate{{Condition: "errors>0", Detail: "errors is 0 %"}}, x.Gates)

	text, err = run(t, url, "-n", "50", "--format", "csv")
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(text, "second,answered,failed,max_response_ms\n0,50,0,"), text)

	text, err = run(t, url, "-n", "50", "--format", "markdown")
	require.NoError(t, err)
	require.Contains(t, text, "| valid | true |\n| requests | 50 planned, 50 answered with 2xx, 0 failed, 0 dropped |\n")

	text, err = run(t, "http://"+deadport.Addr(t).String()+"/", "-n", "2", "--format", "json")
	require.Error(t, err)
	require.True(t, json.Valid([]byte(text)), "a run without any answer is a document, too: %s", text)
}

// The histogram logs are read by the library's own reader.
func TestSave(t *testing.T) {
	dir := t.TempDir()
	_, err := run(t, serve(t, hello), "-n", "50", "--rate", "1000", "--results", dir, "--name", "first")
	requireValidButLate(t, err)
	folders, err := filepath.Glob(filepath.Join(dir, "*-first"))
	require.NoError(t, err)
	require.Len(t, folders, 1)
	for _, name := range []string{"response", "service", "send_lag"} {
		file, err := os.Open(filepath.Join(folders[0], name+".hlog"))
		require.NoError(t, err)
		h, err := hdrhistogram.NewHistogramLogReader(file).NextIntervalHistogram()
		require.NoError(t, errors.Join(err, file.Close()))
		require.EqualValues(t, 50, h.TotalCount(), name)
	}
	for _, name := range []string{"report.txt", "run.json", "seconds.csv"} {
		require.FileExists(t, filepath.Join(folders[0], name))
	}
}

// An interrupted run is not what was asked for: its figures are printed, it is not valid, and passes no condition.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		defer cancel()
		hello(w, r)
	})
	for name, args := range map[string][]string{"closed loop": {"--think", "1h"}, "open loop": {"--stages", "1000:1ms,0:1h,1:1s"}} {
		t.Run(name, func(t *testing.T) {
			p, err := NewPlan(t.Context(), optionsOf(t, append(args, "-n", "1000", "--fail-if", "failed>0")...), url)
			require.NoError(t, err)
			var out strings.Builder
			require.ErrorContains(t, Run(ctx, p, &out, io.Discard), "the run is not valid: the run was interrupted before its end")
			require.Contains(t, out.String(), "INVALID: the run was interrupted before its end\n")
		})
	}
}

// A run whose report nobody takes is saved all the same.
func TestSavedBeforePrinted(t *testing.T) {
	dir := t.TempDir()
	p, err := NewPlan(t.Context(), optionsOf(t, "-n", "5", "--results", dir), serve(t, hello))
	require.NoError(t, err)
	gone, out, err := os.Pipe()
	require.NoError(t, errors.Join(err, gone.Close()))
	defer out.Close()
	require.ErrorContains(t, Run(t.Context(), p, out, io.Discard), "print the report")
	files, err := filepath.Glob(filepath.Join(dir, "*", "report.txt"))
	require.NoError(t, err)
	require.Len(t, files, 1)
}

// A run that had nothing to send is reported in every format, and is not valid.
func TestNothingWasDue(t *testing.T) {
	for _, format := range []string{Text, JSON, CSV, Markdown} {
		out, err := run(t, serve(t, hello), "--rate", "0.001", "--arrivals", "poisson", "-t", "0.05", "--format", format)
		require.EqualError(t, err, "the run is not valid: no request succeeded: of 0 sent, none was answered with 2xx", format)
		require.NotEmpty(t, out)
	}
}

// Nothing is asked of the server when what is measured could not be saved.
func TestFolderIsCheckedFirst(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	var asked atomic.Int64
	url := serve(t, func(http.ResponseWriter, *http.Request) { asked.Add(1) })
	_, err := run(t, url, "-n", "5", "--results", file)
	require.ErrorContains(t, err, "--results")
	require.Zero(t, asked.Load())
}

func TestPlanRefuses(t *testing.T) {
	for _, c := range []struct {
		name, url string
		args      []string
		says      string
	}{
		{"no scheme", "127.0.0.1:1", nil, "want http://"},
		{"no scheme before a path", "127.0.0.1:1/x", nil, "want http://"},
		{"no scheme before a name", "localhost:1/x", nil, "want http://"},
		{"other scheme", "ftp://127.0.0.1/", nil, "want http"},
		{"no host", "http:///x", nil, "want http"},
		{"credentials", "http://a:b@127.0.0.1/", nil, "Authorization"},
		{"port", "http://127.0.0.1:x/", nil, "port"},
		{"format", "", []string{"--format", "xml"}, "--format \"xml\""},
		{"arrivals", "", []string{"--rate", "1", "--arrivals", "even"}, "--arrivals \"even\""},
		{"arrivals of a closed loop", "", []string{"--arrivals", "poisson"}, "needs --rate"},
		{"rate and stages", "", []string{"--rate", "1", "--stages", "1:1s"}, "want one of them"},
		{"rate", "", []string{"--rate", "-1"}, "--rate -1"},
		{"clients of an open loop", "", []string{"--rate", "1", "-c", "5"}, "--max-in-flight"},
		{"stages", "", []string{"--stages", "x"}, "--stages"},
		{"condition", "", []string{"--fail-if", "p99>"}, "--fail-if"},
		{"metric", "", []string{"--fail-if", "p100>1s"}, "no metric"},
		{"two bodies", "", []string{"--body", "x", "-p", "y"}, "want one of them"},
		{"targets and method", "", []string{"--targets", "x", "-m", "GET"}, "--targets names methods"},
		{"no such body", "", []string{"-p", "/no/such/file"}, "no such file"},
		{"no such targets", "", []string{"--targets", "/no/such/file"}, "no such file"},
		{"header", "", []string{"-H", "x"}, "want Name: value"},
		{"method", "", []string{"-m", "G T"}, "no token"},
		{"template", "http://127.0.0.1:1/{{x}}", nil, "want n, rand"},
		{"variants", "", []string{"--variants", "0"}, "--variants 0"},
		{"clients", "", []string{"-c", "0"}, "clients 0 is below 1"},
		{"pipeline", "", []string{"--pipeline", "2"}, "kept connections"},
		{"timeout", "", []string{"--timeout", "2h"}, "timeout"},
		{"name", "", []string{"--name", "a/b"}, "--name"},
		{"name of the folder above", "", []string{"--name", ".."}, "--name"},
		{"several", "", []string{"--format", "xml", "--variants", "0"}, "--variants 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			url := c.url
			if url == "" {
				url = "http://127.0.0.1:1/"
			}
			_, err := NewPlan(t.Context(), optionsOf(t, c.args...), url)
			require.ErrorContains(t, err, c.says)
		})
	}
	p, err := NewPlan(t.Context(), optionsOf(t), "http://127.0.0.1")
	require.NoError(t, err)
	require.Equal(t, defaultDuration, p.Load.Duration)
	require.EqualValues(t, 80, p.Load.Addr.Port())
}

func TestAsTyped(t *testing.T) {
	for url, want := range map[string]string{
		"http://h": "/", "http://h/{{n}}#x": "/{{n}}", "http://h?{{rand 1 2}}": "/?{{rand 1 2}}", "http://h/a?b={{n}}&c=/": "/a?b={{n}}&c=/",
	} {
		require.Equal(t, want, asTyped(url))
	}
}

func TestTLSRun(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(hello))
	defer s.Close()
	text, err := run(t, s.URL, "-k", "-n", "20", "-c", "2", "--insecure")
	require.NoError(t, err)
	require.Contains(t, text, "TLS 1.3 TLS_")
	require.Contains(t, text, "2 handshakes")
	_, err = run(t, s.URL, "-n", "2")
	require.ErrorContains(t, err, "no request succeeded")
}
