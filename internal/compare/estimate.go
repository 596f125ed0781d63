package compare

import (
	"runtime"
	"slices"
	"time"

	"poolvsloop/internal/predict"
	"poolvsloop/internal/queueing"
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
	bounds := boundsOf(c, s)
	if len(bounds) == 0 {
		return round
	}
	byRequests := time.Duration(float64(c.Requests) / bounds[0].Rate * float64(time.Second))
	if round == 0 || byRequests < round {
		return byRequests
	}
	return round
}

// boundsOf are those of a server's throughput, none when a latency model cannot be read.
func boundsOf(c results.Config, s Server) []queueing.Bound {
	server := string(s.kind())
	in, err := predict.Inputs(server, c, predict.Load{Rate: c.Rate}, predict.Costs[server], runtime.GOMAXPROCS(0))
	if err != nil {
		return nil
	}
	return in.Bounds()
}

// Limits are about the throughput in requests a second and the number of clients from which on a server can do no more, of
// the server for which that is less and of the other one, as far as queueing theory knows them; 0 where it does not.
func Limits(c results.Config) (rates, clients [2]float64) {
	c.Rate = 0
	for i, s := range sides(c) {
		bounds := boundsOf(c, s)
		ceiling, _ := queueing.Ceiling(bounds)
		rates[i] = ceiling
		for _, b := range bounds {
			if b.Clients && b.Rate > 0 {
				clients[i] = ceiling / b.Rate * float64(c.Concurrency)
			}
		}
	}
	slices.Sort(rates[:])
	slices.Sort(clients[:])
	return rates, clients
}
