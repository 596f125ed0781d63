package main

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestQueueIsFIFO drives the queue and a plain slice with the same operations, and expects the same of both.
func TestQueueIsFIFO(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		timeout := rapid.SampledFrom([]time.Duration{0, 10}).Draw(t, "timeout")
		q := queue{limit: rapid.IntRange(-1, 5).Draw(t, "limit"), timeout: timeout}
		var model, out []*ticket
		now := time.Unix(1000, 0)
		first := func() *ticket {
			if len(model) == 0 {
				return nil
			}
			return model[0]
		}
		dropFirst := func(got *ticket) {
			if got != nil {
				model, out = model[1:], append(out, got)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				fits := q.limit < 0 || len(model) < q.limit
				next := &ticket{since: now}
				require.Equal(t, fits, q.push(next))
				if fits {
					model = append(model, next)
				}
			},
			"pop": func(t *rapid.T) {
				want := first()
				require.Same(t, want, q.pop())
				dropFirst(want)
			},
			"remove": func(t *rapid.T) {
				if len(model) == 0 {
					t.Skip()
				}
				i := rapid.IntRange(0, len(model)-1).Draw(t, "which")
				gone := model[i]
				require.True(t, q.remove(gone))
				require.False(t, q.remove(gone), "removed twice")
				model = append(model[:i:i], model[i+1:]...)
			},
			"remove one that is out": func(t *rapid.T) {
				if len(out) == 0 {
					t.Skip()
				}
				require.False(t, q.remove(rapid.SampledFrom(out).Draw(t, "which")))
			},
			"expire": func(t *rapid.T) {
				want := first()
				if want != nil && (timeout == 0 || now.Before(want.since.Add(timeout))) {
					want = nil
				}
				require.Same(t, want, q.expire(now))
				dropFirst(want)
			},
			"time passes": func(t *rapid.T) {
				now = now.Add(time.Duration(rapid.IntRange(0, 8).Draw(t, "ns")))
			},
			"resize": func(t *rapid.T) { q.limit = rapid.IntRange(-1, 5).Draw(t, "limit") },
			"": func(t *rapid.T) {
				require.Equal(t, len(model), q.depth)
				at, ok := q.due()
				require.Equal(t, timeout > 0 && len(model) > 0, ok)
				if ok {
					require.Equal(t, model[0].since.Add(timeout), at)
				}
				forward, backward := walk(&q)
				require.ElementsMatch(t, model, forward)
				require.Truef(t, slices.Equal(model, forward), "another order")
				require.Equal(t, len(model), backward)
			},
		})
	})
}

// walk returns the tickets from head to tail, and how many there are from tail to head.
func walk(q *queue) (forward []*ticket, backward int) {
	for t := q.head; t != nil; t = t.next {
		forward = append(forward, t)
	}
	for t := q.tail; t != nil; t = t.prev {
		backward++
	}
	return forward, backward
}
