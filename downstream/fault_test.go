package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPickDealsOutTheShares(t *testing.T) {
	all := Faults{HangShare: 0.1, ResetShare: 0.2, ErrorShare: 0.3, SlowBodyShare: 0.25}
	for _, tc := range []struct {
		faults Faults
		u      float64
		want   Fault
	}{
		{Faults{}, 1e-16, NoFault},
		{all, 1e-16, Hang}, {all, 0.0999, Hang},
		{all, 0.1001, Reset}, {all, 0.2999, Reset},
		{all, 0.3001, Error}, {all, 0.5999, Error},
		{all, 0.6001, SlowBody}, {all, 0.8499, SlowBody},
		{all, 0.8501, NoFault}, {all, 1 - 1e-16, NoFault},
		{Faults{ErrorShare: 1}, 1 - 1e-16, Error},
		{Faults{SlowBodyShare: 1}, 1e-16, SlowBody},
	} {
		t.Run(fmt.Sprintf("%+v at %g", tc.faults, tc.u), func(t *testing.T) {
			assert.Equal(t, tc.want, tc.faults.Pick(tc.u))
		})
	}
}

func TestFaultSharesHoldOverRequestIDs(t *testing.T) {
	faults := Faults{HangShare: 0.01, ResetShare: 0.02, ErrorShare: 0.05, SlowBodyShare: 0.1}
	source := NewSource(1, "a")
	count := map[Fault]float64{}
	for i := range draws {
		count[faults.Pick(source.Draw(fmt.Sprintf("r-%d", i)).Fault)] += 1.0 / draws
	}
	assert.InDelta(t, 0.01, count[Hang], 0.003)
	assert.InDelta(t, 0.02, count[Reset], 0.004)
	assert.InDelta(t, 0.05, count[Error], 0.006)
	assert.InDelta(t, 0.1, count[SlowBody], 0.008)
}
