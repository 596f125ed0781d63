package preset

import (
	"errors"
	"fmt"
	"regexp"
	"slices"

	"poolvsloop/internal/config"
	"poolvsloop/internal/request"
)

// check says all that is wrong with a preset, and makes its formulas ready.
func (p *Preset) check() error {
	var all []error
	for _, field := range []struct{ name, text string }{
		{"title", p.Title}, {"question", p.Question}, {"law", p.Law}, {"theory", p.Theory}, {"lesson", p.Lesson}, {"next", p.Next},
	} {
		if field.text == "" {
			all = append(all, fmt.Errorf("%s is missing", field.name))
		}
	}
	all = append(all, p.checkSteps(), p.checkExpectations(), p.checkGuess())
	return errors.Join(all...)
}

// stepName is a name that a formula can use.
var stepName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

func (p *Preset) checkSteps() error {
	var all []error
	if len(p.Steps) == 0 {
		all = append(all, errors.New("steps are missing"))
	}
	for i, s := range p.Steps {
		if !stepName.MatchString(s.Name.Text) || slices.Contains(Functions(), s.Name.Text) {
			all = append(all, atLine(s.Name.Line, "step %q: want a name of small letters, digits and _ that is no function", s.Name.Text))
		}
		for _, other := range p.Steps[:i] {
			if other.Name.Text == s.Name.Text {
				all = append(all, atLine(s.Name.Line, "step %s is there twice", s.Name.Text))
			}
		}
		all = append(all, s.check())
	}
	return errors.Join(all...)
}

// check says what is wrong with a step.
func (s *Step) check() error {
	if (s.Compare == nil) == (s.Run == nil) {
		return atLine(s.Name.Line, "step %s: want either compare or run", s.Name.Text)
	}
	if s.Compare != nil {
		if s.ofRun() {
			return atLine(s.Name.Line, "step %s: path, targets, servers, threadpool, eventloop and downstreams need run: a "+
				"comparison has flags for them", s.Name.Text)
		}
		_, full := s.comparison(false)
		_, quick := s.comparison(true)
		return errors.Join(full, unlessSame(full, quick))
	}
	var all []error
	if s.Invalid != "" {
		all = append(all, atLine(s.Name.Line, "step %s: invalid needs compare: a run has no checks by name", s.Name.Text))
	}
	if (s.Path == "") == (s.Targets == "") {
		all = append(all, atLine(s.Name.Line, "step %s: want either path or targets", s.Name.Text))
	}
	if s.Targets != "" {
		if _, err := request.ParseTargets(s.Targets); err != nil {
			all = append(all, atLine(s.Name.Line, "step %s: %v", s.Name.Text, err))
		}
	}
	for _, flags := range []Flags{s.Servers, s.ThreadPool, s.EventLoop, s.DownstreamA, s.DownstreamB} {
		all = append(all, flags.known())
	}
	_, full := s.load(false)
	_, quick := s.load(true)
	return errors.Join(append(all, full, unlessSame(full, quick))...)
}

// ofRun says whether the step has what only a run can have.
func (s *Step) ofRun() bool {
	return s.Path != "" || s.Targets != "" || s.Servers != nil || s.ThreadPool != nil || s.EventLoop != nil ||
		s.DownstreamA != nil || s.DownstreamB != nil
}

// unlessSame drops an error that was told already.
func unlessSame(told, err error) error {
	if told != nil && err != nil && told.Error() == err.Error() {
		return nil
	}
	return err
}

// known says which flag no program of the lab has. The value is judged by the program that gets it.
func (f Flags) known() error {
	var all []error
	for _, flag := range f {
		if !slices.Contains(config.Variables(), config.Variable(flag.Name)) {
			all = append(all, atLine(flag.Line, "unknown flag %s", flag.Name))
		}
		if len(flag.Values) != 1 {
			all = append(all, atLine(flag.Line, "%s: want one value", flag.Name))
		}
	}
	return errors.Join(all...)
}

func (p *Preset) checkExpectations() error {
	var all []error
	if len(p.Expect) == 0 {
		all = append(all, errors.New("expect is missing: want what theory says of the figures"))
	}
	sample := p.sample()
	for i := range p.Expect {
		e := &p.Expect[i]
		bounds := 0
		for _, f := range []*Formula{&e.Is, &e.Above, &e.Below} {
			if f.Text != "" {
				bounds++
			}
		}
		switch {
		case e.Says.Text == "" || e.Value.Text == "" || bounds == 0:
			all = append(all, atLine(max(e.Says.Line, e.Value.Line), "expectation %d: want says, value, and one of is, above, below", i+1))
		case e.Is.Text != "" && bounds > 1:
			all = append(all, atLine(e.Is.Line, "is goes without above and below"))
		case e.Within < 0 || e.Within > 100 || e.Within > 0 && e.Is.Text == "":
			all = append(all, atLine(e.Says.Line, "within: want 0 to 100 percent of what it is"))
		}
		for _, f := range []*Formula{&e.Value, &e.Is, &e.Above, &e.Below} {
			all = append(all, f.compile(sample))
		}
	}
	return errors.Join(all...)
}

func (p *Preset) checkGuess() error {
	g := &p.Guess
	if g.Asks == "" || g.Of.Text == "" || len(g.Choices) < 2 {
		return errors.New("guess: want asks, of, and two choices or more")
	}
	return g.Of.compile(p.sample())
}
