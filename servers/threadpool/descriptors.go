package main

import "fmt"

// Descriptors that are kept for other use than clients' connections.
const (
	workerDescriptors = 3  // a worker's connections to A, B and the cache
	otherDescriptors  = 48 // listeners, pollers, the admin port's connections, dialling, files
)

// reserve is the number of descriptors, of limit, kept for other use than clients' connections. Where they are short,
// every connection must find the descriptors of the worker that serves it: workers start only when needed.
func reserve(workers, limit int) int {
	rest := max(0, limit-otherDescriptors)
	return otherDescriptors + min(workerDescriptors*workers, rest*workerDescriptors/(workerDescriptors+1))
}

// descriptorsFor says whether more workers than at the start find their descriptors.
func (s *server) descriptorsFor(workers int) error {
	need := otherDescriptors + workerDescriptors*workers + s.limits.MaxConns
	if workers <= s.config.Workers || uint64(need) <= s.limits.NofileSoft {
		return nil
	}
	return fmt.Errorf("workers %d and %d connections need %d descriptors of %d: start with more --workers or fewer "+
		"--max-conns, or raise the limit (ulimit -n)", workers, s.limits.MaxConns, need, s.limits.NofileSoft)
}
