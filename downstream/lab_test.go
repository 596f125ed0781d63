package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"poolvsloop/internal/admin"
	"poolvsloop/internal/program"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		// fasthttp's own: one clock for the process, and a cleaner per server that looks every 10 s whether it may end.
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.updateServerDate.func1"),
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.(*workerPool).Start.func2"),
	)
}

// downstream is one that runs in the test's own process.
type downstream struct {
	*Server
	t      *testing.T
	client *http.Client
	url    string
	admin  string
}

func start(t *testing.T, args ...string) *downstream {
	t.Helper()
	settings := mustSettings(t, args...)
	server, err := NewServer(settings, zerolog.Nop())
	require.NoError(t, err)
	pages, err := admin.Listen(settings.Admin, adminPages(server, program.Limits{}), zerolog.Nop())
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve() }()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}, Timeout: 10 * time.Second}
	t.Cleanup(func() {
		client.CloseIdleConnections()
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		assert.NoError(t, server.Shutdown(ctx))
		assert.NoError(t, <-ended)
		assert.NoError(t, pages.Close())
	})
	return &downstream{
		Server: server, t: t, client: client,
		url: "http://" + server.Addr().String(), admin: "http://" + pages.Addr().String(),
	}
}

// answer is what came back of a request, and how long that took.
type answer struct {
	status int
	header http.Header
	body   string
	took   time.Duration
}

// try sends a request with that id ("" for none). The error is the transport's.
func (d *downstream) try(method, url, id, body string) (answer, error) {
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	if id != "" {
		request.Header.Set("X-Request-Id", id)
	}
	sent := time.Now()
	response, err := d.client.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, string(content), time.Since(sent)}, err
}

func (d *downstream) must(method, url, id, body string) answer {
	d.t.Helper()
	a, err := d.try(method, url, id, body)
	require.NoError(d.t, err)
	return a
}

func (d *downstream) customer(id string) answer {
	d.t.Helper()
	return d.must(http.MethodGet, d.url+"/customers/c-000123", id, "")
}

func (d *downstream) quote(id, body string) answer {
	d.t.Helper()
	return d.must(http.MethodPost, d.url+"/quotes", id, body)
}

func (d *downstream) put(body string) answer {
	d.t.Helper()
	return d.must(http.MethodPut, d.admin+"/config", "", body)
}

// books reads the ledger as a load runner does, and checks it.
func (d *downstream) books() Report {
	d.t.Helper()
	return d.report(d.must(http.MethodGet, d.admin+"/ledger", "", ""))
}

func (d *downstream) zero() Report {
	d.t.Helper()
	return d.report(d.must(http.MethodPost, d.admin+"/reset", "", ""))
}

func (d *downstream) report(a answer) Report {
	d.t.Helper()
	require.Equal(d.t, http.StatusOK, a.status, a.body)
	var r Report
	require.NoError(d.t, json.Unmarshal([]byte(a.body), &r))
	requireBooks(d.t, r)
	return r
}

// eventually waits until the ledger is as wanted.
func (d *downstream) eventually(holds func(Report) bool, what string) Report {
	d.t.Helper()
	var r Report
	require.Eventually(d.t, func() bool { r = d.books(); return holds(r) }, 5*time.Second, time.Millisecond, what)
	return r
}

// waits waits until so many calls wait for their delay.
func (d *downstream) waits(calls int) {
	d.t.Helper()
	require.Eventually(d.t, func() bool { return waitingFor(d.timers) == calls }, 5*time.Second, time.Millisecond)
}

// waiting waits until so many calls wait at the concurrency limit.
func (d *downstream) waiting(calls int) {
	d.t.Helper()
	require.Eventually(d.t, func() bool { return d.gate.QueueDepth() == calls }, 5*time.Second, time.Millisecond)
}

// idWith looks for a request id whose draw is as wanted.
func idWith(t *testing.T, s Source, wanted func(Draw) bool) string {
	t.Helper()
	for i := range 100_000 {
		if id := fmt.Sprintf("r-%06d", i); wanted(s.Draw(id)) {
			return id
		}
	}
	t.Fatal("no such request id among 100,000")
	return ""
}
