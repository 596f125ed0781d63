package results

// Explanation says what limited a server in all its rounds together.
type Explanation struct {
	Server string `json:"server"`
	// Resources are what was used, the innermost first: what stands later is held while a request waits for what stands
	// before.
	Resources []Resource `json:"resources"`
	// Bottleneck is the name of the resource that was the limit, "clients", or "unknown".
	Bottleneck string `json:"bottleneck"`
	// Change says what would move the limit, and PredictedRPS the goodput that the models expect then; null when there is
	// no model for it. PredictedRunCPURPS is the same with the CPU time that a request took in this run, instead of the
	// calibration's.
	Change             string `json:"change"`
	PredictedRPS       Number `json:"predicted_rps"`
	PredictedRunCPURPS Number `json:"predicted_run_cpu_rps"`
}

// Resource is one resource of a server or of the lab, and its mean use.
type Resource struct {
	Name string `json:"name"`
	// Used is the mean over the measured time, Of how many there are, both in Unit; Of is null when that has no bound.
	Used Number `json:"used"`
	Of   Number `json:"of"`
	Unit string `json:"unit"`
	// Share is Used / Of, 0 to 1; null without a bound.
	Share Number `json:"share"`
	// Note is what else is known of it.
	Note string `json:"note"`
}
