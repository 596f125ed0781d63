package single

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"poolvsloop/internal/expr"
)

// metrics are those of --fail-if besides the percentiles.
var metrics = map[string]struct {
	kind expr.Kind
	of   func(*Report) float64
}{
	"mean":             {expr.Time, func(r *Report) float64 { return r.Response.MeanMS / 1e3 }},
	"max":              {expr.Time, func(r *Report) float64 { return r.Response.MaxMS / 1e3 }},
	"rps":              {expr.Rate, func(r *Report) float64 { return r.ThroughputRPS }},
	"goodput":          {expr.Rate, func(r *Report) float64 { return r.GoodputRPS }},
	"errors":           {expr.Share, func(r *Report) float64 { return share(r.Requests.Planned-r.Requests.OK2xx, r.Requests.Planned) }},
	"failed":           {expr.Count, func(r *Report) float64 { return float64(r.Requests.Failed) }},
	"non_2xx":          {expr.Count, func(r *Report) float64 { return float64(r.Requests.Non2xx) }},
	"timed_out":        {expr.Count, func(r *Report) float64 { return float64(r.Requests.TimedOut) }},
	"refused":          {expr.Count, func(r *Report) float64 { return float64(r.Requests.Refused) }},
	"reset":            {expr.Count, func(r *Report) float64 { return float64(r.Requests.Reset) }},
	"aborted":          {expr.Count, func(r *Report) float64 { return float64(r.Requests.Aborted) }},
	"dropped":          {expr.Count, func(r *Report) float64 { return float64(r.Requests.Dropped) }},
	"in_flight":        {expr.Count, func(r *Report) float64 { return float64(r.Requests.InFlightAtEnd) }},
	"late":             {expr.Count, func(r *Report) float64 { return float64(r.Requests.Late) }},
	"starved":          {expr.Count, func(r *Report) float64 { return float64(r.Fairness.Starved) }},
	"jain":             {expr.Count, func(r *Report) float64 { return r.Fairness.Jain }},
	"littles_law":      {expr.Share, func(r *Report) float64 { return r.LittlesLaw.Ratio }},
	"closed_by_server": {expr.Count, func(r *Report) float64 { return float64(r.Connections.ClosedByServer) }},
}

// closedOnly are metrics of clients, which an open loop has not.
var closedOnly = map[string]bool{"starved": true, "jain": true, "littles_law": true}

// metricKind tells what a metric measures; percentiles are p and a number, of the response time, or of the service time
// or the send lag behind "service." or "lag.".
func metricKind(name string) (expr.Kind, bool) {
	if _, _, ok := percentileOf(name); ok {
		return expr.Time, true
	}
	m, ok := metrics[name]
	return m.kind, ok
}

// percentileOf reads the name of a percentile.
func percentileOf(name string) (times string, percent float64, ok bool) {
	times, rest, found := strings.Cut(name, ".p")
	if !found || times != "service" && times != "lag" {
		times, rest = "response", strings.TrimPrefix(name, "p")
		if rest == name {
			return "", 0, false
		}
	}
	if strings.Trim(rest, "0123456789.") != "" {
		return "", 0, false
	}
	percent, err := strconv.ParseFloat(rest, 64)
	return times, percent, err == nil && percent > 0 && percent < 100
}

// parseConditions reads the conditions of --fail-if.
func parseConditions(texts []string) (all []expr.Condition, faults []error) {
	for _, text := range texts {
		c, err := expr.Parse(text, metricKind)
		if err != nil {
			faults = append(faults, fmt.Errorf("--fail-if: %w", err))
		}
		all = append(all, c)
	}
	return all, faults
}

// figure is what the report says of a metric.
func (r *Report) figure(name string) expr.Figure {
	if times, percent, ok := percentileOf(name); ok {
		p := r.distributions[times].Percentile(percent)
		if p.Needs > 0 {
			return expr.Figure{Missing: fmt.Sprintf("%s needs %d requests, there are %d", name, p.Needs, r.distributions[times].n)}
		}
		return expr.Figure{Value: float64(p.Micros) / 1e6, AtLeast: p.AtLeast}
	}
	if closedOnly[name] && r.Model.Loop != closedLoop {
		return expr.Figure{Missing: name + " is of clients, which an open loop has not"}
	}
	v := metrics[name].of(r)
	if math.IsNaN(v) {
		return expr.Figure{Missing: "there is no " + name}
	}
	unknown := (name == "mean" || name == "max") && r.Requests.TimedOut+r.Requests.InFlightAtEnd > 0
	return expr.Figure{Value: v, AtLeast: unknown}
}

// Gate is what became of a condition of --fail-if.
type Gate struct {
	Condition string `json:"condition"`
	// Fails says that the run fails for it: it holds, or can't be judged.
	Fails  bool   `json:"fails"`
	Detail string `json:"detail"`
}

// gate judges a condition.
func (r *Report) gate(c expr.Condition) Gate {
	f := r.figure(c.Metric)
	truth := c.Judge(f)
	g := Gate{Condition: c.Text, Fails: truth != expr.Fails}
	switch {
	case f.Missing != "":
		g.Detail = "can't be judged: " + f.Missing
	case truth == expr.Unknown:
		g.Detail = fmt.Sprintf("can't be judged: %s is %s", c.Metric, showFigure(c.Kind, f))
	default:
		g.Detail = fmt.Sprintf("%s is %s", c.Metric, showFigure(c.Kind, f))
	}
	return g
}

// showFigure writes a figure in the unit of its kind.
func showFigure(k expr.Kind, f expr.Figure) string {
	atLeast := ""
	if f.AtLeast {
		atLeast = "≥ "
	}
	switch k {
	case expr.Time:
		return atLeast + showTime(int64(math.Round(f.Value*1e6)))
	case expr.Share:
		return fmt.Sprintf("%.4g %%", 100*f.Value)
	case expr.Rate:
		return fmt.Sprintf("%.2f/s", f.Value)
	}
	return strconv.FormatFloat(f.Value, 'g', 6, 64)
}

// gateError is the error of a run that a condition fails.
func (r *Report) gateError() error {
	var all []error
	for _, g := range r.Gates {
		if g.Fails {
			all = append(all, fmt.Errorf("--fail-if %s: %s", g.Condition, g.Detail))
		}
	}
	return errors.Join(all...)
}
