package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/stretchr/testify/require"

	"poolvsloop/internal/equality"
)

// world is two downstreams and a cache.
type world struct {
	a, b  *httptest.Server
	cache *miniredis.Miniredis
}

// newWorld starts them. Downstream A fails as the customer's id says; B answers what it was asked for.
func newWorld(t *testing.T) *world {
	w := &world{cache: miniredis.RunT(t)}
	w.a = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		id := strings.TrimPrefix(in.URL.Path, "/customers/")
		switch id {
		case "down":
			panic(http.ErrAbortHandler)
		case "late":
			<-in.Context().Done()
		case "error":
			out.WriteHeader(http.StatusInternalServerError)
		case "unlike":
			fmt.Fprint(out, `{"customer_id":"another","tier":"gold","discount_bp":250}`)
		case "partial":
			fmt.Fprintf(out, `{"customer_id":%q}`, id)
		case "text":
			fmt.Fprint(out, `hello`)
		default:
			fmt.Fprintf(out, `{"customer_id":%q,"tier":"gold","discount_bp":250}`, id)
		}
	}))
	t.Cleanup(w.a.Close)
	w.b = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		var asked struct {
			SKU    string `json:"sku"`
			Wanted bool   `json:"catalog_wanted"`
		}
		_ = json.NewDecoder(in.Body).Decode(&asked) // checked by what comes back
		name, id, entry := "<Item> & more", "q-1", ""
		switch asked.SKU {
		case "name-72", "name-73":
			name = strings.Repeat("n", length(asked.SKU))
		case "quote-32", "quote-33":
			id = strings.Repeat("q", length(asked.SKU))
		}
		if asked.Wanted && asked.SKU != "unknown" {
			entry = fmt.Sprintf(`,"catalog":{"sku":%q,"name":%q,"list_price":100}`, asked.SKU, name)
		}
		fmt.Fprintf(out, `{"quote_id":%q,"unit_price":95,"total":285%s}`, id, entry)
	}))
	t.Cleanup(w.b.Close)
	return w
}

// length is the number at the end of a sku.
func length(sku string) (n int) {
	_, number, _ := strings.Cut(sku, "-")
	n, _ = strconv.Atoi(number)
	return n
}

func (w *world) use(c *Config) {
	c.DownstreamA, c.DownstreamB, c.Redis = w.a.URL, w.b.URL, w.cache.Addr()
	c.DownstreamTimeout = patience
}

// TestStacksAnswerAlike holds the stacks against each other as the load runner does, and in more corners.
func TestStacksAnswerAlike(t *testing.T) {
	modes(t, func(t *testing.T, mode func(*Config)) {
		w := newWorld(t)
		servers := map[string]*running{}
		var sides []equality.Side
		for _, stack := range stackKinds {
			servers[stack] = start(t, testConfig(mode, w.use, func(c *Config) { c.Stack = stack }), nil)
			sides = append(sides, equality.Side{Name: stack, Addr: servers[stack].address(), Path: orderPath})
		}
		result, err := equality.Check(context.Background(), sides, func(context.Context) error {
			w.cache.FlushAll()
			return nil
		})
		require.NoError(t, err)
		require.Empty(t, result.Differences)
		for name, request := range corners() {
			t.Run(name, func(t *testing.T) {
				var seen [2]reply
				for i, stack := range stackKinds {
					w.cache.FlushAll()
					require.NoError(t, w.cache.Set("catalog:rubbish", "rubbish"))
					require.NoError(t, w.cache.Set("catalog:another", `{"sku":"x","name":"x","list_price":1}`))
					seen[i] = servers[stack].dial().send(request).next()
					seen[i].header.Del("Date")
				}
				require.Equal(t, seen[0], seen[1])
			})
		}
		require.Equal(t, servers[StackWire].meter.Counts().CacheFailOpen, servers[StackFiber].meter.Counts().CacheFailOpen)
		require.Equal(t, servers[StackWire].meter.Counts().Calls, servers[StackFiber].meter.Counts().Calls)
	})
}

