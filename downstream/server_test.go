package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const orderOf3 = `{"customer_id":"c-000123","sku":"sku-00042","quantity":3,"tier":"gold","discount_bp":250,"catalog_wanted":%v}`

func TestCustomers(t *testing.T) {
	d := start(t, "--latency=0s")
	got := d.customer("r-1")
	assert.Equal(t, http.StatusOK, got.status)
	assert.Equal(t, "application/json", got.header.Get("Content-Type"))
	assert.Equal(t, `{"customer_id":"c-000123","tier":"gold","discount_bp":250}`, got.body)

	for path, want := range map[string]string{
		"c-000124":       `{"customer_id":"c-000124","tier":"silver","discount_bp":150}`,
		"c-000125":       `{"customer_id":"c-000125","tier":"bronze","discount_bp":100}`,
		"a%20b%22%00%2F": `{"customer_id":"a b\"\u0000/",`,
	} {
		assert.Contains(t, d.must(http.MethodGet, d.url+"/customers/"+path, "", "").body, want)
	}
	r := d.books()
	assert.Equal(t, uint64(4), r.Calls)
	assert.Equal(t, uint64(4), r.Answered)
	assert.Equal(t, map[string]uint64{"customers": 4}, r.Routes)
}

func TestQuotes(t *testing.T) {
	d := start(t, "--latency=0s", "--name=b")
	const priced = `"unit_price":62945,"total":184114`
	wanted, cached := d.quote("r-1", fmt.Sprintf(orderOf3, true)), d.quote("r-1", fmt.Sprintf(orderOf3, false))
	assert.Equal(t, http.StatusOK, wanted.status)
	assert.Regexp(t, `^{"quote_id":"[0-9a-f]{16}",`+priced+
		`,"catalog":{"sku":"sku-00042","name":"Item sku-00042","list_price":62945}}$`, wanted.body)
	assert.Regexp(t, `^{"quote_id":"[0-9a-f]{16}",`+priced+`}$`, cached.body)
	assert.Equal(t, wanted.body[:40], cached.body[:40], "the same request id gets the same quote id")
	assert.NotEqual(t, wanted.body[:40], d.quote("r-2", fmt.Sprintf(orderOf3, true)).body[:40])

	bad := d.quote("r-3", `{"sku":`)
	assert.Equal(t, http.StatusBadRequest, bad.status)
	assert.Regexp(t, `^{"error":"body: .*"}$`, bad.body)
	r := d.books()
	assert.Equal(t, uint64(3), r.Answered)
	assert.Equal(t, uint64(1), r.BadRequests)
}

func TestBodiesOfSeveralMiBAreTaken(t *testing.T) {
	d := start(t, "--latency=0s")
	body := strings.Replace(fmt.Sprintf(orderOf3, true), "{", `{"note":"`+strings.Repeat("x", 3<<20)+`",`, 1)
	assert.Equal(t, http.StatusOK, d.quote("r-1", body).status)
}

func TestWhatIsNoCall(t *testing.T) {
	d := start(t, "--latency=1m", "--error-share=1")
	assert.Equal(t, answer{status: http.StatusOK, body: `{"name":"a","status":"ok"}`},
		bare(d.must(http.MethodGet, d.url+"/healthz", "", "")))
	assert.Equal(t, http.StatusOK, d.must(http.MethodGet, d.admin+"/healthz", "", "").status)
	assert.Zero(t, d.books().Calls, "health checks are not in the books")

	assert.Equal(t, answer{status: http.StatusNotFound, body: `{"error":"no such route: GET /nothing"}`},
		bare(d.must(http.MethodGet, d.url+"/nothing", "", "")))
	assert.Equal(t, http.StatusNotFound, d.must(http.MethodPost, d.url+"/customers/c-1", "", "").status)
	assert.Equal(t, http.StatusBadRequest, d.quote("r-1", "{}").status, "at once, and in words of its own")
	r := d.books()
	assert.Equal(t, map[string]uint64{otherRoute: 2, "quotes": 1}, r.Routes)
	assert.Equal(t, uint64(3), r.BadRequests)
}

// bare leaves out what differs from run to run.
func bare(a answer) answer { return answer{status: a.status, body: a.body} }

func TestBrokenHTTPIsAnsweredAndNoCall(t *testing.T) {
	d := start(t)
	conn, err := net.Dial("tcp", d.Addr().String())
	require.NoError(t, err)
	defer conn.Close()
	_, err = conn.Write([]byte("GET / HTTP/1.1\r\nbroken\r\n\r\n"))
	require.NoError(t, err)
	response, err := http.ReadResponse(newReader(conn), nil)
	require.NoError(t, err)
	defer response.Body.Close()
	assert.Equal(t, http.StatusBadRequest, response.StatusCode)
	assert.Zero(t, d.books().Calls)
}

