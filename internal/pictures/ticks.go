package pictures

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
)

// ticks are those of a linear axis: steps of 1, 2 or 5 of a power of ten, about as many as wanted, each with its label.
type ticks int

// Ticks implements [plot.Ticker].
func (n ticks) Ticks(low, high float64) []plot.Tick {
	if !legible(low, high) {
		return nil
	}
	var all []plot.Tick
	step := stepOf((high - low) / float64(n))
	begin := math.Ceil(low/step - 1e-9)
	for i := range int(n) + 2 {
		if v := (begin + float64(i)) * step; v <= high+step*1e-9 {
			all = append(all, plot.Tick{Value: v, Label: plain(v)})
		}
	}
	return all
}

// legible says that the ends of an axis can be told apart in numbers that people read.
func legible(low, high float64) bool {
	return high-low > 1e-9*max(math.Abs(low), math.Abs(high)) && high < 1e12 && low > -1e12
}

// stepOf is the step of 1, 2 or 5 of a power of ten that is next above about.
func stepOf(about float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(about)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= about*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// plain prints a number without an exponent, in as few digits as tell it. It adds 0 for there is no "-0".
func plain(v float64) string { return strconv.FormatFloat(math.Round(v*1e6)/1e6+0, 'f', -1, 64) }

// logTicks are those of a logarithmic axis: powers of ten, with 2 and 5 between them when there are few; within one
// decade, those of a linear one.
type logTicks struct{}

// Ticks implements [plot.Ticker].
func (logTicks) Ticks(low, high float64) []plot.Tick {
	if !legible(low, high) || low < 1e-9 {
		return nil
	}
	if high/low < 8 {
		return slices.DeleteFunc(ticks(4).Ticks(low, high), func(t plot.Tick) bool { return t.Value < low })
	}
	var all []plot.Tick
	many := high/low > 3000
	for power := math.Pow(10, math.Floor(math.Log10(low))); power <= high; power *= 10 {
		for _, m := range []float64{1, 2, 5} {
			t := plot.Tick{Value: m * power}
			if m == 1 || !many {
				t.Label = plain(t.Value)
			}
			if t.Value >= low && t.Value <= high {
				all = append(all, t)
			}
		}
	}
	return all
}

// roomy is a range of a logarithmic axis that holds low and high and does not end at them.
func roomy(low, high float64) (from, to float64) {
	room := math.Pow(high/low, 0.06)
	room = max(room, 1.02)
	return low / room, high * room
}
