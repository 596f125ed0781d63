package compare

import "poolvsloop/internal/results"

// scene gathers what an explanation is derived from.
func (e *Evidence) scene(run *results.Run) Scene {
	settings := e.settings()
	pool, loop := settings[ThreadPool], settings[EventLoop]
	s := Scene{
		Clients: e.Config.Concurrency, WaitMS: waited(ledgers(e.Rounds)).intended,
		ByConnection: pool["dispatch"] == "connection", KeepAlive: e.Config.KeepAlive, Blocking: loop["mistake"] == "block",
		CPUs: e.Environment.CPUs, Pool: seen(run.Targets[0].Total), Loop: seen(run.Targets[1].Total),
	}
	for _, row := range run.Comparison {
		if row.Metric == "goodput" {
			s.Verdict = row.Verdict
		}
	}
	s.Workers, _ = pool.Number("workers")
	s.Queue, _ = pool.Number("queue")
	s.MaxInflight, _ = loop.Number("max_inflight")
	if s.Loops, _ = loop.Number("loops"); s.Loops == 0 {
		s.Loops, _ = loop.Number("gomaxprocs")
	}
	return s
}

func seen(f results.Figures) Seen {
	return Seen{GoodputRPS: f.GoodputRPS, FailedShare: f.FailedShare(), Cores: f.Cores()}
}
