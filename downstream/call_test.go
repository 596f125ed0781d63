package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func newReader(r io.Reader) *bufio.Reader { return bufio.NewReader(r) }

// dial opens a connection and sends a customer's request on it.
func dial(t *testing.T, d *downstream, id string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", d.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() }) // closed by most tests already
	require.NoError(t, conn.SetDeadline(time.Now().Add(10*time.Second)))
	_, err = fmt.Fprintf(conn, "GET /customers/c-1 HTTP/1.1\r\nHost: a\r\nX-Request-Id: %s\r\n\r\n", id)
	require.NoError(t, err)
	return conn
}

func TestErrorShare(t *testing.T) {
	d := start(t, "--latency=10ms", "--error-share=0.5", "--error-status=503")
	source := NewSource(1, "a")
	bad := d.customer(idWith(t, source, func(d Draw) bool { return d.Fault < 0.5 }))
	assert.Equal(t, answer{status: http.StatusServiceUnavailable, body: `{"error":"injected error"}`}, bare(bad))
	assert.GreaterOrEqual(t, bad.took, 10*time.Millisecond, "an error takes as long as an answer")
	good := d.customer(idWith(t, source, func(d Draw) bool { return d.Fault >= 0.5 }))
	assert.Equal(t, http.StatusOK, good.status)
	r := d.books()
	assert.Equal(t, uint64(1), r.Errors)
	assert.Equal(t, uint64(1), r.Answered)
}

func TestHangShareHoldsUntilTheClientLeaves(t *testing.T) {
	d := start(t, "--latency=0s", "--hang-share=1", "--concurrency-limit=1")
	conn := dial(t, d, "r-1")
	d.eventually(func(r Report) bool { return r.InFlight == 1 }, "the call has come")
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(50*time.Millisecond)))
	_, err := conn.Read(make([]byte, 1))
	var timeout net.Error
	require.ErrorAs(t, err, &timeout)
	require.True(t, timeout.Timeout(), "no byte and no close")

	next := dial(t, d, "r-2")
	d.eventually(func(r Report) bool { return r.InFlight == 2 }, "the next call has come")
	d.waiting(1) // a hanging call keeps its place
	require.NoError(t, conn.Close())
	d.eventually(func(r Report) bool { return r.Hung == 1 && r.InFlight == 1 }, "the first call has ended")
	require.NoError(t, next.Close())
	d.eventually(func(r Report) bool { return r.Hung == 2 && r.Connections == 0 }, "the second call has ended")
}

func TestShutdownLetsHangingCallsGo(t *testing.T) {
	d := start(t, "--hang-share=1")
	conn := dial(t, d, "r-1")
	d.eventually(func(r Report) bool { return r.InFlight == 1 }, "the call has come")
	d.stop()
	_, err := conn.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)
	d.eventually(func(r Report) bool { return r.Hung == 1 }, "the call has ended")
}

func TestResetShareResetsTheConnection(t *testing.T) {
	d := start(t, "--latency=10ms", "--reset-share=1")
	sent := time.Now()
	conn := dial(t, d, "r-1")
	_, err := conn.Read(make([]byte, 1))
	require.ErrorIs(t, err, syscall.ECONNRESET)
	assert.GreaterOrEqual(t, time.Since(sent), 10*time.Millisecond, "when the answer would have been due")
	r := d.eventually(func(r Report) bool { return r.Connections == 0 }, "the connection is gone")
	assert.Equal(t, uint64(1), r.Resets)
}

func TestSlowBodyComesAfterItsHead(t *testing.T) {
	d := start(t, "--latency=0s", "--slow-body-share=1", "--slow-body-time=1h")
	conn := dial(t, d, "r-1")
	response, err := http.ReadResponse(newReader(conn), nil)
	require.NoError(t, err)
	defer response.Body.Close()
	assert.Equal(t, 1, d.books().InFlight, "the head does not wait for the body")
	require.NoError(t, d.timers.Close()) // and now it comes
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	assert.Equal(t, response.ContentLength, int64(len(body)))
	assert.Contains(t, string(body), `"customer_id":"c-1"`)
	d.eventually(func(r Report) bool { return r.Answered == 1 && r.InFlight == 0 }, "the call has ended")
}

