package results

// Crowd is what became of a group of clients beside those that are measured, over all rounds, in connections:
//
//	started = answered + closed_by_server + reset + refused + timed_out + failed + still_connecting + still_open
type Crowd struct {
	// Spec is what was asked for, as --with takes it; Kind and Clients are of it.
	Spec    string `json:"spec"`
	Kind    string `json:"kind"`
	Clients int    `json:"clients"`
	// Rounds is over how many rounds the books go.
	Rounds int `json:"rounds"`

	// Started connections were tried; NotStarted are clients whose time did not come. Opened were established.
	Started    int `json:"started"`
	NotStarted int `json:"not_started"`
	Opened     int `json:"opened"`
	// Answered got a whole answer and were ended by the client; ClosedByServer were ended by the server.
	Answered       int `json:"answered"`
	ClosedByServer int `json:"closed_by_server"`
	Reset          int `json:"reset"`
	Refused        int `json:"refused"`
	TimedOut       int `json:"timed_out"`
	Failed         int `json:"failed"`
	// StillConnecting and StillOpen had not ended when their round did.
	StillConnecting int `json:"still_connecting"`
	StillOpen       int `json:"still_open"`
	// ByStatus counts all answers, Causes what is behind Failed.
	ByStatus map[int]int    `json:"by_status"`
	Causes   map[string]int `json:"causes"`

	// The times until connections stood, unknown without any. SYNRetried had their SYN sent again by the kernel, as when the
	// server's accept queue is full; ConnectsBySecond counts those that took half a second or more by whole seconds.
	ConnectP50MS     Number      `json:"connect_p50_ms"`
	ConnectP90MS     Number      `json:"connect_p90_ms"`
	ConnectP99MS     Number      `json:"connect_p99_ms"`
	ConnectMaxMS     Number      `json:"connect_max_ms"`
	SYNRetried       int         `json:"syn_retried"`
	ConnectsBySecond map[int]int `json:"connects_by_second"`
	// The times from a connection's start to the last byte of its first answer, unknown without any.
	ResponseP50MS Number `json:"response_p50_ms"`
	ResponseP99MS Number `json:"response_p99_ms"`
	ResponseMaxMS Number `json:"response_max_ms"`
	// SpanS is the longest time of a round from the first connection's start to the last one's.
	SpanS        float64 `json:"span_s"`
	BytesRead    int64   `json:"bytes_read"`
	BytesWritten int64   `json:"bytes_written"`
}
