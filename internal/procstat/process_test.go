package procstat

import (
	"encoding/json"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSelfAndProcessAgree(t *testing.T) {
	burn(50 * time.Millisecond)
	byRusage, err := Self()
	require.NoError(t, err)
	byProc, err := Process(os.Getpid())
	require.NoError(t, err)

	require.InDelta(t, byRusage.CPUSeconds, byProc.CPUSeconds, 0.1)
	require.Greater(t, byProc.CPUSeconds, 0.03)
	require.Greater(t, byProc.VoluntarySwitches, int64(0))
	require.InDelta(t, byRusage.Threads, byProc.Threads, 8)
	for _, u := range []Usage{byRusage, byProc} {
		require.Greater(t, u.RSSBytes, int64(1<<20))
		require.GreaterOrEqual(t, u.PeakRSSBytes, u.RSSBytes)
		require.Greater(t, u.OpenFDs, 2)
	}
}

// A main thread that sleeps must not hide what the other threads do.
func TestProcessSumsOverThreads(t *testing.T) {
	before, err := Process(os.Getpid())
	require.NoError(t, err)
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for range 200 {
			_ = unix.Nanosleep(&unix.Timespec{Nsec: 1000}, nil)
		}
		<-stop
	}()
	require.Eventually(t, func() bool {
		now, err := Process(os.Getpid())
		return err == nil && now.Since(before).VoluntarySwitches >= 200
	}, 5*time.Second, 5*time.Millisecond)
	close(stop)
	<-done
}

// The CPU time of a thread that has ended is not lost.
func TestProcessKeepsEndedThreads(t *testing.T) {
	before, err := Process(os.Getpid())
	require.NoError(t, err)
	tid := os.Getpid()
	for tid == os.Getpid() { // the main thread, should the goroutine get it, would not end but be parked for ever
		done := make(chan int)
		go func() {
			runtime.LockOSThread() // never unlocked: the thread ends with its goroutine
			burn(100 * time.Millisecond)
			done <- unix.Gettid()
		}()
		tid = <-done
	}
	require.Eventually(t, func() bool {
		return unix.Tgkill(os.Getpid(), tid, 0) == unix.ESRCH
	}, 5*time.Second, time.Millisecond)

	after, err := Process(os.Getpid())
	require.NoError(t, err)
	require.Greater(t, after.Since(before).CPUSeconds, 0.03)
}

func TestProcessSurvivesThreadsThatVanish(t *testing.T) {
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
			}
			ended := make(chan struct{})
			go func() {
				runtime.LockOSThread()
				close(ended)
			}()
			<-ended
		}
	}()
	for range 300 {
		_, err := Process(os.Getpid())
		require.NoError(t, err)
	}
	close(stop)
	<-done
}

func TestProcessThatEnded(t *testing.T) {
	c := exec.Command("sleep", "60")
	require.NoError(t, c.Start())
	u, err := Process(c.Process.Pid)
	require.NoError(t, err)
	require.Equal(t, 1, u.Threads)

	require.NoError(t, c.Process.Kill())
	require.Eventually(t, func() bool { // a zombie until Wait
		_, err = Process(c.Process.Pid)
		return err != nil
	}, 5*time.Second, time.Millisecond)
	require.ErrorIs(t, err, ErrEnded)
	_ = c.Wait()
	_, err = Process(c.Process.Pid)
	require.ErrorIs(t, err, ErrEnded)
}

func TestSince(t *testing.T) {
	before := Usage{CPUSeconds: 1.5, RSSBytes: 10, PeakRSSBytes: 20, Threads: 3, VoluntarySwitches: 100,
		InvoluntarySwitches: 7, ReadWriteCalls: 20, OpenFDs: 9}
	after := Usage{CPUSeconds: 2, RSSBytes: 11, PeakRSSBytes: 21, Threads: 4, VoluntarySwitches: 150,
		InvoluntarySwitches: 8, ReadWriteCalls: 50, OpenFDs: 10}
	require.Equal(t, Usage{CPUSeconds: 0.5, RSSBytes: 11, PeakRSSBytes: 21, Threads: 4, VoluntarySwitches: 50,
		InvoluntarySwitches: 1, ReadWriteCalls: 30, OpenFDs: 10}, after.Since(before))
}

func TestUsageJSON(t *testing.T) {
	b, err := json.Marshal(Usage{CPUSeconds: 0.5, Threads: 2})
	require.NoError(t, err)
	require.JSONEq(t, `{"cpu_s":0.5,"rss_bytes":0,"peak_rss_bytes":0,"threads":2,"voluntary_switches":0,`+
		`"involuntary_switches":0,"read_write_calls":0,"open_fds":0}`, string(b))
}

// burn keeps the calling goroutine's thread busy for CPU time d, as the thread's own clock says.
func burn(d time.Duration) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := threadClock()
	for threadClock()-start < d {
	}
}

func threadClock() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now); err != nil {
		panic(err)
	}
	return time.Duration(now.Nano())
}

// BenchmarkProcess is what one look at a process with 200 threads more costs.
func BenchmarkProcess(b *testing.B) {
	stop := make(chan struct{})
	var started sync.WaitGroup
	for range 200 {
		started.Add(1)
		go func() {
			runtime.LockOSThread()
			started.Done()
			<-stop
		}()
	}
	started.Wait()
	for b.Loop() {
		if _, err := Process(os.Getpid()); err != nil {
			b.Fatal(err)
		}
	}
	close(stop)
}

// BenchmarkSelf is what a server pays for one /stats.
func BenchmarkSelf(b *testing.B) {
	for b.Loop() {
		if _, err := Self(); err != nil {
			b.Fatal(err)
		}
	}
}
