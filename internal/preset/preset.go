package preset

import (
	"embed"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Preset is one experiment. Its fields are those of its file; docs/presets.md describes them.
type Preset struct {
	// Name is that of the file, without its ending.
	Name string `yaml:"-"`
	// Title is half a line, Question what the reader shall think about before anything runs.
	Title    string `yaml:"title"`
	Question string `yaml:"question"`
	Guess    Guess  `yaml:"guess"`
	// Steps are measured in their order.
	Steps  []Step        `yaml:"steps"`
	Expect []Expectation `yaml:"expect"`
	// Law is a formula, Theory the paragraph about it.
	Law    string `yaml:"law"`
	Theory string `yaml:"theory"`
	Lesson string `yaml:"lesson"`
	// Next is a command that goes on from here.
	Next string `yaml:"next"`
}

// Guess is what is asked before the run, and graded after it.
type Guess struct {
	Asks string `yaml:"asks"`
	// Of is the measured figure that is to be guessed, in Unit.
	Of   Formula `yaml:"of"`
	Unit string  `yaml:"unit"`
	// Choices are offered; any other number may be given, too.
	Choices []float64 `yaml:"choices"`
}

// Step is one measurement of both servers: a comparison (Compare), or one run on each of them (Run).
type Step struct {
	// Name is how formulas call it.
	Name Label `yaml:"name"`
	// Compare are flags of loadrunner compare, Run are flags of loadrunner run, against a lab that the step starts. Quick
	// are flags that replace them in a quick run.
	Compare Flags `yaml:"compare"`
	Run     Flags `yaml:"run"`
	Quick   Flags `yaml:"quick"`
	// Path is what a run asks for: a path, or "order" for the order handler of each server. Targets are weighted ones in
	// its place, as in the file of loadrunner run --targets.
	Path    string `yaml:"path"`
	Targets string `yaml:"targets"`
	// Servers are flags of both servers, ThreadPool and EventLoop of one.
	Servers    Flags `yaml:"servers"`
	ThreadPool Flags `yaml:"threadpool"`
	EventLoop  Flags `yaml:"eventloop"`
	// DownstreamA and DownstreamB are settings of the downstreams, made right before each run and taken back after it.
	DownstreamA Flags `yaml:"downstream-a"`
	DownstreamB Flags `yaml:"downstream-b"`
	// Invalid names the check that has to fail: the lab is expected to refuse the figures.
	Invalid string `yaml:"invalid"`
}

// Expectation is one thing that theory says of the figures.
type Expectation struct {
	Says Label `yaml:"says"`
	// Value is what was measured. It must be Is, within so many percent of it (texts are compared as they are), or lie
	// Above or Below.
	Value  Formula `yaml:"value"`
	Is     Formula `yaml:"is"`
	Within float64 `yaml:"within"`
	Above  Formula `yaml:"above"`
	Below  Formula `yaml:"below"`
}

//go:embed files/*.yaml
var files embed.FS

const ending = ".yaml"

// Names are all presets, in the order in which they are listed and run.
func Names() []string {
	entries, _ := files.ReadDir("files") // an embedded folder can be read
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ending))
	}
	slices.SortStableFunc(names, func(a, b string) int { return place(a) - place(b) })
	return names
}

// Lessons are the ten of loadrunner preset learn, in the order in which they are taught.
var Lessons = []string{
	"seed", "pool-starved", "pool-sized", "blocking-mistake", "cpu-hog", "open-vs-closed", "overload-open", "heavy-tail",
	"idle-10k", "crossover",
}

// place is that of a lesson among the lessons; all others come behind them.
func place(name string) int {
	if i := slices.Index(Lessons, name); i >= 0 {
		return i
	}
	return len(Lessons)
}

// Find returns a preset by its name, or from a file when the name ends with .yaml. Its errors are of usage.
func Find(name string) (*Preset, error) {
	if strings.HasSuffix(name, ending) {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read a preset: %w", err)
		}
		return Parse(name, text)
	}
	text, err := files.ReadFile("files/" + name + ending)
	if err != nil {
		return nil, fmt.Errorf("no preset %q: loadrunner preset list names all; a file of your own ends with %s", name, ending)
	}
	return Parse(name+ending, text)
}
