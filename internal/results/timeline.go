package results

// Timeline is what happened in a round with events, and what came of it.
type Timeline struct {
	// Order is that of the round.
	Order int `json:"order"`
	// BaseP50MS and BaseGoodRPS are the level before the first event: medians of its whole seconds, the first one left out.
	// They are unknown with fewer than two.
	BaseP50MS   Number `json:"base_p50_ms"`
	BaseGoodRPS Number `json:"base_good_rps"`
	// Before are the values that the settings had before, by program and setting ("b.latency").
	Before map[string]string `json:"before"`
	Events []Event           `json:"events"`
}

// Event is one change of a setting within a round.
type Event struct {
	// AtS is when it was to happen, in seconds from the round's start.
	AtS float64 `json:"at_s"`
	// Program is the one whose Setting was changed to Value: a, b, redis or a server.
	Program string `json:"program"`
	Setting string `json:"setting"`
	Value   string `json:"value"`
	// LagMS is how much later it was begun, TookMS how long the program took to take it; unknown when it was not begun.
	LagMS  Number `json:"lag_ms"`
	TookMS Number `json:"took_ms"`
	// Error says why it failed, or "".
	Error string `json:"error"`
	// EndsFault says that with it all settings were again what they had been before the first event.
	EndsFault bool `json:"ends_fault"`
	// Recovery is "" unless EndsFault, else [Recovered], [NotRecovered] or [RecoveryNotKnown]; RecoveredS is the time from
	// AtS until the server was back at its level, unknown unless it recovered.
	Recovery   string `json:"recovery"`
	RecoveredS Number `json:"recovered_s"`
}

// What became of a server's level after a fault.
const (
	Recovered        = "recovered"
	NotRecovered     = "not recovered"
	RecoveryNotKnown = "not known"
)
