package timeline

import (
	"math"
	"slices"
	"time"

	"poolvsloop/internal/load"
	"poolvsloop/internal/results"
)

// leastForP99 is the number of answers of which the slowest hundredth is one at least.
const leastForP99 = 100

// Seconds cuts a round into its seconds by when its requests ended; the seconds add up to the samples. A request that was
// sent late counts as having ended as much later. It leaves the samples as they are.
func Seconds(samples []load.Sample) []results.Second {
	all := []results.Second{}
	var times [][]uint32
	for _, x := range samples {
		i := int((x.Start + int64(x.Total)) / time.Second.Microseconds())
		for len(all) <= i {
			all = append(all, results.Second{Second: len(all)})
			times = append(times, nil)
		}
		switch {
		case x.Outcome != load.Answered:
			all[i].Failed++
			continue
		case x.Status/100 == 2:
			all[i].OK2xx++
			times[i] = append(times[i], x.Total)
		}
		all[i].Answered++
	}
	for i := range all {
		slices.Sort(times[i])
		all[i].P50MS, all[i].P99MS, all[i].MaxMS = rank(times[i], 50), results.Unknown, rank(times[i], 100)
		if len(times[i]) >= leastForP99 {
			all[i].P99MS = rank(times[i], 99)
		}
	}
	return all
}

// rank is the percentile of sorted times in µs, in ms: the least one that so many percent do not exceed.
func rank(sorted []uint32, percent float64) results.Number {
	if len(sorted) == 0 {
		return results.Unknown
	}
	i := int(math.Ceil(percent / 100 * float64(len(sorted))))
	return results.Number(float64(sorted[i-1]) / 1e3)
}
