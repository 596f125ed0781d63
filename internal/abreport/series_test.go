package abreport

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/require"
)

func TestSeriesByHand(t *testing.T) {
	for _, c := range []struct {
		name         string
		us           []int64
		mean         int64
		sd           float64
		middle, asAB int64
		half, most   int64 // served: 500 and 990 permille
	}{
		{"empty", nil, 0, 0, 0, 0, 0, 0},
		{"one", []int64{7}, 7, 0, 7, 7, 7, 7},
		{"two", []int64{9, 4}, 6, math.Sqrt(4 + 9), 6, 9, 9, 9},
		{"three", []int64{41, 1, 21}, 21, 20, 21, 31, 21, 41},
		{"four", []int64{4, 3, 2, 1}, 2, math.Sqrt((1 + 0 + 1 + 4) / 3.0), 2, 3, 3, 4},
		{"five", []int64{10, 20, 30, 40, 50}, 30, math.Sqrt(1000 / 4.0), 30, 35, 30, 50},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := Exact(c.us)
			require.Equal(t, int64(len(c.us)), s.Count())
			require.Equal(t, c.mean, s.Mean())
			require.InDelta(t, c.sd, s.SD(), 1e-9)
			require.Equal(t, c.middle, s.Median(Middle))
			require.Equal(t, c.asAB, s.Median(AsAB))
			require.Equal(t, c.half, s.Served(500))
			require.Equal(t, c.most, s.Served(990))
		})
	}
}

// ab takes element N·p/100 without subtracting one, so that 99 % of a hundred is the longest.
func TestServedIndex(t *testing.T) {
	us := make([]int64, 100)
	for i := range us {
		us[i] = int64(i)
	}
	s := Exact(us)
	for permille, want := range map[int64]int64{500: 50, 660: 66, 900: 90, 980: 98, 990: 99, 999: 99, 1000: 99} {
		require.Equal(t, want, s.Served(permille), "%d ‰", permille)
	}
}

// A series made of a histogram has the same figures, its ranks within the histogram's precision.
func TestHistogramAgreesWithExact(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 10, 999, 5000} {
		us := make([]int64, n)
		h := hdrhistogram.New(1, 3_600_000_000, 3)
		var m Moments
		for i := range us {
			us[i] = int64(math.Exp(random.NormFloat64()*1.5 + 8))
			require.NoError(t, h.RecordValue(us[i]))
			m.Sum += us[i]
			m.SumSquares += float64(us[i]) * float64(us[i])
		}
		m.Min, m.Max = slices.Min(us), slices.Max(us)
		exact, rough := Exact(us), Histogram(h, m)
		require.Equal(t, exact.Count(), rough.Count())
		require.Equal(t, exact.Mean(), rough.Mean())
		require.InEpsilon(t, 1+exact.SD(), 1+rough.SD(), 1e-6)
		for _, rule := range []MedianRule{Middle, AsAB} {
			require.InEpsilon(t, exact.Median(rule), rough.Median(rule), 0.002, "n=%d", n)
		}
		for permille := int64(0); permille <= 1000; permille++ {
			require.InEpsilon(t, exact.Served(permille), rough.Served(permille), 0.002, "n=%d %d ‰", n, permille)
		}
	}
}

func TestHistogramEmpty(t *testing.T) {
	s := Histogram(hdrhistogram.New(1, 1000, 3), Moments{})
	require.Equal(t, Series{}, s)
}
