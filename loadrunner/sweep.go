package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poolvsloop/internal/compare"
	"poolvsloop/internal/config"
	"poolvsloop/internal/page"
	"poolvsloop/internal/program"
	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
	"poolvsloop/internal/sweep"
)

// sweepOptions are the flags of loadrunner sweep besides those of compare.
type sweepOptions struct {
	base   results.Config
	grid   string
	along  string
	search searchOptions
	like   likeOptions
	resume string
	again  bool
	dryRun bool
}

// sweepCommand measures a grid of settings.
func sweepCommand() *cobra.Command {
	var o sweepOptions
	cmd := &cobra.Command{
		Use:   "sweep",
		Short: "Measure a grid of settings: a comparison for each cell",
		Long: "Runs loadrunner compare for every combination of the values of --grid, each in a folder of its own below one for the\n" +
			"sweep, and says what the whole shows. A sweep that was stopped or killed goes on with --resume FOLDER: cells\n" +
			"that are done stay done. The exit code is 1 when a cell is missing or not valid. See docs/sweep.md.",
		Args: cobra.NoArgs,
	}
	config.Group(cmd.Flags(), "Sweep", func() { o.bind(cmd.Flags()) })
	compare.Bind(cmd.Flags(), &o.base)
	setDefault(cmd.Flags(), "name", "sweep")
	cmd.Flags().Lookup("format").Usage = "what is printed: text, json (sweep.json), or markdown"
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		journal, err := o.open(cmd)
		if err != nil || journal == nil {
			return err
		}
		return errors.Join(o.work(cmd, journal), journal.Close())
	}
	return cmd
}

func (o *sweepOptions) bind(fs *pflag.FlagSet) {
	fs.StringVar(&o.grid, "grid", "", "`knobs` and their values, as workers=10,50;c=50..400*2;latency-b=5ms,50ms: all combinations")
	fs.StringVar(&o.resume, "resume", "", "`folder` of a sweep that was begun: measure what is missing there")
	fs.BoolVar(&o.again, "again", false, "with --resume: measure anew what is not valid there")
	fs.StringVar(&o.along, "along", "", "`knob` along which it is looked for where one server overtakes the other; by default the clients, else "+
		"the first knob of numbers")
	o.search.bind(fs)
	o.like.bind(fs)
	fs.BoolVar(&o.dryRun, "dry-run", false, "say which cells there are and about how long they take, and measure nothing")
}

// setDefault gives a flag another default.
func setDefault(fs *pflag.FlagSet, name, value string) {
	f := fs.Lookup(name)
	f.DefValue = value
	_ = f.Value.Set(value) // a text that the flag takes
}

// open begins a sweep or goes on with one. It returns nil when there is nothing to measure.
func (o *sweepOptions) open(cmd *cobra.Command) (*sweep.Journal, error) {
	if err := config.OneOf("format", o.base.Format, compare.Text, compare.JSON, compare.Markdown); err != nil {
		return nil, program.Usage(err)
	}
	if o.resume != "" {
		if err := aloneWith(cmd.Flags(), "resume", "again", "format", "quiet"); err != nil {
			return nil, program.Usage(err)
		}
		return o.reopen()
	}
	if o.again {
		return nil, program.Usage(errors.New("--again needs --resume"))
	}
	plan, err := o.plan(cmd.Flags())
	if err != nil {
		return nil, program.Usage(err)
	}
	if o.dryRun {
		return nil, printPlan(cmd.OutOrStdout(), plan)
	}
	return sweep.Create(o.base.Results, plan)
}

// reopen goes on with a sweep, with --again without the cells that are not valid.
func (o *sweepOptions) reopen() (*sweep.Journal, error) {
	journal, err := sweep.Open(o.resume)
	if err != nil || !o.again {
		return journal, err
	}
	s, err := sweep.Load(journal.Dir)
	if err != nil {
		return nil, errors.Join(err, journal.Close())
	}
	for _, c := range s.Cells {
		if c.Status == sweep.Valid {
			continue
		}
		if err := journal.Discard(c.Entry); err != nil {
			return nil, errors.Join(err, journal.Close())
		}
	}
	return journal, nil
}

