package flow

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/wire"
)

// aIs and its like change what one call of a world brings.
func (w world) aIs(o Outcome) world   { w.a = o; return w }
func (w world) getIs(o Outcome) world { w.get = o; return w }
func (w world) bIs(o Outcome) world   { w.b = o; return w }
func (w world) setIs(o Outcome) world { w.set = o; return w }

const (
	downA       = `{"error":"downstream down","step":"a"}`
	downB       = `{"error":"downstream down","step":"b"}`
	lateA       = `{"error":"downstream late","step":"a"}`
	lateB       = `{"error":"downstream late","step":"b"}`
	malformedA  = `{"error":"downstream answer malformed","step":"a"}`
	malformedB  = `{"error":"downstream answer malformed","step":"b"}`
	unexpectedA = `{"error":"downstream status unexpected","step":"a"}`
	unexpectedB = `{"error":"downstream status unexpected","step":"b"}`
	otherEntry  = `{"sku":"sku-00043","name":"Item 43","list_price":1999}`
)

func TestOrder(t *testing.T) {
	for _, c := range []struct {
		name        string
		world       world
		steps       string
		status      int
		body        string // of a problem; "hit " or "miss" of an answer
		cacheFailed bool
	}{
		{"hit", hit(), "a get b", 200, "hit ", false},
		{"miss", miss(), "a get b set", 200, "miss", false},
		{"a down", miss().aIs(fails(Down)), "a", 502, downA, false},
		{"a late", miss().aIs(fails(Late)), "a", 504, lateA, false},
		{"a not http", miss().aIs(fails(Malformed)), "a", 502, malformedA, false},
		{"a without reply", miss().aIs(Outcome{}), "a", 502, malformedA, false},
		{"a 500", miss().aIs(reply(500, customerJSON)), "a", 502, unexpectedA, false},
		{"a 404", miss().aIs(reply(404, "")), "a", 502, unexpectedA, false},
		{"a not json", miss().aIs(reply(200, "<")), "a", 502, malformedA, false},
		{"b down", hit().bIs(fails(Down)), "a get b", 502, downB, false},
		{"b late", hit().bIs(fails(Late)), "a get b", 504, lateB, false},
		{"b not http", miss().bIs(fails(Malformed)), "a get b", 502, malformedB, false},
		{"b 503", hit().bIs(reply(503, "")), "a get b", 502, unexpectedB, false},
		{"b not json", hit().bIs(reply(200, "[]")), "a get b", 502, malformedB, false},
		{"b without catalog on a miss", miss().bIs(reply(200, quoteJSON)), "a get b", 502, malformedB, false},
		{"b with catalog on a hit", hit().bIs(reply(200, quoteWithJSON)), "a get b", 200, "hit ", false},
		{"cache down", miss().getIs(fails(Down)), "a get b", 200, "miss", true},
		{"cache late", miss().getIs(fails(Late)), "a get b", 200, "miss", true},
		{"cache malformed", miss().getIs(fails(Malformed)), "a get b", 200, "miss", true},
		{"cache error", miss().getIs(value(wire.CacheError, "LOADING")), "a get b", 200, "miss", true},
		{"cache of another kind", miss().getIs(value(wire.Integer, "1")), "a get b", 200, "miss", true},
		{"cache entry not json", miss().getIs(value(wire.Bulk, "x")), "a get b set", 200, "miss", true},
		{"cache entry of another sku", miss().getIs(value(wire.Bulk, otherEntry)), "a get b set", 200, "miss", true},
		{"cache down, then b down", miss().getIs(fails(Down)).bIs(fails(Down)), "a get b", 502, downB, true},
		{"set down", miss().setIs(fails(Down)), "a get b set", 200, "miss", true},
		{"set late", miss().setIs(fails(Late)), "a get b set", 200, "miss", true},
		{"set error", miss().setIs(value(wire.CacheError, "OOM")), "a get b set", 200, "miss", true},
		{"set of another kind", miss().setIs(value(wire.Simple, "QUEUED")), "a get b set", 200, "miss", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var f Flow
			h := newHandler(t, "pool", "/v1/sync")
			drive(t, &f, h, order123(orderJSON), hit()) // what one request leaves must not show in the next
			steps, _ := drive(t, &f, h, order123(orderJSON), c.world)
			require.Equal(t, c.steps, steps)
			require.Equal(t, c.status, f.Response.Status)
			require.Equal(t, c.cacheFailed, f.CacheFailed())
			require.Equal(t, "id-1", string(f.Response.ID))
			if c.status == 200 {
				require.Equal(t, answer("pool", c.body), string(f.Response.Body))
			} else {
				require.Equal(t, c.body, string(f.Response.Body))
			}
			require.Equal(t, Done, f.Resume(Outcome{}).To, "after Done")
		})
	}
}

