package flow

import (
	"bytes"

	"poolvsloop/internal/wire"
)

// order is the handler POST /v1/sync or /v1/async: the customer from downstream A, the catalog entry from the cache,
// the quote from downstream B, which brings the entry too when the cache had none; then the cache is filled. With
// Config.Burn, CPU work comes first; with Config.Retries, a
// call of A or B that fails is made again.
type order struct {
	step     Stage // of the call that is out
	hit      bool
	fill     bool // the cache works and has no good entry
	customer customer
	quote    quote
	entry    entry

	customerID, sku []byte
	quantity        int
	retries         int // further calls of A or B that may follow failed ones
}

func (f *Flow) startOrder() Call {
	o := &f.order
	o.hit, o.fill, o.retries = false, false, f.handler.config.Retries
	if problem := f.readOrder(f.request.Body); problem != "" {
		return f.problem(400, problem)
	}
	if n := f.handler.config.Burn; n > 0 {
		o.step = StageTotal
		return Call{To: CPU, Stage: StageTotal, Iterations: n}
	}
	return f.askCustomer()
}

func (f *Flow) askCustomer() Call {
	a, o := &f.handler.a, &f.order
	f.part = append(append(f.part[:0], a.prefix...), "/customers/"...)
	f.part = append(f.part, o.customerID...)
	f.bytes = wire.AppendCall(f.bytes[:0], wire.Get, a.host, f.part, f.id, nil)
	return f.call(DownstreamA, StageA)
}

func (f *Flow) resumeOrder(out Outcome) Call {
	switch f.order.step {
	case StageTotal:
		return f.askCustomer()
	case StageA:
		return f.customerCame(out)
	case StageCache:
		return f.entryCame(out)
	case StageB:
		return f.quoteCame(out)
	}
	return f.filled(out)
}

// call sends f.bytes.
func (f *Flow) call(to Target, step Stage) Call {
	f.order.step = step
	return Call{To: to, Stage: step, Bytes: f.bytes}
}

func (f *Flow) customerCame(out Outcome) Call {
	if cause := causeOf(out); cause != nil {
		return f.again(cause, DownstreamA, StageA)
	}
	if !f.readCustomer(out.Reply.Body) {
		return f.failed(&malformed, StageA)
	}
	f.bytes = wire.AppendGet(f.bytes[:0], f.key())
	return f.call(Cache, StageCache)
}

// key makes the cache's key of the order's catalog entry in f.part.
func (f *Flow) key() []byte {
	f.part = append(append(f.part[:0], "catalog:"...), f.order.sku...)
	return f.part
}

// entryCame goes on whatever the cache said: a cache that fails is a miss, which is not filled afterwards.
func (f *Flow) entryCame(out Outcome) Call {
	o := &f.order
	switch {
	case out.Failure == OK && out.Value.Kind == wire.Null:
		o.fill = true
	case out.Failure == OK && out.Value.Kind == wire.Bulk:
		o.hit = f.readEntry(out.Value.Data)
		o.fill, f.cacheFailed = !o.hit, !o.hit
	default:
		f.cacheFailed = true
	}
	b := &f.handler.b
	path := append(append(f.part[:0], b.prefix...), "/quotes"...)
	f.part = o.appendQuoteRequest(path)
	f.bytes = wire.AppendCall(f.bytes[:0], wire.Post, b.host, f.part[:len(path)], f.id, f.part[len(path):])
	return f.call(DownstreamB, StageB)
}

func (f *Flow) quoteCame(out Outcome) Call {
	if cause := causeOf(out); cause != nil {
		return f.again(cause, DownstreamB, StageB)
	}
	if !f.readQuote(out.Reply.Body) {
		return f.failed(&malformed, StageB)
	}
	if !f.order.fill {
		return f.answer()
	}
	key := f.key()
	f.part = f.order.entry.appendJSON(f.part, f.order.sku)
	f.bytes = wire.AppendSet(f.bytes[:0], f.part[:len(key)], f.part[len(key):], f.handler.config.CacheTTL)
	return f.call(Cache, StageFill)
}

// filled answers whether the entry was stored or not.
func (f *Flow) filled(out Outcome) Call {
	stored := out.Failure == OK && out.Value.Kind == wire.Simple && bytes.Equal(out.Value.Data, []byte("OK"))
	f.cacheFailed = f.cacheFailed || !stored
	return f.answer()
}

func (f *Flow) answer() Call {
	f.Response.Body = f.order.appendAnswer(f.Response.Body, f.handler.config.Server)
	return f.done(200)
}

// cause is why a downstream's answer can't be used, and what the client is told.
type cause struct {
	status int
	text   string
}

var (
	unreachable = cause{502, "downstream down"}
	late        = cause{504, "downstream late"}
	malformed   = cause{502, "downstream answer malformed"}
	unexpected  = cause{502, "downstream status unexpected"}
)

// causeOf returns nil when a downstream answered 200.
func causeOf(out Outcome) *cause {
	switch {
	case out.Failure == Late:
		return &late
	case out.Failure == Down:
		return &unreachable
	case out.Failure != OK || out.Reply == nil:
		return &malformed
	case out.Reply.Status != 200:
		return &unexpected
	}
	return nil
}

// again makes a failed call once more, at once and with the same bytes, while the order has retries left; then it fails.
func (f *Flow) again(c *cause, to Target, step Stage) Call {
	if f.order.retries == 0 {
		return f.failed(c, step)
	}
	f.order.retries--
	return f.call(to, step)
}

// failed ends the flow with a problem that names the step, "a" or "b".
func (f *Flow) failed(c *cause, step Stage) Call {
	body := f.Response.Body
	body = append(append(append(body, `{"error":"`...), c.text...), `","step":"`...)
	f.Response.Body = append(append(body, step.String()...), `"}`...)
	return f.done(c.status)
}
