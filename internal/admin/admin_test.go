package admin

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		// fasthttp's worker pool looks every 10 s whether it was stopped; its clock never ends.
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.(*workerPool).Start.func2"),
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.updateServerDate.func1"))
}

type answer struct {
	status int
	body   string
	kind   string
}

// start serves p and returns a client of it.
func start(t *testing.T, p Program) func(method, path, body string) answer {
	t.Helper()
	s, err := Listen("127.0.0.1:0", p, zerolog.Nop())
	require.NoError(t, err)
	transport := &http.Transport{}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		require.NoError(t, s.Close())
	})
	client := &http.Client{Transport: transport}
	return func(method, path, body string) answer {
		req, err := http.NewRequestWithContext(t.Context(), method, "http://"+s.Addr().String()+path, strings.NewReader(body))
		require.NoError(t, err)
		resp, err := client.Do(req)
		require.NoError(t, err)
		defer resp.Body.Close()
		got, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return answer{resp.StatusCode, string(got), resp.Header.Get("Content-Type")}
	}
}

func full() (Program, *atomic.Bool) {
	var ready atomic.Bool
	registry := prometheus.NewRegistry()
	registry.MustRegister(prometheus.NewCounter(prometheus.CounterOpts{Name: "lab_things_total", Help: "x"}))
	limit := 1
	return Program{
		Name:   "lamp",
		Gather: registry,
		Ready: func() error {
			if !ready.Load() {
				return errors.New("warming up")
			}
			return nil
		},
		Stats:  func() any { return map[string]int{"answered": 3} },
		Config: func() any { return map[string]int{"limit": limit} },
		SetConfig: func(body []byte) error {
			var wanted struct{ Limit int }
			if err := json.Unmarshal(body, &wanted); err != nil {
				return err
			}
			limit = wanted.Limit
			return nil
		},
		Routes: func(r fiber.Router) {
			r.Get("/ledger", func(c *fiber.Ctx) error { return c.JSON([]int{1, 2}) })
			r.Post("/reset", func(*fiber.Ctx) error { return errors.New("stuck") })
			r.Post("/panic", func(*fiber.Ctx) error { panic("bug") })
		},
	}, &ready
}

func TestPages(t *testing.T) {
	p, ready := full()
	ask := start(t, p)
	require.Equal(t, answer{503, `{"error":"warming up"}`, "application/json"}, ask("GET", "/healthz", ""))
	ready.Store(true)
	cases := []struct {
		method, path, body string
		status             int
		says               string
	}{
		{"GET", "/healthz", "", 200, `"status":"ok"`},
		{"GET", "/metrics", "", 200, "lab_things_total 0"},
		{"GET", "/stats", "", 200, `{"answered":3}`},
		{"GET", "/config", "", 200, `{"limit":1}`},
		{"PUT", "/config", `{"limit":5}`, 200, `{"limit":5}`},
		{"PUT", "/config", `{"limit":`, 400, `{"error":"unexpected end of JSON input"}`},
		{"GET", "/config", "", 200, `{"limit":5}`},
		{"POST", "/gc", "", 200, `"heap_bytes":`},
		{"GET", "/debug/pprof/", "", 200, "goroutine"},
		{"GET", "/debug/pprof/heap", "", 200, ""},
		{"GET", "/ledger", "", 200, `[1,2]`},
		{"POST", "/reset", "", 500, `{"error":"stuck"}`},
		{"POST", "/panic", "", 500, `{"error":"bug"}`},
		{"GET", "/nothing", "", 404, `{"error":"no such page: /nothing"}`},
		{"PUT", "/nothing", "", 404, `{"error":"no such page: /nothing"}`},
		{"GET", "/gc", "", 405, `{"error":"GET /gc: want POST"}`},
		{"POST", "/config", "{}", 405, `{"error":"POST /config: want GET, HEAD, PUT"}`},
		{"DELETE", "/stats", "", 405, `{"error":"DELETE /stats: want GET, HEAD"}`},
		{"POST", "/metrics", "", 405, `{"error":"POST /metrics: want GET, HEAD"}`},
		{"GET", "/reset", "", 405, `{"error":"GET /reset: want POST"}`},
	}
	for _, c := range cases {
		t.Run(c.method+" "+c.path, func(t *testing.T) {
			got := ask(c.method, c.path, c.body)
			require.Equal(t, c.status, got.status, got.body)
			require.Contains(t, got.body, c.says)
			if c.status >= 400 {
				require.Equal(t, "application/json", got.kind)
			}
		})
	}
}

