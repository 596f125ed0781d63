package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"poolvsloop/internal/flow"
	"poolvsloop/internal/wire"
)

// fiberStacks is --stack=fiber: the same routes as a Go team would write them, a fiber application with encoding/json,
// go-redis and fasthttp's client. Its workers, queue, limits and timeouts are those of --stack=wire, and so are its
// answers, but for what encoding/json takes and the flow refuses: keys in another case, repeated keys, unknown fields
// that nest.
type fiberStacks struct {
	serve  fasthttp.RequestHandler
	client *fiberClient
	ids    requestIDs
}

// fiberStack runs the application on one worker.
type fiberStack struct {
	serve fasthttp.RequestHandler
	ctx   fasthttp.RequestCtx
}

func newFiberStacks(s *server) *fiberStacks {
	stacks := &fiberStacks{client: newFiberClient(s), ids: newRequestIDs()}
	app := fiber.New(fiber.Config{
		DisableStartupMessage: true, CaseSensitive: true, StrictRouting: true, ErrorHandler: fiberProblem,
		BodyLimit: s.config.MaxBody,
	})
	app.Use(stacks.identify, stacks.time)
	order := &fiberOrder{client: stacks.client, waits: s.waits}
	app.Post(orderPath, order.serve)
	app.Get(flow.HoldPath, order.hold)
	app.Post(flow.HoldPath, order.hold)
	app.Get(flow.HealthPath, func(c *fiber.Ctx) error {
		if s.ready() != nil {
			return fiber.NewError(http.StatusServiceUnavailable, "not ready")
		}
		return c.JSON(fiber.Map{"status": "ok"})
	})
	stacks.serve = app.Handler()
	return stacks
}

func (f *fiberStacks) hire() stack {
	made := &fiberStack{serve: f.serve}
	made.ctx.Init2(nil, nil, false)
	return made
}

func (f *fiberStacks) close() { f.client.close() }

// Keys of what the handlers find in the context of a request.
const (
	jobKey    = "job"
	timingKey = "timing"
)

// answer implements stack.
func (f *fiberStack) answer(dst []byte, j *job) (response []byte, status int) {
	ctx, r := &f.ctx, j.request
	ctx.ResetUserValues()
	ctx.Request.Reset()
	ctx.Response.Reset()
	ctx.Request.Header.SetMethod(r.Method.String())
	target := r.Path
	if len(r.Query) > 0 {
		target = append(append(append([]byte(nil), r.Path...), '?'), r.Query...)
	}
	ctx.Request.SetRequestURIBytes(target)
	ctx.Request.SetBodyRaw(r.Body)
	ctx.SetUserValue(jobKey, j)
	f.serve(ctx)
	header := &ctx.Response.Header
	header.SetServer("poolvsloop")
	header.SetContentType(fiber.MIMEApplicationJSON)
	switch {
	case j.settle() == wire.Close:
		header.SetConnectionClose()
	case r.HTTP10:
		header.Set(fiber.HeaderConnection, "keep-alive")
	}
	body := ctx.Response.Body()
	header.SetContentLength(len(body))
	dst = header.AppendBytes(dst)
	if r.Method != wire.Head {
		dst = append(dst, body...)
	}
	status = ctx.Response.StatusCode()
	if len(body) > wire.MaxKept {
		f.ctx.Response = fasthttp.Response{} // lets the memory of the body go
	}
	return dst, status
}

// close implements stack.
func (*fiberStack) close() {}

func jobOf(c *fiber.Ctx) *job { return c.Context().UserValue(jobKey).(*job) }

// identify gives every request an id.
func (f *fiberStacks) identify(c *fiber.Ctx) error {
	id := string(jobOf(c).request.ID)
	if id == "" {
		id = f.ids.next()
	}
	c.Set(fiber.HeaderXRequestID, id)
	return c.Next()
}

// requestIDs makes ids as the flow does: 8 hexadecimal digits of the process, 8 that count.
type requestIDs struct {
	prefix string
	count  *atomic.Uint32
}

func newRequestIDs() requestIDs {
	var random [4]byte
	_, _ = rand.Read(random[:]) // never fails
	return requestIDs{hex.EncodeToString(random[:]), new(atomic.Uint32)}
}

func (i requestIDs) next() string { return fmt.Sprintf("%s%08x", i.prefix, i.count.Add(1)) }

// time sends Server-Timing to those that ask for it.
func (f *fiberStacks) time(c *fiber.Ctx) error {
	j := jobOf(c)
	if !j.request.Timing {
		return c.Next()
	}
	timing := flow.Timing{flow.StageQueue: j.waited}
	c.Context().SetUserValue(timingKey, &timing)
	err := c.Next()
	if err != nil {
		err = fiberProblem(c, err)
	}
	timing[flow.StageTotal] = time.Since(j.queued)
	c.Set("Server-Timing", string(timing.AppendServerTiming(nil)))
	return err
}

// stage notes how long a stage of the request takes: call what it returns at the stage's end.
func stage(c *fiber.Ctx, of flow.Stage) (end func()) {
	timing, ok := c.Context().UserValue(timingKey).(*flow.Timing)
	if !ok {
		return func() {}
	}
	begin := time.Now()
	return func() { timing[of] += time.Since(begin) }
}

// fiberProblem answers an error as the flow does.
func fiberProblem(c *fiber.Ctx, err error) error {
	status, text := http.StatusInternalServerError, "internal error"
	var known *fiber.Error
	if errors.As(err, &known) {
		status, text = known.Code, known.Message
	}
	var failed *stepError
	if errors.As(err, &failed) {
		return c.Status(failed.status).JSON(failed)
	}
	switch status {
	case http.StatusNotFound:
		text = "no such path"
	case http.StatusMethodNotAllowed:
		text = "method not allowed"
	}
	return c.Status(status).JSON(struct {
		Error string `json:"error"`
	}{text})
}

// hold serves GET|POST /v1/hold?ms=&size=&cpu=: see flow.HoldPath.
func (o *fiberOrder) hold(c *fiber.Ctx) error {
	ms, err := holdNumber(c, "ms", flow.MaxHoldMS)
	if err != nil {
		return err
	}
	cpu, err := holdNumber(c, "cpu", flow.MaxHoldCPU)
	if err != nil {
		return err
	}
	size, err := holdNumber(c, "size", flow.MaxHoldSize)
	if err != nil {
		return err
	}
	if ms > 0 {
		o.waits.sleep(time.Duration(ms) * time.Millisecond)
	}
	if cpu > 0 {
		_ = flow.Burn(cpu) // the work is what was asked for
	}
	if size == 0 {
		size = flow.DefaultHoldSize
	}
	answer := `{"server":"` + serverName + `","padding":"` + `"}`
	if size < len(answer) {
		return c.SendString("0" + strings.Repeat(" ", size-1))
	}
	return c.SendString(answer[:len(answer)-2] + strings.Repeat(".", size-len(answer)) + `"}`)
}

// holdNumber reads an argument from 0 to limit; an absent one is 0.
func holdNumber(c *fiber.Ctx, name string, limit int) (int, error) {
	if !c.Context().QueryArgs().Has(name) {
		return 0, nil
	}
	text := c.Query(name)
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil || n > uint64(limit) {
		return 0, fiber.NewError(http.StatusBadRequest, name+": want an integer from 0 to "+strconv.Itoa(limit))
	}
	return int(n), nil
}
