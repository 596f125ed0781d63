package contract

import (
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/accept"
	"poolvsloop/internal/config"
)

var drainCases = []testCase{
	{"drain: who is in service is answered, idle ones end, newcomers are turned away", drainAnswers},
	{"drain: the kernel accept queue is served", drainQueue},
	{"drain: a request under way is read to its end", drainHalfRequest},
	{"drain: a connection that has not asked yet may, for a moment", drainFresh},
	{"drain: one that says nothing is ended in silence", drainSilent},
	{"drain: its time bounds it", drainBounded},
}

// stopping drains the server on a goroutine of its own.
func (w *world) stopping(t *testing.T) <-chan error {
	t.Helper()
	w.stopped = true
	result := make(chan error, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
		defer cancel()
		result <- w.Stop(ctx)
	}()
	return result
}

func mustEnd(t *testing.T, result <-chan error) {
	t.Helper()
	select {
	case err := <-result:
		require.NoError(t, err)
	case <-time.After(2 * patience):
		require.Fail(t, "the server did not end")
	}
}

func drainAnswers(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	idle := w.dial(t)
	idle.ask(hold(""))
	w.a.hold()
	busy := []*client{w.dial(t), w.dial(t), w.dial(t)}
	for _, c := range busy {
		c.send(w.orderRequest())
	}
	eventually(t, func() bool { return len(w.a.calls()) == len(busy) }, "in service")

	result := w.stopping(t)
	idle.ends()
	eventually(t, func() bool {
		conn, err := net.DialTimeout("tcp", w.Addr, 100*time.Millisecond)
		if err == nil {
			drop(conn)
		}
		return err != nil
	}, "the port is closed")
	select {
	case err := <-result:
		require.Fail(t, "ended with requests in service", "%v", err)
	default:
	}
	w.a.release()
	for _, c := range busy {
		got := c.read()
		require.Equal(t, http.StatusOK, got.status)
		require.True(t, got.closes, "an answer while draining ends its connection")
		c.ends()
	}
	mustEnd(t, result)
	require.EqualValues(t, len(busy)+1, w.Counts().Answered)
	require.Zero(t, w.Counts().InFlight)
}

func drainQueue(t *testing.T, s Server) {
	w := newWorld(t, s, func(c *config.Server) { c.MaxConns = 2 })
	w.a.hold()
	var clients []*client
	for range 6 {
		c := w.dial(t)
		c.send(w.orderRequest())
		clients = append(clients, c)
	}
	eventually(t, func() bool { return len(w.a.calls()) == 2 }, "two in service, four in the kernel")
	result := w.stopping(t)
	clients[2].staysSilent()
	w.a.release()
	for _, c := range clients {
		got := c.read()
		require.Equal(t, http.StatusOK, got.status)
		require.True(t, got.closes)
		c.ends()
	}
	mustEnd(t, result)
	require.EqualValues(t, len(clients), w.Counts().Answered)
}

func drainHalfRequest(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	w.a.hold()
	busy := w.dial(t)
	busy.send(w.orderRequest())
	whole := w.orderRequest()
	half := w.dial(t)
	half.send(whole[:len(whole)/2])
	eventually(t, func() bool { return len(w.a.calls()) == 1 }, "one in service")
	result := w.stopping(t)
	half.staysSilent()
	half.send(whole[len(whole)/2:])
	eventually(t, func() bool { return len(w.a.calls()) == 2 }, "the other too")
	w.a.release()
	for _, c := range []*client{busy, half} {
		got := c.read()
		require.Equal(t, http.StatusOK, got.status)
		require.True(t, got.closes)
		c.ends()
	}
	mustEnd(t, result)
}

// drainFresh drains with a connection that was accepted and has sent nothing. On a machine so busy that the moment may
// be over when the request is on its way it tries again.
func drainFresh(t *testing.T, s Server) {
	for range 20 {
		w := newWorld(t, s, nil)
		idle := w.dial(t)
		idle.ask(hold(""))
		connected := time.Now()
		fresh := w.dial(t)
		result := w.stopping(t)
		idle.ends()
		_, err := io.WriteString(fresh, w.orderRequest())
		inTime := time.Since(connected) < accept.FirstGrace
		var got answer
		if err == nil {
			got, err = readAnswer(fresh.reader, http.MethodPost)
		}
		mustEnd(t, result)
		if !inTime {
			continue
		}
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, got.status)
		require.True(t, got.closes)
		fresh.ends()
		return
	}
	t.Skip("the machine is too busy")
}

func drainSilent(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	fresh := w.dial(t)
	result := w.stopping(t)
	fresh.ends()
	mustEnd(t, result)
	require.Zero(t, w.Counts().Answered)
}

func drainBounded(t *testing.T, s Server) {
	w := newWorld(t, s, func(c *config.Server) { c.Drain = short })
	w.a.set(behaviour{hangs: true})
	c := w.dial(t)
	c.send(w.orderRequest())
	eventually(t, func() bool { return len(w.a.calls()) == 1 }, "in service")
	select {
	case <-w.stopping(t):
	case <-time.After(patience - time.Second):
		require.Fail(t, "the drain did not end at its time")
	}
	c.isGone()
}
