package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestStallHoldsWhatIsDueInsideItsWindow(t *testing.T) {
	start := time.Now()
	window := NewStall(start, 2*time.Second, time.Second)
	for name, tc := range map[string]struct {
		stall Stall
		at    time.Duration
		want  time.Duration
	}{
		"no window":        {Stall{}, 0, 0},
		"empty window":     {NewStall(start, 0, 0), 0, 0},
		"before":           {window, 1999 * time.Millisecond, 0},
		"at the beginning": {window, 2 * time.Second, time.Second},
		"inside":           {window, 2900 * time.Millisecond, 100 * time.Millisecond},
		"at the end":       {window, 3 * time.Second, 0},
		"after":            {window, time.Hour, 0},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, tc.want, tc.stall.Remaining(start.Add(tc.at)))
		})
	}
}
