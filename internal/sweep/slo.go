package sweep

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"poolvsloop/internal/expr"
	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// figures are those by which a bound can be stated, of all rounds of a server together.
var figures = map[string]struct {
	kind    expr.Kind
	percent float64 // of a percentile
	of      func(results.Figures) float64
}{
	"mean":    {expr.Time, 0, func(f results.Figures) float64 { return f.MeanMS / 1e3 }},
	"p50":     {expr.Time, 50, func(f results.Figures) float64 { return f.P50MS / 1e3 }},
	"p75":     {expr.Time, 75, func(f results.Figures) float64 { return f.P75MS / 1e3 }},
	"p90":     {expr.Time, 90, func(f results.Figures) float64 { return f.P90MS / 1e3 }},
	"p95":     {expr.Time, 95, func(f results.Figures) float64 { return f.P95MS / 1e3 }},
	"p98":     {expr.Time, 98, func(f results.Figures) float64 { return f.P98MS / 1e3 }},
	"p99":     {expr.Time, 99, func(f results.Figures) float64 { return f.P99MS / 1e3 }},
	"p99.9":   {expr.Time, 99.9, func(f results.Figures) float64 { return f.P999MS / 1e3 }},
	"max":     {expr.Time, 0, func(f results.Figures) float64 { return f.MaxMS / 1e3 }},
	"errors":  {expr.Share, 0, errorShare},
	"goodput": {expr.Rate, 0, func(f results.Figures) float64 { return f.GoodputRPS }},
}

// errorShare is the share of the planned requests without an answer 2xx.
func errorShare(f results.Figures) float64 {
	if f.Requests == 0 {
		return 0
	}
	return float64(f.Failed+f.Dropped) / float64(f.Requests)
}

// noErrors is the bound on errors when none is stated: a server that rejects what it cannot do in time keeps every bound on
// times.
const noErrors = "errors<=1%"

// ParseBounds reads the conditions of a search. Where none is about errors, [noErrors] is added.
func ParseBounds(texts []string) ([]expr.Condition, error) {
	var all []expr.Condition
	var faults []error
	if !slices.ContainsFunc(texts, func(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "errors") }) {
		texts = append(slices.Clone(texts), noErrors)
	}
	for _, text := range texts {
		known := true
		c, err := expr.Parse(text, func(metric string) (expr.Kind, bool) {
			f, ok := figures[metric]
			known = ok
			return f.kind, ok
		})
		if err != nil && !known {
			err = fmt.Errorf("%w: want one of %s", err, strings.Join(figureNames(), ", "))
		}
		if err != nil {
			faults = append(faults, err)
		}
		all = append(all, c)
	}
	return all, errors.Join(faults...)
}

// Answers is how many answers the percentiles of the conditions need.
func Answers(bounds []expr.Condition) (n int) {
	for _, bound := range bounds {
		if percent := figures[bound.Metric].percent; percent > 0 {
			n = max(n, stats.Needs(percent))
		}
	}
	return n
}

func figureNames() []string {
	var names []string
	for name := range figures {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// ofOverload are the checks that a server fails which gets more than it can do: they say nothing against the measurement.
var ofOverload = []string{"answers", "no_client_starved"}

// judge says whether a server kept the bounds in a run, and why not.
func judge(run *results.Run, server int, bounds []expr.Condition) (outcome, why string) {
	for _, check := range run.Checks {
		if !check.OK && !slices.Contains(ofOverload, check.Name) {
			return Unknown, check.Name + ": " + check.Detail
		}
	}
	if run.Interrupted {
		return Unknown, "interrupted"
	}
	target := run.Targets[server]
	for _, bound := range bounds {
		switch holds, words := judgeBound(run, target, bound); holds {
		case expr.Fails:
			return Broken, words
		case expr.Unknown:
			why = words
		}
	}
	if why != "" {
		return Unknown, why
	}
	if rising := rising(target); 2*rising > len(target.Steady) {
		return Broken, fmt.Sprintf("response times rose all through %d of %d rounds: it does not keep up", rising, len(target.Steady))
	}
	return Kept, ""
}

// tail is the percentile from which on the slowest requests decide, which a downstream that was late may have made.
const tail = 99

// judgeBound says whether a bound holds for a server, and in words why not.
func judgeBound(run *results.Run, target results.Target, bound expr.Condition) (expr.Truth, string) {
	f := figures[bound.Metric]
	if f.percent > 0 && !stats.Carries(target.Total.Completed, f.percent) {
		return expr.Unknown, fmt.Sprintf("%s needs %d answers, there are %d", bound.Metric, stats.Needs(f.percent), target.Total.Completed)
	}
	x := f.of(target.Total)
	words := fmt.Sprintf("%s is %s", bound.Metric, written(bound.Kind, x))
	truth := bound.Judge(expr.Figure{Value: x})
	if truth == expr.Fails && run.LateTail && (f.percent >= tail || bound.Metric == "max") {
		return expr.Unknown, words + ", and a downstream was late"
	}
	return truth, words
}

// rising is the number of rounds whose response times rose.
func rising(t results.Target) (n int) {
	for _, course := range t.Steady {
		if course.Verdict == stats.Drifting {
			n++
		}
	}
	return n
}

// written is a figure in the unit in which bounds of its kind are stated.
func written(kind expr.Kind, x float64) string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }
	switch kind {
	case expr.Time:
		return number(1e3*x) + " ms"
	case expr.Share:
		return number(100*x) + " %"
	case expr.Rate:
		return number(x) + "/s"
	}
	return number(x)
}
