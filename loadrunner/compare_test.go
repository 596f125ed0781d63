package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"poolvsloop/internal/page"
	"poolvsloop/internal/program"
	"poolvsloop/internal/results"
)

// built is the folder that build made, removed by TestMain.
var built struct {
	once sync.Once
	dir  string
	err  error
}

// build builds every program of the lab into one folder, as an installation has them, once for all tests.
func build(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("needs the real programs")
	}
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "loadrunner-test-"); built.err != nil {
			return
		}
		var output []byte
		output, built.err = exec.Command("go", "build", "-o", built.dir+"/", "poolvsloop/loadrunner", "poolvsloop/downstream",
			"poolvsloop/servers/threadpool", "poolvsloop/servers/eventloop").CombinedOutput()
		if built.err != nil {
			built.err = fmt.Errorf("%w: %s", built.err, output)
		}
	})
	require.NoError(t, built.err)
	return built.dir
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.dir != "" {
		_ = os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

// mayFail are the checks that a busy machine fails by itself; the tests here look at everything else.
var mayFail = map[string]bool{
	"downstreams_on_time": true, "equal_delays": true, "generator_not_the_limit": true, "generator_lag": true, "sent_on_time": true,
	"no_throttling": true, "no_swapping": true, "no_steal": true, "no_other_load": true, "no_listen_overflows": true,
}

// readRun reads the one run in a results folder.
func readRun(t *testing.T, dir string) (folder string, run results.Run) {
	t.Helper()
	folders, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, folders, 1, "one folder, and nothing half-written")
	folder = filepath.Join(dir, folders[0].Name())
	text, err := os.ReadFile(filepath.Join(folder, "run.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &run))
	validate(t, text)
	return folder, run
}

func validate(t *testing.T, text []byte) {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile("../results/schema.json")
	require.NoError(t, err)
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	require.NoError(t, schema.Validate(value))
}

// TestCompareEndToEnd runs a tiny comparison with the real programs and looks at everything it leaves behind.
func TestCompareEndToEnd(t *testing.T) {
	programs, dir := build(t), t.TempDir()
	for name, flags := range map[string][]string{
		"a connection per request": {"--redis", "miniredis"},
		"keep-alive":               {"-k", "--worker", "goroutine"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(dir, strconv.Itoa(len(flags)))
			args := append([]string{"compare", "-n", "200", "-c", "10", "--rounds", "2", "--warmup", "100ms", "--results", dir}, flags...)
			cmd := exec.CommandContext(t.Context(), filepath.Join(programs, "loadrunner"), args...)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			err := cmd.Run()
			folder, run := readRun(t, dir)
			for _, c := range run.Checks {
				require.True(t, c.OK || mayFail[c.Name], "%s: %s", c.Name, c.Detail)
			}
			require.Equal(t, run.Valid, err == nil, "the exit code says whether the run is valid: %v\n%s", err, stderr.String())
			require.Equal(t, run.Valid, !strings.Contains(stdout.String(), "INVALID"))
			require.Contains(t, stdout.String(), "Results: "+folder)
			require.Contains(t, stderr.String(), "round 2 of 2, threadpool:")
			requireFigures(t, run)
			requireStages(t, run)
			requireFiles(t, folder, run)
			requireSameAgain(t, folder, stdout.String())
		})
	}
}

// requireSameAgain prints the run from its folder and holds it against what the run printed.
func requireSameAgain(t *testing.T, folder, printed string) {
	t.Helper()
	code, again, stderr := run(t, "report", folder)
	require.Zero(t, code, stderr)
	require.Equal(t, printed, again+"Results: "+folder+"\nPage:    "+filepath.Join(folder, page.Name)+"\n")
	requireSamePage(t, folder)
}

// requireSamePage makes page and pictures anew from the folder and holds them against those of the run.
func requireSamePage(t *testing.T, folder string) {
	t.Helper()
	before := map[string]string{}
	pictures, err := filepath.Glob(filepath.Join(folder, "*.svg"))
	require.NoError(t, err)
	require.Greater(t, len(pictures), 3)
	size := 0
	for _, path := range append(pictures, filepath.Join(folder, page.Name)) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		before[path], size = string(text), size+len(text)
		require.NoError(t, os.Remove(path))
	}
	require.Less(t, size, 400_000)
	code, printed, stderr := run(t, "report", "--format", "html", folder)
	require.Zero(t, code, stderr)
	require.Equal(t, "Page: "+filepath.Join(folder, page.Name)+"\n", printed)
	for path, want := range before {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, want, string(text), path)
	}
}

