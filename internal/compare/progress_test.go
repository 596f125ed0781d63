package compare

import (
	"bytes"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestLines(t *testing.T) {
	var out bytes.Buffer
	p := Lines{Out: &out, Rounds: 4}
	p.Step("starting the lab")
	p.Start(Slot{Order: 1, Round: 1, Server: ThreadPool})
	p.Done(100)
	p.End(sound(Slot{Order: 1, Round: 1, Server: ThreadPool}, 200, 40_000))
	p.Close()
	require.Equal(t, "starting the lab\n"+
		"round 1 of 4, threadpool:    250.0 req/s, mean 40.0 ms, p99 40.8 ms, failed 0\n", out.String())
}

func TestBarEnds(t *testing.T) {
	defer goleak.VerifyNone(t)
	for name, c := range map[string]struct{ requests, done int }{
		"whole": {200, 200}, "interrupted": {200, 30}, "of a time": {0, 1000},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer // read once the display has ended
			b := NewBar(&out, 1, c.requests)
			b.Step("comparing answers")
			for _, slot := range Schedule(Sides{ThreadPool, EventLoop}, 1, ABBA, 1) {
				b.Start(slot)
				var told sync.WaitGroup
				told.Go(func() { b.Done(c.done) })
				told.Wait()
				b.End(sound(slot, 200, 40_000))
			}
			b.Close()
			require.Contains(t, out.String(), "round 1 of 1, eventloop:")
		})
	}
}

// drawings counts what is written to it. Only one goroutine writes.
type drawings struct {
	bytes.Buffer
	count atomic.Int64
}

func (d *drawings) Write(b []byte) (int, error) {
	d.count.Add(1)
	return d.Buffer.Write(b)
}

// TestTheLastLineIsShownHoweverLate: the display draws on while the last round is evaluated, after its last request.
func TestTheLastLineIsShownHoweverLate(t *testing.T) {
	defer goleak.VerifyNone(t)
	var out drawings
	b := NewBar(&out, 1, 100)
	slots := Schedule(Sides{ThreadPool, EventLoop}, 1, ABBA, 1)
	b.Start(slots[0])
	b.Done(200)
	enough := out.count.Load() + 4
	require.Eventually(t, func() bool { return out.count.Load() >= enough }, 10*time.Second, time.Millisecond, "a bar that is full is drawn on")
	b.End(sound(slots[1], 200, 40_000))
	b.Close()
	require.Contains(t, out.String(), "threadpool           200 ")
	require.Contains(t, out.String(), "round 1 of 1, eventloop:")
}
