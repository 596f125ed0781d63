package queueing

// Little is the mean number in a system, L = X·R, with X the throughput and R the mean time in it (Little, 1961). It
// holds for every part of a system: a queue, the workers, the whole.
func Little(throughput, response float64) float64 { return throughput * response }

// Utilization is the mean number of busy servers of a resource, U = X·D, with D the demand of a request.
func Utilization(throughput, demand float64) float64 { return throughput * demand }

// ForcedFlow is the throughput of a resource that a request visits that many times, X_k = V_k·X.
func ForcedFlow(throughput, visits float64) float64 { return throughput * visits }

// ResponseTime is the mean response time in a closed system of that many clients, which think between requests:
// R = c/X − Z, the interactive response time law. Without think time it is ab's "time per request".
func ResponseTime(clients int, throughput, think float64) float64 {
	return float64(clients)/throughput - think
}
