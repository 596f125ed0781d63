package results

// Better says which direction of a metric wins.
const (
	Higher = "higher"
	Lower  = "lower"
)

// Metric is a figure by which the servers are compared.
type Metric struct {
	Name string
	// Unit as people read it; Bench is the unit in bench.txt, which tells the metrics apart there.
	Unit, Bench string
	// Better is [Higher] or [Lower].
	Better string
	// WithFailures says that the figure means the same for a server that rejected or lost requests.
	WithFailures bool
	// Tail says that the figure is about the slowest requests.
	Tail bool
	// Percentile is the percentile that the figure is, 0 for another figure: a round must have enough requests for it.
	Percentile float64
	Of         func(Figures) float64
}

// Metrics are all by which the servers are compared, in the order of every table.
var Metrics = []Metric{
	{
		Name: "throughput", Unit: "req/s", Bench: "req/s", Better: Higher,
		Of: func(f Figures) float64 { return f.ThroughputRPS },
	},
	{
		Name: "goodput", Unit: "req/s", Bench: "good-req/s", Better: Higher, WithFailures: true,
		Of: func(f Figures) float64 { return f.GoodputRPS },
	},
	{
		Name: "mean", Unit: "ms", Bench: "mean-ms", Better: Lower,
		Of: func(f Figures) float64 { return f.MeanMS },
	},
	{
		Name: "p50", Unit: "ms", Bench: "p50-ms", Better: Lower, Percentile: 50,
		Of: func(f Figures) float64 { return f.P50MS },
	},
	{
		Name: "p99", Unit: "ms", Bench: "p99-ms", Better: Lower, Tail: true, Percentile: 99,
		Of: func(f Figures) float64 { return f.P99MS },
	},
	{
		Name: "p99_9", Unit: "ms", Bench: "p99.9-ms", Better: Lower, Tail: true, Percentile: 99.9,
		Of: func(f Figures) float64 { return f.P999MS },
	},
	{
		Name: "server_cpu_per_request", Unit: "µs", Bench: "cpu-us/req", Better: Lower,
		Of: func(f Figures) float64 { return f.ServerCPUUSPerRequest },
	},
	{
		Name: "rss", Unit: "MiB", Bench: "rss-MiB", Better: Lower, WithFailures: true,
		Of: func(f Figures) float64 { return float64(f.ServerRSSBytes) / (1 << 20) },
	},
	{
		Name: "ctx_switches_per_request", Bench: "switches/req", Better: Lower,
		Of: func(f Figures) float64 { return f.CtxSwitchesPerRequest },
	},
}

// Values are the metric's figures of rounds.
func (m Metric) Values(rounds []Figures) []float64 {
	xs := make([]float64, len(rounds))
	for i, f := range rounds {
		xs[i] = m.Of(f)
	}
	return xs
}
