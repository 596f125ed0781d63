package expr

// Figure is what a run says of a metric.
type Figure struct {
	// Value is in the base unit of the metric's kind.
	Value float64
	// AtLeast says that the true figure is Value or above: some requests were still without an answer.
	AtLeast bool
	// Missing says why there is no figure; empty when there is one.
	Missing string
}

// Truth is what is known of a condition.
type Truth uint8

// Truths.
const (
	// Unknown: the run can't tell.
	Unknown Truth = iota
	// Holds and Fails: the condition does, or does not.
	Holds
	Fails
)

// operators compare a figure with a bound.
var operators = map[string]func(x, bound float64) bool{
	">":  func(x, bound float64) bool { return x > bound },
	">=": func(x, bound float64) bool { return x >= bound },
	"<":  func(x, bound float64) bool { return x < bound },
	"<=": func(x, bound float64) bool { return x <= bound },
	"==": func(x, bound float64) bool { return x == bound },
	"!=": func(x, bound float64) bool { return x != bound },
}

// Judge says whether the condition holds for a figure. Of a figure that is only known to be at least so large, a
// condition is decided only when it is for every larger one too.
func (c Condition) Judge(f Figure) Truth {
	if f.Missing != "" {
		return Unknown
	}
	holds := operators[c.Operator](f.Value, c.Bound)
	if f.AtLeast && !c.settled(f.Value) {
		return Unknown
	}
	if holds {
		return Holds
	}
	return Fails
}

// settled says whether figures from x on all give the same truth.
func (c Condition) settled(x float64) bool {
	switch c.Operator {
	case ">=", "<":
		return x >= c.Bound
	default:
		return x > c.Bound
	}
}
