package results

// Cost is what a request costs each server at one rate for both, and what an idle connection does, measured after the
// rounds.
type Cost struct {
	// RateRPS was offered to both servers in every repetition, each RepetitionS long; RateFrom says where it comes from.
	RateRPS     float64 `json:"rate_rps"`
	RateFrom    string  `json:"rate_from"`
	RepetitionS float64 `json:"repetition_s"`
	// Connections are the numbers of idle connections at which memory was read; ConnectionsFrom says where the largest
	// comes from.
	Connections     []int        `json:"connections"`
	ConnectionsFrom string       `json:"connections_from"`
	Targets         []CostTarget `json:"targets"`
	// Requests are the costs of a request side by side, with the tests and verdicts of the comparison.
	Requests []Comparison `json:"requests"`
	// Idle are the costs of an idle connection.
	Idle []IdleCost `json:"idle"`
	// NotMeasured says what is missing above, and why.
	NotMeasured []NotMeasured `json:"not_measured"`
}

// CostTarget is one server in the measurement of costs.
type CostTarget struct {
	Name        string           `json:"name"`
	Repetitions []CostRepetition `json:"repetitions"`
	Readings    []IdleReading    `json:"readings"`
}

// CostRepetition is a server under the rate, once. What is not known is null.
type CostRepetition struct {
	// Order is its place among the repetitions of both servers, from 1.
	Order int `json:"order"`
	// Counted says that system calls were counted, which slows the server: its other figures are in no comparison.
	Counted bool `json:"counted"`
	// Requests were due, Completed got an answer, Failed none with 2xx; Late were sent more than 10 ms after they were due.
	Requests  int `json:"requests"`
	Completed int `json:"completed"`
	Failed    int `json:"failed"`
	Late      int `json:"late"`
	// Behind is the share of the arrivals of its second half that the answers of that half fell behind; negative where they
	// were more.
	Behind Number  `json:"behind"`
	MeanMS float64 `json:"mean_ms"`

	ServerCPUUSPerRequest    float64 `json:"server_cpu_us_per_request"`
	CtxSwitchesPerRequest    float64 `json:"ctx_switches_per_request"`
	ReadWriteCallsPerRequest Number  `json:"read_write_calls_per_request"`
	SyscallsPerRequest       Number  `json:"syscalls_per_request"`
}

// IdleReading is the memory of a server with so many idle connections, after a collection of garbage.
type IdleReading struct {
	// Pass is that of the reading, from 1; every pass begins with a fresh process where the lab is embedded.
	Pass int `json:"pass"`
	// Connections were asked for, Open were there when memory was read.
	Connections int `json:"connections"`
	Open        int `json:"open"`
	Threads     int `json:"threads"`
	// RSSBytes is the server's own memory. KernelBytes is what the kernel of the machine had in slabs, thread stacks and
	// page tables, TCPBufferBytes in the buffers of sockets: of all programs, both ends of each connection.
	RSSBytes       int64  `json:"rss_bytes"`
	KernelBytes    Number `json:"kernel_bytes"`
	TCPBufferBytes Number `json:"tcp_buffer_bytes"`
}

// IdleCost is one kind of memory that an idle connection takes, in KiB a connection: the slope of the line through the
// readings.
type IdleCost struct {
	Metric string `json:"metric"`
	Unit   string `json:"unit"`
	// ThreadPool and EventLoop are the slopes.
	ThreadPool Slope `json:"threadpool"`
	EventLoop  Slope `json:"eventloop"`
	// Difference is that of the event loop less that of the thread pool, with its 95 % interval.
	Difference Slope `json:"difference"`
	// Verdict is threadpool or eventloop (whose connections take less), tie or inconclusive.
	Verdict string `json:"verdict"`
}

// Slope is a figure per connection and its 95 % interval.
type Slope struct {
	KiB    float64 `json:"kib"`
	CILow  float64 `json:"ci_low"`
	CIHigh float64 `json:"ci_high"`
}

// NotMeasured is something that could not be measured.
type NotMeasured struct {
	What string `json:"what"`
	Why  string `json:"why"`
}
