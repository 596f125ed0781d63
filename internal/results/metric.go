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
	Of           func(Figures) float64
}

// Metrics are all by which the servers are compared, in the order of every table.
var Metrics = []Metric{
	{"throughput", "req/s", "req/s", Higher, false, func(f Figures) float64 { return f.ThroughputRPS }},
	{"goodput", "req/s", "good-req/s", Higher, true, func(f Figures) float64 { return f.GoodputRPS }},
	{"mean", "ms", "mean-ms", Lower, false, func(f Figures) float64 { return f.MeanMS }},
	{"p50", "ms", "p50-ms", Lower, false, func(f Figures) float64 { return f.P50MS }},
	{"p99", "ms", "p99-ms", Lower, false, func(f Figures) float64 { return f.P99MS }},
	{"server_cpu_per_request", "µs", "cpu-us/req", Lower, false, func(f Figures) float64 { return f.ServerCPUUSPerRequest }},
	{"rss", "MiB", "rss-MiB", Lower, true, func(f Figures) float64 { return float64(f.ServerRSSBytes) / (1 << 20) }},
	{"ctx_switches_per_request", "", "switches/req", Lower, false, func(f Figures) float64 { return f.CtxSwitchesPerRequest }},
}