func TestSlowBodyTakesItsTime(t *testing.T) {
	d := start(t, "--latency=0s", "--slow-body-share=1", "--slow-body-time=50ms")
	got := d.customer("r-1")
	assert.GreaterOrEqual(t, got.took, 50*time.Millisecond)
	assert.Equal(t, http.StatusOK, got.status)
}

func TestSlowBodyIsAbandonedWhenTheClientLeaves(t *testing.T) {
	d := start(t, "--latency=0s", "--slow-body-share=1", "--slow-body-time=300ms")
	conn := dial(t, d, "r-1")
	_, err := conn.Read(make([]byte, 1))
	require.NoError(t, err)
	require.NoError(t, conn.Close())
	d.eventually(func(r Report) bool { return r.Abandoned == 1 }, "writing on has failed")
}

func TestDribbledCutsTheBodyToTheTime(t *testing.T) {
	body := []byte("0123456789")
	for name, tc := range map[string]struct {
		over   time.Duration
		pieces int
	}{
		"no time":             {0, 1},
		"less than a pause":   {9 * time.Millisecond, 1},
		"three pauses":        {30 * time.Millisecond, 3}, // of 4, 4 and 2 bytes
		"more pauses than it": {time.Second, 10},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDribbled(nil, NewLedger("a").Begin("x"), body, tc.over)
			assert.Equal(t, tc.pieces, (len(body)+d.piece-1)/d.piece)
			assert.Equal(t, tc.over/time.Duration(tc.pieces), d.pause)
		})
	}
}

func TestStallHoldsAnswersUntilItsEnd(t *testing.T) {
	d := start(t, "--latency=1ms")
	d.customer("r-1")
	set := time.Now()
	require.Equal(t, http.StatusOK, d.put(`{"stall-for":"1s"}`).status)
	var all sync.WaitGroup
	for i := range 5 {
		all.Go(func() {
			assert.Equal(t, http.StatusOK, d.customer(fmt.Sprintf("s-%d", i)).status)
			assert.GreaterOrEqual(t, time.Since(set), time.Second, "nothing is answered inside the window")
		})
	}
	all.Wait()
	d.customer("r-2")
	r := d.books()
	assert.Equal(t, uint64(5), r.Stalled, "none before it and none after it")
	assert.Greater(t, r.IntendedMS.Max, 1.0, "a stall is intended")
}

func TestRateLimitRefusesAtOnce(t *testing.T) {
	d := start(t, "--latency=0s", "--rate-limit=0.001")
	assert.Equal(t, http.StatusOK, d.customer("r-1").status)
	refused := d.customer("r-2")
	assert.Equal(t, answer{status: http.StatusServiceUnavailable, body: `{"error":"rate limit"}`}, bare(refused))
	assert.Equal(t, "1", refused.header.Get("Retry-After"))
	require.Equal(t, http.StatusOK, d.put(`{"rate-limit":0}`).status)
	assert.Equal(t, http.StatusOK, d.customer("r-3").status)
	r := d.books()
	assert.Equal(t, uint64(1), r.Rejected)
	assert.Equal(t, uint64(2), r.Answered)
}

func TestConcurrencyLimitQueues(t *testing.T) {
	const calls = 6
	d := start(t, "--latency=1h", "--concurrency-limit=2")
	var all sync.WaitGroup
	for i := range calls {
		all.Go(func() { assert.Equal(t, http.StatusOK, d.customer(fmt.Sprintf("r-%d", i)).status) })
	}
	d.waiting(calls - 2)
	require.NoError(t, d.timers.Close()) // the two in service are answered, and then the others
	all.Wait()
	r := d.books()
	assert.Equal(t, uint64(calls), r.Answered)
	assert.Equal(t, uint64(calls-2), r.Queued)
	assert.Greater(t, r.QueueMS.Max, 0.0)
	assert.InDelta(t, 3_600_000, r.IntendedMS.Mean, 1e-3, "a wait in the queue is no delay")
	assert.Equal(t, calls, r.MaxInFlight)
}