func requireFigures(t *testing.T, run results.Run) {
	t.Helper()
	require.Len(t, run.Targets, 2)
	for _, target := range run.Targets {
		require.Len(t, target.Rounds, 2)
		require.Equal(t, 400, target.Total.Completed)
		require.Zero(t, target.Total.Failed)
		require.EqualValues(t, 400, target.Ledger.ACalls)
		require.EqualValues(t, 400, target.Ledger.BCalls)
		require.EqualValues(t, 400, target.Ledger.CacheGets)
		require.Equal(t, 400-target.Ledger.CacheHits, target.Ledger.CacheSets)
		require.Greater(t, target.Total.P50MS, 50.0, "a request waits 20 ms in A and 30 ms in B")
		require.Positive(t, target.Total.ServerCPUUSPerRequest)
		require.Positive(t, target.Total.ServerRSSBytes)
		require.Positive(t, target.Total.CtxSwitchesPerRequest)
		require.Equal(t, 10, target.Fairness.Connections)
		require.NotEmpty(t, target.ServerConfig)
	}
	require.Equal(t, run.Targets[0].Ledger, run.Targets[1].Ledger, "both servers met the same hits and misses")
	require.Len(t, run.Comparison, len(results.Metrics))
	for _, module := range []string{"github.com/panjf2000/gnet/v2", "github.com/gofiber/fiber/v2", "github.com/valyala/fasthttp"} {
		require.Contains(t, run.Environment.Versions, module, "what the servers are made of")
	}
	require.Equal(t, []int{1, 4, 2, 3}, []int{
		run.Targets[0].Rounds[0].Order, run.Targets[0].Rounds[1].Order, run.Targets[1].Rounds[0].Order,
		run.Targets[1].Rounds[1].Order,
	}, "A B B A")
}

func requireFiles(t *testing.T, folder string, run results.Run) {
	t.Helper()
	for _, target := range run.Targets {
		text, err := os.ReadFile(filepath.Join(folder, target.Name+".txt"))
		require.NoError(t, err)
		require.Contains(t, string(text), "Complete requests:      400\n")
		for _, what := range []string{"response", "service"} {
			log, err := os.Open(filepath.Join(folder, target.Name+"-"+what+".hlog"))
			require.NoError(t, err)
			reader := hdrhistogram.NewHistogramLogReader(log)
			for range target.Rounds {
				times, err := reader.NextIntervalHistogram()
				require.NoError(t, err)
				require.EqualValues(t, 200, times.TotalCount())
			}
			require.NoError(t, log.Close())
		}
	}
	text, err := os.ReadFile(filepath.Join(folder, "compare.txt"))
	require.NoError(t, err)
	require.Contains(t, string(text), "Resources of threadpool (means; limit: ")

	bench, err := os.Open(filepath.Join(folder, "bench.txt"))
	require.NoError(t, err)
	defer bench.Close()
	reader, lines := benchfmt.NewReader(bench, "bench.txt"), 0
	for reader.Scan() {
		if _, ok := reader.Result().(*benchfmt.Result); ok {
			lines++
		}
	}
	require.NoError(t, reader.Err())
	require.Equal(t, 4, lines, "one for each round of each server")
}

// TestInterruptEndsCleanly interrupts a comparison that would take long: what was measured is written and marked, and
// no child stays.
func TestInterruptEndsCleanly(t *testing.T) {
	programs, dir := build(t), t.TempDir()
	cmd := exec.CommandContext(t.Context(), filepath.Join(programs, "loadrunner"), "-t", "1", "-c", "5", "--rounds", "500",
		"--warmup", "0", "--results", dir, "--format", "markdown")
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	progress, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	waitFor(t, progress, "round 1 of 500, eventloop:")
	children := childrenOf(t, cmd.Process.Pid)
	require.GreaterOrEqual(t, len(children), 5, "two servers, two downstreams, a cache")
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))

	var exit *exec.ExitError
	require.ErrorAs(t, cmd.Wait(), &exit)
	require.Equal(t, 1, exit.ExitCode())
	for _, pid := range children {
		require.Error(t, syscall.Kill(pid, 0), "child %d is still there", pid)
	}
	_, run := readRun(t, dir)
	require.False(t, run.Valid)
	require.Contains(t, strings.Join(run.InvalidReasons, "\n"), "INTERRUPTED")
	require.NotEmpty(t, run.Targets[0].Rounds)
	require.Contains(t, stdout.String(), "INTERRUPTED")
}

// waitFor reads until a text has come.
func waitFor(t *testing.T, from io.Reader, text string) {
	t.Helper()
	var seen strings.Builder
	buffer := make([]byte, 4096)
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		n, err := from.Read(buffer)
		seen.Write(buffer[:n])
		if strings.Contains(seen.String(), text) {
			go func() { _, _ = io.Copy(io.Discard, from) }()
			return
		}
		require.NoError(t, err, seen.String())
	}
	t.Fatalf("%q did not come; got %s", text, seen.String())
}

