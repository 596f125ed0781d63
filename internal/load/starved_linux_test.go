package load

import (
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestStarvedIn(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"91796 68172 2\n": 68172, "0 0 0\n": 0, "": 0, "x y z": 0, "12": 0,
	} {
		require.Equal(t, want, starvedIn(text), "%q", text)
	}
}

// TestStarvedTime has two threads share one processor: while both want it, each waits.
func TestStarvedTime(t *testing.T) {
	if _, err := os.Stat("/proc/thread-self/schedstat"); err != nil {
		t.Skip("this kernel does not say: ", err)
	}
	var allowed unix.CPUSet
	require.NoError(t, unix.SchedGetaffinity(0, &allowed))
	var one unix.CPUSet
	for cpu := 0; one.Count() == 0; cpu++ {
		if allowed.IsSet(cpu) {
			one.Set(cpu)
		}
	}
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			runtime.LockOSThread() // for ever: the thread ends with its goroutine, pinned as it is
			if err := unix.SchedSetaffinity(0, &one); err != nil {
				t.Error(err)
				return
			}
			before := starvedTime()
			for patience := time.Now().Add(10 * time.Second); starvedTime()-before < 5*time.Millisecond; {
				if time.Now().After(patience) {
					t.Error("a thread that shares its processor is never said to wait")
					return
				}
			}
		})
	}
	both.Wait()
}
