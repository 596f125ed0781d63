package ab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"strconv"
	"time"

	"poolvsloop/internal/abreport"
	"poolvsloop/internal/load"
	"poolvsloop/internal/request"
)

// Run does what ab does when it is called as name with these words, and returns its exit code, 0 to 255. A cancelled
// context is ab's SIGINT: the report of what is done is printed, and the code is 1.
func Run(ctx context.Context, name string, words []string, stdout, stderr io.Writer) int {
	o, err := Parse(name, words, request.ReadFile)
	if err == nil {
		s := session{Options: o, stdout: stdout, stderr: stderr}
		err = s.run(ctx)
	}
	if err == nil {
		return 0
	}
	exit := &Exit{Code: 1, Stderr: fmt.Sprintf("%s: %s\n", name, err)}
	errors.As(err, &exit)
	say(stdout, "%s", exit.Stdout)
	say(stderr, "%s", exit.Stderr)
	return exit.Code % 256
}

// session is one run of the program.
type session struct {
	*Options
	stdout, stderr io.Writer
	local          netip.Addr // of -B, invalid without
	progress       progress
	failures       failures
}

// run prints everything but an error's own text, which it returns as an [*Exit].
func (s *session) run(ctx context.Context) error {
	config, err := s.config()
	if err != nil {
		return err
	}
	s.greet()
	if config.Addr, err = s.resolve(ctx); err != nil {
		if ctx.Err() != nil {
			return &Exit{Code: 1}
		}
		return err
	}
	result, err := load.Run(ctx, config)
	if err != nil {
		return err
	}
	if s.failures.fatal != nil {
		return s.failures.exit(result)
	}
	if !result.Interrupted {
		s.finish(result)
	}
	return s.report(result)
}

// config says everything to the engine but the address. It also prepares what looks on during the run.
func (s *session) config() (load.Config, error) {
	head := s.head()
	if len(head) > maxHead {
		return load.Config{}, refuse("Request too long")
	}
	secure, err := s.tlsConfig(request.ReadFile)
	if err != nil {
		return load.Config{}, err
	}
	s.progress = newProgress(s.stderr, s.Options)
	s.failures = failures{Options: s.Options, stdout: s.stdout, stderr: s.stderr}
	c := load.Config{
		Source:    load.Fixed(head + string(s.Body)),
		Requests:  s.Requests,
		Clients:   s.Concurrency,
		KeepAlive: s.KeepAlive, HTTP10: true,
		Timeout:   load.MaxTimeout,
		Threads:   1, // an answer is the first one, or the last before a failure, as in ab
		OnFailure: s.failures.add,
		Progress:  s.progress.report,
	}
	if s.Timeout > 0 {
		c.Timeout = min(s.Timeout, load.MaxTimeout)
	}
	if s.Buffer > 0 || s.Bind != "" {
		c.Prepare = s.prepare
	}
	if s.Verbosity >= 2 {
		log := headLog{w: s.stdout, verbosity: s.Verbosity, partial: map[int][]byte{}}
		c.OnRead = log.read
	}
	if s.TimeLimit != 0 {
		c.Duration, c.Grace = max(s.TimeLimit, 1), 1 // what is in flight at the end is dropped
	}
	if s.target.TLS {
		c.TLS = secure
	}
	return c, nil
}

// greet prints what stands before the run.
func (s *session) greet() {
	say(s.stdout, "%s", banner(s.HTML))
	if !s.HTML {
		through, end := "", "..."
		if s.Proxied {
			through = "[through " + s.Proxy + ":" + strconv.Itoa(s.ProxyPort) + "] "
		}
		if s.progress.step > 0 {
			end = "\n"
		}
		say(s.stdout, "Benchmarking %s %s(be patient)%s", s.target.Host, through, end)
	}
	if s.Verbosity >= 2 {
		say(s.stdout, "INFO: %s header == \n---\n%s\n---\n", s.Method, s.head())
	}
}

// finish prints what stands behind the run.
func (s *session) finish(x *load.Result) {
	if s.progress.step > 0 {
		say(s.stderr, "Finished %d requests\n", x.Answered+x.Failed())
	} else {
		say(s.stdout, "..done\n")
	}
}

// report prints the report and writes the files.
func (s *session) report(x *load.Result) error {
	r := abreport.Report{
		Host: s.target.Host, Port: s.target.Port, Path: s.target.Path, TLS: s.describe(x.TLS),
		VariableLength: s.VariableLength, Concurrency: s.Concurrency, KeepAlive: s.KeepAlive, WithBody: s.SendBody,
		NoConfidence: s.NoConfidence, NoPercentiles: s.NoPercentiles, Median: abreport.AsAB,
	}
	r.Fill(x)
	r.Complete += x.Failed() // ab counts them, too
	r.Failed, r.WriteErrors = s.failures.count(r.Failed.Length), s.failures.unsent
	if s.HTML && !x.Interrupted {
		return abreport.WriteHTML(s.stdout, &r, s.Attributes)
	}
	if err := abreport.Write(s.stdout, &r); err != nil {
		return err
	}
	if x.Samples == nil {
		say(s.stderr, "Single times are kept for up to %d requests: "+
			"medians and percentiles come from a histogram of three digits\n", load.DefaultMaxSamples)
	}
	if err := s.files(x, &r); err != nil {
		return err
	}
	if x.Interrupted {
		return &Exit{Code: 1}
	}
	return nil
}

// files writes what -e and -g ask for, unless nothing was measured.
func (s *session) files(x *load.Result, r *abreport.Report) error {
	if r.Total.Count() == 0 {
		return nil
	}
	if s.CSV != "" {
		err := write(s.CSV, "CSV", func(w io.Writer) error { return abreport.WriteCSV(w, &r.Total) })
		if err != nil {
			return err
		}
	}
	if s.Gnuplot == "" {
		return nil
	}
	if x.Samples == nil {
		return &Exit{Code: 1, Stderr: "Cannot write gnuplot output file: it needs single times\n"}
	}
	return write(s.Gnuplot, "gnuplot", func(w io.Writer) error {
		return abreport.WriteGnuplot(w, x.Started.In(time.Local), x.Samples)
	})
}

// write makes a file. An error is an [*Exit].
func write(file, what string, content func(io.Writer) error) error {
	f, err := os.Create(file)
	if err != nil {
		return &Exit{Code: 1, Stderr: fmt.Sprintf("Cannot open %s output file: %s\n", what, reason(err))}
	}
	if err = errors.Join(content(f), f.Close()); err != nil {
		return &Exit{Code: 1, Stderr: fmt.Sprintf("Cannot write %s output file: %s\n", what, reason(err))}
	}
	return nil
}
