package flow

import (
	"time"

	"poolvsloop/internal/wire"
)

// Stage names a part of a request in Server-Timing and in results.
type Stage uint8

// Stages, in the order in which they are reported. A call of StageTotal (a timer, CPU work) is part of no other stage:
// its time is seen in the total only, which the caller sets at the end.
const (
	StageQueue Stage = iota
	StageA
	StageCache
	StageB
	StageFill
	StageTotal
	Stages
)

var stageNames = [Stages]string{"queue", "a", "cache", "b", "fill", "total"}

// String is the stage's name in Server-Timing and in results.
func (s Stage) String() string { return stageNames[s] }

// Timing collects how long each stage of one request took. The zero value is ready; it holds durations only, the
// caller brings the clock.
type Timing [Stages]time.Duration

// AppendServerTiming appends the value of a Server-Timing header with all stages in milliseconds (W3C Server Timing),
// such as "queue;dur=00000.012, a;dur=00020.131, …". Widths are constant: durations print as %09.3f.
func (t *Timing) AppendServerTiming(dst []byte) []byte {
	for s := range Stages {
		if s > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(dst, stageNames[s]...)
		dst = append(dst, ";dur="...)
		dst = appendMilliseconds(dst, t[s])
	}
	return dst
}

func appendMilliseconds(dst []byte, d time.Duration) []byte {
	us := max(0, d.Round(time.Microsecond).Microseconds())
	dst = wire.AppendPadded(dst, us/1000, 5)
	dst = append(dst, '.')
	return wire.AppendPadded(dst, us%1000, 3)
}
