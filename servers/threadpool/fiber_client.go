package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"
	"github.com/valyala/fasthttp"
	"golang.org/x/sys/unix"

	"poolvsloop/internal/config"
	"poolvsloop/internal/flow"
	"poolvsloop/internal/meter"
	"poolvsloop/internal/wire"
)

// fiberClient calls downstreams and cache by fasthttp's client and go-redis. All workers share it; in thread mode its
// connections block in the kernel.
type fiberClient struct {
	meter        *meter.Server
	waits        waiting
	a, b         *fasthttp.HostClient
	baseA, baseB string
	cache        *redis.Client
	timeout      time.Duration // of a downstream call
	cacheTimeout time.Duration
	ttl          time.Duration
	burn         int // iterations of CPU work of an order
}

func newFiberClient(s *server) *fiberClient {
	c := &s.config
	logging.Disable() // a cache that is down would cost lines for every request; it is counted
	made := &fiberClient{
		meter: s.meter, waits: s.waits, timeout: c.DownstreamTimeout, cacheTimeout: c.CacheTimeout, ttl: c.CacheTTL,
		burn:  c.Burn,
		a:     hostClient(config.AddressOf(c.DownstreamA), s.waits),
		b:     hostClient(config.AddressOf(c.DownstreamB), s.waits),
		baseA: c.DownstreamA, baseB: c.DownstreamB,
	}
	made.cache = redis.NewClient(&redis.Options{
		Addr: c.Redis, Protocol: 2, DisableIdentity: true, MaxRetries: -1, DialerRetries: 1,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
		PoolSize:                 config.MostWorkers, ContextTimeoutEnabled: true,
		DialTimeout: c.CacheTimeout, ReadTimeout: c.CacheTimeout, WriteTimeout: c.CacheTimeout, PoolTimeout: c.CacheTimeout,
		Dialer: func(_ context.Context, _, addr string) (net.Conn, error) { return s.waits.dial(addr, c.CacheTimeout) },
	})
	return made
}

// hostClient returns a client of one downstream. It never sends a request twice; see send.
func hostClient(addr string, waits waiting) *fasthttp.HostClient {
	return &fasthttp.HostClient{
		Addr: addr, MaxConns: config.MostWorkers, MaxIdemponentCallAttempts: 1, NoDefaultUserAgentHeader: true,
		MaxResponseBodySize: wire.ReplyLimits.MaxBody, DialTimeout: waits.dial,
	}
}

// send makes an HTTP call. When the connection ended without an answer, its idle ones are likely dead too: they are
// closed, and the request is sent once more, on a new connection of its own.
func (f *fiberClient) send(
	client *fasthttp.HostClient, target flow.Target, request *fasthttp.Request, response *fasthttp.Response,
) error {
	deadline := time.Now().Add(f.timeout)
	request.SetTimeout(f.timeout)
	err := client.Do(request, response)
	if !endedUnanswered(err) {
		return err
	}
	f.meter.Resent(target)
	client.CloseIdleConnections()
	request.SetConnectionClose()
	request.SetTimeout(max(time.Until(deadline), time.Nanosecond)) // 0 would be none
	return hostClient(client.Addr, f.waits).Do(request, response)
}

// endedUnanswered says that a connection ended before the first byte of an answer. Errors of the first read are
// ErrConnectionClosed; later ones must not be mistaken for errors of the write.
func endedUnanswered(err error) bool {
	var call *os.SyscallError
	return errors.Is(err, fasthttp.ErrConnectionClosed) || errors.As(err, &call) && call.Syscall == "write"
}

func (f *fiberClient) close() {
	f.a.CloseIdleConnections()
	f.b.CloseIdleConnections()
	_ = f.cache.Close() // the process ends
}

// customer asks downstream A.
func (f *fiberClient) customer(c *fiber.Ctx, id, customerID string) (*customer, error) {
	defer stage(c, flow.StageA)()
	var known customer
	err := f.call(f.a, flow.DownstreamA, id, fiber.MethodGet, f.baseA+"/customers/"+customerID, nil, &known)
	if err == nil && (known.CustomerID != customerID || !isWord(known.Tier) || len(known.Tier) > flow.MaxTier ||
		!numberWithin(known.DiscountBP, flow.MaxDiscount)) {
		err = malformed(flow.StageA)
	}
	return &known, err
}

