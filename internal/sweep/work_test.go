package sweep

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// working is a Work whose clock goes on by a second whenever it is read.
func working(j *Journal, measure func(Cell) error) (w *Work, said *[]string) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	said = &[]string{}
	return &Work{
		Journal: j,
		Measure: func(_ context.Context, c Cell) (Outcome, error) {
			return Outcome{Files: filesOf(c), Says: "fine"}, measure(c)
		},
		Estimate: func(Cell) time.Duration { return 10 * time.Second },
		Say:      func(line string) { *said = append(*said, line) },
		Now:      func() time.Time { now = now.Add(time.Second); return now },
	}, said
}

var errBad = errors.New("bad luck")

func TestWorkMeasuresEachCellInTheOrderOfThePlan(t *testing.T) {
	j := begin(t, "c=1..6+1")
	var order []int
	w, said := working(j, func(c Cell) error { order = append(order, c.Number); return nil })
	require.Equal(t, time.Minute, w.Left())
	require.NoError(t, w.Run(t.Context()))
	require.Equal(t, j.Plan.Order, order)
	require.Contains(t, (*said)[0], "cell 1 of 6: concurrency=")
	require.Contains(t, (*said)[0], "(about 60 s left)")
	require.Contains(t, (*said)[2], "(about 5 s left)", "a cell took a second of the ten that were expected")
	require.NoError(t, w.Run(t.Context()))
	require.Len(t, order, 6, "nothing is measured twice")
}

func TestAFailedCellIsTriedOnceMoreBehindTheOthers(t *testing.T) {
	j := begin(t, "c=1..6+1")
	unlucky, broken := j.Plan.Order[1], j.Plan.Order[3]
	tries := map[int]int{}
	w, _ := working(j, func(c Cell) error {
		tries[c.Number]++
		if c.Number == broken || c.Number == unlucky && tries[unlucky] == 1 {
			return errBad
		}
		return nil
	})
	require.NoError(t, w.Run(t.Context()))
	require.Equal(t, 2, tries[unlucky])
	require.Equal(t, 2, tries[broken])
	require.Zero(t, j.Left())
	for _, e := range j.Entries() {
		if e.Cell == broken {
			require.Equal(t, errBad.Error(), e.Failure)
		} else {
			require.Empty(t, e.Failure)
		}
	}
}

func TestAFaultOfTheMachineIsNoneOfTheCells(t *testing.T) {
	j := begin(t, "c=1..6+1")
	calls := 0
	w, _ := working(j, func(Cell) error {
		if calls++; calls > 2 {
			return errBad
		}
		return nil
	})
	require.ErrorIs(t, w.Run(t.Context()), errBad)
	require.Equal(t, 5, calls)
	require.Len(t, j.Entries(), 2, "cells that failed are left for another time")
}

func TestAnInterruptLeavesWhatIsDone(t *testing.T) {
	j := begin(t, "c=1..6+1")
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	w, _ := working(j, func(Cell) error {
		if calls++; calls == 3 {
			cancel()
			return errBad
		}
		return nil
	})
	require.ErrorIs(t, w.Run(ctx), ErrInterrupted)
	require.Len(t, j.Entries(), 2)
}

func TestRoughly(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"0 s": 0, "119 s": 119 * time.Second, "2 min": 2*time.Minute + 10*time.Second, "119 min": 119 * time.Minute, "2 h 05 min": 125 * time.Minute,
	} {
		require.Equal(t, want, Roughly(d), strings.TrimSpace(want))
	}
}
