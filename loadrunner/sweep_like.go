package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"poolvsloop/internal/compare"
	"poolvsloop/internal/config"
	"poolvsloop/internal/replica"
	"poolvsloop/internal/results"
	"poolvsloop/internal/sweep"
)

// likeOptions are the flags of a sweep that measures what a published report measured.
type likeOptions struct {
	name  string
	scale float64
	most  int
}

func (o *likeOptions) bind(fs *pflag.FlagSet) {
	fs.StringVar(&o.name, "like", "", "in place of --grid: that of a published `report`, "+strings.Join(replica.Names(), ", "))
	fs.Float64Var(&o.scale, "scale", 0, "with --like: `factor` for the report's times and numbers of requests; 0 = one that makes it minutes")
	fs.IntVar(&o.most, "most-users", 0, "with --like: leave out more `clients` than that; 0 = none")
}

// set enters the grid and the flags of the report into a plan. Flags that were given win.
func (o *likeOptions) set(p *sweep.Plan, fs *pflag.FlagSet) error {
	r := replica.Find(o.name)
	if r == nil {
		return config.OneOf("like", o.name, replica.Names()...)
	}
	if o.scale < 0 || o.scale > 1 {
		return fmt.Errorf("--scale %g: want more than 0, 1 at most", o.scale)
	}
	if o.most < 0 {
		return fmt.Errorf("--most-users %d: want 0 or more", o.most)
	}
	p.Like, p.Scale = r.Name, o.scale
	if o.scale == 0 {
		p.Scale = r.Scale
	}
	p.Axes = r.Axes(o.most)
	rounds := r.Rounds
	if fs.Changed("rounds") {
		given, err := fs.GetInt("rounds")
		if err != nil {
			return err
		}
		rounds = max(1, given)
	}
	for _, flag := range append(r.Flags(p.Scale, rounds), replica.Flag{Name: "rounds", Value: strconv.Itoa(rounds)}) {
		if !fs.Changed(flag.Name) {
			p.Base = append(p.Base, "--"+flag.Name+"="+flag.Value)
		}
	}
	return nil
}

// check says what is wrong with the flags of a sweep that is like no report.
func (o *likeOptions) check(fs *pflag.FlagSet) error {
	for _, flag := range []string{"scale", "most-users"} {
		if fs.Changed(flag) {
			return fmt.Errorf("--%s needs --like", flag)
		}
	}
	return nil
}

// csvFormat prints the tables of a report as comma-separated values.
const csvFormat = "csv"

// printAs prints a sweep in the columns of a published report.
func printAs(dir, name, format string) (string, error) {
	s, err := sweep.Load(dir)
	if err != nil {
		return "", err
	}
	r := replica.Find(name)
	if format == csvFormat {
		return r.CSV(s, os.DirFS(dir))
	}
	return r.Markdown(s, os.DirFS(dir))
}

// checkAs says what is wrong with --as and the format of what is printed.
func checkAs(name, format string) error {
	if name == "" {
		return config.OneOf("format", format, compare.Text, compare.JSON, compare.Markdown, html)
	}
	if err := config.OneOf("as", name, replica.Names()...); err != nil {
		return err
	}
	if slices.Contains([]string{compare.Text, compare.Markdown, csvFormat}, format) {
		return nil
	}
	return fmt.Errorf("--format %q: --as has text, markdown and csv", format)
}

// replicaFiles are those of the report that a sweep is like, none when it is like none or nothing is measured yet.
func replicaFiles(s *sweep.Sweep, dir string) ([]results.File, error) {
	r := replica.Find(s.Like)
	if r == nil || len(s.Servers) == 0 {
		return nil, nil
	}
	return r.Files(s, os.DirFS(dir))
}