func TestDelaysAreDeliveredAndMeasured(t *testing.T) {
	d := start(t, "--latency=uniform:5ms..25ms")
	for i := range 10 {
		id := fmt.Sprintf("r-%d", i)
		want := d.settings.Load().model.Delay(NewSource(1, "a").Draw(id).Delay)
		assert.GreaterOrEqual(t, d.customer(id).took, want)
	}
	r := d.books()
	assert.GreaterOrEqual(t, r.IntendedMS.P50, 5.0)
	assert.GreaterOrEqual(t, r.DeliveredMS.Mean, r.IntendedMS.Mean)
	assert.InDelta(t, r.OvershootMS.Mean, r.DeliveredMS.Mean-r.IntendedMS.Mean, 1e-6)
}

func TestRequestsWithoutIDAreNumbered(t *testing.T) {
	d := start(t, "--latency=0s")
	first, second := d.quote("", fmt.Sprintf(orderOf3, true)), d.quote("", fmt.Sprintf(orderOf3, true))
	assert.NotEqual(t, first.body, second.body)
	assert.Equal(t, d.quote("1", fmt.Sprintf(orderOf3, true)).body, first.body)
	assert.Equal(t, d.quote("2", fmt.Sprintf(orderOf3, true)).body, second.body)
}

func TestTwoInstancesWithOneSeedAreAlike(t *testing.T) {
	args := []string{"--latency=uniform:0s..4ms", "--seed=7", "--error-share=0.3", "--name=b"}
	one, two := start(t, args...), start(t, args...)
	for i := range 40 {
		id := fmt.Sprintf("r-%d", i)
		assert.Equal(t, bare(one.quote(id, fmt.Sprintf(orderOf3, true))), bare(two.quote(id, fmt.Sprintf(orderOf3, true))))
	}
	first, second := one.books(), two.books()
	assert.Equal(t, first.IntendedMS, second.IntendedMS)
	assert.Equal(t, first.Errors, second.Errors)
	assert.NotZero(t, first.Errors)
	assert.NotZero(t, first.Answered)
}

func TestConfigIsShownAndChanged(t *testing.T) {
	d := start(t, "--latency=1h", "--name=b")
	var shown map[string]any
	require.NoError(t, json.Unmarshal([]byte(d.must(http.MethodGet, d.admin+"/config", "", "").body), &shown))
	assert.Equal(t, "1h", shown["latency"])
	assert.Equal(t, "b", shown["name"])
	assert.Contains(t, shown, "limits")

	changed := d.put(`{"latency":"1ms","error-share":1,"error-status":502}`)
	assert.Equal(t, http.StatusOK, changed.status)
	assert.Contains(t, changed.body, `"latency":"1ms"`)
	assert.Equal(t, answer{status: http.StatusBadGateway, body: `{"error":"injected error"}`}, bare(d.customer("r-1")))

	refused := d.put(`{"latency":"0s","error-status":200}`)
	assert.Equal(t, http.StatusBadRequest, refused.status)
	assert.Contains(t, refused.body, "--error-status 200: want 400 to 599")
	assert.Equal(t, "1ms", d.Values()["latency"], "a refused change changes nothing")
	assert.Equal(t, http.StatusBadRequest, d.put(`{"latncy":"1ms"}`).status)
	assert.Equal(t, http.StatusBadGateway, d.customer("r-1").status)
}

func TestConfigChangesMidFlight(t *testing.T) {
	d := start(t, "--latency=1h")
	waited := make(chan answer)
	go func() {
		a, err := d.try(http.MethodGet, d.url+"/customers/c-1", "r-1", "")
		assert.NoError(t, err)
		waited <- a
	}()
	d.waits(1)
	d.put(`{"latency":"1ms"}`)
	d.customer("r-2")
	r := d.books()
	assert.Equal(t, uint64(1), r.Answered, "new calls meet the new delay")
	assert.Equal(t, 1, r.InFlight, "a call that waits keeps the delay it came to")
	require.NoError(t, d.timers.Close())
	assert.Equal(t, http.StatusOK, (<-waited).status)
}