func TestPagesLeftOut(t *testing.T) {
	ask := start(t, Program{Name: "lamp"})
	for _, path := range []string{"/healthz", "/metrics", "/stats", "/config"} {
		require.Equal(t, 404, ask("GET", path, "").status, path)
	}
	require.NotEqual(t, 200, ask("PUT", "/config", "{}").status)
	ask = start(t, Program{SetConfig: func([]byte) error { return nil }})
	require.Equal(t, 204, ask("PUT", "/config", "{}").status)
}

func TestNoAdminPort(t *testing.T) {
	s, err := Listen("", Program{}, zerolog.Nop())
	require.NoError(t, err)
	require.Nil(t, s.Addr())
	require.NoError(t, s.Close())
}

func TestPortInUse(t *testing.T) {
	s, err := Listen("127.0.0.1:0", Program{}, zerolog.Nop())
	require.NoError(t, err)
	defer s.Close()
	_, err = Listen(s.Addr().String(), Program{}, zerolog.Nop())
	require.ErrorContains(t, err, "choose another --admin")
}

func TestCloseAtOnceFreesThePort(t *testing.T) {
	for range 20 {
		s, err := Listen("127.0.0.1:0", Program{}, zerolog.Nop())
		require.NoError(t, err)
		addr := s.Addr().String()
		require.NoError(t, s.Close())
		again, err := Listen(addr, Program{}, zerolog.Nop())
		require.NoError(t, err)
		require.NoError(t, again.Close())
	}
}

func TestChanges(t *testing.T) {
	const object = `want a JSON object such as {"workers": 20}`
	cases := map[string]struct {
		body string
		want map[string]string
		err  string
	}{
		"a number":         {`{"workers": 20}`, map[string]string{"workers": "20"}, ""},
		"a negative one":   {`{"queue": -1}`, map[string]string{"queue": "-1"}, ""},
		"a text":           {`{"max-lag": "50ms"}`, map[string]string{"max-lag": "50ms"}, ""},
		"white space":      {" {\"workers\":\t20 }\n", map[string]string{"workers": "20"}, ""},
		"nothing in it":    {`{}`, map[string]string{}, ""},
		"nothing":          {``, nil, object},
		"null":             {`null`, nil, object},
		"a list":           {`[20]`, nil, object},
		"a number alone":   {`20`, nil, object},
		"a text alone":     {`"workers"`, nil, object},
		"a null value":     {`{"workers": null}`, nil, "workers: want a text or a number, not null"},
		"a truth":          {`{"workers": true}`, nil, "workers: want a text or a number, not true"},
		"an object":        {`{"workers": {}}`, nil, "workers: want a text or a number, not {}"},
		"a list of values": {`{"workers": [1]}`, nil, "workers: want a text or a number, not [1]"},
		"two objects":      {`{"workers": 20}{}`, nil, object},
		"a brace too many": {`{"workers": 20}}`, nil, object},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := Changes([]byte(c.body), `{"workers": 20}`)
			require.Equal(t, c.want, got)
			if c.err == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, c.err)
		})
	}
}

func FuzzChanges(f *testing.F) {
	for _, body := range []string{`{"workers": 20}`, `{"max-lag":"50ms"}`, `null`, `{"a":"\u0000"}`, `{"a":-}`} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		changes, err := Changes(body, "{}")
		if (err == nil) == (changes == nil) {
			t.Fatalf("%q: %v with error %v", body, changes, err)
		}
	})
}
