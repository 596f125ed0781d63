package config

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// known are the flags of all programs of the lab. One environment may serve all of them, so a program cannot tell from its
// own flags which variable is a mistake. A test of each program holds its flags against this list.
var known = strings.Fields(`
	addr admin again along arrivals as ask at backlog blocked-after body body-file body-size body-timeout budget burn
	cache-timeout cache-ttl concurrency concurrency-limit concurrency-limit-a concurrency-limit-b conns-full cores cost
	cost-connections cost-rate cpu cpu-on cpu-queue cpu-workers dispatch downstream-a downstream-a-admin downstream-b
	downstream-b-admin downstream-conns downstream-timeout drain dry-run duration error-share error-status evenly
	eventloop eventloop-admin fail-if find-max format fresh from gomaxprocs grid guess handicap hang-share header
	header-timeout hit-ratio idle idle-timeout in-flight insecure keep-alive keys lab lag-interval latency latency-a
	latency-b like log-format log-level loops margin max-body max-conns max-header max-in-flight max-inflight max-lag
	max-pipeline max-requests method mistake most-users name order other-cpu out-high out-low over per-connection
	pipeline queue queue-full queue-timeout quick quiet rate rate-limit rate-limit-a rate-limit-b redis requests
	reset-share results resume retries rounds same scale seed slow-body-share slow-body-time stack stages stall-at
	stall-for steps sweep-c targets think threadpool threadpool-admin threads timeout variants warmup with worker
	workers write-timeout
`)

// Variables are the environment variables of all flags of all programs.
func Variables() []string {
	all := make([]string, len(known))
	for i, flag := range known {
		all[i] = Variable(flag)
	}
	return all
}

// Mistaken returns the names of those variables, of an environment as [os.Environ] returns it, that begin like one of the
// lab's and are neither of a known flag nor of one of fs, in the order of their names.
func Mistaken(environment []string, fs *pflag.FlagSet) (mistaken []string) {
	variables := Variables()
	for _, flag := range names(fs) {
		variables = append(variables, Variable(flag))
	}
	for _, entry := range environment {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, prefix) && !slices.Contains(variables, name) {
			mistaken = append(mistaken, name)
		}
	}
	slices.Sort(mistaken)
	return mistaken
}
