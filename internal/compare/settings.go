package compare

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"poolvsloop/internal/results"
)

// adopt replaces what only an embedded lab is started with by what the programs of an attached one say.
func adopt(c *results.Config, pool, loop, a, b results.Settings) {
	for _, number := range []struct {
		into *int
		from results.Settings
		name string
	}{
		{&c.Workers, pool, "workers"}, {&c.Queue, pool, "queue"}, {&c.Loops, loop, "loops"},
		{&c.MaxInflight, loop, "max_inflight"},
		{&c.ConcurrencyLimitA, a, "concurrency_limit"}, {&c.ConcurrencyLimitB, b, "concurrency_limit"},
	} {
		if n, ok := number.from.Number(number.name); ok {
			*number.into = n
		}
	}
	c.QueueFull, c.Worker, c.Dispatch, c.Stack = pool["queue_full"], pool["worker"], pool["dispatch"], pool["stack"]
	c.Mistake, c.LatencyA, c.LatencyB = loop["mistake"], a["latency"], b["latency"]
	c.RateLimitA, c.RateLimitB = decimal(a["rate_limit"]), decimal(b["rate_limit"])
}

// decimal is a setting that is a number, 0 for what is none.
func decimal(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	return x
}

// sharedSettings are those that must be alike on both servers: all that is not the concurrency model.
var sharedSettings = []string{
	"downstream_a", "downstream_b", "redis", "retries", "downstream_timeout", "cache_timeout", "cache_ttl", "conns_full",
	"header_timeout", "body_timeout", "write_timeout", "idle_timeout", "max_requests", "max_header", "max_body",
	"limits.max_conns", "limits.backlog", "limits.somaxconn", "limits.nofile", "limits.cpus", "limits.cgroup_quota",
}

// shared returns those of the settings that must be alike.
func shared(s results.Settings) map[string]any {
	limits := map[string]any{}
	for _, name := range sharedSettings {
		if value, ok := s[name]; ok {
			limits[name] = value
		}
	}
	return limits
}

// checkLimits: both servers have the same limits. What neither tells is not checked, and that is said.
func checkLimits(sides Sides, servers map[Server]results.Settings) results.Check {
	first, second := servers[sides[0]], servers[sides[1]]
	var unequal, untold []string
	for _, name := range sharedSettings {
		a, aTold := first[name]
		b, bTold := second[name]
		switch {
		case !aTold && !bTold:
			untold = append(untold, name)
		case a != b:
			unequal = append(unequal, fmt.Sprintf("%s is %q on %s and %q on %s", name, a, sides[0], b, sides[1]))
		}
	}
	c := results.Check{Name: "equal_limits", OK: len(unequal) == 0}
	switch {
	case !c.OK:
		c.Detail = strings.Join(unequal, "; ")
	case len(untold) == len(sharedSettings):
		c.Detail = "not checked: no admin port was given"
	case len(untold) > 0:
		c.Detail = fmt.Sprintf("%d limits are alike; not checked: %s", len(sharedSettings)-len(untold),
			strings.Join(untold, ", "))
	default:
		c.Detail = fmt.Sprintf("%d limits are alike", len(sharedSettings))
	}
	return c
}

// Rejection says in which ways a server has to reject some of its requests because its bounds are smaller than the
// load.
type Rejection struct {
	// Unavailable: by an answer 503. Close: by closing the connection without an answer.
	Unavailable, Close bool
}

// rejections derives them from the settings. A client's next request may come while the worker that has just answered
// it is not free yet. So up to 2·clients workers can be taken, and a queue overflows when clients > queue and 2·clients
// > workers + queue; otherwise a rejection has no excuse.
func rejections(clients int, sides Sides, servers map[Server]results.Settings) map[Server]Rejection {
	all := map[Server]Rejection{}
	for _, side := range sides {
		if side.kind() == ThreadPool {
			all[side] = poolRejects(clients, servers[side])
			continue
		}
		inflight, _ := servers[side].Number("max_inflight")
		all[side] = Rejection{Unavailable: inflight > 0 && clients > inflight}
	}
	return all
}

func poolRejects(clients int, pool results.Settings) (r Rejection) {
	workers, told := pool.Number("workers")
	queue, bounded := pool.Number("queue")
	if told && bounded && queue >= 0 && clients > queue && 2*clients > workers+queue {
		r.Unavailable, r.Close = pool["queue_full"] == "503", pool["queue_full"] == "close"
	}
	if wait, err := time.ParseDuration(pool["queue_timeout"]); err == nil && wait > 0 {
		r.Unavailable = true
	}
	return r
}
