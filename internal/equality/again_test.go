package equality

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// first spoils the first answers to one request, so many of them. Each connection is served by a goroutine of its own.
func first(n int64, id string, spoil func(*reply)) func(*http.Request, *reply) {
	var asked atomic.Int64
	return func(r *http.Request, a *reply) {
		if r.Header.Get(idLine) == id && asked.Add(1) <= n {
			spoil(a)
		}
	}
}

func turnedAway(a *reply) { a.status = "HTTP/1.1 503 Service Unavailable" }

func cut(a *reply) { a.cut = true }

func TestACaseThatIsLateIsAskedAgain(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*http.Request, *reply)
		again []string
		alike bool
	}{
		"closed by a full queue": {first(1, "equality-13", cut), []string{"hold, eventloop: 2 tries"}, true},
		"closed in the middle":   {first(2, "equality-07", cut), []string{"keep-alive, three orders, eventloop: 3 tries"}, true},
		"closed afterwards":      {first(1, "equality-99", cut), []string{"order, cache miss, eventloop: 2 tries"}, true},
		"turned away":            {first(1, "equality-09", turnedAway), []string{"bad JSON, eventloop: 2 tries"}, true},
		"a cache that did not answer": {first(1, "equality-02", func(a *reply) {
			a.body = `{"server":"loop","cache":"miss","quote_id":"equality-02","total":4711}`
		}), []string{"order, cache hit, eventloop: 2 tries"}, true},
		"a miss that was turned away": {first(1, "equality-01", turnedAway), []string{"order, cache miss, eventloop: 2 tries"}, true},
		"turned away for good":        {first(1000, "equality-09", turnedAway), []string{"bad JSON, eventloop: 3 tries"}, false},
		"another status":              {first(1, "equality-11", func(a *reply) { a.status = "HTTP/1.1 410 Gone" }), nil, false},
		"an answer cut short":         {first(1, "equality-13", func(a *reply) { a.cut, a.junk = false, ""; a.body = a.body[:3]; a.close = true }), nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			result := check(t, c.spoil)
			require.Equal(t, c.again, result.Again)
			require.Equal(t, c.alike, len(result.Differences) == 0, result.Differences)
			require.Len(t, result.Compared, len(Cases()))
		})
	}
}

func TestNobodyWaitsForATryThatIsNotWanted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	loop := startFake(t, "eventloop", "loop", "/v1/async", func(_ *http.Request, a *reply) {
		turnedAway(a)
		cancel()
	})
	_, err := Check(ctx, []Side{loop.side}, nil)
	require.ErrorIs(t, err, context.Canceled)
}
