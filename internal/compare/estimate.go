package compare

import (
	"runtime"
	"time"

	"poolvsloop/internal/predict"
	"poolvsloop/internal/results"
)

// What a comparison takes besides its rounds, roughly, on a machine of two cores: bringing the lab up and down, starting
// the servers anew, and preparing a round.
const (
	bringUpTime = 3 * time.Second
	renewTime   = time.Second
	prepareTime = 100 * time.Millisecond
)

// Estimate is about how long [Measure] takes: what the settings say, and for rounds of a number of requests the bounds of
// queueing theory at the cost of a request that results/example has. A latency model that cannot be read counts as none.
func Estimate(c results.Config) time.Duration {
	total := bringUpTime
	starts := 1
	if c.Lab != Attach && c.Fresh > 0 {
		starts = (c.Rounds + c.Fresh - 1) / c.Fresh
	}
	total += time.Duration(starts-1) * renewTime
	for _, s := range sides(c) {
		total += calibration + time.Duration(starts)*time.Duration(c.Warmup)
		total += time.Duration(c.Rounds) * (prepareTime + roundTime(c, s))
	}
	return total
}

// roundTime is that of one round of one server.
func roundTime(c results.Config, s Server) time.Duration {
	round := time.Duration(c.Duration)
	if c.Requests == 0 {
		return round
	}
	server := string(s.kind())
	in, err := predict.Inputs(server, c, predict.Load{Rate: c.Rate}, predict.Costs[server], runtime.GOMAXPROCS(0))
	if err != nil {
		return round
	}
	byRequests := time.Duration(float64(c.Requests) / in.Bounds()[0].Rate * float64(time.Second))
	if round == 0 || byRequests < round {
		return byRequests
	}
	return round
}
