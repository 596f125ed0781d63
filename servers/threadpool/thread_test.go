package main

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// osThreads is the number of OS threads of this process.
func osThreads(t *testing.T) int {
	t.Helper()
	tasks, err := os.ReadDir("/proc/self/task")
	require.NoError(t, err)
	return len(tasks)
}

// A worker is what --worker says: an OS thread for as long as it lives, or none.
func TestWorkersAreThreadsOrNot(t *testing.T) {
	const workers, slack = 60, 20 // the runtime's own threads come and go
	modes(t, func(t *testing.T, mode func(*Config)) {
		g := newGate(t)
		s := start(t, testConfig(mode, sized(workers, 0)), g)
		before := osThreads(t)
		for range workers {
			s.dial().send(get("/gate"))
		}
		g.expect(workers)
		g.let(workers)
		eventually(t, func() bool { return s.pool.stats().Busy == 0 }, "all park")
		if s.config.Worker == WorkerGoroutine {
			require.Less(t, osThreads(t), before+slack)
			return
		}
		require.Greater(t, osThreads(t), before+workers-slack)
		require.NoError(t, s.setConfig([]byte(`{"workers":1}`)))
		eventually(t, func() bool { return osThreads(t) < before+slack }, "their threads end with them")
	})
}

func TestSleep(t *testing.T) {
	for name, waits := range map[string]waiting{WorkerThread: threads{}, WorkerGoroutine: goroutines{}} {
		t.Run(name, func(t *testing.T) {
			const long = 20 * time.Millisecond
			began := time.Now()
			waits.sleep(long)
			require.GreaterOrEqual(t, time.Since(began), long)
			waits.sleep(0)
		})
	}
}
