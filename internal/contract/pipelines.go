package contract

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/meter"
)

var pipelineCases = []testCase{
	{"pipelining: answers in order", pipelineInOrder},
	{"pipelining: slow first, fast behind", pipelineSlowFirst},
	{"pipelining: side by side or one after another, as said", pipelineConcurrency},
	{"pipelining: close ends it", pipelineClose},
	{"pipelining: a malformed request behind good ones", pipelineMalformed},
	{"pipelining: half-close behind the last", pipelineHalfClose},
}

// mixed are ten requests of all kinds with distinct answers.
func mixed(w *world) (raw string, statuses []int) {
	for i := range 10 {
		switch i % 5 {
		case 0:
			raw += request("POST", w.server.Path, order(fmt.Sprintf("c-%d", i), "s-1", 1, ""))
			statuses = append(statuses, http.StatusOK)
		case 1:
			raw += hold(fmt.Sprintf("ms=%d&size=%d", 10-i, 200+i))
			statuses = append(statuses, http.StatusOK)
		case 2:
			raw += request("GET", fmt.Sprintf("/nothing/%d", i), "")
			statuses = append(statuses, http.StatusNotFound)
		case 3:
			raw += request("POST", w.server.Path, "{}")
			statuses = append(statuses, http.StatusBadRequest)
		case 4:
			raw += request("DELETE", "/healthz", "body")
			statuses = append(statuses, http.StatusMethodNotAllowed)
		}
	}
	return raw, statuses
}

func pipelineInOrder(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	raw, statuses := mixed(w)
	c := w.dial(t)
	for range 3 {
		c.send(raw)
		for i, status := range statuses {
			got := c.read()
			require.Equal(t, status, got.status, "answer %d", i)
			switch i % 5 {
			case 0:
				require.Contains(t, got.body, fmt.Sprintf(`"customer_id":"c-%d"`, i))
			case 1:
				require.Len(t, got.body, 200+i)
			}
		}
	}
}

func pipelineSlowFirst(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	w.a.hold()
	c := w.dial(t)
	c.send(w.orderRequest() + hold("size=77") + request("GET", "/healthz", ""))
	eventually(t, func() bool { return len(w.a.calls()) == 1 }, "the first is in service")
	c.staysSilent()
	w.a.release()
	require.Contains(t, c.read().body, `"customer_id"`)
	require.Len(t, c.read().body, 77)
	require.Equal(t, `{"status":"ok"}`, c.read().body)
}

func pipelineConcurrency(t *testing.T, s Server) {
	const n = 4
	w := newWorld(t, s, nil)
	w.a.hold()
	c := w.dial(t)
	c.send(strings.Repeat(w.orderRequest(), n))
	want := 1
	if s.Parallel {
		want = n
	}
	eventually(t, func() bool { now, _ := w.a.underWay(); return now == want }, "%d in service", want)
	c.staysSilent()
	_, most := w.a.underWay()
	require.Equal(t, want, most)
	w.a.release()
	for range n {
		require.Equal(t, http.StatusOK, c.read().status)
	}
	if !s.Parallel {
		_, most = w.a.underWay()
		require.Equal(t, 1, most, "one after another")
	}
}

func pipelineClose(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	c := w.dial(t)
	c.send(hold("size=61") + hold("size=62") + w.orderRequest("Connection: close") + hold("size=63"))
	require.Len(t, c.read().body, 61)
	require.Len(t, c.read().body, 62)
	got := c.read()
	require.Equal(t, http.StatusOK, got.status)
	require.True(t, got.closes)
	c.isGone()
	w.counted(t, "what stands behind the last request is not run", func(c meter.Counts) bool {
		return c.Answered == 3 && c.InFlight == 0
	})
}

func pipelineMalformed(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	w.a.hold()
	c := w.dial(t)
	c.send(w.orderRequest() + hold("size=61") + "GET / HTTP/1.1\r\nbad header\r\n\r\n")
	eventually(t, func() bool { return len(w.a.calls()) == 1 }, "the first is in service")
	w.a.release()
	require.Equal(t, http.StatusOK, c.read().status)
	require.Len(t, c.read().body, 61)
	got := c.read()
	require.Equal(t, http.StatusBadRequest, got.status)
	require.True(t, got.closes)
	c.ends()
}

func pipelineHalfClose(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	w.a.hold()
	c := w.dial(t)
	c.send(strings.Repeat(w.orderRequest(), 3))
	require.NoError(t, c.CloseWrite())
	eventually(t, func() bool { return len(w.a.calls()) > 0 }, "in service")
	w.a.release()
	for range 3 {
		require.Equal(t, http.StatusOK, c.read().status)
	}
	c.ends()
}
