package flow

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/wire"
)

// world scripts what becomes of each call of an order.
type world struct{ a, get, b, set Outcome }

const (
	customerJSON  = `{"customer_id":"c-000123","tier":"gold","discount_bp":250}`
	entryJSON     = `{"sku":"sku-00042","name":"Item 42","list_price":1999}`
	quoteJSON     = `{"quote_id":"q-1","unit_price":1949,"total":5847}`
	quoteWithJSON = `{"quote_id":"q-1","unit_price":1949,"total":5847,"catalog":` + entryJSON + `}`
	orderJSON     = `{"customer_id":"c-000123","sku":"sku-00042","quantity":3,"note":"n"}`
)

func reply(status int, body string) Outcome {
	return Outcome{Reply: &wire.Reply{Status: status, Body: []byte(body), KeepAlive: true}}
}

func value(kind wire.ValueKind, data string) Outcome {
	return Outcome{Value: wire.Value{Kind: kind, Data: []byte(data)}}
}

func fails(f Failure) Outcome { return Outcome{Failure: f} }

// miss is a world in which all goes well and the cache is empty; hit one in which it is not.
func miss() world {
	return world{
		a: reply(200, customerJSON), get: value(wire.Null, ""), b: reply(200, quoteWithJSON), set: value(wire.Simple, "OK"),
	}
}

func hit() world {
	w := miss()
	w.get, w.b = value(wire.Bulk, entryJSON), reply(200, quoteJSON)
	return w
}

func newHandler(t testing.TB, server, path string) *Handler {
	h, err := New(Config{
		Path: path, Server: server, DownstreamA: "http://a:9001", DownstreamB: "http://b:9002/base/", CacheTTL: time.Minute,
	})
	require.NoError(t, err)
	return h
}

func newRequest(method wire.Method, path, query, body string) *wire.Request {
	return &wire.Request{
		Method: method, Path: []byte(path), Query: []byte(query), Body: []byte(body), ID: []byte("id-1"),
		ContentLength: len(body), KeepAlive: true,
	}
}

func order123(body string) *wire.Request { return newRequest(wire.Post, "/v1/sync", "", body) }

var stepNames = map[Target]string{DownstreamA: "a", DownstreamB: "b", Timer: "timer", CPU: "cpu"}

// drive runs a request through f to its end and returns the calls it made, by name, and the bytes of each.
func drive(t require.TestingT, f *Flow, h *Handler, req *wire.Request, w world) (steps string, sent []string) {
	var names []string
	call := f.Start(h, req)
	for call.To != Done {
		require.Less(t, len(names), 5, "a flow must end")
		name, outcome := stepNames[call.To], Outcome{}
		switch call.To {
		case DownstreamA:
			require.Equal(t, StageA, call.Stage)
			outcome = w.a
		case DownstreamB:
			require.Equal(t, StageB, call.Stage)
			outcome = w.b
		case Cache:
			name, outcome = "get", w.get
			if call.Stage == StageFill {
				name, outcome = "set", w.set
			}
		case Timer:
			name = fmt.Sprint(call.Delay)
		case CPU:
			name = fmt.Sprint(call.Iterations)
		}
		names, sent = append(names, name), append(sent, string(call.Bytes))
		call = f.Resume(outcome)
	}
	return strings.Join(names, " "), sent
}