// answer is what an order of the scripted world is answered with.
func answer(server, cache string) string {
	fields := `{"server":"` + server + `","cache":"` + cache + `","customer_id":"c-000123","sku":"sku-00042",` +
		`"quantity":3,"tier":"gold","discount_bp":250,"quote_id":"q-1","unit_price":1949,"total":5847,` +
		`"catalog":` + entryJSON + `,"padding":"`
	return fields + strings.Repeat(".", AnswerSize-len(fields)-2) + `"}`
}

func TestOrderCalls(t *testing.T) {
	var f Flow
	h := newHandler(t, "pool", "/v1/sync")
	head := func(line, host string) string {
		return line + " HTTP/1.1\r\nHost: " + host + "\r\nX-Request-Id: id-1\r\n"
	}
	quote := func(catalog string) string {
		return `{"customer_id":"c-000123","sku":"sku-00042","quantity":3,"tier":"gold","discount_bp":250,` + catalog + `}`
	}
	body := func(s string) string {
		return "Content-Type: application/json\r\nContent-Length: " + string(appendInt(nil, len(s))) + "\r\n\r\n" + s
	}
	a := head("GET /customers/c-000123", "a:9001") + "\r\n"
	get := "*2\r\n$3\r\nGET\r\n$17\r\ncatalog:sku-00042\r\n"
	b := head("POST /base/quotes", "b:9002")
	set := "*5\r\n$3\r\nSET\r\n$17\r\ncatalog:sku-00042\r\n$54\r\n" + entryJSON + "\r\n$2\r\nEX\r\n$2\r\n60\r\n"

	_, sent := drive(t, &f, h, order123(orderJSON), miss())
	require.Equal(t, []string{a, get, b + body(quote(`"catalog_wanted":true`)), set}, sent)
	_, sent = drive(t, &f, h, order123(orderJSON), hit())
	require.Equal(t, []string{a, get, b + body(quote(`"catalog_wanted":false,"catalog":`+entryJSON))}, sent)
}

