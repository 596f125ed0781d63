package contract

import (
	"fmt"
	"io"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/meter"
)

var unsentCases = []testCase{
	{"unsent: a client that resets within its answer was not answered", resetsWithinAnswer},
	{"unsent: nor one that closed its side before", resetsHalfClosed},
}

// hugeAnswer is the size, in bytes, of an answer that the kernel's buffers on both sides do not take.
const hugeAnswer = 24 << 20

func holdHuge() string { return hold(fmt.Sprintf("size=%d", hugeAnswer)) }

// beginHuge returns a client that has read the first byte of a huge answer.
func (w *world) beginHuge(t *testing.T) *client {
	t.Helper()
	c := w.dial(t)
	c.send(holdHuge())
	_, err := c.reader.ReadByte()
	require.NoError(t, err, "it is on its way")
	return c
}

func resetsWithinAnswer(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	w.beginHuge(t).reset()
	w.abandonedOnce(t)
}

func resetsHalfClosed(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	c := w.beginHuge(t)
	require.NoError(t, c.CloseWrite())
	_, err := io.CopyN(io.Discard, c.reader, hugeAnswer/4)
	require.NoError(t, err, "and goes on")
	c.reset()
	w.abandonedOnce(t)
}

// abandonedOnce requires that the one request so far is counted as abandoned in service, and as nothing else.
func (w *world) abandonedOnce(t *testing.T) {
	t.Helper()
	w.counted(t, "one abandoned, none answered", func(c meter.Counts) bool {
		return c.Abandoned["in_service"] == 1 && c.Abandoned["queued"] == 0 && c.Answered == 0 && c.InFlight == 0
	})
	w.mustServe(t)
}

// letsGoOfMemory has clients ask for much at once: the server must not keep it until they ask again. It looks at the
// whole process, so nothing else may run.
func letsGoOfMemory(t *testing.T, s Server) {
	const clients, size, kept = 4, 16 << 20, 16 << 20
	w := newWorld(t, s, nil)
	w.mustServe(t)
	before := heap()
	var asking sync.WaitGroup
	read := make([]int64, clients)
	for i := range clients {
		c := w.dial(t)
		asking.Go(func() {
			c.send(request("GET", fmt.Sprintf("/v1/hold?size=%d", size), "", "Connection: close"))
			read[i], _ = io.Copy(io.Discard, c.reader)
		})
	}
	asking.Wait()
	for _, n := range read {
		require.Greater(t, n, int64(size), "all of the answer")
	}
	eventually(t, func() bool { return heap() < before+kept }, "%d bytes more than the %d before", kept, before)
}

// heap is the memory in use, in bytes.
func heap() uint64 {
	runtime.GC()
	runtime.GC() // empties the pools of buffers, too
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
