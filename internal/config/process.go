package config

import (
	"errors"
	"strings"

	"github.com/spf13/pflag"
)

// Process is what every program of the lab that listens is configured with.
type Process struct {
	// Addr and Admin are host:port; port 0 picks a free one, which is logged. An empty Admin turns the admin port off.
	Addr, Admin string
	// LogLevel is debug, info, warn or error. LogFormat is json, console or auto (console on a terminal).
	LogLevel, LogFormat string
}

var (
	logLevels  = []string{"debug", "info", "warn", "error"}
	logFormats = []string{"auto", "json", "console"}
)

// Common returns p, for whoever knows only that a configuration has one.
func (p *Process) Common() *Process { return p }

// Bind declares the flags of p on fs. What p.Addr and p.Admin hold becomes their default, so a program sets its own
// ports before Bind.
func (p *Process) Bind(fs *pflag.FlagSet) {
	Group(fs, "Process", func() { p.bind(fs) })
}

func (p *Process) bind(fs *pflag.FlagSet) {
	fs.StringVar(&p.Addr, "addr", p.Addr, "`host:port` to serve on; port 0 picks a free one, which is logged")
	fs.StringVar(&p.Admin, "admin", p.Admin,
		"`host:port` of the admin port (/metrics, /stats, /config, pprof); port 0 picks one, empty turns it off")
	fs.StringVar(&p.LogLevel, "log-level", "info", "least `level` that is logged: "+strings.Join(logLevels, ", "))
	fs.StringVar(&p.LogFormat, "log-format", "auto",
		"`format` of log lines: json, console (for people), or auto: console when stderr is a terminal")
}

// Validate returns all that is wrong with p as one error that names each flag, or nil.
func (p *Process) Validate() error {
	return errors.Join(
		HostPort("addr", p.Addr),
		unless(p.Admin == "", HostPort("admin", p.Admin)),
		OneOf("log-level", p.LogLevel, logLevels...),
		OneOf("log-format", p.LogFormat, logFormats...),
	)
}

func unless(excused bool, err error) error {
	if excused {
		return nil
	}
	return err
}
