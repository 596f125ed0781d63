package equality

import (
	"fmt"
	"strings"
)

// Case is one connection and the requests sent on it, each after the answer to the one before.
type Case struct {
	Name     string
	Requests []Request
	// miss says that the case needs an empty cache.
	miss bool
}

// Request is one request and what its answer must be.
type Request struct {
	Method string
	// Target is the path with its query; empty is the side's order path.
	Target string
	// Proto is HTTP/1.1 or HTTP/1.0.
	Proto string
	// ID is sent as X-Request-Id when not empty. It is the same for every side, as it decides the downstreams' delays.
	ID string
	// Header are further lines, without line ends.
	Header []string
	Body   string
	// Status is the one that the answer must have, Contains what its body must hold.
	Status   int
	Contains string
}

// idLine is the name of the header line of a request's id.
const idLine = "X-Request-Id"

// orderBody is the order of all cases: one key in the cache.
const orderBody = `{"customer_id":"c-000042","sku":"sku-equality","quantity":3,"note":"equality"}`

// What an order's answer says of the cache.
const (
	hit  = `"cache":"hit "`
	miss = `"cache":"miss"`
)

// Cases returns all cases in the order in which they are sent: the first order finds an empty cache, the later ones hit.
func Cases() []Case {
	return []Case{
		orderMiss(),
		{Name: "order, cache hit", Requests: []Request{order(2, hit)}},
		{Name: "order with Server-Timing", Requests: []Request{with(order(3, hit), "X-Lab-Timing: 1")}},
		{Name: "order over HTTP/1.0", Requests: []Request{proto10(order(4, hit))}},
		{Name: "order over HTTP/1.0, keep-alive", Requests: []Request{with(proto10(order(5, hit)), "Connection: keep-alive")}},
		{Name: "keep-alive, three orders", Requests: []Request{
			order(6, hit), order(7, hit), with(order(8, hit), "Connection: close"),
		}},
		{Name: "order without a request id", Requests: []Request{{
			Method: "POST", Proto: "HTTP/1.1", Body: orderBody, Status: 200, Contains: hit,
		}}},
		{Name: "bad JSON", Requests: []Request{identified(9, Request{
			Method: "POST", Proto: "HTTP/1.1", Body: `{"customer_id":`, Status: 400, Contains: `"error"`,
		})}},
		{Name: "order without a SKU", Requests: []Request{identified(10, Request{
			Method: "POST", Proto: "HTTP/1.1", Body: `{"customer_id":"c-1","quantity":1}`, Status: 400, Contains: `"error"`,
		})}},
		{Name: "unknown path", Requests: []Request{get(11, "/v1/nowhere", 404, `"error"`)}},
		{Name: "wrong method", Requests: []Request{get(12, "", 405, `"error"`)}},
		{Name: "hold", Requests: []Request{get(13, "/v1/hold?ms=1&size=200&cpu=1000", 200, `"server"`)}},
		{Name: "HEAD of hold", Requests: []Request{identified(14, Request{
			Method: "HEAD", Target: "/v1/hold?size=200", Proto: "HTTP/1.1", Status: 200,
		})}},
		{Name: "health", Requests: []Request{get(15, "/healthz", 200, "")}},
	}
}

func orderMiss() Case {
	return Case{Name: "order, cache miss", Requests: []Request{order(1, miss)}, miss: true}
}

func order(id int, contains string) Request {
	return identified(id, Request{Method: "POST", Proto: "HTTP/1.1", Body: orderBody, Status: 200, Contains: contains})
}

func get(id int, target string, status int, contains string) Request {
	return identified(id, Request{Method: "GET", Target: target, Proto: "HTTP/1.1", Status: status, Contains: contains})
}

func identified(id int, r Request) Request {
	r.ID = fmt.Sprintf("equality-%02d", id)
	return r
}

// afterwards shows that a connection which was kept is of use.
func afterwards() Request { return get(99, "/healthz", 200, "") }

func with(r Request, line string) Request {
	r.Header = append(r.Header[:len(r.Header):len(r.Header)], line)
	return r
}

func proto10(r Request) Request {
	r.Proto = "HTTP/1.0"
	return r
}

// bytes is the request as it is sent to a side.
func (r Request) bytes(side Side) []byte {
	target := r.Target
	if target == "" {
		target = side.Path
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s\r\nHost: %s\r\n", r.Method, target, r.Proto, side.Addr)
	if r.ID != "" {
		b.WriteString(idLine + ": " + r.ID + "\r\n")
	}
	for _, line := range r.Header {
		b.WriteString(line + "\r\n")
	}
	if r.Body != "" {
		fmt.Fprintf(&b, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(r.Body))
	}
	b.WriteString("\r\n" + r.Body)
	return []byte(b.String())
}
