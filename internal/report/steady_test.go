package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
)

func TestCourses(t *testing.T) {
	flat, none := results.Course{Verdict: "flat", Change: 0.5}, results.Course{Verdict: "none"}
	warming, drifting := results.Course{Verdict: "warming", Change: -0.052}, results.Course{Verdict: "drifting", Change: 0.04}
	for name, c := range map[string]struct {
		rounds []results.Course
		want   string
	}{
		"no rounds":     {nil, "not known (rounds too short)"},
		"all too short": {[]results.Course{none, none}, "not known (rounds too short)"},
		"all flat":      {[]results.Course{flat, flat}, "flat in 2 of 2 rounds"},
		"one of each": {[]results.Course{flat, none, warming, drifting},
			"flat in 1 of 4 rounds, warming in 1, drifting in 1, too short in 1 (response times -5.2 % at most)"},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, courses(c.rounds)) })
	}
}