// Answers of the servers differ in the server's name, those of hit and miss in the cache's word, and all are of one
// length, whatever the lengths in them.
func TestAnswersAreComparable(t *testing.T) {
	var f Flow
	bodies := map[string]string{}
	for _, server := range []string{"pool", "loop"} {
		for cache, w := range map[string]world{"hit": hit(), "miss": miss()} {
			drive(t, &f, newHandler(t, server, "/v1/sync"), order123(orderJSON), w)
			require.True(t, json.Valid(f.Response.Body))
			bodies[server+cache] = string(f.Response.Body)
		}
	}
	asPool := strings.NewReplacer(`"loop"`, `"pool"`)
	require.Equal(t, bodies["poolmiss"], asPool.Replace(bodies["loopmiss"]))
	require.Equal(t, bodies["poolhit"], asPool.Replace(bodies["loophit"]))
	require.Equal(t, bodies["poolmiss"], strings.Replace(bodies["poolhit"], `"hit "`, `"miss"`, 1))

	h := newHandler(t, "pool", "/v1/sync")
	id, name, price := strings.Repeat("x", maxWord), strings.Repeat("n", MaxName), "999999999999999"
	longest := world{
		a:   reply(200, `{"customer_id":"`+id+`","tier":"`+id[:MaxTier]+`","discount_bp":10000}`),
		get: value(wire.Null, ""), set: value(wire.Simple, "OK"),
		b: reply(200, `{"quote_id":"`+id[:MaxQuoteID]+`","unit_price":`+price+`,"total":`+price+`,"catalog":{"sku":"`+id+
			`","name":"`+name+`","list_price":`+price+`}}`),
	}
	drive(t, &f, h, order123(`{"customer_id":"`+id+`","sku":"`+id+`","quantity":1000000}`), longest)
	require.Equal(t, 200, f.Response.Status, string(f.Response.Body))
	require.Len(t, f.Response.Body, AnswerSize)
	require.True(t, json.Valid(f.Response.Body))

	shortest := world{
		a:   reply(200, `{"customer_id":"c","tier":"t","discount_bp":0}`),
		get: value(wire.Null, ""), set: value(wire.Simple, "OK"),
		b: reply(200, `{"quote_id":"q","unit_price":0,"total":0,"catalog":{"sku":"s","name":"n","list_price":0}}`),
	}
	drive(t, &f, h, order123(`{"customer_id":"c","sku":"s","quantity":1}`), shortest)
	require.Len(t, f.Response.Body, AnswerSize)
}

func TestBadOrders(t *testing.T) {
	long := strings.Repeat("x", maxWord+1)
	for _, c := range []struct{ name, body, problem string }{
		{"nothing", "", BadOrder},
		{"no object", "[1]", BadOrder},
		{"cut", `{"customer_id":"c","sku":"s","quantity":1`, BadOrder},
		{"cut after a comma", `{"customer_id":"c","sku":"s","quantity":1,`, BadOrder},
		{"more behind it", `{"customer_id":"c","sku":"s","quantity":1} x`, BadOrder},
		{"two objects", `{"customer_id":"c","sku":"s","quantity":1}{}`, BadOrder},
		{"a second object, cut", `{"customer_id":"c","sku":"s","quantity":1}{"a":`, BadOrder},
		{"empty object", `{}`, BadCustomer},
		{"customer missing", `{"sku":"s","quantity":1}`, BadCustomer},
		{"customer a number", `{"customer_id":1,"sku":"s","quantity":1}`, BadCustomer},
		{"customer empty", `{"customer_id":"","sku":"s","quantity":1}`, BadCustomer},
		{"customer too long", `{"customer_id":"` + long + `","sku":"s","quantity":1}`, BadCustomer},
		{"customer with a slash", `{"customer_id":"a/b","sku":"s","quantity":1}`, BadCustomer},
		{"customer with an escaped slash", `{"customer_id":"a\u002fb","sku":"s","quantity":1}`, BadCustomer},
		{"customer with a brace", `{"customer_id":"a{","sku":"s","quantity":1}`, BadCustomer},
		{"customer twice", `{"customer_id":"c","customer_id":"d","sku":"s","quantity":1}`, BadCustomer},
		{"customer cut", `{"customer_id":"c`, BadCustomer},
		{"sku missing", `{"customer_id":"c","quantity":1}`, BadSKU},
		{"sku null", `{"customer_id":"c","sku":null,"quantity":1}`, BadSKU},
		{"quantity missing", `{"customer_id":"c","sku":"s"}`, BadQuantity},
		{"quantity 0", `{"customer_id":"c","sku":"s","quantity":0}`, BadQuantity},
		{"quantity negative", `{"customer_id":"c","sku":"s","quantity":-1}`, BadQuantity},
		{"quantity too high", `{"customer_id":"c","sku":"s","quantity":1000001}`, BadQuantity},
		{"quantity that overflows", `{"customer_id":"c","sku":"s","quantity":99999999999999999999}`, BadQuantity},
		{"quantity a fraction", `{"customer_id":"c","sku":"s","quantity":1.5}`, BadQuantity},
		{"quantity with an exponent", `{"customer_id":"c","sku":"s","quantity":1e2}`, BadQuantity},
		{"quantity with a leading zero", `{"customer_id":"c","sku":"s","quantity":01}`, BadQuantity},
		{"quantity a string", `{"customer_id":"c","sku":"s","quantity":"1"}`, BadQuantity},
		{"quantity twice", `{"customer_id":"c","sku":"s","quantity":1,"quantity":1}`, BadQuantity},
		{"note a number", `{"customer_id":"c","sku":"s","quantity":1,"note":5}`, BadNote},
		{"note with a line end", "{\"customer_id\":\"c\",\"sku\":\"s\",\"quantity\":1,\"note\":\"\n\"}", BadNote},
		{"note with a bad escape", `{"note":"\x"}`, BadNote},
		{"nested", `{"customer_id":"c","sku":"s","quantity":1,"x":[1]}`, badNested},
		{"deeply nested", `{"x":` + strings.Repeat("[", 1<<20), badNested},
		{"unknown field bad", `{"x":tru}`, BadOrder},
	} {
		t.Run(c.name, func(t *testing.T) {
			var f Flow
			steps, _ := drive(t, &f, newHandler(t, "pool", "/v1/sync"), order123(c.body), hit())
			require.Empty(t, steps)
			require.Equal(t, 400, f.Response.Status)
			require.Equal(t, `{"error":"`+c.problem+`"}`, string(f.Response.Body))
		})
	}
}

