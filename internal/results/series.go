package results

// Series is the course of a round, second by second. It has no seconds when the single times of the round were not kept
// (more than two million requests).
type Series struct {
	// Order is that of the round.
	Order   int      `json:"order"`
	Seconds []Second `json:"seconds"`
}

// Second is what ended within one second of a round; the last one may be shorter.
type Second struct {
	// Second counts from 0, the round's start.
	Second int `json:"second"`
	// Answered are the answers of any status, OK2xx those with 2xx among them, Failed the requests that ended without one.
	Answered int `json:"answered"`
	OK2xx    int `json:"ok_2xx"`
	Failed   int `json:"failed"`
	// P50MS, P99MS and MaxMS are response times of the 2xx answers: unknown without any, P99MS with fewer than 100.
	P50MS Number `json:"p50_ms"`
	P99MS Number `json:"p99_ms"`
	MaxMS Number `json:"max_ms"`
}
