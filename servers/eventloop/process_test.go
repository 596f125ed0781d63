package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/procstat"
	"poolvsloop/internal/program"
)

// process is the server as a process of its own.
type process struct {
	t           testing.TB
	pid         int
	addr, admin string
	ended       chan error
}

// launch starts the server, with at most nofile descriptors, and waits until it listens.
func launch(t testing.TB, nofile int, args ...string) *process {
	t.Helper()
	binary, err := os.Executable()
	require.NoError(t, err)
	args = append([]string{"--addr", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--log-format", "json"}, args...)
	limited := fmt.Sprintf(`ulimit -n %d && exec "$0" "$@"`, nofile)
	cmd := exec.Command("sh", append([]string{"-c", limited, binary}, args...)...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	log, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	p := &process{t: t, pid: cmd.Process.Pid, ended: make(chan error, 1)}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-p.ended
	})
	ready := make(chan struct{})
	go func() {
		p.followLog(log, ready)
		p.ended <- cmd.Wait()
		close(p.ended)
	}()
	select {
	case <-ready:
	case <-time.After(patience):
		require.FailNow(t, "the server does not start")
	}
	return p
}

func (p *process) followLog(log io.Reader, ready chan<- struct{}) {
	for lines := bufio.NewScanner(log); lines.Scan(); {
		var line struct{ Message, Addr, Admin string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Message == program.Listening {
			p.addr, p.admin = line.Addr, line.Admin
			close(ready)
		}
	}
}

func (p *process) page(path string) string {
	p.t.Helper()
	client := http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Get("http://" + p.admin + path)
	require.NoError(p.t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(p.t, err)
	return string(body)
}

func (p *process) inFlight() int64 {
	var stats struct {
		Counts struct {
			InFlight int64 `json:"in_flight"`
		} `json:"counts"`
	}
	require.NoError(p.t, json.Unmarshal([]byte(p.page("/stats")), &stats))
	return stats.Counts.InFlight
}

// With a thousand requests in flight there is no goroutine and no thread for any of them.
func TestThousandInFlightNeedNoGoroutines(t *testing.T) {
	const requests = 1000
	w := newWorld(t)
	w.hangA.Store(true)
	p := launch(t, 8000, "--downstream-a", w.a.URL, "--downstream-b", w.b.URL, "--redis", w.cache.Addr(), "--loops", "2",
		"--downstream-timeout", "60s")
	for i := range requests {
		c := dialTo(t, p.addr)
		if i%2 == 0 {
			c.send(order("c-1"))
		} else {
			c.send(get("/v1/hold?ms=60000"))
		}
	}
	eventually(t, func() bool { return p.inFlight() == requests && w.askedA.Load() == requests/2 }, "all in flight")
	usage, err := procstat.Process(p.pid)
	require.NoError(t, err)
	first, _, _ := strings.Cut(p.page("/debug/pprof/goroutine?debug=1"), "\n")
	goroutines, err := strconv.Atoi(first[strings.LastIndex(first, " ")+1:])
	require.NoError(t, err)
	t.Logf("%d goroutines, %d threads", goroutines, usage.Threads)
	require.Less(t, goroutines, 40)
	require.Less(t, usage.Threads, 20)
}

// 2. gnet ends when accept meets a full descriptor table. Here the surplus waits in the kernel, and everyone who gets in
// is served, with calls and all.
func TestHazardDescriptorsRunOut(t *testing.T) {
	const clients = 1000
	w := newWorld(t)
	p := launch(t, 256, "--downstream-a", w.a.URL, "--downstream-b", w.b.URL, "--redis", w.cache.Addr(), "--loops", "2",
		"--backlog", "4096")
	var wg sync.WaitGroup
	var mu sync.Mutex
	outcomes := map[string]int{}
	for range clients {
		wg.Go(func() {
			outcome := orderOnce(p.addr)
			mu.Lock()
			outcomes[outcome]++
			mu.Unlock()
		})
	}
	wg.Wait()
	t.Log(outcomes)
	require.Equal(t, clients, outcomes["200"], "%v", outcomes)
	c := dialTo(t, p.addr)
	c.send(order("c-1"))
	require.Equal(t, 200, c.read().StatusCode, "it goes on")

	require.NoError(t, syscall.Kill(p.pid, syscall.SIGTERM))
	select {
	case err := <-p.ended:
		require.NoError(t, err)
	case <-time.After(patience):
		require.FailNow(t, "it does not end")
	}
}

// orderOnce makes one request on a connection of its own and returns the status, or the error.
func orderOnce(addr string) string {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return err.Error()
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(3 * patience))
	if _, err := io.WriteString(c, order("c-1", "Connection: close")); err != nil {
		return err.Error()
	}
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return err.Error()
	}
	return strconv.Itoa(response.StatusCode)
}

func TestBadFlags(t *testing.T) {
	for _, test := range []struct{ name, flag, value, says string }{
		{"mistake", "--mistake", "often", "--mistake"},
		{"cpu", "--cpu-on", "moon", "--cpu-on"},
		{"loops", "--loops", "-1", "--loops"},
		{"out", "--out-low", "1000000000", "--out-low"},
		{"unknown", "--workers", "3", "unknown flag"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var stderr strings.Builder
			code := program.Run(t.Context(), newCommand(), []string{test.flag, test.value}, io.Discard, &stderr)
			require.Equal(t, program.ExitUsage, code)
			require.Contains(t, stderr.String(), test.says)
			require.Equal(t, 1, strings.Count(stderr.String(), "\n"))
		})
	}
}
