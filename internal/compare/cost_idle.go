package compare

import (
	"context"
	"fmt"
	"slices"

	"poolvsloop/internal/config"
	"poolvsloop/internal/cost"
	"poolvsloop/internal/flow"
	"poolvsloop/internal/lab"
	"poolvsloop/internal/load"
	"poolvsloop/internal/procstat"
	"poolvsloop/internal/results"
)

// spare is how many connections are left to others: health checks, and those of the load runner to admin ports, downstreams
// and the cache.
const spare = 64

// idleConnections is the largest number of idle connections: what was asked for, or as many as both servers and the load
// runner can hold, up to the default. from says what it comes from; the error says what is in the way of what was asked for.
func idleConnections(c results.Config, sides Sides, servers map[Server]results.Settings) (most int, from string, err error) {
	most, from = cost.MostConnections, "the default"
	if c.CostConnections > 0 {
		most, from = c.CostConnections, "--cost-connections"
	}
	asked := most
	limit := func(allowed int, by string) {
		if allowed < most {
			most, from = max(allowed, 0), by
		}
	}
	own, err := load.MostConnections()
	if err != nil {
		return 0, "", err
	}
	limit(own-spare, "the descriptor limit of the load runner (raise it: ulimit -n)")
	for _, side := range sides {
		if conns, told := servers[side].Number("limits.max_conns"); told {
			limit(conns-spare, fmt.Sprintf("--max-conns of %s, which the descriptors cut", side))
		}
		if workers, told := servers[side].Number("workers"); told && servers[side]["dispatch"] == "connection" {
			limit(workers, fmt.Sprintf("--workers of %s, of which each connection keeps one (--dispatch=connection)", side))
		}
	}
	if c.CostConnections > 0 && most < asked {
		return 0, "", fmt.Errorf("--cost-connections %d: %s allows %d", asked, from, most)
	}
	return most, from, nil
}

// readIdle reads the memory of both servers at each number of idle connections. An embedded lab begins every pass with
// new processes; an attached one has a single pass, as memory that a server keeps after the first would spoil the next.
func (s *session) readIdle(ctx context.Context, e *CostEvidence) error {
	passes := s.plan.Passes
	if s.config.Lab == Attach {
		passes = 1
		e.leaveOut("kernel memory of an idle connection", "it is that of the machine, and an attached server may be on another one")
		e.leaveOut("socket buffers of an idle connection", "they are those of the machine, and an attached server may be on another one")
	}
	if len(e.Connections) == 0 {
		return nil
	}
	for pass := 1; pass <= passes; pass++ {
		if s.config.Lab == Embedded {
			if err := s.renew(ctx); err != nil {
				return err
			}
		}
		order := sides(s.config)
		if pass%2 == 0 {
			slices.Reverse(order[:])
		}
		for _, server := range order {
			if err := s.pass(ctx, e, server, pass); err != nil {
				return fmt.Errorf("pass %d of %s: %w", pass, server, err)
			}
		}
	}
	return nil
}

// pass opens more and more idle connections to a server and reads its memory. One that cannot be opened ends the pass: the
// reading then has fewer than it should, and a check says so.
func (s *session) pass(ctx context.Context, e *CostEvidence, server Server, pass int) error {
	target, err := s.lab.Target(string(server))
	if err != nil {
		return err
	}
	request := fmt.Sprintf("GET %s?ms=0 HTTP/1.1\r\nHost: %s\r\n\r\n", flow.HoldPath, config.AddressOf(s.evidence.URLs[server]))
	kept := load.NewKept(s.addrs[server], []byte(request))
	defer kept.Close()
	for _, n := range e.Connections {
		s.progress.Step(fmt.Sprintf("cost: %d idle connections, pass %d, %s", n, pass, server))
		failure := kept.Grow(ctx, n)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		reading, err := s.read(ctx, target, kept)
		if err != nil {
			return err
		}
		reading.Pass, reading.Connections = pass, n
		e.Readings[server] = append(e.Readings[server], reading)
		if failure != nil {
			e.Lost = fmt.Sprintf("%s: %v", server, failure)
			return nil
		}
	}
	return nil
}

// read has the server collect its garbage, and reads what is left.
func (s *session) read(ctx context.Context, target *lab.Target, kept *load.Kept) (r results.IdleReading, err error) {
	if err := target.Collect(ctx); err != nil {
		return r, err
	}
	usage, err := target.Usage(ctx)
	if err != nil {
		return r, err
	}
	r = results.IdleReading{
		RSSBytes: usage.RSSBytes, Threads: usage.Threads, KernelBytes: results.Unknown, TCPBufferBytes: results.Unknown,
	}
	if kernel, err := procstat.ReadKernelMemory(); err == nil && s.config.Lab == Embedded {
		r.KernelBytes, r.TCPBufferBytes = results.Number(kernel.Bytes), results.Number(kernel.TCPBuffers)
	}
	r.Open = kept.Open() // last, so that one which ended meanwhile is missed
	return r, nil
}