// childrenOf returns the processes that a process has started.
func childrenOf(t *testing.T, parent int) (pids []int) {
	t.Helper()
	lists, err := filepath.Glob("/proc/" + strconv.Itoa(parent) + "/task/*/children")
	require.NoError(t, err)
	for _, list := range lists {
		text, err := os.ReadFile(list)
		require.NoError(t, err)
		for _, word := range strings.Fields(string(text)) {
			pid, err := strconv.Atoi(word)
			require.NoError(t, err)
			pids = append(pids, pid)
		}
	}
	return pids
}

// TestAProgramThatDislikesItsFlags: whether a latency model is good, the downstream knows; the exit code is that of
// usage.
func TestAProgramThatDislikesItsFlags(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), filepath.Join(build(t), "loadrunner"), "--latency-a", "soon", "--quiet",
		"--redis", "miniredis", "--results", t.TempDir())
	output, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, program.ExitUsage, exit.ExitCode(), string(output))
	require.Contains(t, string(output), `"soon"`)
	require.Equal(t, 1, bytes.Count(output, []byte("\n")), "one line: %s", output)
}

// TestAttach compares the servers of a lab that was started by hand, as containers are.
func TestAttach(t *testing.T) {
	programs, dir := build(t), t.TempDir()
	a, aAdmin := serve(t, programs, "downstream", "--name", "a", "--latency", "5ms")
	b, bAdmin := serve(t, programs, "downstream", "--name", "b", "--latency", "uniform:5ms..10ms")
	redis, _ := serve(t, programs, "loadrunner", "cache")
	wiring := []string{"--downstream-a", "http://" + a, "--downstream-b", "http://" + b, "--redis", redis}
	pool, poolAdmin := serve(t, programs, "threadpool", append(wiring, "--workers", "7")...)
	loop, loopAdmin := serve(t, programs, "eventloop", append(wiring, "--loops", "1")...)

	cmd := exec.CommandContext(t.Context(), filepath.Join(programs, "loadrunner"), "-n", "100", "-c", "5", "--rounds", "2",
		"--warmup", "0", "--quiet", "--results", dir)
	cmd.Env = append(os.Environ(), "LAB_LAB=attach", "LAB_THREADPOOL=http://"+pool, "LAB_THREADPOOL_ADMIN=http://"+poolAdmin,
		"LAB_EVENTLOOP="+loop, "LAB_EVENTLOOP_ADMIN="+loopAdmin, "LAB_DOWNSTREAM_A_ADMIN="+aAdmin,
		"LAB_DOWNSTREAM_B_ADMIN="+bAdmin, "LAB_REDIS="+redis)
	output, err := cmd.CombinedOutput()
	_, run := readRun(t, dir)
	for _, c := range run.Checks {
		require.True(t, c.OK || mayFail[c.Name], "%s: %s", c.Name, c.Detail)
	}
	require.Equal(t, run.Valid, err == nil, string(output))
	requireStages(t, run)
	require.Equal(t, 7, run.Config.Workers, "what the servers say of themselves, not the runner's default")
	require.Equal(t, 1, run.Config.Loops)
	require.Equal(t, "miniredis", run.Environment.Redis.Kind)
	require.NotEqual(t, "30ms", run.Config.LatencyB)
	for _, target := range run.Targets {
		require.EqualValues(t, 200, target.Ledger.BCalls)
		require.Positive(t, target.Total.ServerCPUUSPerRequest)
	}
}

// serve starts a program of the lab until the test ends, and returns where it says it listens.
func serve(t *testing.T, programs, name string, args ...string) (addr, admin string) {
	t.Helper()
	args = append(args, "--addr", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--log-format", "json")
	cmd := exec.Command(filepath.Join(programs, name), args...)
	log, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
		require.NoError(t, cmd.Wait())
	})
	for lines := bufio.NewScanner(log); lines.Scan(); {
		var line struct{ Message, Addr, Admin string }
		require.NoError(t, json.Unmarshal(lines.Bytes(), &line), lines.Text())
		if line.Message == program.Listening {
			go func() { _, _ = io.Copy(io.Discard, log) }()
			return line.Addr, line.Admin
		}
	}
	t.Fatalf("%s did not say where it listens", name)
	return "", ""
}

func TestCalled(t *testing.T) {
	for path, want := range map[string][]string{
		"loadrunner":                               {"loadrunner"},
		"bin/loadrunner":                           {"bin/loadrunner"},
		"/tmp/go-build123/b001/exe/loadrunner":     {"go", "run", "./loadrunner"},
		"/home/me/.cache/go-build/ab/x/loadrunner": {"go", "run", "./loadrunner"},
	} {
		require.Equal(t, want, called(path), path)
	}
}
