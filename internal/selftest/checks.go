package selftest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"slices"
	"strings"
	"time"

	"poolvsloop/internal/single"
)

// options are those of loadrunner run, by default.
func options() single.Options {
	return single.Options{Concurrency: 1, KeepAlive: true, Timeout: 5 * time.Second, Threads: 1, Arrivals: single.ConstantArrivals,
		Pipeline: 1, Variants: 1, Format: single.Text, Name: "selftest", Quiet: true}
}

// measure makes a run on a server of that behaviour and returns the report, and what the server counted.
func measure(ctx context.Context, b behaviour, o single.Options) (*single.Report, counts, error) {
	x, s, err := measureOn(ctx, b, o)
	if err != nil {
		return nil, counts{}, err
	}
	return x, s.counts(), nil
}

// measureOn makes a run on a server of that behaviour and returns the report, and the server, which is closed.
func measureOn(ctx context.Context, b behaviour, o single.Options) (*single.Report, *server, error) {
	s, err := startServer(b)
	if err != nil {
		return nil, nil, err
	}
	defer s.close()
	p, err := single.NewPlan(ctx, o, s.url()+"{{n}}")
	if err != nil {
		return nil, nil, err
	}
	x, err := single.Measure(ctx, p)
	return x, s, err
}

// expect returns an error that names all that is not as it should be.
func expect(faults ...string) error {
	var all []string
	for _, f := range faults {
		if f != "" {
			all = append(all, f)
		}
	}
	if len(all) > 0 {
		return errors.New(strings.Join(all, "; "))
	}
	return nil
}

// unless is a fault when the condition does not hold.
func unless(ok bool, format string, args ...any) string {
	if ok {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// checkStarvation: of 100 connections, 10 workers keep 10; the truth is that 90 wait for the whole run.
func checkStarvation(ctx context.Context) (string, error) {
	o := options()
	o.Concurrency, o.Duration, o.Timeout = 100, 1500*time.Millisecond, time.Second
	x, _, err := measure(ctx, starvingPool(10, time.Millisecond), o)
	if err != nil {
		return "", err
	}
	p99 := x.Percentile(99)
	seen := fmt.Sprintf("%d of %d connections starved, p99 ≥ %.2f s, N = %.1f of %d, %d warnings", x.Fairness.Starved,
		x.Fairness.Clients, float64(p99.Micros)/1e6, x.LittlesLaw.InFlight, x.LittlesLaw.Clients, len(x.Warnings))
	return seen, expect(
		unless(x.Fairness.Starved == 90, "%d connections starved, want 90", x.Fairness.Starved),
		unless(p99.AtLeast && p99.Micros >= o.Timeout.Microseconds(), "p99 is %d us, at least %t; want at least %s", p99.Micros,
			p99.AtLeast, o.Timeout),
		unless(within(x.LittlesLaw.InFlight, 10, 0.1), "N is %.2f, want 10 ± 10 %%", x.LittlesLaw.InFlight),
		unless(len(x.Warnings) > 0 || !x.Valid, "no warning"),
	)
}

// checkStall: 200 requests a second for 8 s, of which the server answers none for 1 s. Every request that is due then
// waits for the rest of that second: of all 1600, 1 % wait longer than 1 − 16/200 = 0.92 s. On a busy machine the server
// stalls longer than it should, so the truth is taken from its own clock: when it answered each request, less when that
// request was due.
func checkStall(ctx context.Context) (string, error) {
	const rate, requests, tolerance = 200, 1600, 0.03
	o := options()
	o.Rate, o.Duration, o.Variants = rate, requests/rate*time.Second, requests
	x, s, err := measureOn(ctx, stall(3*time.Second, 4*time.Second), o)
	if err != nil {
		return "", err
	}
	truth, err := s.waited(x.Started, requests, time.Second/rate)
	if err != nil {
		return "", err
	}
	p99 := float64(x.Percentile(99).Micros) / 1e6
	seen := fmt.Sprintf("p99 = %.3f s, truth by the server's clock %.3f s ± %g (by design 0.92)", p99, truth, tolerance)
	return seen, expect(
		unless(math.Abs(p99-truth) <= tolerance, "%s", seen),
		unless(truth > 0.89, "the server stalled for less than it should: p99 %.3f s", truth),
		unless(x.Requests.Planned == requests && x.Requests.Answered == requests, "%d of %d requests answered, want %d of them",
			x.Requests.Answered, x.Requests.Planned, requests),
	)
}

// waited is the 99th percentile, in seconds, of the times that passed until the server answered requests numbered by
// their paths, of which one was due every so often from start on.
func (s *server) waited(start time.Time, requests int, every time.Duration) (float64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]float64, requests)
	for n := range all {
		at, ok := s.answered[fmt.Sprintf("/%d", n)]
		if !ok {
			return 0, fmt.Errorf("request %d did not reach the server", n)
		}
		all[n] = at.Sub(start.Add(time.Duration(n) * every)).Seconds()
	}
	slices.Sort(all)
	return all[requests*99/100-1], nil
}

