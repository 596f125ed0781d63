package audit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCaptions(t *testing.T) {
	const measured = "The throughput was measured.\n"
	for name, c := range map[string]struct {
		text string
		laws string
	}{
		"no load test":          {"Figure 1: my cat vs your cat\nFigure 2: memory of my cat\n", ""},
		"pictures":              {measured + "Figure 1: all of it\n", "pictures"},
		"pictures and a table":  {measured + "Figure 1: all of it\n" + soundTable, ""},
		"both sides":            {measured + "Figure 1: nginx vs haproxy\nFigure 2: memory of nginx and haproxy\n" + soundTable, ""},
		"one side":              {measured + "Fig. 1. Throughput of nginx versus haproxy under load\nFig. 2. CPU of haproxy\n" + soundTable, "one side"},
		"what is drawn":         {measured + "Figure 1: Throughput vs concurrent users\nFigure 2: memory by concurrent users\n" + soundTable, ""},
		"no measure":            {measured + "Figure 1: nginx vs haproxy\nFigure 2: configuration of nginx\n" + soundTable, ""},
		"part of a word":        {measured + "Figure 1: go vs rust\nFigure 2: memory of mongo\n" + soundTable, ""},
		"run twice":             {"Each test was run twice.\n" + soundTable, "repeats"},
		"run once":              {"Benchmarks have been performed only once.\n" + soundTable, "repeats"},
		"run two times":         {"The measurements were repeated two times.\n" + soundTable, "repeats"},
		"run once a day":        {"The tests are run once a day.\n" + soundTable, ""},
		"run ten times":         {"Each test was run ten times.\n" + soundTable, ""},
		"twice of something":    {"The tests were run with twice as many users.\n" + soundTable, ""},
		"run twice, no results": {"Each test was run twice.\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := Read("x", c.text)
			var laws []string
			for _, f := range d.Findings {
				laws = append(laws, f.Law)
			}
			require.Equal(t, c.laws, strings.Join(laws, " "), "%s", Text([]*Document{d}))
		})
	}
}

func TestStatedTimes(t *testing.T) {
	for text, want := range map[string][2]float64{
		"Duration: 7 seconds, warm-up: 2 seconds":      {7, 2},
		"Warm-up 0.12 s on each server":                {0, 0.12},
		"warmup of 500ms, duration 2 min":              {120, 0.5},
		"duration of 60 s | a stall duration of 10 ms": {60, 0},
	} {
		var s stated
		s.read(text, 1)
		require.InDelta(t, want[0], s.duration.value, 1e-9, text)
		require.InDelta(t, want[1], s.warmup.value, 1e-9, text)
	}
}

func TestAsManyCaptionsAsCanBeHeldAgainstEachOther(t *testing.T) {
	text := "throughput\n"
	for i := range 3 * mostCaptions {
		text += fmt.Sprintf("Figure 1: a%d vs b%d\n", i, i)
	}
	require.Equal(t, mostCaptions, Read("x", text).Captions)
}