func TestGoodOrders(t *testing.T) {
	for name, body := range map[string]string{
		"white space":    " {\n\"customer_id\" : \"c-000123\" , \"sku\":\t\"sku-00042\",\"quantity\":3 } \r\n",
		"escapes":        `{"customer_id":"\u0063-000123","sku":"sku-00042","quantity":3,"note":"\"\\\n\u00e9"}`,
		"unknown fields": `{"x":1,"y":null,"z":"","customer_id":"c-000123","sku":"sku-00042","quantity":3}`,
		"other order":    `{"quantity":3,"note":"","sku":"sku-00042","customer_id":"c-000123"}`,
	} {
		var f Flow
		drive(t, &f, newHandler(t, "pool", "/v1/sync"), order123(body), hit())
		require.Equal(t, answer("pool", "hit "), string(f.Response.Body), name)
	}
}

func TestBadAnswers(t *testing.T) {
	swap := func(s, from, to string) string {
		require.Contains(t, s, from)
		return strings.Replace(s, from, to, 1)
	}
	for name, body := range map[string]string{
		"other customer":    swap(customerJSON, "000123", "000124"),
		"no customer":       `{"tier":"gold","discount_bp":250}`,
		"no tier":           `{"customer_id":"c-000123","discount_bp":250}`,
		"no discount":       `{"customer_id":"c-000123","tier":"gold"}`,
		"tier with a quote": swap(customerJSON, "gold", `g\"d`),
		"tier too long":     swap(customerJSON, "gold", strings.Repeat("g", MaxTier+1)),
		"discount twice":    swap(customerJSON, "}", `,"discount_bp":1}`),
		"discount too high": swap(customerJSON, "250", "10001"),
		"unknown and bad":   swap(customerJSON, "}", `,"x":tru}`),
		"more behind it":    customerJSON + "{}",
	} {
		var f Flow
		drive(t, &f, newHandler(t, "pool", "/v1/sync"), order123(orderJSON), hit().aIs(reply(200, body)))
		require.Equal(t, malformedA, string(f.Response.Body), name)
	}
	for name, body := range map[string]string{
		"no id":               swap(quoteWithJSON, `"quote_id":"q-1",`, ""),
		"no unit price":       swap(quoteWithJSON, `"unit_price":1949,`, ""),
		"no total":            swap(quoteWithJSON, `"total":5847,`, ""),
		"total a fraction":    swap(quoteWithJSON, "5847", "58.47"),
		"total too high":      swap(quoteWithJSON, "5847", "1000000000000000"),
		"catalog null":        swap(quoteWithJSON, entryJSON, "null"),
		"catalog twice":       swap(quoteWithJSON, "}}", `},"catalog":3]}`),
		"entry of other sku":  swap(quoteWithJSON, "00042", "00041"),
		"entry without name":  swap(quoteWithJSON, `"name":"Item 42",`, ""),
		"entry without price": swap(quoteWithJSON, `,"list_price":1999`, ""),
		"name with a quote":   swap(quoteWithJSON, "Item 42", `a\"b`),
		"name not utf-8":      swap(quoteWithJSON, "Item 42", "\xff"),
		"name twice":          swap(quoteWithJSON, `"name":"Item 42"`, `"name":"a","name":"b"`),
		"name too long":       swap(quoteWithJSON, "Item 42", strings.Repeat("n", MaxName+1)),
		"unknown and bad":     swap(quoteWithJSON, "}}", `,"x":tru}}`),
		"more behind it":      quoteWithJSON + " 1",
	} {
		var f Flow
		drive(t, &f, newHandler(t, "pool", "/v1/sync"), order123(orderJSON), miss().bIs(reply(200, body)))
		require.Equal(t, malformedB, string(f.Response.Body), name)
	}
}

