package audit

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// interval is a range of numbers. All of those here are of quantities that cannot be negative.
type interval struct{ lo, hi float64 }

// exactly is the interval of one number.
func exactly(v float64) interval { return interval{v, v} }

// within is the interval of all that is at most half away from v, and not negative.
func within(v, half float64) interval { return interval{math.Max(0, v-half), v + half} }

func (a interval) plus(b interval) interval  { return interval{a.lo + b.lo, a.hi + b.hi} }
func (a interval) times(b interval) interval { return interval{a.lo * b.lo, a.hi * b.hi} }

// over is a/b; it has no upper end when b may be 0.
func (a interval) over(b interval) interval {
	q := interval{0, math.Inf(1)}
	if b.hi > 0 {
		q.lo = a.lo / b.hi
	}
	if b.lo > 0 {
		q.hi = a.hi / b.lo
	}
	return q
}

// rounding is what the computing of intervals itself may lose.
const rounding = 1e-9

// above says that all of a lies above all of b.
func (a interval) above(b interval) bool { return a.lo > b.hi*(1+rounding)+rounding }

// meets says that a and b have a number in common.
func (a interval) meets(b interval) bool { return !a.above(b) && !b.above(a) }

// figure is a printed number. The zero value is one that was not printed.
type figure struct {
	value, half float64
	text        string
	line        int
}

func (f figure) known() bool { return f.text != "" }

// positive says that the figure was printed and is no zero.
func (f figure) positive() bool { return f.known() && f.value > 0 }

// span is all that rounds to the figure.
func (f figure) span() interval { return within(f.value, f.half) }

// scaled is the figure in another unit; its text stays.
func (f figure) scaled(k float64) figure {
	f.value, f.half = f.value*k, f.half*k
	return f
}

// count is the figure as an exact number of things.
func (f figure) count() figure {
	f.half = 0
	return f
}

var number = regexp.MustCompile(`^\d{1,15}(?:,\d{3})*(?:\.\d{1,12})?$`)

// figureOf reads a number without sign or exponent; commas between thousands are allowed. Its interval reaches half a
// unit of the last digit to both sides.
func figureOf(text string, line int) figure {
	if !number.MatchString(text) {
		return figure{}
	}
	plain := strings.ReplaceAll(text, ",", "")
	value, err := strconv.ParseFloat(plain, 64)
	if err != nil {
		return figure{}
	}
	decimals := 0
	if _, fraction, ok := strings.Cut(plain, "."); ok {
		decimals = len(fraction)
	}
	return figure{value, 0.5 * math.Pow10(-decimals), text, line}
}
