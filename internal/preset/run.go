package preset

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"poolvsloop/internal/compare"
	"poolvsloop/internal/page"
	"poolvsloop/internal/results"
)

// Options say how a preset is run.
type Options struct {
	// Quick takes the short form of every step.
	Quick bool
	// Results is the directory in which the folder of the preset is made, Folder its name there; "" makes one of the time.
	Results, Folder string
	// Guessed is the guess to grade, nil for none.
	Guessed *float64
	// Out gets the report, Progress what is being done meanwhile.
	Out      io.Writer
	Progress io.Writer
}

// Run runs the steps of a preset, judges what they measured, saves it and prints the report. What could not be run is an
// error; a preset that did not come out as expected is none: [Outcome.Err] tells. Call it from one goroutine.
func Run(ctx context.Context, p *Preset, o Options) (*Outcome, error) {
	known, err := p.forecast(o.Quick, runtime.GOMAXPROCS(0))
	if err != nil {
		return nil, err
	}
	head, told := p.heading(), p.predictionText(known, o.Quick)
	shown := head + told
	if o.Guessed != nil {
		shown = strings.TrimPrefix(told, "\n") // who guessed has read the question
	}
	if _, err := io.WriteString(o.Out, shown); err != nil {
		return nil, fmt.Errorf("print the preset: %w", err)
	}
	out := &Outcome{
		Schema: Schema, Preset: p.Name, Started: time.Now().UTC().Truncate(time.Millisecond), Quick: o.Quick, preset: p,
		Steps: []StepOutcome{}, Expectations: []Judged{},
	}
	if err := out.open(o.Results, o.Folder); err != nil {
		return nil, err
	}
	figures, err := out.measure(ctx, o)
	if err != nil {
		if os.Remove(out.folder) != nil { // there is something in it
			err = fmt.Errorf("%w; the runs before that are in %s", err, out.folder)
		}
		return nil, err
	}
	out.TookS = tookS(out.Started)
	out.judge(figures)
	if o.Guessed != nil {
		if out.Verdict == Invalid || out.Verdict == Busy {
			figures = p.sample() // nothing is known
		}
		graded := p.Guess.grade(*o.Guessed, figures)
		out.Guess = &graded
	}
	return out, out.finish(o.Out, head+told)
}

// measure runs the steps and returns what formulas see of them.
func (o *Outcome) measure(ctx context.Context, options Options) (map[string]any, error) {
	p := o.preset
	figures := p.sample()
	for i := range p.Steps {
		s := &stepRun{
			Step: &p.Steps[i], quick: options.Quick, folder: o.folder, progress: options.Progress, otherLoad: results.Unknown,
		}
		_, _ = fmt.Fprintf(options.Progress, "%s, step %d of %d: %s\n", p.Name, i+1, len(p.Steps), s.Name.Text)
		err := s.run(ctx)
		switch {
		case ctx.Err() != nil:
			return nil, fmt.Errorf("interrupted in step %s of %s", s.Name.Text, p.Name)
		case err != nil:
			return nil, fmt.Errorf("step %s of %s: %w", s.Name.Text, p.Name, err)
		}
		figures[s.Name.Text] = s.figures
		o.Steps = append(o.Steps, s.outcome())
	}
	return figures, nil
}

// open makes the folder of the preset, in which the steps put theirs.
func (o *Outcome) open(dir, name string) error {
	if err := results.CheckFolder(dir); err != nil {
		return err
	}
	if name == "" {
		name = results.ID(o.Started, "preset-"+o.Preset)
	}
	o.folder = filepath.Join(dir, name)
	if err := os.Mkdir(o.folder, 0o755); err != nil {
		return fmt.Errorf("make the folder of the preset: %w", err)
	}
	return nil
}

// finish saves what came out and prints it.
func (o *Outcome) finish(out io.Writer, head string) error {
	text := o.text()
	files, err := o.files(head + text)
	if err != nil {
		return err
	}
	shown, drawing := o.page()
	files = append(files, shown...)
	if err := results.Replace(o.folder, files); err != nil {
		return fmt.Errorf("save the outcome: %w", err)
	}
	text += "Results: " + o.folder + "\n"
	if len(shown) > 0 {
		text += "Page:    " + filepath.Join(o.folder, page.Name) + "\n"
	}
	if _, err := io.WriteString(out, text); err != nil {
		return fmt.Errorf("print the outcome: %w", err)
	}
	return drawing
}

// Introduction is what is printed before anything runs: the question, the steps, and what theory expects.
func (p *Preset) Introduction(quick bool) (string, error) {
	known, err := p.forecast(quick, runtime.GOMAXPROCS(0))
	if err != nil {
		return "", err
	}
	return p.heading() + p.predictionText(known, quick), nil
}

// stepRun is a step while it runs.
type stepRun struct {
	*Step
	quick    bool
	folder   string
	progress io.Writer

	// figures are for the formulas; the others for the outcome.
	figures map[string]any
	valid   bool
	reasons []string
	folders []string
	// otherLoad is the most that other programs had of the processors in a round, in percent; busy says that it, or what the
	// hypervisor gave to others, was more than normal.
	otherLoad results.Number
	busy      bool
}

func (s *stepRun) run(ctx context.Context) error {
	if s.Compare != nil {
		return s.compare(ctx)
	}
	return s.loads(ctx)
}

// outcome is what is written down of the step.
func (s *stepRun) outcome() StepOutcome {
	return StepOutcome{
		Name: s.Name.Text, Command: s.Command(s.quick), Folders: s.folders, Valid: s.valid, Reasons: append([]string{}, s.reasons...),
		Expected: s.Invalid, OtherLoadPercent: s.otherLoad, MachineBusy: s.busy, Figures: documented(s.figures),
	}
}

// documented replaces numbers by such that JSON can hold.
func documented(figures map[string]any) map[string]any {
	all := map[string]any{}
	for name, value := range figures {
		switch v := value.(type) {
		case float64:
			all[name] = results.Number(v)
		case map[string]any:
			all[name] = documented(v)
		case []float64:
			list := make([]results.Number, len(v))
			for i, x := range v {
				list[i] = results.Number(x)
			}
			all[name] = list
		default:
			all[name] = v
		}
	}
	return all
}

// progressOf shows how a comparison comes along.
func (s *stepRun) progressOf(c results.Config) compare.Progress {
	return compare.Lines{Out: s.progress, Rounds: c.Rounds}
}
