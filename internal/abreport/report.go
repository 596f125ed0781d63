package abreport

import "time"

// Report is what ab knows at the end of a run. Counts are in requests, sizes in bytes.
type Report struct {
	// ServerSoftware is the Server header of an answer, cut at its first blank.
	ServerSoftware string
	Host           string
	Port           int
	// TLS is nil for plain HTTP.
	TLS *TLS

	Path string
	// Length is the body length of the first answer. VariableLength replaces it by "Variable".
	Length         int
	VariableLength bool

	// Concurrency is the number of clients asked for.
	Concurrency int
	// Open is nil for a closed loop, the only one that ab has; of an open one it stands in place of Concurrency.
	Open *Open
	// Elapsed is the time taken for the tests; it counts in whole microseconds.
	Elapsed time.Duration
	// Complete counts the requests that ended, also those that failed.
	Complete int
	Failed   Failed
	// WriteErrors is no part of Failed.
	WriteErrors int
	Non2xx      int
	// KeepAlive shows KeepAliveRequests, the answers whose connection stayed open.
	KeepAlive         bool
	KeepAliveRequests int
	// TotalRead is all that came, HTMLRead the bodies in it.
	TotalRead, HTMLRead int64
	// WithBody shows TotalSent: all that was written, headers included, as ab counts under "Total body sent".
	WithBody  bool
	TotalSent int64

	// NoConfidence leaves out median, deviation and warnings (-S), NoPercentiles the last table (-d).
	NoConfidence, NoPercentiles bool
	// Median is the rule of the median column: [Middle] unless ab's own figures are wanted.
	Median MedianRule

	// Connect, Processing, Waiting and Total are the times of the requests; see [Report.Fill] for which.
	Connect, Processing, Waiting, Total Series
}

// Open is the load of an open loop. It has no clients, so that the report has neither a concurrency level nor the time
// per request that follows from one.
type Open struct {
	// Rate is what was offered, in requests a second.
	Rate float64
	// InFlight is the mean number of requests in flight, MostInFlight the largest.
	InFlight     float64
	MostInFlight int
}

// Failed counts failed requests by kind, each of them once.
type Failed struct {
	// Connect: no connection. Receive: the connection broke. Length: the body had another length than the first
	// answer's. Exceptions: everything else, as a timeout.
	Connect    int `json:"connect"`
	Receive    int `json:"receive"`
	Length     int `json:"length"`
	Exceptions int `json:"exceptions"`
}

// Sum is the number of failed requests.
func (f Failed) Sum() int { return f.Connect + f.Receive + f.Length + f.Exceptions }

// TLS describes the first handshake, in OpenSSL's words. Empty fields are left out of the report.
type TLS struct {
	// Protocol is version, cipher, bits of the server's key and of the cipher, as "TLSv1.3,TLS_AES_128_GCM_SHA256,2048,128".
	Protocol string
	// TempKey is the server's temporary key, as "X25519 253 bits".
	TempKey string
	// ServerName is the name sent as SNI.
	ServerName string
}
