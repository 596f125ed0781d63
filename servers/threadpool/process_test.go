package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/program"
)

// process is the program in a process of its own.
type process struct {
	addr, admin string
	command     *exec.Cmd
	log         *bytes.Buffer // complete once ended is closed
	ended       chan struct{}
}

// launch runs the program under a shell command that is given before it, such as a limit.
func launch(t *testing.T, before string, args ...string) *process {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	args = append([]string{
		"-c", before + ` exec "$0" "$@"`, self, "--addr=127.0.0.1:0", "--admin=127.0.0.1:0", "--log-format=json",
	}, args...)
	p := &process{command: exec.Command("/bin/sh", args...), log: new(bytes.Buffer), ended: make(chan struct{})}
	p.command.Env = append(os.Environ(), asProgram+"=1")
	stderr, err := p.command.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, p.command.Start())
	t.Cleanup(func() {
		_ = p.command.Process.Kill()
		<-p.ended
		_ = p.command.Wait()
		if t.Failed() {
			t.Log(p.log)
		}
	})
	listening := make(chan struct{})
	go p.followLog(stderr, listening)
	select {
	case <-listening:
	case <-p.ended:
		require.FailNow(t, "the program ended", "%s", p.log)
	case <-time.After(patience):
		require.FailNow(t, "the program does not listen")
	}
	return p
}

func (p *process) followLog(stderr io.Reader, listening chan<- struct{}) {
	defer close(p.ended)
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		fmt.Fprintln(p.log, lines.Text())
		var line struct{ Message, Addr, Admin string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Message == program.Listening {
			p.addr, p.admin = line.Addr, line.Admin
			close(listening)
		}
	}
}

// stop ends the process as a supervisor does, and returns its exit code.
func (p *process) stop(t *testing.T) int {
	require.NoError(t, p.command.Process.Signal(syscall.SIGTERM))
	<-p.ended
	_ = p.command.Wait()
	return p.command.ProcessState.ExitCode()
}

// A shortage of descriptors must neither end the server nor make it deaf.
func TestFewDescriptors(t *testing.T) {
	for _, worker := range workerKinds {
		t.Run(worker, func(t *testing.T) {
			p := launch(t, "ulimit -n 256;", "--worker="+worker, "--idle-timeout=5s")
			const clients = 1000
			var answered, failed atomic.Int64
			var asking sync.WaitGroup
			for range clients {
				asking.Go(func() {
					if askOnce(p.addr) == nil {
						answered.Add(1)
					} else {
						failed.Add(1)
					}
				})
			}
			asking.Wait()
			require.Equal(t, int64(clients), answered.Load(), "%d failed", failed.Load())
			require.NoError(t, askOnce(p.addr))
			require.Zero(t, p.stop(t))
		})
	}
}

// askOnce sends one request on a connection of its own.
func askOnce(addr string) error {
	socket, err := net.DialTimeout("tcp", addr, patience)
	if err != nil {
		return err
	}
	defer socket.Close()
	if err := socket.SetDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	if _, err := io.WriteString(socket, get("/v1/hold?ms=5", "Connection: close")); err != nil {
		return err
	}
	response, err := http.ReadResponse(bufio.NewReader(socket), nil)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", response.StatusCode)
	}
	return nil
}

func TestTooFewDescriptors(t *testing.T) {
	var stderr bytes.Buffer
	self, err := os.Executable()
	require.NoError(t, err)
	command := exec.Command("/bin/sh", "-c", `ulimit -n 40; exec "$0" --addr=127.0.0.1:0 --admin=`, self)
	command.Env = append(os.Environ(), asProgram+"=1")
	command.Stderr = &stderr
	require.Error(t, command.Run())
	require.Equal(t, program.ExitFailed, command.ProcessState.ExitCode())
	require.Contains(t, stderr.String(), "ulimit -n")
}

func TestBadFlags(t *testing.T) {
	for name, args := range map[string][]string{
		"unknown flag":      {"--threads=5"},
		"no workers":        {"--workers=0"},
		"no such policy":    {"--queue-full=drop"},
		"no such worker":    {"--worker=process"},
		"no such stack":     {"--stack=gin"},
		"surplus argument":  {"serve"},
		"negative timeout":  {"--queue-timeout=-1s"},
		"not a number":      {"--queue=many"},
		"no such dispatch":  {"--dispatch=byte"},
		"bad downstream":    {"--downstream-a=localhost:1"},
		"several at a time": {"--workers=0", "--queue=-5"},
	} {
		t.Run(name, func(t *testing.T) {
			var stderr bytes.Buffer
			code := program.Run(context.Background(), newCommand(), append(args, "--addr=127.0.0.1:0"), io.Discard, &stderr)
			require.Equal(t, program.ExitUsage, code)
			require.Equal(t, 1, bytes.Count(stderr.Bytes(), []byte{'\n'}), "one line: %s", stderr.String())
		})
	}
}

// Workers and queue change while clients ask; every request is answered or refused, none is lost.
func TestConfigChangesUnderLoad(t *testing.T) {
	modes(t, func(t *testing.T, mode func(*Config)) {
		s := start(t, testConfig(mode, sized(8, 8), func(c *Config) { c.Admin = "127.0.0.1:0" }), nil)
		stop := make(chan struct{})
		var asked, refused atomic.Uint64
		var asking sync.WaitGroup
		for range 40 {
			c := s.dial()
			asking.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					r := c.send(get("/v1/hold?ms=1")).next()
					asked.Add(1)
					if r.status == 503 {
						refused.Add(1)
					} else if r.status != 200 {
						t.Errorf("status %d: %s", r.status, r.body)
					}
				}
			})
		}
		for _, size := range [][2]int{{1, 0}, {30, 5}, {2, 100}, {50, -1}, {1, 1}, {8, 8}} {
			put(t, s.admin.Addr().String(), fmt.Sprintf(`{"workers":%d,"queue":%d}`, size[0], size[1]))
			before := asked.Load()
			eventually(t, func() bool { return asked.Load() > before+50 }, "requests go on")
			eventually(t, func() bool { return s.pool.stats().Started <= size[0] }, "surplus workers end")
		}
		close(stop)
		asking.Wait()
		// An answer is counted once it is sent, which its client may see first.
		eventually(t, func() bool { return s.meter.Counts().Answered == asked.Load() }, "each is counted once")
		require.Equal(t, refused.Load(), s.meter.Counts().Rejected["queue_full"])
	})
}

func put(t *testing.T, admin, body string) {
	t.Helper()
	request, err := http.NewRequest(http.MethodPut, "http://"+admin+"/config", bytes.NewReader([]byte(body)))
	require.NoError(t, err)
	request.Close = true
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode, "%s", text)
}
