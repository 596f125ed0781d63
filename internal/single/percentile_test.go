package single

import (
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/require"
)

// histogram holds each of the times so often.
func histogram(counts map[int64]int64) *hdrhistogram.Histogram {
	h := hdrhistogram.New(1, time.Hour.Microseconds(), 3)
	for us, n := range counts {
		_ = h.RecordValues(us, n)
	}
	return h
}

func repeat(d time.Duration, n int) []time.Duration {
	all := make([]time.Duration, n)
	for i := range all {
		all[i] = d
	}
	return all
}

func TestPercentiles(t *testing.T) {
	ramp := map[int64]int64{}
	for us := range int64(1000) {
		ramp[us+1]++
	}
	two := (2 * time.Second).Microseconds()
	for _, c := range []struct {
		name             string
		answered, lost   map[int64]int64
		ages, starved    []time.Duration
		clients          int
		percent          float64
		want             int64
		atLeast, refused bool
	}{
		{name: "middle of a ramp", answered: ramp, percent: 50, want: 500},
		{name: "p99 of a ramp", answered: ramp, percent: 99, want: 990},
		{name: "p99.9 of a thousand", answered: ramp, percent: 99.9, refused: true},
		{name: "nothing", percent: 50, refused: true},
		{name: "lost ones above the percentile", answered: map[int64]int64{1000: 9900}, lost: map[int64]int64{two: 100},
			percent: 98, want: 1000},
		{name: "lost ones reach into it", answered: map[int64]int64{1000: 9900}, lost: map[int64]int64{two: 101},
			percent: 99.5, want: two, atLeast: true},
		{name: "early ones don't matter where ranks agree", answered: map[int64]int64{1000: 10_000}, ages: repeat(time.Microsecond, 5),
			percent: 50, want: 1000},
		{name: "young ones that could be long", answered: map[int64]int64{1000: 500, 5000: 500}, ages: repeat(time.Microsecond, 100),
			percent: 48, want: 1000, atLeast: true},
		{name: "all in flight", ages: repeat(time.Second, 1000), percent: 50, want: 1_000_000, atLeast: true},
		{name: "starved clients weigh as the others: 90 of 100", answered: map[int64]int64{1400: 40_000}, lost: map[int64]int64{two: 270},
			starved: repeat(2*time.Second, 90), clients: 100, percent: 50, want: two, atLeast: true},
		{name: "below the share of the starved", answered: map[int64]int64{1400: 40_000}, lost: map[int64]int64{two: 270},
			starved: repeat(2*time.Second, 90), clients: 100, percent: 9, want: 1400},
		{name: "one starved of a thousand", answered: map[int64]int64{1400: 40_000}, lost: map[int64]int64{two: 1},
			starved: repeat(2*time.Second, 1), clients: 1000, percent: 99, want: 1400},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDistribution(histogram(c.answered), histogram(c.lost), c.ages, c.starved, c.clients)
			p := d.Percentile(c.percent)
			require.Equal(t, c.refused, p.Needs > 0)
			require.InDelta(t, c.want, p.Micros, float64(c.want)/500)
			require.Equal(t, c.atLeast, p.AtLeast)
			if !c.refused && len(c.starved) == 0 {
				require.LessOrEqual(t, p.Low, p.Micros)
				require.GreaterOrEqual(t, p.High, p.Micros)
			}
		})
	}
}

// The interval of a median of 1000 by hand: ranks 500 ± 1.96·√250 = 469 and 531.
func TestPercentileInterval(t *testing.T) {
	ramp := map[int64]int64{}
	for us := range int64(1000) {
		ramp[us+1]++
	}
	d := newDistribution(histogram(ramp), histogram(nil), nil, nil, 0)
	p := d.Percentile(50)
	require.InDelta(t, 469, p.Low, 1)
	require.InDelta(t, 531, p.High, 2)
}
