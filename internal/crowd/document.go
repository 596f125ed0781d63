package crowd

import (
	"poolvsloop/internal/load"
	"poolvsloop/internal/results"
)

// Total is what results hold of a crowd, over the rounds whose books are given.
func Total(spec Spec, rounds []load.CrowdResult) results.Crowd {
	all := load.NewCrowdResult()
	for i := range rounds {
		all.Merge(&rounds[i])
	}
	return results.Crowd{
		Spec: spec.String(), Kind: spec.Kind.String(), Clients: spec.Count, Rounds: len(rounds),
		Started: all.Started, NotStarted: all.NotStarted, Opened: all.Opened, Answered: all.Answered,
		ClosedByServer: all.ClosedByServer, Reset: all.Reset, Refused: all.Refused, TimedOut: all.TimedOut, Failed: all.Failed,
		StillConnecting: all.StillConnecting, StillOpen: all.StillOpen, ByStatus: all.ByStatus, Causes: all.Causes,
		ConnectP50MS: percentile(all.Connect, 50), ConnectP90MS: percentile(all.Connect, 90),
		ConnectP99MS: percentile(all.Connect, 99), ConnectMaxMS: percentile(all.Connect, 100),
		SYNRetried: all.Retried, ConnectsBySecond: all.BySeconds,
		ResponseP50MS: percentile(all.Response, 50), ResponseP99MS: percentile(all.Response, 99),
		ResponseMaxMS: percentile(all.Response, 100),
		SpanS:         all.Span.Seconds(), BytesRead: all.Read, BytesWritten: all.Written,
	}
}

// percentile is in ms, unknown of nothing.
func percentile(t load.Times, percent float64) results.Number {
	switch {
	case t.Count() == 0:
		return results.Unknown
	case percent == 100:
		return results.Number(float64(t.Max) / 1e3)
	}
	return results.Number(float64(min(t.Histogram.ValueAtQuantile(percent), t.Max)) / 1e3)
}