// quote asks downstream B.
func (f *fiberClient) quote(c *fiber.Ctx, id string, wanted *quoteRequest) (*quote, error) {
	defer stage(c, flow.StageB)()
	body, err := encode(wanted)
	if err != nil {
		return nil, err
	}
	var given quote
	err = f.call(f.b, flow.DownstreamB, id, fiber.MethodPost, f.baseB+"/quotes", body, &given)
	if err == nil && (!isWord(given.QuoteID) || len(given.QuoteID) > flow.MaxQuoteID ||
		!numberWithin(given.UnitPrice, flow.MaxPrice) || !numberWithin(given.Total, flow.MaxPrice) || wanted.CatalogWanted && !given.Catalog.valid(wanted.SKU)) {
		err = malformed(flow.StageB)
	}
	return &given, err
}

// call makes one HTTP call and decodes its answer.
func (f *fiberClient) call(
	client *fasthttp.HostClient, target flow.Target, id, method, url string, body []byte, into any,
) error {
	request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(request)
	defer fasthttp.ReleaseResponse(response)
	request.Header.SetMethod(method)
	request.SetRequestURI(url)
	request.Header.Set(fiber.HeaderXRequestID, id)
	if body != nil {
		request.Header.SetContentType(fiber.MIMEApplicationJSON)
		request.SetBodyRaw(body)
	}
	step := flow.StageA
	if target == flow.DownstreamB {
		step = flow.StageB
	}
	failure := clientFailure(f.send(client, target, request, response))
	f.meter.Called(target, failure)
	switch {
	case failure == flow.Late:
		return &stepError{http.StatusGatewayTimeout, "downstream late", step.String()}
	case failure == flow.Down:
		return &stepError{http.StatusBadGateway, "downstream down", step.String()}
	case failure == flow.Malformed:
		return malformed(step)
	case response.StatusCode() != http.StatusOK:
		return &stepError{http.StatusBadGateway, "downstream status unexpected", step.String()}
	case json.Unmarshal(response.Body(), into) != nil:
		return malformed(step)
	}
	return nil
}

func malformed(step flow.Stage) error {
	return &stepError{http.StatusBadGateway, "downstream answer malformed", step.String()}
}

// clientFailure classifies an error of fasthttp's client, which has no type for an answer that it can't parse.
func clientFailure(err error) flow.Failure {
	var op *net.OpError
	var call *os.SyscallError
	switch {
	case err == nil:
		return flow.OK
	case errors.Is(err, fasthttp.ErrTimeout), flow.FailureOf(err) == flow.Late:
		return flow.Late
	case errors.Is(err, fasthttp.ErrConnectionClosed), errors.Is(err, io.ErrUnexpectedEOF),
		errors.As(err, &op), errors.As(err, &call):
		return flow.Down
	}
	return flow.Malformed
}

// errEntry is the error of a cached entry that can't be used.
var errEntry = errors.New("cached entry malformed")

// entry asks the cache; a miss is nil without an error.
func (f *fiberClient) entry(c *fiber.Ctx, sku string) (*catalogEntry, error) {
	defer stage(c, flow.StageCache)()
	var text []byte
	err := f.ask(func(ctx context.Context) (err error) {
		text, err = f.cache.Get(ctx, cacheKey(sku)).Bytes()
		return err
	})
	switch {
	case errors.Is(err, redis.Nil):
		return nil, nil
	case err != nil:
		return nil, err
	}
	var entry catalogEntry
	if json.Unmarshal(text, &entry) != nil || !entry.valid(sku) {
		return nil, errEntry
	}
	return &entry, nil
}

// fill stores an entry.
func (f *fiberClient) fill(c *fiber.Ctx, entry *catalogEntry) error {
	defer stage(c, flow.StageFill)()
	text, err := encode(entry)
	if err != nil {
		return err
	}
	return f.ask(func(ctx context.Context) error { return f.cache.Set(ctx, cacheKey(entry.SKU), text, f.ttl).Err() })
}

// ask makes a cache call within its timeout, and once more when its connection was dead.
func (f *fiberClient) ask(call func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), f.cacheTimeout)
	defer cancel()
	err := call(ctx)
	if errors.Is(err, io.EOF) || errors.Is(err, unix.ECONNRESET) || errors.Is(err, unix.EPIPE) {
		f.meter.Resent(flow.Cache)
		err = call(ctx)
	}
	failure := flow.FailureOf(err)
	if errors.Is(err, redis.Nil) {
		failure = flow.OK
	}
	f.meter.Called(flow.Cache, failure)
	return err
}

func cacheKey(sku string) string { return "catalog:" + sku }