// aloneWith returns an error that names the flags that were set beside those allowed, but for those that a variable of
// the environment sets: that is of no account here.
func aloneWith(fs *pflag.FlagSet, flag string, allowed ...string) error {
	var surplus []string
	fs.Visit(func(f *pflag.Flag) {
		if f.Name != flag && !slices.Contains(allowed, f.Name) && os.Getenv(config.Variable(f.Name)) == "" {
			surplus = append(surplus, "--"+f.Name)
		}
	})
	if len(surplus) > 0 {
		return fmt.Errorf("--%s goes on as the sweep was begun: leave out %s", flag, strings.Join(surplus, ", "))
	}
	return nil
}

// plan is that of a new sweep: all its cells have been checked.
func (o *sweepOptions) plan(fs *pflag.FlagSet) (sweep.Plan, error) {
	p := sweep.Plan{Schema: sweep.PlanSchema, Argv: commandLine(), Base: baseFlags(fs)}
	if err := o.setGrid(&p, fs); err != nil {
		return p, err
	}
	if err := o.search.set(&p, fs); err != nil {
		return p, err
	}
	if err := checkCells(p); err != nil {
		return p, err
	}
	name := o.base.Name
	if p.Like != "" && !fs.Changed("name") {
		name = p.Like
	}
	if err := results.CheckName(name); err != nil {
		return p, err
	}
	now := time.Now()
	p.ID, p.Started = results.ID(now, name), now.UTC().Truncate(time.Millisecond)
	p.Draw(o.base.Seed)
	return p, nil
}

// setGrid enters --grid and --along. A search needs no grid.
func (o *sweepOptions) setGrid(p *sweep.Plan, fs *pflag.FlagSet) (err error) {
	if p.Axes = []sweep.Axis{}; o.grid == "" && o.search.wanted() && o.like.name == "" {
		return o.like.check(fs)
	}
	if o.like.name != "" && (o.grid != "" || o.search.wanted()) {
		return errors.New("--like measures one grid: leave out --grid and --find-max")
	}
	if o.like.name != "" {
		return o.like.set(p, fs)
	}
	if err := o.like.check(fs); err != nil {
		return err
	}
	if p.Axes, err = parseGrid(o.grid); err != nil {
		return fmt.Errorf("--grid: %w", err)
	}
	for _, axis := range p.Axes {
		if fs.Changed(axis.Knob) {
			return fmt.Errorf("--%s is set for all cells, and in the grid", axis.Knob)
		}
	}
	if p.Along, err = direction(p.Axes, o.along); err != nil {
		return fmt.Errorf("--along: %w", err)
	}
	return nil
}

// checkCells says what is wrong with the settings of a cell, of a search at both of its ends.
func checkCells(p sweep.Plan) error {
	seen := map[string]string{}
	for _, c := range p.Cells() {
		ends := []string{""}
		if p.Search != nil {
			ends = []string{fmt.Sprint(p.Search.From), fmt.Sprint(p.Search.To)}
		}
		for _, end := range ends {
			if p.Search != nil {
				c.Settings[p.Search.Over] = end
			}
			settings, err := cellConfig(p, c)
			label := sweep.Label(p.Knobs(), c.Settings)
			if err != nil {
				return fmt.Errorf("cell %s: %w", label, err)
			}
			settings.Name = "" // of its own for each cell
			all := fmt.Sprintf("%+v", settings)
			if before, twice := seen[all]; twice && before != label {
				return fmt.Errorf("cell %s is cell %s once more: write each value once", label, before)
			}
			seen[all] = label
		}
	}
	return nil
}

// parseGrid reads --grid, and names the knob that may have been meant.
func parseGrid(text string) ([]sweep.Axis, error) {
	axes, err := sweep.ParseGrid(text, knobs())
	var unknown *sweep.UnknownKnobError
	if errors.As(err, &unknown) {
		if meant := program.Similar(unknown.Knob, unknown.Known); len(meant) > 0 {
			return nil, fmt.Errorf("%w: did you mean %s?", err, strings.Join(meant, " or "))
		}
		return nil, fmt.Errorf("%w: want one of %s", err, strings.Join(unknown.Known, ", "))
	}
	return axes, err
}

// direction is the knob of --along, by its long name.
func direction(axes []sweep.Axis, along string) (string, error) {
	if along == "" {
		return "", nil
	}
	for _, axis := range axes {
		if axis.Knob != knobs()[along] {
			continue
		}
		if !axis.Numeric() || len(axis.Values) < 2 {
			return "", fmt.Errorf("%s: want a knob with two numbers or more", along)
		}
		return axis.Knob, nil
	}
	return "", fmt.Errorf("%q is not in the grid", along)
}

