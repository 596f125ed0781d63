package main

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// distribution collects durations: 1 µs to 2 h in 3 digits, longer ones clamped to that. Mean and max are exact.
type distribution struct {
	histogram *hdrhistogram.Histogram
	sum, most time.Duration
}

const longestRecorded = 2 * time.Hour

func newDistribution() *distribution {
	return &distribution{histogram: hdrhistogram.New(1, longestRecorded.Microseconds(), 3)}
}

func (d *distribution) record(v time.Duration) {
	// The value is inside the range, so that the error cannot be.
	_ = d.histogram.RecordValue(min(v, longestRecorded).Microseconds())
	d.sum += v
	d.most = max(d.most, v)
}

// Summary is a distribution in milliseconds; all 0 when nothing was recorded. P50 and P99 are right to 3 digits.
type Summary struct {
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	Max  float64 `json:"max"`
}

func (d *distribution) summary() Summary {
	count := d.histogram.TotalCount()
	if count == 0 {
		return Summary{}
	}
	return Summary{
		Mean: milliseconds(d.sum) / float64(count),
		P50:  float64(d.histogram.ValueAtPercentile(50)) / 1e3,
		P99:  float64(d.histogram.ValueAtPercentile(99)) / 1e3,
		Max:  milliseconds(d.most),
	}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
