package replica

import (
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"

	"poolvsloop/internal/sweep"
)

// Replica is a published report that the lab measures again.
type Replica struct {
	// Name is how it is asked for, Title what it was.
	Name, Title string
	// Scale is what its times and numbers of requests are multiplied by when nothing else is said, so that the whole takes
	// minutes.
	Scale float64
	// Rounds is in how many rounds of each server a test is cut.
	Rounds int
	// axes are its grid, flags what all of its tests have in common, at a scale and with so many rounds.
	axes  []sweep.Axis
	flags func(scale float64, rounds int) []Flag
	// notYet are the tests of it that today's handler does not do.
	notYet []gap
	// differs says what is not as it was.
	differs []string
	tables  func(r *Replica, s *sweep.Sweep, files fs.FS) ([]Table, error)
}

// Flag is one of loadrunner compare.
type Flag struct{ Name, Value string }

// gap is a test that the lab cannot do yet, and what it would need.
type gap struct{ test, needs string }

var all = []*Replica{ballerina, choreo, gwlb, restTest, syncVsAsync}

// Names are those of all replicas.
func Names() []string {
	var names []string
	for _, r := range all {
		names = append(names, r.Name)
	}
	return names
}

// Find returns the replica of that name, nil when there is none.
func Find(name string) *Replica {
	for _, r := range all {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// Axes are its grid, without numbers of users above most; 0 is no limit.
func (r *Replica) Axes(most int) []sweep.Axis {
	axes := []sweep.Axis{}
	for _, axis := range r.axes {
		if axis.Knob == users && most > 0 {
			axis.Values = slices.DeleteFunc(slices.Clone(axis.Values), func(value string) bool {
				n, _ := strconv.Atoi(value) // a value of a grid in this package
				return n > most
			})
		}
		axes = append(axes, axis)
	}
	return axes
}

// Flags are those that all of its tests have in common.
func (r *Replica) Flags(scale float64, rounds int) []Flag { return r.flags(scale, rounds) }

// Tables are those of the report, with the figures of a sweep in place of its own. files is the sweep's folder.
func (r *Replica) Tables(s *sweep.Sweep, files fs.FS) ([]Table, error) {
	if len(s.Servers) == 0 {
		return nil, fmt.Errorf("print the sweep as %s: nothing is measured yet", r.Name)
	}
	return r.tables(r, s, files)
}

// Knobs of the grids.
const (
	users = "concurrency"
	size  = "body-size"
)

// seconds is a time at a scale as a flag, a tenth of a second at least: shorter rounds say nothing.
func seconds(s float64) string {
	return strconv.FormatFloat(max(0.1, math.Round(s*1000)/1000), 'f', -1, 64) + "s"
}

// noDelay are the flags of a back end that answers at once, and of a server that rejects nothing and runs from the first
// test to the last.
var noDelay = []Flag{
	{"latency-a", "0s"}, {"latency-b", "0s"}, {"queue", "-1"}, {"fresh", "0"}, {"keep-alive", "true"},
}

// timed are the flags of a test of so many seconds behind a warm-up.
func timed(warmup, measured float64) func(scale float64, rounds int) []Flag {
	return func(scale float64, rounds int) []Flag {
		return append(slices.Clone(noDelay), Flag{"warmup", seconds(warmup * scale)}, Flag{"duration", seconds(measured * scale / float64(rounds))})
	}
}