// checkBimodal: a closed loop's mean response time is clients by throughput, whatever the distribution; and nine of ten
// requests are of the fast kind.
func checkBimodal(ctx context.Context) (string, error) {
	const clients, fast, slow = 20, time.Millisecond, 100 * time.Millisecond
	o := options()
	o.Concurrency, o.Duration = clients, 7*time.Second
	x, _, err := measure(ctx, bimodal(fast, slow), o)
	if err != nil {
		return "", err
	}
	law := clients / x.ThroughputRPS * 1e3
	p75 := float64(x.Percentile(75).Micros) / 1e3
	return fmt.Sprintf("mean %.2f ms, c/X = %.2f ms, p75 %.2f ms", x.Response.MeanMS, law, p75), expect(
		unless(within(x.Response.MeanMS, law, 0.02), "mean is %.2f ms, want c/X = %.2f ms ± 2 %%", x.Response.MeanMS, law),
		unless(p75 < slow.Seconds()*1e3/2, "p75 is %.2f ms, want that of the fast kind", p75),
	)
}

// checkSilentClose: a server that ends connections after 50 answers. Every close is either behind an answer or meets a
// request, which then has failed; none is hidden, and no request is sent again.
func checkSilentClose(ctx context.Context) (string, error) {
	o := options()
	o.Concurrency, o.Requests, o.Variants = 10, 10_000, 10_000
	x, server, err := measure(ctx, silentClose(50), o)
	if err != nil {
		return "", err
	}
	closes := x.Connections.ClosedByServer + x.Connections.ClosedOnRequest
	seen := fmt.Sprintf("%d closes (%d behind an answer, %d met a request), the server made %d; %d requests sent again", closes,
		x.Connections.ClosedByServer, x.Connections.ClosedOnRequest, server.closes, server.resent)
	return seen, expect(
		// A connection whose last answer was also the client's last may be closed by either side first.
		unless(server.closes-closes >= 0 && server.closes-closes <= o.Concurrency, "%d closes, the server made %d", closes, server.closes),
		unless(x.Requests.Answered == server.requests, "%d answers, the server saw %d requests", x.Requests.Answered, server.requests),
		unless(server.resent == 0, "%d requests were sent again", server.resent),
		unless(x.Requests.Failed == x.Connections.ClosedOnRequest, "%d requests failed, but %d closes met one", x.Requests.Failed,
			x.Connections.ClosedOnRequest),
	)
}

// checkRemainders: exactly n requests on exactly c connections, also when nothing divides evenly.
func checkRemainders(ctx context.Context) (string, error) {
	var seen []string
	for _, c := range []struct{ n, clients, threads int }{{1000, 64, 1}, {1001, 15, 8}, {7, 10, 3}} {
		o := options()
		o.Requests, o.Concurrency, o.Threads, o.Variants = c.n, c.clients, c.threads, c.n
		x, server, err := measure(ctx, constant(0), o)
		if err != nil {
			return "", err
		}
		connections := min(c.n, c.clients)
		seen = append(seen, fmt.Sprintf("%d on %d", server.requests, server.connections))
		if err := expect(
			unless(server.requests == c.n && server.connections == connections && server.resent == 0,
				"n=%d c=%d: the server saw %d requests on %d connections, %d of them again", c.n, c.clients, server.requests,
				server.connections, server.resent),
			unless(x.Requests.Answered == c.n && x.Connections.Opened == connections, "n=%d c=%d: %d answered on %d connections",
				c.n, c.clients, x.Requests.Answered, x.Connections.Opened),
		); err != nil {
			return "", err
		}
	}
	return strings.Join(seen, ", "), nil
}

// within says whether x lies that share of want from it, at most.
func within(x, want, share float64) bool { return math.Abs(x-want) <= share*want }

func checkFailing(ctx context.Context) (string, error) {
	return mustFail(ctx, failing, 50*time.Millisecond)
}

func checkHang(ctx context.Context) (string, error) { return mustFail(ctx, hang, 200*time.Millisecond) }

// mustFail wants the whole command to fail on a server of which no request gets a good answer.
func mustFail(ctx context.Context, b behaviour, timeout time.Duration) (string, error) {
	s, err := startServer(b)
	if err != nil {
		return "", err
	}
	defer s.close()
	return failsOn(ctx, s.url(), timeout)
}

func checkNoServer(ctx context.Context) (string, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a port where nobody listens: %w", err)
	}
	if err := ln.Close(); err != nil {
		return "", fmt.Errorf("find a port where nobody listens: %w", err)
	}
	return failsOn(ctx, "http://"+ln.Addr().String()+"/", time.Second)
}

func failsOn(ctx context.Context, url string, timeout time.Duration) (string, error) {
	o := options()
	o.Requests, o.Concurrency, o.Timeout = 20, 4, max(timeout, time.Second/5)
	p, err := single.NewPlan(ctx, o, url)
	if err != nil {
		return "", err
	}
	failed := single.Run(ctx, p, io.Discard, io.Discard)
	if failed == nil {
		return "", errors.New("the run counts as a success")
	}
	return failed.Error(), nil
}
