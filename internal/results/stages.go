package results

// Stages are where the time of a server's requests went, on average over a sample of them. The means of [Stages.Parts] add
// up to that of the response time.
type Stages struct {
	// Samples is the number of requests that told their stages; SlowestSamples that of the 1 % of them with the
	// longest response times, 0 when they are too few to tell.
	Samples        int `json:"samples"`
	SlowestSamples int `json:"slowest_samples"`

	// Queue is the wait for a worker, A, Cache, B and Fill are the calls; the calls of an event loop hold the time for which
	// their answers wait for it. Rest is what else a request was in the server for.
	Queue Stage `json:"queue"`
	A     Stage `json:"a"`
	Cache Stage `json:"cache"`
	B     Stage `json:"b"`
	Fill  Stage `json:"fill"`
	Rest  Stage `json:"rest"`
	// Total is all of these: the time in the server by its own clock. Outside is what of Response, the response time that
	// the load runner measured, is no part of it.
	Total    Stage `json:"total"`
	Outside  Stage `json:"outside"`
	Response Stage `json:"response"`
}

// Stage is the time that requests spent in one part of their way.
type Stage struct {
	MeanMS float64 `json:"mean_ms"`
	// P50MS and P99MS are unknown when there are too few samples for them.
	P50MS Number `json:"p50_ms"`
	P99MS Number `json:"p99_ms"`
	// SlowestMeanMS is the mean over the slowest 1 % of the samples, by response time; unknown when they are too few.
	SlowestMeanMS Number `json:"slowest_mean_ms"`
}

// Part is a stage with the name by which reports call it.
type Part struct {
	Name string
	Stage
}

// Parts are the parts of a response time, in the order in which a request goes through them; Outside lies before and
// after the others.
func (s *Stages) Parts() []Part {
	return []Part{
		{"queue", s.Queue}, {"A", s.A}, {"cache", s.Cache}, {"B", s.B}, {"fill", s.Fill}, {"rest", s.Rest}, {"outside", s.Outside},
	}
}
