package preset

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"poolvsloop/internal/compare"
	"poolvsloop/internal/config"
	"poolvsloop/internal/results"
	"poolvsloop/internal/single"
	"poolvsloop/internal/timeline"
	"poolvsloop/internal/why"
)

// What a step takes when its file says nothing: the first for a whole run, the second in place of the file's own for a
// quick one.
var (
	wholeFlags = map[bool]Flags{
		true:  {{Name: "duration", Values: []string{"10"}}, {Name: "rounds", Values: []string{"4"}}},
		false: {{Name: "duration", Values: []string{"10"}}, {Name: "rounds", Values: []string{"2"}}, {Name: "warmup", Values: []string{"1"}}},
	}
	quickFlags = Flags{
		{Name: "duration", Values: []string{"4"}}, {Name: "rounds", Values: []string{"1"}}, {Name: "warmup", Values: []string{"0.5"}},
	}
)

// ours are the flags that a preset decides itself.
var ours = []string{
	"results", "name", "format", "quiet", "fail-if", "targets", "lab", "threadpool", "eventloop", "threadpool-admin",
	"eventloop-admin", "downstream-a-admin", "downstream-b-admin",
}

// comparison is the step as a configuration of loadrunner compare.
func (s *Step) comparison(quick bool) (results.Config, error) {
	var c results.Config
	fs := pflag.NewFlagSet("compare", pflag.ContinueOnError)
	compare.Bind(fs, &c)
	if err := assign(fs, s.flags(fs, true, quick)); err != nil {
		return c, err
	}
	if err := compare.Resolve(fs, &c); err != nil {
		return c, atLine(s.Name.Line, "step %s: %s", s.Name.Text, strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	c.Name, c.Format = s.Name.Text, compare.JSON
	return c, nil
}

// load is a step of loadrunner run.
type load struct {
	single.Options
	rounds int
	warmup time.Duration
}

// bindRounds declares the flags that a run alone has not.
func (l *load) bindRounds(fs *pflag.FlagSet) {
	fs.IntVar(&l.rounds, "rounds", 1, "rounds on each server")
	config.SecondsVar(fs, &l.warmup, "warmup", "", 0, "time of one unmeasured client on each server")
}

// orderPath stands for the route of the order handler.
const orderPath = "order"

// load is the step as options of loadrunner run, beside the rounds and the warm-up.
func (s *Step) load(quick bool) (load, error) {
	l := load{}
	fs := pflag.NewFlagSet("run", pflag.ContinueOnError)
	single.Bind(fs, &l.Options)
	l.bindRounds(fs)
	if err := assign(fs, s.flags(fs, false, quick)); err != nil {
		return l, err
	}
	if l.rounds < 1 || l.rounds > 100 {
		return l, atLine(s.Name.Line, "step %s: rounds %d: want 1 to 100", s.Name.Text, l.rounds)
	}
	events, err := timeline.ParseAll(l.Events.At)
	if err != nil {
		return l, atLine(s.Name.Line, "step %s: at: %s", s.Name.Text, strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	for _, e := range events {
		if e.At >= l.Duration || e.Program != timeline.DownstreamA && e.Program != timeline.DownstreamB {
			return l, atLine(s.Name.Line, "step %s: at %q: want a downstream, a or b, and a time before the end", s.Name.Text, e)
		}
	}
	if s.Path == orderPath {
		l.asOrder()
	}
	l.Name, l.Format, l.Quiet = s.Name.Text, single.JSON, true
	return l, nil
}

// asOrder fills in what the order handler is asked with, each request under an id of its own.
func (l *load) asOrder() {
	l.Headers = append(l.Headers, "Content-Type: application/json", "X-Request-Id: preset-{{n}}")
	l.Variants = max(l.Variants, 20_000)
	if l.Body == "" {
		l.Body = `{"customer_id":"c-{{rand 100000 999999}}","sku":"sku-{{rand 1000 1999}}","quantity":1}`
	}
}

// flags are those of the step, by their full names: what presets take by themselves, what the file says, and for a quick
// run what replaces it.
func (s *Step) flags(fs *pflag.FlagSet, compares, quick bool) Flags {
	own := s.Run
	if compares {
		own = s.Compare
	}
	all := overlay(fs, wholeFlags[compares], own)
	if quick {
		all = overlay(fs, overlay(fs, all, quickFlags), s.Quick)
	}
	return all
}

// overlay puts the second flags over the first.
func overlay(fs *pflag.FlagSet, first, second Flags) Flags {
	all := slices.Clone(first)
	for _, flag := range second {
		if f := fs.ShorthandLookup(oneLetter(flag.Name)); f != nil {
			flag.Name = f.Name
		}
		all = append(slices.DeleteFunc(all, func(f Flag) bool { return f.Name == flag.Name }), flag)
	}
	return all
}

// oneLetter is the name of a flag when that is a letter.
func oneLetter(name string) string {
	if len(name) == 1 {
		return name
	}
	return ""
}

// assign sets the flags on fs.
func assign(fs *pflag.FlagSet, flags Flags) error {
	var all []error
	for _, flag := range flags {
		f := fs.Lookup(flag.Name)
		switch {
		case f == nil:
			all = append(all, atLine(flag.Line, "unknown flag %s", flag.Name))
			continue
		case slices.Contains(ours, flag.Name):
			all = append(all, atLine(flag.Line, "%s: a preset decides that itself", flag.Name))
			continue
		}
		for _, value := range flag.Values {
			if err := fs.Set(flag.Name, value); err != nil {
				all = append(all, atLine(flag.Line, "%s: %q is no value of it: %s", flag.Name, value, f.Usage))
			}
		}
	}
	return errors.Join(all...)
}

// commandLine is how one would write a command with these flags.
func (f Flags) commandLine(fs *pflag.FlagSet) string {
	var b strings.Builder
	for _, flag := range f {
		isBool := fs != nil && fs.Lookup(flag.Name) != nil && fs.Lookup(flag.Name).Value.Type() == "bool"
		for _, value := range flag.Values {
			switch {
			case isBool && value == "true":
				b.WriteString(" --" + flag.Name)
			case isBool:
				b.WriteString(" --" + flag.Name + "=" + value)
			default:
				b.WriteString(" --" + flag.Name + " " + why.Quoted(value))
			}
		}
	}
	return strings.TrimPrefix(b.String(), " ")
}
