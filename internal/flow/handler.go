package flow

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"poolvsloop/internal/wire"
)

// Paths that are the same in every server.
const (
	HealthPath = "/healthz"
	HoldPath   = "/v1/hold"
)

// Config is what a handler needs to know; URLs are http://host[:port][/prefix].
type Config struct {
	// Path is the route of the order handler: /v1/sync or /v1/async.
	Path string
	// Server is the value of "server" in answers: "pool" or "loop", four letters in all servers.
	Server string
	// DownstreamA and DownstreamB are base URLs.
	DownstreamA, DownstreamB string
	// CacheTTL is the life of a filled cache entry; whole seconds, at least one.
	CacheTTL time.Duration
	// Burn is the number of iterations of [Burn] that each order costs on top, 0 to MaxHoldCPU.
	Burn int
	// Retries is how many further calls of A or B an order makes after failed ones: late, cut, or not answered by HTTP 200.
	Retries int
	// Ready decides GET /healthz: 200 when true, 503 when false. Nil is always ready. It is called by whoever runs a
	// flow, from many goroutines at once.
	Ready func() bool
}

// Handler knows the routes. It is read-only after New, but for the counter of request ids, and shared by all workers
// and loops.
type Handler struct {
	config Config
	a, b   downstream
	routes []route
	prefix string
	ids    atomic.Uint32
}

// downstream is the base of a downstream's URLs.
type downstream struct{ host, prefix string }

// route is one path with the methods it answers.
type route struct {
	path     string
	methods  []wire.Method
	allow    string
	scenario scenario
}

// New returns the handler, or an error that names every setting that is wrong.
func New(c Config) (*Handler, error) {
	h := &Handler{config: c}
	var errA, errB, err error
	if h.a, errA = parseBase(c.DownstreamA); errA != nil {
		errA = fmt.Errorf("downstream A: %w", errA)
	}
	if h.b, errB = parseBase(c.DownstreamB); errB != nil {
		errB = fmt.Errorf("downstream B: %w", errB)
	}
	if err = errors.Join(c.validate(), errA, errB); err != nil {
		return nil, err
	}
	var random [4]byte
	rand.Read(random[:])
	h.prefix = hex.EncodeToString(random[:])
	h.routes = []route{
		newRoute(c.Path, scenario{(*Flow).startOrder, (*Flow).resumeOrder}, wire.Post),
		newRoute(HoldPath, scenario{(*Flow).startHold, (*Flow).resumeHold}, wire.Get, wire.Head, wire.Post),
		newRoute(HealthPath, scenario{start: (*Flow).startHealth}, wire.Get, wire.Head),
	}
	return h, nil
}

func (c *Config) validate() error {
	var errs []error
	taken := c.Path == HoldPath || c.Path == HealthPath
	if !strings.HasPrefix(c.Path, "/") || strings.ContainsAny(c.Path, "?# ") || taken {
		errs = append(errs, fmt.Errorf("path %q: want the path of a route of its own, such as /v1/sync", c.Path))
	}
	if len(c.Server) != 4 || strings.Trim(c.Server, "abcdefghijklmnopqrstuvwxyz") != "" {
		errs = append(errs, fmt.Errorf("server %q: want four lower-case letters, such as pool", c.Server))
	}
	if c.CacheTTL < time.Second || c.CacheTTL%time.Second != 0 {
		errs = append(errs, fmt.Errorf("cache ttl %v: want whole seconds, at least 1s", c.CacheTTL))
	}
	return errors.Join(errs...)
}

// parseBase splits a base URL into what goes into the Host line and in front of every path.
func parseBase(base string) (downstream, error) {
	u, err := url.Parse(base)
	switch {
	case err != nil:
		return downstream{}, err
	case u.Scheme != "http" || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return downstream{}, fmt.Errorf("%q: want http://host[:port][/prefix]", base)
	}
	return downstream{host: u.Host, prefix: strings.TrimRight(u.EscapedPath(), "/")}, nil
}

func newRoute(path string, s scenario, methods ...wire.Method) route {
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = m.String()
	}
	return route{path: path, methods: methods, allow: strings.Join(names, ", "), scenario: s}
}

func (r *route) allows(m wire.Method) bool {
	for _, allowed := range r.methods {
		if allowed == m {
			return true
		}
	}
	return false
}

// route finds the route of a raw path, nil when there is none.
func (h *Handler) route(path []byte) *route {
	for i := range h.routes {
		if h.routes[i].path == string(path) {
			return &h.routes[i]
		}
	}
	return nil
}

// appendID appends the request's id, or makes one of 16 hex digits: 8 random ones of the process, 8 that count.
func (h *Handler) appendID(dst []byte, req *wire.Request) []byte {
	if len(req.ID) > 0 {
		return append(dst, req.ID...)
	}
	dst = append(dst, h.prefix...)
	n := h.ids.Add(1)
	for shift := 28; shift >= 0; shift -= 4 {
		dst = append(dst, "0123456789abcdef"[n>>shift&15])
	}
	return dst
}

func (f *Flow) startHealth() Call {
	if ready := f.handler.config.Ready; ready != nil && !ready() {
		return f.problem(503, "not ready")
	}
	f.Response.Body = append(f.Response.Body, `{"status":"ok"}`...)
	return f.done(200)
}