func TestBooksAreExactUnderConcurrentClientsAndResets(t *testing.T) {
	const clients, each = 64, 25
	d := start(t, "--latency=uniform:0s..4ms", "--error-share=0.1", "--concurrency-limit=48")
	var good, failed atomic.Uint64
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			for n := range each {
				a, err := d.try(http.MethodGet, fmt.Sprintf("%s/customers/c-%d", d.url, n), fmt.Sprintf("r-%d-%d", i, n), "")
				switch {
				case assert.NoError(t, err) && a.status == http.StatusOK:
					good.Add(1)
				default:
					failed.Add(1)
				}
			}
		})
	}
	var epochs []Report
	resets := make(chan struct{})
	go func() {
		defer close(resets)
		for range 20 {
			epochs = append(epochs, d.zero())
		}
	}()
	all.Wait()
	<-resets
	last := d.zero()
	assert.Zero(t, last.InFlight)
	assert.Zero(t, last.InFlightBefore)
	epochs = append(epochs, last)
	calls := uint64(0)
	for i, e := range epochs {
		assert.Equal(t, uint64(i+1), e.Epoch)
		calls += e.Calls
	}
	assert.Equal(t, uint64(clients*each), calls, "every call is in exactly one epoch")
	total := d.ledger.Total()
	assert.Equal(t, good.Load(), total.outcomes[Answered])
	assert.Equal(t, failed.Load(), total.outcomes[Failed])
	assert.NotZero(t, failed.Load())
}

func TestConnectionsAreCounted(t *testing.T) {
	d := start(t, "--latency=0s")
	d.customer("r-1")
	d.customer("r-2")
	r := d.books()
	assert.Equal(t, 1, r.Connections, "kept alive")
	assert.Equal(t, uint64(1), r.Accepted)
	d.client.CloseIdleConnections()
	d.eventually(func(r Report) bool { return r.Connections == 0 }, "the client has closed")
}

func TestMetricsGoOnOverResets(t *testing.T) {
	d := start(t, "--latency=1ms", "--name=b")
	d.customer("r-1")
	d.zero()
	d.customer("r-2")
	d.must(http.MethodGet, d.url+"/nothing", "", "")
	expected := `
		# HELP lab_downstream_calls_total Requests that came in.
		# TYPE lab_downstream_calls_total counter
		lab_downstream_calls_total{name="b",route="customers"} 2
		lab_downstream_calls_total{name="b",route="other"} 1
		# HELP lab_downstream_in_flight Calls in flight.
		# TYPE lab_downstream_in_flight gauge
		lab_downstream_in_flight{name="b"} 0
	`
	registry := newRegistry(d.Server)
	require.NoError(t, testutil.GatherAndCompare(registry, strings.NewReader(expected),
		"lab_downstream_calls_total", "lab_downstream_in_flight"))
	problems, err := testutil.GatherAndLint(registry)
	require.NoError(t, err)
	for _, p := range problems {
		assert.NotContains(t, p.Metric, "lab_", p.Text)
	}
	page := d.must(http.MethodGet, d.admin+"/metrics", "", "").body
	assert.Contains(t, page, `lab_downstream_delay_overshoot_seconds{name="b",quantile="0.99"}`)
	assert.Contains(t, page, `lab_downstream_delay_overshoot_seconds_count{name="b"} 2`)
	assert.Contains(t, page, `lab_downstream_outcomes_total{name="b",outcome="answered"} 2`)
}

func TestShutdownAnswersWhatIsInFlight(t *testing.T) {
	server, err := NewServer(mustSettings(t, "--latency=500ms"), zerolog.Nop())
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve() }()
	status := make(chan int)
	go func() {
		response, err := http.Get("http://" + server.Addr().String() + "/customers/c-1")
		if !assert.NoError(t, err) {
			status <- 0
			return
		}
		assert.NoError(t, response.Body.Close())
		status <- response.StatusCode
	}()
	require.Eventually(t, func() bool { return server.Report().InFlight == 1 }, 5*time.Second, time.Millisecond)
	require.NoError(t, server.Shutdown(context.Background()))
	require.NoError(t, <-ended)
	assert.Equal(t, http.StatusOK, <-status)
	_, err = net.Dial("tcp", server.Addr().String())
	require.Error(t, err)
	http.DefaultClient.CloseIdleConnections()
}

func TestShutdownGivesUpWhenTimeIsOver(t *testing.T) {
	server, err := NewServer(mustSettings(t, "--latency=1h"), zerolog.Nop())
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve() }()
	conn, err := net.Dial("tcp", server.Addr().String())
	require.NoError(t, err)
	defer conn.Close()
	_, err = conn.Write([]byte("GET /customers/c-1 HTTP/1.1\r\nHost: a\r\n\r\n"))
	require.NoError(t, err)
	require.Eventually(t, func() bool { return waitingFor(server.timers) == 1 }, 5*time.Second, time.Millisecond)
	over, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	err = server.Shutdown(over)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorContains(t, err, "1 calls in flight")
	require.NoError(t, <-ended)
	require.Eventually(t, func() bool { return server.Report().InFlight == 0 }, 5*time.Second, time.Millisecond)
}

func TestAddressInUseIsSaid(t *testing.T) {
	d := start(t)
	settings := mustSettings(t)
	settings.Addr = d.Addr().String()
	_, err := NewServer(settings, zerolog.Nop())
	require.ErrorContains(t, err, d.Addr().String())
}
