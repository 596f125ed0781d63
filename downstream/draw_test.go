package main

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The values pin the function: who changes it changes the delays of every run ever recorded.
func TestDrawIsPinned(t *testing.T) {
	for _, tc := range []struct {
		seed     uint64
		name, id string
		want     Draw
	}{
		{1, "a", "r-000001", Draw{Fault: 0.18035605621432838, Delay: 0.9619940763293956, Quote: 0x226fc2afb69bc081}},
		{1, "b", "r-000001", Draw{Fault: 0.23306689686358195, Delay: 0.616763249723356, Quote: 0x30037e81b9afa6a}},
		{2, "a", "r-000001", Draw{Fault: 0.016486072140903585, Delay: 0.02673598359533369, Quote: 0x350bb5057709d211}},
		{1, "a", "", Draw{Fault: 0.707087888710961, Delay: 0.9938247102100758, Quote: 0x75ee08aa0d5b2d84}},
	} {
		assert.Equal(t, tc.want, NewSource(tc.seed, tc.name).Draw(tc.id), "%d %s %q", tc.seed, tc.name, tc.id)
	}
}

func TestUnitIsNeverAnEnd(t *testing.T) {
	assert.Greater(t, unit(0), 0.0)
	assert.Less(t, unit(math.MaxUint64), 1.0)
	assert.InDelta(t, 0.5, unit(1<<63), 1e-12)
}

const draws = 20_000

// ids are the ways in which clients number their requests.
var ids = map[string]func(i int) string{
	"padded":      func(i int) string { return fmt.Sprintf("r-%08d", i) },
	"bare":        func(i int) string { return fmt.Sprint(i) },
	"hexadecimal": func(i int) string { return fmt.Sprintf("%016x", i*7919) },
	"suffixed":    func(i int) string { return fmt.Sprintf("%d-round-1-threadpool", i) },
}

func drawAll(source Source, id func(i int) string) (faults, delays []float64) {
	for i := range draws {
		d := source.Draw(id(i))
		faults, delays = append(faults, d.Fault), append(delays, d.Delay)
	}
	return faults, delays
}

// largestGap is the Kolmogorov–Smirnov distance from the uniform distribution.
func largestGap(values []float64) float64 {
	gap := 0.0
	n := float64(len(values))
	for i, v := range slices.Sorted(slices.Values(values)) {
		gap = max(gap, math.Abs(v-float64(i)/n), math.Abs(v-float64(i+1)/n))
	}
	return gap
}

func correlation(x, y []float64) float64 {
	mx, my := mean(x), mean(y)
	var xy, xx, yy float64
	for i := range x {
		xy += (x[i] - mx) * (y[i] - my)
		xx += (x[i] - mx) * (x[i] - mx)
		yy += (y[i] - my) * (y[i] - my)
	}
	return xy / math.Sqrt(xx*yy)
}

func TestDrawsAreUniformAndIndependent(t *testing.T) {
	// Both bounds are exceeded by chance once in more than 10,000 tries.
	const gap, correlated = 2.3, 4.0
	root := math.Sqrt(draws)
	for name, id := range ids {
		t.Run(name, func(t *testing.T) {
			faults, delays := drawAll(NewSource(1, "a"), id)
			assert.Less(t, largestGap(faults)*root, gap, "faults are not uniform")
			assert.Less(t, largestGap(delays)*root, gap, "delays are not uniform")
			assert.Less(t, math.Abs(correlation(faults, delays))*root, correlated, "a call's fault tells its delay")
			assert.Less(t, math.Abs(correlation(delays[1:], delays[:draws-1]))*root, correlated, "an id tells the next")
			_, ofB := drawAll(NewSource(1, "b"), id)
			assert.Less(t, math.Abs(correlation(delays, ofB))*root, correlated, "A tells B")
			_, reseeded := drawAll(NewSource(2, "a"), id)
			assert.Less(t, math.Abs(correlation(delays, reseeded))*root, correlated, "a seed tells the next")
		})
	}
}
