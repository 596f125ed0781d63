package contract

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/anatomy"
	"poolvsloop/internal/flow"
	"poolvsloop/internal/meter"
)

var orderCases = []testCase{
	{"order: a miss fills the cache, then it hits", missThenHit},
	{"order: request id reaches A, B and the client", requestID},
	{"order: server timing on demand", serverTiming},
	{"order: bodies of any size", bodySizes},
}

// wantAnswer is the whole body of an answered order.
func wantAnswer(label, cached, customerID, sku string, quantity int) string {
	text := fmt.Sprintf(`{"server":%q,"cache":%q,"customer_id":%q,"sku":%q,"quantity":%d,"tier":"gold","discount_bp":250,`+
		`"quote_id":"q-%s","unit_price":%d,"total":%d,"catalog":%s,"padding":"`,
		label, cached, customerID, sku, quantity, customerID, unitPrice, unitPrice*quantity, entry(sku))
	return text + strings.Repeat(".", flow.AnswerSize-len(text)-2) + `"}`
}

func missThenHit(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	c := w.dial(t)
	ask := request("POST", s.Path, order("c-77", "s-42", 3, "note"))
	require.Equal(t, wantAnswer(s.Label, "miss", "c-77", "s-42", 3), c.ask(ask).body)
	stored, err := w.cache.server.Get("catalog:s-42")
	require.NoError(t, err, "the fill is done before the answer")
	require.Equal(t, entry("s-42"), stored)
	require.Equal(t, w.config.CacheTTL, w.cache.server.TTL("catalog:s-42"))
	for range 3 {
		require.Equal(t, wantAnswer(s.Label, "hit ", "c-77", "s-42", 3), c.ask(ask).body)
	}
	w.cache.fill("another")
	got := c.ask(request("POST", s.Path, order("c", "another", 1_000_000, "")))
	require.Equal(t, wantAnswer(s.Label, "hit ", "c", "another", 1_000_000), got.body)
	require.Len(t, w.a.calls(), 5)
	require.Len(t, w.b.calls(), 5)

	w.counted(t, "five orders: five gets, one set", func(c meter.Counts) bool {
		return maps.Equal(c.Responses, map[string]uint64{"200": 5}) && c.CacheFailOpen == 0 &&
			c.Calls["downstream_a"]["ok"] == 5 && c.Calls["downstream_b"]["ok"] == 5 && c.Calls["cache"]["ok"] == 6
	})
}

func requestID(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	c := w.dial(t)
	cases := map[string]struct {
		header string
		want   string
	}{
		"given":              {"X-Request-Id: my-id-1", `^my-id-1$`},
		"any case":           {"x-request-id: my-id-2", `^my-id-2$`},
		"longest":            {"X-Request-Id: " + strings.Repeat("x", 64), `^x{64}$`},
		"none":               {"X-Other: 1", `^[0-9a-f]{16}$`},
		"too long":           {"X-Request-Id: " + strings.Repeat("x", 65), `^[0-9a-f]{16}$`},
		"not only printable": {"X-Request-Id: a b", `^[0-9a-f]{16}$`},
	}
	seen := map[string]bool{}
	for name, k := range cases {
		id := c.ask(w.orderRequest(k.header)).header.Get("X-Request-Id")
		require.Regexp(t, k.want, id, name)
		require.False(t, seen[id], "ids that the server makes differ")
		seen[id] = true
		calls := w.a.calls()
		require.Equal(t, id, calls[len(calls)-1], name)
		calls = w.b.calls()
		require.Equal(t, id, calls[len(calls)-1], name)
	}
}

func serverTiming(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	c := w.dial(t)
	var want []string
	for stage := range flow.Stages {
		want = append(want, stage.String()+`;dur=\d{5}\.\d{3}`)
	}
	pattern := regexp.MustCompile("^" + strings.Join(want, ", ") + "$")
	lengths := map[int]bool{}
	for _, header := range []string{"X-Lab-Timing: 1", "x-lab-timing: 1"} {
		asked := time.Now()
		value := c.ask(w.orderRequest(header)).header.Get("Server-Timing")
		told := anatomy.Sample{Response: time.Since(asked)}
		require.Regexp(t, pattern, value)
		told.Timing, _ = anatomy.Parse([]byte(value))
		require.Positive(t, told.Total())
		require.GreaterOrEqual(t, told.Rest(), -3*time.Microsecond, "stages that overlap: %s", value)
		require.GreaterOrEqual(t, told.Outside(), -time.Microsecond, "longer in the server than the client waited: %s", value)
		for _, stage := range []flow.Stage{flow.StageA, flow.StageCache, flow.StageB} {
			require.Positive(t, told.Timing[stage], "%s", stage)
		}
		lengths[len(value)] = true
	}
	require.Len(t, lengths, 1, "of constant length")
	require.Empty(t, c.ask(w.orderRequest()).header.Get("Server-Timing"))
	require.Empty(t, c.ask(w.orderRequest("X-Lab-Timing: 0")).header.Get("Server-Timing"))
}

func bodySizes(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	c := w.dial(t)
	w.cache.fill("s-1")
	for _, size := range []int{0, 50, 900, 4096, 65536, 1 << 20} {
		body := order("c-1", "s-1", 1, strings.Repeat("n", size))
		require.Equal(t, wantAnswer(s.Label, "hit ", "c-1", "s-1", 1), c.ask(request("POST", s.Path, body)).body, "%d", size)
		half := len(body) / 2
		chunked := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: lab\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n",
			s.Path, half, body[:half], len(body)-half, body[half:])
		require.Equal(t, wantAnswer(s.Label, "hit ", "c-1", "s-1", 1), c.ask(chunked).body, "%d in chunks", size)
	}
}
