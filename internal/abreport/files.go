package abreport

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"poolvsloop/internal/load"
)

// WriteCSV writes what ab's -e writes: for every percent from 0 to 100 the time within which that share was served, in
// milliseconds. The rank is N·percent/100, rounded, counted from 0 and held at the last; the text report's rule is
// another one (see [Series.Served]). The error is that of w.
func WriteCSV(w io.Writer, s *Series) error {
	b := bufio.NewWriter(w)
	row := rows(b)
	row("Percentage served,Time in ms\n")
	for percent := range 101 {
		rank := s.n
		if percent < 100 {
			rank = int64(math.Floor(0.5 + float64(s.n)*float64(percent)/100))
		}
		row("%d,%.3f\n", percent, float64(s.at(rank))/1000)
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("write percentiles: %w", err)
	}
	return nil
}

// WriteGnuplot writes what ab's -g writes: a line for each of the requests that count in the report's table of times,
// shortest first, with times in whole milliseconds. started is the moment from which their starts count; its location
// is that of the written times. The error is that of w.
func WriteGnuplot(w io.Writer, started time.Time, samples []load.Sample) error {
	counted := slices.DeleteFunc(slices.Clone(samples), func(x load.Sample) bool { return !timed(&x) })
	slices.SortFunc(counted, func(a, b load.Sample) int { return int(int64(a.Total) - int64(b.Total)) })
	b := bufio.NewWriter(w)
	row := rows(b)
	row("starttime\tseconds\tctime\tdtime\tttime\twait\n")
	for _, x := range counted {
		start := started.Add(time.Duration(x.Start) * time.Microsecond)
		total, connect := int64(x.Total), int64(x.Connect)
		row("%s\t%d\t%d\t%d\t%d\t%d\n", start.Format("Mon Jan 02 15:04:05 2006"), start.Unix(),
			ms(connect), ms(total-connect), ms(total), ms(int64(x.Wait)))
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("write times: %w", err)
	}
	return nil
}

// rows returns what writes to b, which keeps an error until it is flushed.
func rows(b *bufio.Writer) func(format string, args ...any) {
	return func(format string, args ...any) { _, _ = fmt.Fprintf(b, format, args...) }
}
