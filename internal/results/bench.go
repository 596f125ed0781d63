package results

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"golang.org/x/perf/benchfmt"
)

// WriteBench writes the rounds in the Go benchmark format, one line a round and server in the order of measuring, so
// that "benchstat -col /server bench.txt" sets the servers side by side.
// Format: https://golang.org/design/14313-benchmark-format.
func WriteBench(w io.Writer, run *Run) error {
	out := benchfmt.NewWriter(w)
	for _, m := range Metrics {
		better := &benchfmt.UnitMetadata{
			UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: m.Bench, Key: "better"}, OrigUnit: m.Bench, Value: m.Better,
		}
		if err := out.Write(better); err != nil {
			return fmt.Errorf("write the unit %s: %w", m.Bench, err)
		}
	}
	for _, r := range benchLines(run) {
		if err := out.Write(r); err != nil {
			return fmt.Errorf("write a round: %w", err)
		}
	}
	return nil
}

// benchLines returns one record for each round of each server, in the order of measuring.
func benchLines(run *Run) []*benchfmt.Result {
	config := []benchfmt.Config{
		{Key: "run", Value: []byte(run.ID), File: true},
		{Key: "valid", Value: strconv.AppendBool(nil, run.Valid), File: true},
	}
	type line struct {
		order  int
		result *benchfmt.Result
	}
	var lines []line
	for _, target := range run.Targets {
		for _, round := range target.Rounds {
			result := &benchfmt.Result{
				Config: config, Name: benchfmt.Name("Compare/server=" + target.Name), Iters: round.Completed,
			}
			for _, m := range Metrics {
				result.Values = append(result.Values, benchfmt.Value{Value: m.Of(round), Unit: m.Bench})
			}
			lines = append(lines, line{round.Order, result})
		}
	}
	slices.SortStableFunc(lines, func(a, b line) int { return a.order - b.order })
	sorted := make([]*benchfmt.Result, len(lines))
	for i, l := range lines {
		sorted[i] = l.result
	}
	return sorted
}