// corners are requests whose answers must be alike, by what is odd about them.
func corners() map[string]string {
	const id = "X-Request-Id: corner"
	requests := map[string]string{
		"OPTIONS":      "OPTIONS " + orderPath + " HTTP/1.1\r\nHost: test\r\n" + id + "\r\n\r\n",
		"DELETE hold":  "DELETE /v1/hold HTTP/1.1\r\nHost: test\r\n" + id + "\r\n\r\n",
		"trailing /":   get("/v1/hold/", id),
		"other case":   get("/V1/hold", id),
		"double slash": get("/v1//hold", id),
		"escaped":      get("/v1/h%6fld", id),
	}
	for _, query := range []string{
		"", "ms=", "ms=x", "ms=-1", "ms=+1", "ms=600001", "ms=1&ms=x", "ms=%31", "cpu=10000000001", "cpu=1", "size=0",
		"size=1", "size=33", "size=34", "size=33554433", "size=99999999999999999999", "other=1", "%zz=1",
	} {
		requests["hold?"+query] = get("/v1/hold?"+query, id)
	}
	order := func(customer, sku, quantity string) string {
		return fmt.Sprintf(`{"customer_id":%s,"sku":%s,"quantity":%s}`, customer, sku, quantity)
	}
	for _, body := range []string{
		"", "{", "null", "[]", `"x"`, "{}", "{}x", " {} ", order(`"c"`, `"s"`, "3"), order(`"c"`, `"s"`, "3") + " ",
		order(`"c"`, `"s"`, "3") + "x", order(`""`, `"s"`, "3"), order(`1`, `"s"`, "3"), order(`"c/1"`, `"s"`, "3"),
		order(`"`+strings.Repeat("c", 64)+`"`, `"s"`, "3"), order(`"`+strings.Repeat("c", 65)+`"`, `"s"`, "3"),
		order(`"c"`, `"s s"`, "3"), order(`"c"`, `{}`, "3"), order(`"c"`, `"s"`, "0"), order(`"c"`, `"s"`, "-1"),
		order(`"c"`, `"s"`, "1000000"), order(`"c"`, `"s"`, "1000001"), order(`"c"`, `"s"`, "1.5"),
		order(`"c"`, `"s"`, `"3"`),
		order(`"c"`, `"s"`, `3,"note":1`), order(`"c"`, `"s"`, `3,"note":"\u00e9"`), order(`"c"`, `"s"`, `3,"more":true`),
		order(`"down"`, `"s"`, "3"), order(`"error"`, `"s"`, "3"), order(`"unlike"`, `"s"`, "3"),
		order(`"partial"`, `"s"`, "3"), order(`"text"`, `"s"`, "3"),
		order(`"c"`, `"rubbish"`, "3"), order(`"c"`, `"another"`, "3"), order(`"c"`, `"unknown"`, "3"),
		order(`"c"`, `"name-72"`, "3"), order(`"c"`, `"name-73"`, "3"), order(`"c"`, `"quote-32"`, "3"), order(`"c"`, `"quote-33"`, "3"),
	} {
		requests["order "+body] = post(orderPath, fmt.Sprintf("%d\r\n%s", len(body), id)) + body
	}
	return requests
}

// A downstream that is late is told apart from one that is down, by both stacks.
func TestStacksTellLateAlike(t *testing.T) {
	modes(t, func(t *testing.T, mode func(*Config)) {
		w := newWorld(t)
		for _, stack := range stackKinds {
			t.Run(stack, func(t *testing.T) {
				s := start(t, testConfig(mode, w.use, func(c *Config) {
					c.Stack, c.DownstreamTimeout = stack, 100*time.Millisecond
				}), nil)
				body := `{"customer_id":"late","sku":"s","quantity":1}`
				r := s.dial().send(post(orderPath, fmt.Sprint(len(body))) + body).expect(504)
				require.Equal(t, `{"error":"downstream late","step":"a"}`, r.body)
				require.Equal(t, uint64(1), s.meter.Counts().Calls["downstream_a"]["late"])
			})
		}
	})
}
