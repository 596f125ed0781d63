package report

import (
	"fmt"
	"slices"
	"strings"

	"poolvsloop/internal/results"
)

// Forecast prints predictions of which nothing was measured: a table, and what bounds each server under the first load.
func Forecast(all []results.Prediction, cost string) string {
	var b strings.Builder
	in := all[0].Inputs
	b.WriteString(wrap(fmt.Sprintf("Predicted, not measured: a request waits %.1f ms in A and B; %s; %s; seed %d.",
		in.WaitMS, cost, count(in.Cores, "processor"), in.Seed), "", "  "))
	fmt.Fprintf(&b, "\n  %9s %-10s %9s %8s %8s %8s %8s %8s %8s %9s\n", load(in), "server", "req/s", "mean", "p50", "p90", "p99", "busy",
		"queue", "rejected")
	for _, p := range all {
		fmt.Fprintf(&b, "  %9s %-10s %s\n", loaded(p.Inputs), p.Server, strings.Join(forecastRow(p), " "))
	}
	b.WriteString("\n" + wrap("Times are response times in ms. Throughput and mean come from formulas ("+models(all)+
		"), percentiles from a simulation.", "", "  "))
	for _, p := range firstOfEach(all) {
		b.WriteString(wrap(p.Server+": "+boundWords(p)+".", "", "  "))
		for _, weak := range p.Weak {
			b.WriteString(wrap("Known weakness: "+weak+".", "  ", "    "))
		}
	}
	return b.String()
}

// MarkdownForecast is the table in Markdown.
func MarkdownForecast(all []results.Prediction) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | server | req/s | mean [ms] | p50 | p90 | p99 | busy | queue | rejected | bound |\n",
		load(all[0].Inputs))
	b.WriteString("| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n")
	for _, p := range all {
		cells := forecastRow(p)
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", loaded(p.Inputs), p.Server, strings.Join(cells, " | "), p.Bounds[0].Name)
	}
	return b.String()
}

// forecastRow is what the table says of a prediction.
func forecastRow(p results.Prediction) []string {
	f := p.Predicted
	cells := []string{fmt.Sprintf("%9s", known(f.ThroughputRPS))}
	for _, n := range []results.Number{f.MeanMS, f.P50MS, f.P90MS, f.P99MS, f.BusyWorkers, f.QueueLength} {
		cells = append(cells, fmt.Sprintf("%8s", known(n)))
	}
	return append(cells, fmt.Sprintf("%9s", known(f.BlockedShare)))
}

func load(in results.PredictionInputs) string {
	if in.Clients == 0 {
		return "arrivals"
	}
	return "clients"
}

func loaded(in results.PredictionInputs) string {
	if in.Clients == 0 {
		return figure(in.RateRPS)
	}
	return fmt.Sprint(in.Clients)
}

func models(all []results.Prediction) string {
	var names []string
	for _, p := range all {
		names = append(names, p.Model)
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}

// firstOfEach is the first prediction of each server.
func firstOfEach(all []results.Prediction) []results.Prediction {
	var first []results.Prediction
	for _, p := range all {
		if !slices.ContainsFunc(first, func(f results.Prediction) bool { return f.Server == p.Server }) {
			first = append(first, p)
		}
	}
	return first
}
