package admin

import (
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/adaptor"
	"github.com/gofiber/fiber/v2/middleware/pprof"
	recovery "github.com/gofiber/fiber/v2/middleware/recover"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

func newApp(p Program) *fiber.App {
	app := fiber.New(fiber.Config{
		AppName: p.Name, DisableStartupMessage: true, ErrorHandler: problem,
		ReadTimeout: 30 * time.Second, IdleTimeout: time.Minute,
	})
	app.Use(recovery.New(), pprof.New())
	addPages(app, p)
	if p.Routes != nil {
		p.Routes(app)
	}
	return app
}

func addPages(app *fiber.App, p Program) {
	if p.Ready != nil {
		app.Get("/healthz", func(c *fiber.Ctx) error { return health(c, p) })
	}
	if p.Gather != nil {
		app.Get("/metrics", adaptor.HTTPHandler(promhttp.HandlerFor(p.Gather, promhttp.HandlerOpts{})))
	}
	if p.Stats != nil {
		app.Get("/stats", func(c *fiber.Ctx) error { return c.JSON(p.Stats()) })
	}
	if p.Config != nil {
		app.Get("/config", func(c *fiber.Ctx) error { return c.JSON(p.Config()) })
	}
	if p.SetConfig != nil {
		app.Put("/config", func(c *fiber.Ctx) error { return setConfig(c, p) })
	}
	app.Post("/gc", collect)
}

func health(c *fiber.Ctx, p Program) error {
	if err := p.Ready(); err != nil {
		return fiber.NewError(fiber.StatusServiceUnavailable, err.Error())
	}
	return c.JSON(fiber.Map{"status": "ok", "name": p.Name})
}

// setConfig answers with the configuration in force after the change.
func setConfig(c *fiber.Ctx, p Program) error {
	if err := p.SetConfig(c.Body()); err != nil {
		return fiber.NewError(fiber.StatusBadRequest, err.Error())
	}
	if p.Config == nil {
		return c.SendStatus(fiber.StatusNoContent)
	}
	return c.JSON(p.Config())
}

// collect runs a garbage collection and gives free memory back to the system, so that what is measured next starts
// even.
func collect(c *fiber.Ctx) error {
	start := time.Now()
	runtime.GC()
	debug.FreeOSMemory()
	var after runtime.MemStats
	runtime.ReadMemStats(&after)
	return c.JSON(fiber.Map{
		"duration_s": time.Since(start).Seconds(), "heap_bytes": after.HeapAlloc, "collections": after.NumGC,
	})
}

// problem answers an error as JSON. fiber says 404 and 405, with Allow, when no page takes the request.
func problem(c *fiber.Ctx, err error) error {
	status, text := http.StatusInternalServerError, fmt.Sprint(err)
	var known *fiber.Error
	if errors.As(err, &known) {
		status, text = known.Code, known.Message
	}
	switch status {
	case http.StatusNotFound:
		text = "no such page: " + c.Path()
	case http.StatusMethodNotAllowed:
		text = fmt.Sprintf("%s %s: want %s", c.Method(), c.Path(), c.GetRespHeader(fiber.HeaderAllow))
	}
	return c.Status(status).JSON(fiber.Map{"error": text})
}
