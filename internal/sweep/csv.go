package sweep

import (
	"encoding/csv"
	"io"
	"strconv"

	"poolvsloop/internal/results"
)

// WriteCSV writes a line for each cell: its settings, its status, and for each metric the medians of both servers, the
// ratio, its interval and the verdict. What is not known is empty.
func WriteCSV(w io.Writer, s *Sweep) error {
	out := csv.NewWriter(w)
	head := []string{"cell", "step", "position"}
	head = append(append(head, s.Knobs()...), "status")
	for _, m := range results.Metrics {
		for _, column := range []string{"threadpool", "eventloop", "ratio", "ci_low", "ci_high", "verdict"} {
			head = append(head, m.Name+"_"+column)
		}
	}
	if err := out.Write(head); err != nil {
		return err
	}
	for _, c := range s.Cells {
		if err := out.Write(c.record(s.Knobs())); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func (c *CellResult) record(knobs []string) []string {
	record := []string{strconv.Itoa(c.Cell), strconv.Itoa(c.Step), strconv.Itoa(c.Position)}
	for _, knob := range knobs {
		record = append(record, c.Settings[knob])
	}
	record = append(record, c.Status)
	for _, m := range results.Metrics {
		row, ok := c.Row(m.Name)
		if !ok {
			record = append(record, "", "", "", "", "", "")
			continue
		}
		for _, x := range []float64{row.ThreadPool, row.EventLoop, float64(row.Ratio), float64(row.CILow), float64(row.CIHigh)} {
			record = append(record, plain(x))
		}
		record = append(record, row.Verdict)
	}
	return record
}

// plain is a number in full, "" for one that does not exist.
func plain(x float64) string {
	if text, err := results.Number(x).MarshalJSON(); err == nil && string(text) != "null" {
		return string(text)
	}
	return ""
}
