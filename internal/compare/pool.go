package compare

import (
	"poolvsloop/internal/anatomy"
	"poolvsloop/internal/lab"
	"poolvsloop/internal/load"
	"poolvsloop/internal/procstat"
)

// pooled returns the rounds of a server as one: counts, bytes and durations are sums, times are put together, usage
// adds up but for memory and threads, of which the most is taken. The rounds stay as they are.
func pooled(rounds []Measurement) Measurement {
	all := Measurement{Load: &load.Result{ByStatus: map[int]int{}, Failures: map[string]int{}, Length: -1}, Stages: &anatomy.Collector{}}
	all.A, all.B = ledgers(rounds)
	for i, m := range rounds {
		if i == 0 {
			all.Server, all.Open = m.Server, m.Open
			startTimes(all.Load, m.Load)
		}
		addCounts(all.Load, m.Load)
		addTimes(all.Load, m.Load)
		all.Usage = addUsage(all.Usage, m.Usage)
		all.Own, all.OthersCPU = all.Own.Add(m.Own), all.OthersCPU+m.OthersCPU
		all.Cache.Gets += m.Cache.Gets
		all.Cache.Hits += m.Cache.Hits
		all.Cache.Misses += m.Cache.Misses
		all.Cache.Sets += m.Cache.Sets
		all.Misses += m.Misses
		if m.Stages != nil {
			all.Stages.Merge(m.Stages)
		}
	}
	return all
}

func addCounts(all, r *load.Result) {
	for _, c := range []struct {
		to   *int
		more int
	}{
		{&all.Planned, r.Planned}, {&all.Sent, r.Sent}, {&all.Dropped, r.Dropped}, {&all.Late, r.Late}, {&all.Answered, r.Answered},
		{&all.TimedOut, r.TimedOut}, {&all.Reset, r.Reset}, {&all.Refused, r.Refused}, {&all.Aborted, r.Aborted},
		{&all.InFlight, r.InFlight}, {&all.OK2xx, r.OK2xx}, {&all.Non2xx, r.Non2xx}, {&all.Different, r.Different},
		{&all.Wrong, r.Wrong}, {&all.Opened, r.Opened}, {&all.ClosedByServer, r.ClosedByServer}, {&all.Reused, r.Reused},
		{&all.Kept, r.Kept},
	} {
		*c.to += c.more
	}
	for status, n := range r.ByStatus {
		all.ByStatus[status] += n
	}
	for cause, n := range r.Failures {
		all.Failures[cause] += n
	}
	if all.Length < 0 {
		all.Length = r.Length
	}
	if all.Server == "" {
		all.Server = r.Server
	}
	all.Read += r.Read
	all.Head += r.Head
	all.Body += r.Body
	all.Written += r.Written
	all.Duration += r.Duration
	all.CPU += r.CPU
	all.LoopCPU += r.LoopCPU
	all.NeediestLoop += r.NeediestLoop
	all.Lag.Max = max(all.Lag.Max, r.Lag.Max)
	all.Clients = max(all.Clients, r.Clients)
	all.AnswersPerClient = addAnswers(all.AnswersPerClient, r.AnswersPerClient)
}

// addAnswers adds the answers of each client.
func addAnswers(all, more []int) []int {
	for len(all) < len(more) {
		all = append(all, 0)
	}
	for client, answers := range more {
		all[client] += answers
	}
	return all
}

// times are the distributions of a result.
func times(r *load.Result) []*load.Times {
	return []*load.Times{&r.Response, &r.Service, &r.SendLag, &r.Good, &r.GivenUp, &r.Connect, &r.Processing, &r.Wait}
}

// startTimes makes empty distributions of the kind that the first round has.
func startTimes(all, first *load.Result) {
	all.Samples = []load.Sample{}
	from := times(first)
	for i, t := range times(all) {
		*t = load.Times{Histogram: from[i].Histogram.Clone()}
		t.Histogram.Reset()
	}
}

// addTimes adds a round's times. Single times are kept only when every round kept its own.
func addTimes(all, r *load.Result) {
	from := times(r)
	for i, t := range times(all) {
		t.Merge(from[i])
	}
	if all.Samples == nil || r.Samples == nil {
		all.Samples = nil
		return
	}
	all.Samples = append(all.Samples, r.Samples...)
}

func addUsage(all, u procstat.Usage) procstat.Usage {
	all.CPUSeconds += u.CPUSeconds
	all.VoluntarySwitches += u.VoluntarySwitches
	all.InvoluntarySwitches += u.InvoluntarySwitches
	all.RSSBytes = max(all.RSSBytes, u.RSSBytes)
	all.PeakRSSBytes = max(all.PeakRSSBytes, u.PeakRSSBytes)
	all.Threads = max(all.Threads, u.Threads)
	all.OpenFDs = max(all.OpenFDs, u.OpenFDs)
	return all
}

// ledgers returns the ledgers of A and B over all rounds.
func ledgers(rounds []Measurement) (a, b lab.Ledger) {
	for _, m := range rounds {
		a, b = addLedger(a, m.A), addLedger(b, m.B)
	}
	return a, b
}

// addLedger adds calls; of the delays it keeps the means over all calls and the worst overshoot.
func addLedger(all, l lab.Ledger) lab.Ledger {
	if calls := all.Calls + l.Calls; calls > 0 {
		before, now := float64(all.Calls)/float64(calls), float64(l.Calls)/float64(calls)
		all.IntendedMS.Mean = before*all.IntendedMS.Mean + now*l.IntendedMS.Mean
		all.DeliveredMS.Mean = before*all.DeliveredMS.Mean + now*l.DeliveredMS.Mean
	}
	if calls := all.Queued + l.Queued; calls > 0 {
		all.QueueMS.Mean = (float64(all.Queued)*all.QueueMS.Mean + float64(l.Queued)*l.QueueMS.Mean) / float64(calls)
	}
	all.Queued += l.Queued
	all.Calls += l.Calls
	all.LateCalls += l.LateCalls
	all.Late = all.Late || l.Late
	all.OvershootMS.P99 = max(all.OvershootMS.P99, l.OvershootMS.P99)
	return all
}
