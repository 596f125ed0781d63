package flow

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/wire"
)

var orderBodies = []string{
	orderJSON, "", "{}", "[]", "{", `{"customer_id":"c","sku":"s","quantity":1}`,
	" { \"customer_id\" : \"\\u0063\" , \"sku\":\t\"s\",\"quantity\":1000000 } ",
	`{"customer_id":"c","sku":"s","quantity":1e2}`, `{"customer_id":"c","sku":"s","quantity":-0}`,
	`{"customer_id":"c","sku":"s","quantity":1,"note":"\ud83d\ude00\\"}`, `{"x":[[[`, `{"x":{"y":1}}`,
	`{"customer_id":"c","customer_id":"d","sku":"s","quantity":1}`, `{"customer_id":"c","sku":"s","quantity":01}`,
}

// An order that is taken is what encoding/json reads in it; one that is refused is refused with a body that names a
// field.
func FuzzOrderBody(f *testing.F) {
	for _, body := range orderBodies {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var flow Flow
		before := bytes.Clone(body)
		problem := flow.readOrder(body)
		require.Equal(t, before, body, "the body is only read")
		if problem != "" {
			name, _, _ := strings.Cut(problem, ":")
			require.Contains(t, []string{"body", "customer_id", "sku", "quantity", "note"}, name)
			return
		}
		var theirs map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(body, &theirs))
		var customerID, sku string
		var quantity int
		require.NoError(t, json.Unmarshal(theirs["customer_id"], &customerID))
		require.NoError(t, json.Unmarshal(theirs["sku"], &sku))
		require.NoError(t, json.Unmarshal(theirs["quantity"], &quantity))
		require.Equal(t, customerID, string(flow.order.customerID))
		require.Equal(t, sku, string(flow.order.sku))
		require.Equal(t, quantity, flow.order.quantity)
		require.Regexp(t, "^[A-Za-z0-9_-]{1,64}$", sku)
		require.True(t, 1 <= quantity && quantity <= MaxQuantity)
	})
}

// Whatever the downstreams and the cache say, a flow ends with one JSON answer, whose length is constant when it is
// good, and asks the calls in their order.
func FuzzFlow(f *testing.F) {
	for _, w := range []world{hit(), miss()} {
		f.Add([]byte(orderJSON), w.a.Reply.Body, w.get.Value.Data, w.b.Reply.Body, w.set.Value.Data, uint32(0x1010))
		f.Add([]byte(orderJSON), w.a.Reply.Body, w.get.Value.Data, w.b.Reply.Body, w.set.Value.Data, uint32(0))
	}
	for failure := range uint32(4) {
		w := hit()
		f.Add([]byte(orderJSON), w.a.Reply.Body, w.get.Value.Data, w.b.Reply.Body, []byte("OK"), failure<<(4*failure))
	}
	h := newHandler(f, "pool", "/v1/sync")
	var flow Flow
	f.Fuzz(func(t *testing.T, body, a, get, b, set []byte, dice uint32) {
		// Four bits an outcome: two for its failure, two for status or kind.
		downstream := func(shift int, body []byte) Outcome {
			o := reply(200+100*int(dice>>shift>>2&3), string(body))
			o.Failure = Failure(dice >> shift & 3)
			return o
		}
		cache := func(shift int, data []byte) Outcome {
			o := value(wire.ValueKind(dice>>shift>>2&3), string(data))
			o.Failure = Failure(dice >> shift & 3)
			return o
		}
		w := world{a: downstream(0, a), get: cache(4, get), b: downstream(8, b), set: cache(12, set)}
		steps, _ := drive(t, &flow, h, order123(string(body)), w)
		require.Contains(t, []string{"", "a", "a get b", "a get b set"}, steps)
		require.True(t, json.Valid(flow.Response.Body), "%q", flow.Response.Body)
		switch flow.Response.Status {
		case 200:
			require.Len(t, flow.Response.Body, AnswerSize)
		case 400:
			require.Empty(t, steps)
		case 502, 504:
			require.NotEmpty(t, steps)
			require.False(t, strings.HasSuffix(steps, "set"))
		default:
			require.Failf(t, "unexpected status", "%d", flow.Response.Status)
		}
	})
}
