package contract

import (
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/config"
	"poolvsloop/internal/meter"
)

var timeoutCases = []testCase{
	{"timeouts: silence is closed in silence", silence},
	{"timeouts: half a header is answered with 408", halfHeader},
	{"timeouts: a dripping header is cut all the same", drippingHeader},
	{"timeouts: half a body is answered with 408", halfBody},
	{"timeouts: idle keep-alive is closed in silence", idleClosed},
	{"timeouts: service time is not counted", slowService},
	{"timeouts: a slow reader is cut, others are not disturbed", slowReader},
}

// short is the timeout under test: long enough for whatever must happen within it on a busy machine.
const short = 600 * time.Millisecond

func silence(t *testing.T, s Server) {
	w := newWorld(t, s, func(c *config.Server) { c.HeaderTimeout = short })
	w.dial(t).ends()
	w.counted(t, "one header timeout", func(c meter.Counts) bool { return c.TimedOut["header"] == 1 })
}

func halfHeader(t *testing.T, s Server) {
	w := newWorld(t, s, func(c *config.Server) { c.HeaderTimeout = short })
	for n, before := range []string{"", hold("")} {
		c := w.dial(t)
		if before != "" {
			c.ask(before)
		}
		got := c.ask("POST " + s.Path + " HTTP/1.1\r\nHost:")
		require.Equal(t, http.StatusRequestTimeout, got.status)
		require.True(t, got.closes)
		c.ends()
		w.counted(t, "a header timeout", func(c meter.Counts) bool { return c.TimedOut["header"] == uint64(n+1) })
	}
}

func drippingHeader(t *testing.T, s Server) {
	w := newWorld(t, s, func(c *config.Server) { c.HeaderTimeout = short })
	c := w.dial(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		drip := time.NewTicker(short / 10)
		defer drip.Stop()
		_, err := io.WriteString(c, "GET / HTTP/1.1\r\nX: ")
		for err == nil {
			<-drip.C
			_, err = io.WriteString(c, "x")
		}
	}()
	require.Equal(t, http.StatusRequestTimeout, c.read().status)
	c.isGone()
	drop(c)
	<-done
}

func halfBody(t *testing.T, s Server) {
	w := newWorld(t, s, func(c *config.Server) { c.BodyTimeout = short })
	whole := w.orderRequest()
	c := w.dial(t)
	got := c.ask(whole[:len(whole)-5])
	require.Equal(t, http.StatusRequestTimeout, got.status)
	require.True(t, got.closes)
	c.ends()

	c = w.dial(t)
	got = c.ask("POST " + s.Path + " HTTP/1.1\r\nHost: lab\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab")
	require.Equal(t, http.StatusRequestTimeout, got.status)
	c.ends()
	w.counted(t, "two body timeouts", func(c meter.Counts) bool { return c.TimedOut["body"] == 2 })
	require.Empty(t, w.a.calls())
}

func idleClosed(t *testing.T, s Server) {
	w := newWorld(t, s, func(c *config.Server) { c.IdleTimeout = short })
	c := w.dial(t)
	c.ask(hold(""))
	c.ends()
	w.counted(t, "one idle timeout", func(c meter.Counts) bool {
		return c.TimedOut["idle"] == 1 && c.TimedOut["header"] == 0 && c.Idle == 0
	})
}

// slowService takes longer than every timeout of the connection, which do not count it.
func slowService(t *testing.T, s Server) {
	w := newWorld(t, s, func(c *config.Server) {
		c.HeaderTimeout, c.BodyTimeout, c.WriteTimeout, c.IdleTimeout = short, short, short, short
	})
	w.a.set(behaviour{delay: 2 * short})
	c := w.dial(t)
	require.Equal(t, http.StatusOK, c.ask(w.orderRequest()).status)
	require.Equal(t, http.StatusOK, c.ask(hold(fmt.Sprintf("ms=%d", 2*short.Milliseconds()))).status)
	for phase, n := range w.Counts().TimedOut {
		require.Zero(t, n, phase)
	}
}

func slowReader(t *testing.T, s Server) {
	w := newWorld(t, s, func(c *config.Server) { c.WriteTimeout = short })
	slow := w.dial(t)
	slow.send(holdHuge())
	other := w.dial(t)
	answered := uint64(0)
	for w.Counts().TimedOut["write"] == 0 {
		require.Equal(t, http.StatusOK, other.ask(w.orderRequest()).status)
		answered++
	}
	w.counted(t, "the answer that could not be sent is none", func(c meter.Counts) bool {
		return c.Answered == answered && c.TimedOut["write"] == 1 && c.Abandoned["in_service"] == 0 && c.InFlight == 0
	})
	got, err := io.Copy(io.Discard, slow.reader)
	require.False(t, isTimeout(err), "the connection must end")
	require.Less(t, got, int64(hugeAnswer), "cut before its end")
	require.Equal(t, http.StatusOK, other.ask(w.orderRequest()).status)

	steady := w.dial(t)
	require.Len(t, steady.ask(hold("size=1000000")).body, 1000000, "who reads gets all of it")
}