// With retries a call that fails is made again, with the same bytes, as often as the order has retries; what cannot be read
// is not.
func TestOrderRetriesFailedCalls(t *testing.T) {
	for name, c := range map[string]struct {
		retries int
		w       world
		steps   string
		status  int
	}{
		"none":               {0, miss().bIs(fails(Late)), "a get b", 504},
		"late":               {2, miss().bIs(fails(Late)), "a get b b b", 504},
		"down":               {1, miss().bIs(fails(Down)), "a get b b", 502},
		"status":             {1, miss().bIs(reply(500, "")), "a get b b", 502},
		"A":                  {3, world{a: fails(Late)}, "a a a a", 504},
		"nothing to retry":   {3, hit(), "a get b", 200},
		"what can't be read": {3, miss().bIs(reply(200, "hello")), "a get b", 502},
	} {
		t.Run(name, func(t *testing.T) {
			var f Flow
			h := newHandler(t, "pool", "/v1/sync")
			h.config.Retries = c.retries
			for range 2 { // the second order has as many retries as the first
				steps, sent := drive(t, &f, h, order123(orderJSON), c.w)
				require.Equal(t, c.steps, steps)
				require.Equal(t, c.status, f.Response.Status)
				if c.retries > 0 && c.status != 200 && len(sent) > 1 && steps[len(steps)-1] == steps[len(steps)-3] {
					require.Equal(t, sent[len(sent)-2], sent[len(sent)-1])
				}
			}
		})
	}
}

// A handicap is CPU work before the first call; the answer stays the same.
func TestOrderBurnsItsHandicap(t *testing.T) {
	plain, burning := newHandler(t, "pool", "/v1/sync"), newHandler(t, "pool", "/v1/sync")
	burning.config.Burn = 12
	var a, b Flow
	steps, _ := drive(t, &a, plain, order123(orderJSON), hit())
	require.Equal(t, "a get b", steps)
	steps, _ = drive(t, &b, burning, order123(orderJSON), hit())
	require.Equal(t, "12 a get b", steps)
	require.Equal(t, string(a.Response.Body), string(b.Response.Body))

	call := b.Start(burning, order123(orderJSON))
	require.Equal(t, 12, call.Iterations)
	call = b.Start(burning, order123("{"))
	require.Equal(t, Done, call.To, "an order that is refused burns nothing")
}
