package compare

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"poolvsloop/internal/anatomy"
	"poolvsloop/internal/equality"
	"poolvsloop/internal/flow"
	"poolvsloop/internal/lab"
	"poolvsloop/internal/load"
	"poolvsloop/internal/procstat"
	"poolvsloop/internal/results"
)

// clients is how many the measurements made here have, each with as many answers.
const clients = 10

// distributionOf returns the distribution of times, in µs.
func distributionOf(us ...int64) load.Times {
	t := load.Times{Histogram: hdrhistogram.New(1, time.Hour.Microseconds(), 3)}
	for _, v := range us {
		if err := t.Histogram.RecordValue(v); err != nil {
			panic(err)
		}
		if t.Min == 0 || v < t.Min {
			t.Min = v
		}
		t.Max = max(t.Max, v)
		t.Sum += v
		t.SumSquares += float64(v) * float64(v)
	}
	return t
}

// sound returns a measurement in which everything is as it should be: n requests of meanUS each, spread over a few
// percent around it.
func sound(slot Slot, n int, meanUS int64) Measurement {
	r := &load.Result{
		Counts: load.Counts{Planned: n, Sent: n, Answered: n}, OK2xx: n, ByStatus: map[int]int{200: n},
		Failures: map[string]int{}, Length: 576, Clients: clients, Server: "pool",
		Started:  time.Date(2026, 1, 2, 3, 4, 5*slot.Order, 0, time.UTC),
		Duration: time.Duration(n/clients) * time.Duration(meanUS) * time.Microsecond,
		Bytes:    load.Bytes{Read: int64(n) * 700, Head: int64(n) * 124, Body: int64(n) * 576, Written: int64(n) * 400},
	}
	us := make([]int64, n)
	for i := range us {
		us[i] = meanUS + int64(i%5-2)*meanUS/100
		r.Samples = append(r.Samples, load.Sample{Total: uint32(us[i]), Wait: uint32(us[i]), Status: 200, Length: 576})
	}
	r.Seconds = []load.Second{{Answered: n}}
	r.LoopCPU, r.NeediestLoop = r.Duration/10, r.Duration/5
	r.Response, r.Service, r.Good = distributionOf(us...), distributionOf(us...), distributionOf(us...)
	r.Processing, r.Wait = distributionOf(us...), distributionOf(us...)
	r.Connect, r.GivenUp, r.SendLag = distributionOf(), distributionOf(), distributionOf()
	for range clients {
		r.AnswersPerClient = append(r.AnswersPerClient, n/clients)
	}
	told := &anatomy.Collector{Told: n / timedEvery}
	for range told.Told {
		told.Samples = append(told.Samples, soundSample(time.Duration(meanUS)*time.Microsecond))
	}
	misses := n / 10
	calls := int64(n)
	half := float64(meanUS) / 2e3 // all of a request's time is spent in A and B
	delays := lab.Ledger{Calls: calls, IntendedMS: lab.Delays{Mean: half}, DeliveredMS: lab.Delays{Mean: 1.015 * half}}
	return Measurement{
		Slot: slot, Load: r, Misses: misses, A: delays, B: delays,
		Usage:  procstat.Usage{CPUSeconds: float64(n) * 100e-6, RSSBytes: 32 << 20, Threads: 12, VoluntarySwitches: 4 * calls},
		Cache:  lab.Counts{Gets: calls, Hits: calls - int64(misses), Misses: int64(misses), Sets: int64(misses)},
		WarmUp: WarmUp{100, r.Started}, Stages: told,
		Own:  lab.Own{Answered: uint64(n), ServiceS: float64(n) * float64(meanUS) * 0.99e-6},
		Host: &Host{Moment: procstat.Moment{TotalS: 100, BusyS: 40, StealS: 1, Periods: 50}, OthersS: 5},
	}
}

// soundSample is a request that took so long, a hundredth of it outside of the server and a tenth of it in no stage.
func soundSample(response time.Duration) anatomy.Sample {
	return anatomy.Sample{
		Timing:   flow.Timing{0, 4 * response / 10, response / 100, 4 * response / 10, 0, 99 * response / 100},
		Response: response,
	}
}

// soundEvidence returns that of a whole run in which both servers did the same, but for a scatter of a few thousandths.
func soundEvidence(rounds int) *Evidence {
	e := &Evidence{
		Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Argv: []string{"loadrunner"},
		Config: results.Config{
			Name: "compare", Requests: 200, Concurrency: clients, Arrivals: "poisson", Rounds: rounds, BodySize: 256, LatencyA: "20ms",
			LatencyB: "20ms", Warmup: results.Seconds(time.Second), HitRatio: 0.9, Keys: 100, Lab: Embedded, Format: Text,
			Workers: 200, Queue: 100,
		},
		Environment: results.Environment{
			CPUs: 2, Versions: map[string]string{}, Redis: results.Redis{Kind: "redis", Version: "7.0.15"},
		},
		URLs:     map[Server]string{ThreadPool: "http://127.0.0.1:1", EventLoop: "http://127.0.0.1:2"},
		Configs:  map[Server]map[string]any{ThreadPool: poolConfig(), EventLoop: loopConfig()},
		Equality: equality.Result{Compared: []string{"order, cache miss"}},
	}
	for _, slot := range Schedule(Sides{ThreadPool, EventLoop}, rounds, ABBA, 1) {
		e.Rounds = append(e.Rounds, sound(slot, e.Config.Requests, 40_000+int64(slot.Order%3)*50))
	}
	return e
}

func poolConfig() map[string]any {
	return map[string]any{
		"workers": 200.0, "queue": 100.0, "queue-full": "503", "worker": "thread", "dispatch": "request", "stack": "wire",
		"max-body": "2097152", "limits": map[string]any{"backlog": 1024.0, "nofile": 20000.0},
	}
}

func loopConfig() map[string]any {
	return map[string]any{
		"loops": "2", "max-inflight": "0", "mistake": "none",
		"max-body": "2097152", "limits": map[string]any{"backlog": 1024.0, "nofile": 20000.0},
	}
}