// work measures what is missing and prints the whole.
func (o *sweepOptions) work(cmd *cobra.Command, journal *sweep.Journal) error {
	if err := program.RaiseDescriptors(); err != nil {
		return err
	}
	w := o.worker(journal, cmd.ErrOrStderr())
	switch search, left := journal.Plan.Search, journal.Left(); {
	case search != nil:
		w.Say(fmt.Sprintf("cells to search: %d, of %d steps at most in each: about %s at most", len(journal.Plan.Order), search.Steps,
			sweep.Roughly(w.Left())))
	case left > 0:
		w.Say(fmt.Sprintf("%d of %d cells to measure, about %s", left, len(journal.Plan.Order), sweep.Roughly(w.Left())))
	}
	ended := w.Run(cmd.Context())
	s, err := finish(journal)
	if err != nil {
		return errors.Join(ended, err)
	}
	text, err := printSweep(s, o.base.Format)
	if err == nil && o.base.Format == compare.Text {
		text += "Results: " + journal.Dir + "\nPage:    " + filepath.Join(journal.Dir, page.Name) + "\n"
	}
	if err == nil {
		_, err = io.WriteString(cmd.OutOrStdout(), text)
	}
	return errors.Join(ended, err, unfinished(s, journal.Dir, ended))
}

// unfinished is the error of a sweep that is not whole or not valid.
func unfinished(s *sweep.Sweep, dir string, ended error) error {
	resume := strings.Join(called(os.Args[0]), " ") + " sweep --resume " + dir
	if !s.Complete && s.Search != nil {
		return fmt.Errorf("the search is not over: %s goes on with it", resume)
	}
	if !s.Complete {
		return fmt.Errorf("%d of %d cells are missing: %s measures them", s.Planned-len(s.Cells), s.Planned, resume)
	}
	for _, c := range s.Capacities {
		if !c.Known() && ended == nil {
			return fmt.Errorf("%w: near the bound of a search, twice at one load", compare.ErrInvalid)
		}
	}
	// A search repeats what is not valid.
	if bad := s.Count(sweep.Invalid) + s.Count(sweep.Failed); bad > 0 && ended == nil && s.Search == nil {
		return fmt.Errorf("%w: %d of %d cells; %s --again measures them anew", compare.ErrInvalid, bad, len(s.Cells), resume)
	}
	return nil
}

// finish reads what was measured and leaves its reports in the sweep's folder.
func finish(journal *sweep.Journal) (*sweep.Sweep, error) {
	s, err := sweep.Load(journal.Dir)
	if err != nil {
		return nil, err
	}
	document, err := printSweep(s, compare.JSON)
	if err != nil {
		return nil, err
	}
	var table bytes.Buffer
	if err := sweep.WriteCSV(&table, s); err != nil {
		return nil, fmt.Errorf("write sweep.csv: %w", err)
	}
	own, err := replicaFiles(s, journal.Dir)
	if err != nil {
		return nil, err
	}
	shown, err := page.SweepFiles(s)
	if err != nil {
		return nil, err
	}
	return s, journal.Write(append(append(own, shown...), []results.File{
		{Name: sweep.Document, Body: []byte(document)},
		{Name: "sweep.csv", Body: table.Bytes()},
		{Name: "sweep.txt", Body: []byte(report.Sweep(s))},
		{Name: "sweep.md", Body: []byte(report.SweepMarkdown(s))},
	}...))
}

// printSweep returns a sweep in a format.
func printSweep(s *sweep.Sweep, format string) (string, error) {
	switch format {
	case compare.JSON:
		return indented(s)
	case compare.Markdown:
		return report.SweepMarkdown(s), nil
	}
	return report.Sweep(s), nil
}

// printPlan lists the cells of a plan.
func printPlan(w io.Writer, p sweep.Plan) error {
	total := time.Duration(0)
	var b strings.Builder
	cells := p.Cells()
	for _, number := range p.Order {
		c := cells[number-1]
		total += estimate(p, c)
		fmt.Fprintf(&b, "%s: %s\n", c.Name(), sweep.Label(p.Knobs(), c.Settings))
	}
	if p.Search != nil {
		fmt.Fprintf(&b, "a search over %s from %g to %g in each, of %d steps at most\n", p.Search.Over, p.Search.From, p.Search.To, p.Search.Steps)
		total *= time.Duration(p.Search.Steps)
	}
	fmt.Fprintf(&b, "%d cells, about %s\n", len(cells), sweep.Roughly(total))
	return show(w, b.String())
}
