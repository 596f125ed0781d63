package results

import (
	"fmt"
	"io"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
)

// Interval is the times of one round, in microseconds.
type Interval struct {
	// Tag names the round; it has no comma, blank or line break.
	Tag        string
	Start, End time.Time
	Times      *hdr.Histogram
}

// Pooled are the times of all intervals as one, nil without an interval.
func Pooled(intervals []Interval) *hdr.Histogram {
	if len(intervals) == 0 {
		return nil
	}
	all := intervals[0].Times.Clone()
	for _, i := range intervals[1:] {
		all.Merge(i.Times)
	}
	return all
}

// WriteHistogramLog writes the rounds as an HdrHistogram interval log (format 1.3): values in microseconds, the column
// of the maximum in seconds, as a comment in the log says. It sets tag and time stamps of the histograms.
func WriteHistogramLog(w io.Writer, intervals []Interval) error {
	log := hdr.NewHistogramLogWriter(w)
	if err := log.OutputLogFormatVersion(); err != nil {
		return fmt.Errorf("write the version: %w", err)
	}
	if err := log.OutputComment("[Values are in microseconds, Interval_Max is in seconds]"); err != nil {
		return fmt.Errorf("write the units: %w", err)
	}
	if len(intervals) > 0 {
		start := intervals[0].Start.Truncate(time.Second).UnixMilli() // the format's base time has whole seconds
		log.SetBaseTime(start)
		if err := log.OutputBaseTime(start); err != nil {
			return fmt.Errorf("write the base time: %w", err)
		}
		if err := log.OutputStartTime(start); err != nil {
			return fmt.Errorf("write the start time: %w", err)
		}
	}
	if err := log.OutputLegend(); err != nil {
		return fmt.Errorf("write the legend: %w", err)
	}
	for _, i := range intervals {
		i.Times.SetTag(i.Tag)
		i.Times.SetStartTimeMs(i.Start.UnixMilli())
		i.Times.SetEndTimeMs(i.End.UnixMilli())
		if err := log.OutputIntervalHistogram(i.Times); err != nil {
			return fmt.Errorf("write the times of %s: %w", i.Tag, err)
		}
	}
	return nil
}

const (
	// mostLogged and mostIntervals bound what is read of a log: a round takes some kilobytes.
	mostLogged    = 64 << 20
	mostIntervals = 10_000
)

// ReadHistogramLog reads what [WriteHistogramLog] wrote.
func ReadHistogramLog(r io.Reader) ([]Interval, error) {
	log := hdr.NewHistogramLogReader(io.LimitReader(r, mostLogged))
	var all []Interval
	for len(all) < mostIntervals {
		times, err := log.NextIntervalHistogram()
		if err != nil {
			return nil, fmt.Errorf("read the interval after %d: %w", len(all), err)
		}
		if times == nil {
			return all, nil
		}
		all = append(all, Interval{
			Tag: times.Tag(), Start: time.UnixMilli(times.StartTimeMs()), End: time.UnixMilli(times.EndTimeMs()), Times: times,
		})
	}
	return nil, fmt.Errorf("it has more than %d intervals", mostIntervals)
}
