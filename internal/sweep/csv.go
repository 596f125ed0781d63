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
	head := []string{"cell", "position"}
	for _, axis := range s.Axes {
		head = append(head, axis.Knob)
	}
	head = append(head, "status")
	for _, m := range results.Metrics {
		for _, column := range []string{"threadpool", "eventloop", "ratio", "ci_low", "ci_high", "verdict"} {
			head = append(head, m.Name+"_"+column)
		}
	}
	if err := out.Write(head); err != nil {
		return err
	}
	for _, c := range s.Cells {
		if err := out.Write(c.record(s.Axes)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func (c *CellResult) record(axes []Axis) []string {
	record := []string{strconv.Itoa(c.Cell), strconv.Itoa(c.Position)}
	for _, axis := range axes {
		record = append(record, c.Settings[axis.Knob])
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
