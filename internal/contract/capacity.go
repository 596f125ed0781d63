package contract

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/config"
	"poolvsloop/internal/meter"
)

var capacityCases = []testCase{
	{"max-conns: the surplus waits and is served when one closes", surplusWaits},
	{"max-conns: evict-idle makes room for newcomers", evictIdle},
	{"max-conns: evict-idle spares who is in service", evictSparesBusy},
}

func surplusWaits(t *testing.T, s Server) {
	w := newWorld(t, s, func(c *config.Server) { c.MaxConns = 2 })
	first, second := w.dial(t), w.dial(t)
	first.ask(hold(""))
	second.ask(hold(""))
	third, fourth := w.dial(t), w.dial(t)
	third.send(w.orderRequest())
	fourth.send(w.orderRequest())
	third.staysSilent()
	require.Empty(t, w.a.calls())

	require.NoError(t, first.Close())
	require.Equal(t, http.StatusOK, third.read().status)
	fourth.staysSilent()
	require.Equal(t, http.StatusOK, second.ask(hold("")).status, "who is in stays in")
	second.reset()
	require.Equal(t, http.StatusOK, fourth.read().status)
}

func evictIdle(t *testing.T, s Server) {
	w := newWorld(t, s, func(c *config.Server) { c.MaxConns, c.ConnsFull = 2, config.ConnsEvictIdle })
	oldest, newer := w.dial(t), w.dial(t)
	oldest.ask(hold(""))
	w.counted(t, "one idle", func(c meter.Counts) bool { return c.Idle == 1 })
	newer.ask(hold(""))
	w.counted(t, "both idle", func(c meter.Counts) bool { return c.Idle == 2 })
	oldest.staysSilent()

	newcomer := w.dial(t)
	require.Equal(t, http.StatusOK, newcomer.ask(w.orderRequest()).status)
	oldest.ends()
	require.Equal(t, http.StatusOK, newer.ask(hold("")).status, "the longest idle one went")
}

func evictSparesBusy(t *testing.T, s Server) {
	w := newWorld(t, s, func(c *config.Server) { c.MaxConns, c.ConnsFull = 2, config.ConnsEvictIdle })
	w.a.hold()
	busy := []*client{w.dial(t), w.dial(t)}
	for _, c := range busy {
		c.send(w.orderRequest())
	}
	eventually(t, func() bool { return len(w.a.calls()) == len(busy) }, "in service")
	newcomer := w.dial(t)
	newcomer.send(hold(""))
	newcomer.staysSilent()
	w.a.release()
	require.Equal(t, http.StatusOK, newcomer.read().status, "in when one of them is idle")
	for _, c := range busy {
		require.Equal(t, http.StatusOK, c.read().status)
	}
}
