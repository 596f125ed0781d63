package program

import (
	"fmt"

	"github.com/rs/zerolog"
	"golang.org/x/sys/unix"

	"poolvsloop/internal/accept"
	"poolvsloop/internal/procstat"
)

// Limits are the limits in force of a listening program, and what was asked for where they can differ.
type Limits struct {
	// BacklogAsked is cut by Somaxconn to Backlog; the kernel accept queue holds one more.
	BacklogAsked int `json:"backlog_asked"`
	Somaxconn    int `json:"somaxconn"`
	Backlog      int `json:"backlog"`
	// MaxConnsAsked (0: no limit) is cut to MaxConns by the descriptors.
	MaxConnsAsked int `json:"max_conns_asked"`
	MaxConns      int `json:"max_conns"`
	// NofileSoft and NofileHard are the descriptor limits.
	NofileSoft uint64 `json:"nofile"`
	NofileHard uint64 `json:"nofile_hard"`
	// GoMaxProcs is the number of threads that run Go code at once, CPUs those the process may use, CgroupQuota its CPU
	// quota in CPUs (0: none).
	GoMaxProcs  int     `json:"gomaxprocs"`
	CPUs        int     `json:"cpus"`
	CgroupQuota float64 `json:"cgroup_quota"`
}

// NewLimits puts together what the listener and the host say.
func NewLimits(s accept.Stats, h procstat.Host) Limits {
	return Limits{
		BacklogAsked: s.BacklogAsked, Somaxconn: h.Somaxconn, Backlog: s.Backlog,
		MaxConnsAsked: s.MaxConnsAsked, MaxConns: s.MaxConns,
		NofileSoft: h.NofileSoft, NofileHard: h.NofileHard,
		GoMaxProcs: h.GoMaxProcs, CPUs: h.CPUs, CgroupQuota: h.CgroupQuota,
	}
}

// LogLimits writes two lines with every limit in force. The first is a warning when something asked for was cut.
func LogLimits(log zerolog.Logger, l Limits) {
	backlogCut, connsCut := l.Backlog < l.BacklogAsked, l.MaxConns < l.MaxConnsAsked
	message := "connection limits"
	if backlogCut {
		message += "; --backlog was cut by net.core.somaxconn: raise it with sysctl"
	}
	if connsCut {
		message += "; --max-conns was cut to the descriptors: raise them (ulimit -n)"
	}
	log.WithLevel(severity(backlogCut || connsCut)).
		Int("backlog_asked", l.BacklogAsked).Int("somaxconn", l.Somaxconn).Int("backlog", l.Backlog).
		Int("max_conns_asked", l.MaxConnsAsked).Int("max_conns", l.MaxConns).
		Uint64("nofile", l.NofileSoft).Uint64("nofile_hard", l.NofileHard).Msg(message)

	log.Info().Int("gomaxprocs", l.GoMaxProcs).Int("cpus", l.CPUs).Float64("cgroup_quota", l.CgroupQuota).
		Msg("CPU limits")
}

func severity(cut bool) zerolog.Level {
	if cut {
		return zerolog.WarnLevel
	}
	return zerolog.InfoLevel
}

// RaiseDescriptors lifts the soft descriptor limit to the hard one. Call it before anything listens.
func RaiseDescriptors() error {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return fmt.Errorf("read the descriptor limit: %w", err)
	}
	if limit.Cur >= limit.Max {
		return nil
	}
	limit.Cur = limit.Max
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return fmt.Errorf("raise the descriptor limit to %d: %w", limit.Max, err)
	}
	return nil
}
