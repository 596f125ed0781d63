package load

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Times is a distribution of times in microseconds.
type Times struct {
	// Histogram holds 1 µs to 1 h with three significant digits; longer times are held as 1 h.
	Histogram *hdrhistogram.Histogram
	// Clamped is the number of times above 1 h.
	Clamped int64
	// Sum and SumSquares, Min and Max are exact. Min and Max are 0 when nothing was recorded.
	Sum, Min, Max int64
	SumSquares    float64
}

// highest is the longest time a histogram holds, in microseconds.
const highest = int64(MaxTimeout / time.Microsecond)

func newTimes() Times { return Times{Histogram: hdrhistogram.New(1, highest, 3)} }

// Count is the number of recorded times.
func (t *Times) Count() int64 { return t.Histogram.TotalCount() }

// record adds n equal times.
func (t *Times) record(us int64, n int64) {
	if n == 0 {
		return
	}
	if t.Count() == 0 || us < t.Min {
		t.Min = us
	}
	t.Max = max(t.Max, us)
	t.Sum += us * n
	t.SumSquares += float64(us) * float64(us) * float64(n)
	if us > highest {
		t.Clamped += n
		us = highest
	}
	// Within the histogram's range by the line above, so it can't fail.
	_ = t.Histogram.RecordValues(us, n)
}

// Merge adds another distribution.
func (t *Times) Merge(o *Times) {
	if o.Count() == 0 {
		return
	}
	if t.Count() == 0 || o.Min < t.Min {
		t.Min = o.Min
	}
	t.Max = max(t.Max, o.Max)
	t.Sum += o.Sum
	t.SumSquares += o.SumSquares
	t.Clamped += o.Clamped
	t.Histogram.Merge(o.Histogram)
}

// Clone copies the distribution.
func (t *Times) Clone() Times {
	c := *t
	c.Histogram = t.Histogram.Clone()
	return c
}

// Sample is what is kept of a single ended request. Times are in microseconds.
type Sample struct {
	// Start counts from [Result.Started]. It is the actual start.
	Start int64
	// Connect is the time to open the connection, 0 on a reused one; Wait goes from the last byte of the request to
	// the first of the answer; Total is the whole, from the moment the request was due. A step that was not completed
	// counts up to the request's end, one that was not begun is 0.
	Connect, Wait, Total uint32
	// Length is that of the decoded body in bytes, up to 4 GiB.
	Length  uint32
	Status  uint16
	Outcome Outcome
}

// samples keeps up to limit of them, in pieces so that growing never copies.
type samples struct {
	limit, n int
	pieces   [][]Sample
}

// samplePiece is the size of a piece: 256 KiB.
const samplePiece = 8192

// add keeps one more; above the limit it only counts.
func (s *samples) add(x Sample) {
	s.n++
	if s.n > s.limit {
		return
	}
	last := len(s.pieces) - 1
	if last < 0 || len(s.pieces[last]) == samplePiece {
		s.pieces = append(s.pieces, make([]Sample, 0, samplePiece))
		last++
	}
	s.pieces[last] = append(s.pieces[last], x)
}

// Second is what ended within one second of the run.
type Second struct {
	Answered, Failed int
	// MaxResponse is the longest response time of those answered.
	MaxResponse time.Duration
}

func (s *Second) add(o Second) {
	s.Answered += o.Answered
	s.Failed += o.Failed
	s.MaxResponse = max(s.MaxResponse, o.MaxResponse)
}

// ledger is what a loop writes down; it belongs to the loop until the run is over.
type ledger struct {
	Counts
	Connections
	Bytes
	inWindow    int
	kept        int
	status      [1000]int
	failures    map[string]int
	different   int
	wrong       int
	wrongSample []string
	// goodInWindow are the answers within the window with 2xx.
	goodInWindow int

	good, bad, givenUp        Times // total times of 2xx answers, other answers, timed-out requests
	service, lag              Times // of the answered and of all that were sent, when they are apart from the total
	connect, processing, wait Times // of all three
	reused                    int64 // how many of them have a connect time of 0 that is not in connect yet

	late       int
	undue      int   // see Result.Undue
	turnaround int64 // see Result.Turnaround
	last       int64 // when the last answer came
	samples    samples
	seconds    []Second
	ages       []time.Duration
}

func newLedger(maxSamples int) ledger {
	return ledger{
		failures: map[string]int{},
		good:     newTimes(), bad: newTimes(), givenUp: newTimes(),
		service: newTimes(), lag: newTimes(),
		connect: newTimes(), processing: newTimes(), wait: newTimes(),
		samples: samples{limit: maxSamples},
	}
}

// second returns the second that holds a time.
func (l *ledger) second(now int64) *Second {
	i := int(now / int64(time.Second))
	for len(l.seconds) <= i {
		l.seconds = append(l.seconds, Second{})
	}
	return &l.seconds[i]
}

// times records the times of a request that was answered or timed out.
func (l *ledger) times(x *Sample, reused bool) {
	total := int64(x.Total)
	switch {
	case x.Outcome != Answered:
		l.givenUp.record(total, 1)
	case x.Status/100 == 2:
		l.good.record(total, 1)
	default:
		l.bad.record(total, 1)
	}
	l.wait.record(int64(x.Wait), 1)
	l.processing.record(total-int64(x.Connect), 1)
	if reused {
		l.reused++
	} else {
		l.connect.record(int64(x.Connect), 1)
	}
}

// book counts an ended request in its second.
func (l *ledger) book(x *Sample, now int64) {
	s := l.second(now)
	if x.Outcome != Answered {
		s.Failed++
		return
	}
	s.Answered++
	s.MaxResponse = max(s.MaxResponse, time.Duration(x.Total)*time.Microsecond)
}
