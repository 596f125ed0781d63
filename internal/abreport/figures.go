package abreport

// Figures are all computed figures of a report. Times are in microseconds unless named otherwise. Rates are 0 when
// nothing was complete or no time had passed.
type Figures struct {
	// RequestsPerSecond is Complete ÷ Elapsed.
	RequestsPerSecond float64
	// TimePerRequestMs is Concurrency × Elapsed ÷ Complete, TimePerRequestAllMs is Elapsed ÷ Complete; milliseconds.
	TimePerRequestMs, TimePerRequestAllMs float64
	// Transfer rates in KiB a second.
	ReceivedKiBps, SentKiBps, TotalKiBps float64
	// The rows of the table of connection times.
	Connect, Processing, Waiting, Total Row
	// Percentiles are those of ab's table and 99.9, in ascending order.
	Percentiles []Percentile
}

// Row is a row of the table of connection times, in microseconds.
type Row struct {
	Min    int64   `json:"min_us"`
	Mean   int64   `json:"mean_us"`
	SD     float64 `json:"sd_us"`
	Median int64   `json:"median_us"`
	Max    int64   `json:"max_us"`
}

// Percentile is the time within which a share of the requests ended; see [Series.Served].
type Percentile struct {
	// Percent is 50 to 100.
	Percent float64
	Micros  int64
	// extra marks a percentile that ab does not print.
	extra bool
}

// percentiles are in permille.
var percentiles = []struct {
	permille int64
	extra    bool
}{{500, false}, {660, false}, {750, false}, {800, false}, {900, false}, {950, false}, {980, false}, {990, false},
	{999, true}, {1000, false}}

// Figures computes the figures of the report.
func (r *Report) Figures() Figures {
	row := func(s *Series) Row {
		return Row{Min: s.min, Mean: s.Mean(), SD: s.SD(), Median: s.Median(r.Median), Max: s.max}
	}
	f := Figures{
		Connect: row(&r.Connect), Processing: row(&r.Processing), Waiting: row(&r.Waiting), Total: row(&r.Total),
	}
	for _, p := range percentiles {
		f.Percentiles = append(f.Percentiles, Percentile{
			Percent: float64(p.permille) / 10, Micros: r.Total.Served(p.permille), extra: p.extra,
		})
	}
	if !r.hasRates() {
		return f
	}
	seconds, done := float64(r.Elapsed.Microseconds())/1e6, float64(r.Complete)
	f.RequestsPerSecond = done / seconds
	f.TimePerRequestMs = float64(r.Concurrency) * seconds * 1000 / done
	f.TimePerRequestAllMs = seconds * 1000 / done
	f.ReceivedKiBps = float64(r.TotalRead) / 1024 / seconds
	f.SentKiBps = float64(r.TotalSent) / 1024 / seconds
	f.TotalKiBps = float64(r.TotalRead+r.TotalSent) / 1024 / seconds
	return f
}

// hasRates says whether there is anything to divide by.
func (r *Report) hasRates() bool { return r.Elapsed.Microseconds() > 0 && r.Complete > 0 }
