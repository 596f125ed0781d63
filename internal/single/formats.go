package single

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// render writes the report in one of the formats.
func (x *Report) render(p *Plan, format string) (string, error) {
	switch format {
	case JSON:
		text, err := json.MarshalIndent(x, "", "  ")
		return string(text) + "\n", err
	case CSV:
		return x.csv()
	case Markdown:
		return x.markdown(), nil
	}
	return x.text(p)
}

// csv has a line per second of the run.
func (x *Report) csv() (string, error) {
	var b strings.Builder
	w := csv.NewWriter(&b)
	// A strings.Builder does not fail; Error tells all the same.
	_ = w.Write([]string{"second", "answered", "failed", "max_response_ms"})
	for _, s := range x.Seconds {
		_ = w.Write([]string{strconv.Itoa(s.Second), strconv.Itoa(s.Answered), strconv.Itoa(s.Failed),
			strconv.FormatFloat(s.MaxResponseMS, 'f', 3, 64)})
	}
	w.Flush()
	return b.String(), w.Error()
}

// markdown has the main figures as a table.
func (x *Report) markdown() string {
	var b strings.Builder
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "| %s | "+format+" |\n", append([]any{name}, args...)...)
	}
	fmt.Fprintf(&b, "| %s | %s loop |\n| --- | --- |\n", x.URL, x.Model.Loop)
	row("valid", "%t", x.Valid)
	row("requests", "%d planned, %d answered with 2xx, %d failed, %d dropped", x.Requests.Planned, x.Requests.OK2xx, x.Requests.Failed,
		x.Requests.Dropped)
	row("throughput", "%.2f/s", x.ThroughputRPS)
	row("mean", "%s", showMS(x.Response.MeanMS))
	for _, p := range x.Response.Percentiles {
		row(fmt.Sprintf("p%g", p.Percent), "%s", showRanked(p, x.sample()))
	}
	row("starved connections", "%d of %d", x.Fairness.Starved, x.Fairness.Clients)
	for _, w := range x.Warnings {
		row("warning", "%s", w)
	}
	for _, g := range x.Gates {
		row("fail-if "+g.Condition, "%s", g.Detail)
	}
	for _, reason := range x.InvalidReasons {
		row("invalid", "%s", reason)
	}
	if text := x.sections(); text != "" {
		b.WriteString("\n```\n" + text + "```\n")
	}
	return b.String()
}
