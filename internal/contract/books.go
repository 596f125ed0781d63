package contract

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/meter"
)

var bookCases = []testCase{
	{"books: 200 mixed clients, every request answered and counted once", closedBooks},
}

// tally is what clients saw.
type tally struct {
	mu        sync.Mutex
	responses map[string]uint64
	orders    int // answered with 200
	wrong     []string
}

func (y *tally) add(status int, isOrder bool) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.responses[strconv.Itoa(status)]++
	if isOrder && status == http.StatusOK {
		y.orders++
	}
}

func (y *tally) fault(format string, args ...any) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.wrong = append(y.wrong, fmt.Sprintf(format, args...))
}

func closedBooks(t *testing.T, s Server) {
	const clients, each = 200, 5
	w := newWorld(t, s, nil)
	w.a.set(behaviour{delay: time.Millisecond})
	w.b.set(behaviour{delay: time.Millisecond})
	seen := &tally{responses: map[string]uint64{}}
	var asking sync.WaitGroup
	for id := range clients {
		asking.Go(func() { w.mixedClient(t, id, each, seen) })
	}
	asking.Wait()
	require.Empty(t, seen.wrong)
	total := uint64(0)
	for _, n := range seen.responses {
		total += n
	}
	require.EqualValues(t, clients*each, total, "every request is answered")
	w.counted(t, "what clients saw", func(c meter.Counts) bool {
		return maps.Equal(seen.responses, c.Responses) && c.InFlight == 0
	})
	counts := w.Counts()
	require.Len(t, w.a.calls(), seen.orders, "A is called once an order")
	require.Len(t, w.b.calls(), seen.orders)
	require.EqualValues(t, seen.orders, counts.Calls["downstream_a"]["ok"])
	require.EqualValues(t, seen.orders, counts.Calls["downstream_b"]["ok"])
	ids := map[string]bool{}
	for _, id := range w.a.calls() {
		require.False(t, ids[id], "request %s reached A twice", id)
		ids[id] = true
	}
}

// mixedClient sends its requests on one connection, or on one each.
func (w *world) mixedClient(t *testing.T, id, requests int, seen *tally) {
	random := rand.New(rand.NewPCG(1, uint64(id)))
	var c *client
	for n := range requests {
		if c == nil {
			c = w.dial(t)
		}
		var headers []string
		last := n == requests-1 || random.IntN(3) == 0
		if last {
			headers = []string{"Connection: close"}
		}
		name := fmt.Sprintf("r-%d-%d", id, n)
		raw, isOrder := w.randomRequest(random, name, headers)
		c.send(raw)
		got, err := readAnswer(c.reader, http.MethodPost)
		switch {
		case err != nil:
			seen.fault("%s: %v", name, err)
			return
		case got.header.Get("X-Request-Id") != name:
			seen.fault("%s: got the answer of %q", name, got.header.Get("X-Request-Id"))
		}
		seen.add(got.status, isOrder)
		if last {
			drop(c)
			c = nil
		}
	}
}

func (w *world) randomRequest(random *rand.Rand, name string, headers []string) (raw string, isOrder bool) {
	headers = append(headers, "X-Request-Id: "+name)
	switch random.IntN(6) {
	case 0:
		return request("GET", "/nothing", "", headers...), false
	case 1:
		return request("POST", w.server.Path, "{}", headers...), false
	case 2:
		return request("GET", fmt.Sprintf("/v1/hold?ms=%d&size=300", random.IntN(5)), "", headers...), false
	default:
		body := order(name, fmt.Sprintf("s-%d", random.IntN(50)), 1, "")
		return request("POST", w.server.Path, body, headers...), true
	}
}
