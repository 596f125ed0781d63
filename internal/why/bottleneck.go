package why

import (
	"math"

	"poolvsloop/internal/load"
	"poolvsloop/internal/results"
)

const (
	// full is the share of a resource from which on it is called the limit.
	full = 0.9
	// MostLate is the share of a request's intended wait in A and B by which the wait may come out too long on average.
	// Above it the downstreams are a limit themselves, and the run is invalid. METHOD.md says why.
	MostLate = 0.10
	// waitsAlone is how many times the time of a request alone the mean response time may be for the clients to be the
	// limit: with more, requests wait for each other.
	waitsAlone = 1.25
)

// Bottleneck names what limited the server: what is wrong with the measurement first, then the innermost full resource.
// A worker, or another thing that a request holds while it waits, is full whenever that for which it waits is, so it
// comes last. With nothing full, the clients are the limit when requests take as long as one alone does; in an open loop
// its rate is, when all requests were served.
func Bottleneck(s Seen, all []results.Resource) string {
	if s.Generator > load.MostLoopShare {
		return LoadRunner
	}
	if s.LateMS > 0 && s.LateMS > MostLate*s.WaitMS && s.LateMS > 1 {
		return Late
	}
	for _, r := range all {
		if r.Name != LoadRunner && r.Name != AcceptQueue && float64(r.Share) >= full {
			return r.Name
		}
	}
	served := s.Figures.FailedShare() <= results.FailedTooMuch && s.Figures.Completed > 0
	if served && s.Config.Open() {
		return Rate
	}
	if served && s.Figures.MeanMS <= waitsAlone*s.AloneMS {
		return Clients
	}
	return Unknown
}

// highest is the largest share of all resources.
func highest(all []results.Resource) float64 {
	most := 0.0
	for _, r := range all {
		if share := float64(r.Share); !math.IsNaN(share) {
			most = max(most, share)
		}
	}
	return most
}

// find returns the resource of that name.
func find(all []results.Resource, name string) (results.Resource, bool) {
	for _, r := range all {
		if r.Name == name {
			return r, true
		}
	}
	return results.Resource{}, false
}
