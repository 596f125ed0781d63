package selftest

import (
	"context"
	"fmt"
	"time"
)

// checkConstant: a server that takes 20 ms for every answer is never seen to take less; and what it takes more on a busy
// machine agrees with the throughput.
func checkConstant(ctx context.Context) (string, error) {
	const took = 20 * time.Millisecond
	o := options()
	o.Concurrency, o.Requests = 10, 500
	x, _, err := measure(ctx, constant(took), o)
	if err != nil {
		return "", err
	}
	want, law := took.Seconds()*1e3, float64(o.Concurrency)/x.ThroughputRPS*1e3
	seen := fmt.Sprintf("min %.2f ms (truth %g), mean %.2f ms (c/X = %.2f ms)", x.Response.MinMS, want, x.Response.MeanMS, law)
	return seen, expect(
		unless(x.Response.MinMS >= want, "%s: below the truth", seen),
		unless(within(x.Response.MeanMS, law, 0.05), "%s: not within 5 %%", seen),
	)
}

// floor is the shortest response time that can be measured here: that of one client on the fastest built-in server,
// whose own part is in it.
func floor(ctx context.Context) (string, error) {
	o := options()
	o.Requests = 2000
	x, _, err := measure(ctx, constant(0), o)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("min %.3f ms, p50 %.3f ms with one client", x.Response.MinMS, float64(x.Percentile(50).Micros)/1e3),
		expect(unless(x.Requests.Answered == o.Requests, "%d of %d requests answered", x.Requests.Answered, o.Requests))
}

// ceiling is the rate that one loop of the engine could drive if it had a core for itself.
func ceiling(ctx context.Context) (string, error) {
	o := options()
	o.Concurrency, o.Duration = 50, time.Second
	x, _, err := measure(ctx, constant(0), o)
	if err != nil {
		return "", err
	}
	perSecond := x.ThroughputRPS / max(x.Generator.BusiestLoop, 1e-9)
	return fmt.Sprintf("%.0f requests/s beside the built-in server; a loop with a core of its own could send %.0f/s", x.ThroughputRPS,
			perSecond),
		expect(unless(x.Requests.OK2xx > 0, "no request was answered"))
}
