package cost

import (
	"errors"
	"math"

	"poolvsloop/internal/stats"
)

// Point is one reading: Y at X.
type Point struct{ X, Y float64 }

// Line is the line through readings with the least sum of squares, y = Intercept + Slope·x.
type Line struct {
	Intercept, Slope float64
	// Low and High bound the slope with 95 % confidence: Student's interval, for readings that scatter around the line
	// independently and alike (N. R. Draper, H. Smith, Applied Regression Analysis, 3rd ed., §1.4).
	Low, High float64
	// Error is the standard error of the slope, Freedom its degrees of freedom.
	Error, Freedom float64
}

// errFewPoints is the error of readings that have no scatter around a line.
var errFewPoints = errors.New("a line and its scatter need three readings, at two places at least")

// Fit returns the line of the readings.
func Fit(points []Point) (Line, error) {
	n := float64(len(points))
	var meanX, meanY float64
	for _, p := range points {
		meanX += p.X / n
		meanY += p.Y / n
	}
	var xx, xy float64
	for _, p := range points {
		xx += (p.X - meanX) * (p.X - meanX)
		xy += (p.X - meanX) * (p.Y - meanY)
	}
	if len(points) < 3 || xx == 0 {
		return Line{}, errFewPoints
	}
	l := Line{Slope: xy / xx, Freedom: n - 2}
	l.Intercept = meanY - l.Slope*meanX
	var squares float64
	for _, p := range points {
		off := p.Y - l.Intercept - l.Slope*p.X
		squares += off * off
	}
	l.Error = math.Sqrt(squares / l.Freedom / xx)
	half := quantile(l.Freedom) * l.Error
	l.Low, l.High = l.Slope-half, l.Slope+half
	return l, nil
}

// quantile is that of Student's t which a two-sided interval needs.
func quantile(freedom float64) float64 {
	return stats.Student((1+stats.Confidence)/2, freedom)
}

// Apart is how much steeper b is than a, and the 95 % interval of that (B. L. Welch, The Generalization of "Student's"
// Problem when Several Different Population Variances are Involved, 1947).
func Apart(a, b Line) (difference, low, high float64) {
	difference = b.Slope - a.Slope
	va, vb := a.Error*a.Error, b.Error*b.Error
	if va+vb == 0 {
		return difference, difference, difference
	}
	freedom := (va + vb) * (va + vb) / (va*va/a.Freedom + vb*vb/b.Freedom)
	half := quantile(freedom) * math.Sqrt(va+vb)
	return difference, difference - half, difference + half
}
