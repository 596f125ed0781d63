package load

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTimes(t *testing.T) {
	a := newTimes()
	require.Zero(t, a.Count())
	a.record(300, 1)
	a.record(100, 2)
	a.record(7, 0)
	a.record(highest+5, 1)
	require.EqualValues(t, 4, a.Count())
	require.EqualValues(t, 100, a.Min)
	require.EqualValues(t, highest+5, a.Max, "what the histogram can't hold is known exactly all the same")
	require.EqualValues(t, 1, a.Clamped)
	require.EqualValues(t, 500+highest+5, a.Sum)
	require.InEpsilon(t, float64(highest), float64(a.Histogram.Max()), 0.001)

	b, empty := newTimes(), newTimes()
	b.record(3, 1)
	b.Merge(&empty)
	require.EqualValues(t, 3, b.Min)
	copied := b.Clone()
	copied.Merge(&a)
	require.EqualValues(t, 5, copied.Count())
	require.EqualValues(t, 3, copied.Min)
	require.Equal(t, a.Max, copied.Max)
	require.EqualValues(t, 1, copied.Clamped)
	require.EqualValues(t, 1, b.Count(), "a clone is independent")
	require.InEpsilon(t, 3*3+2*100*100+300*300+float64(a.Max)*float64(a.Max), copied.SumSquares, 1e-12)
	empty.Merge(&b)
	require.Equal(t, b.Histogram.Export(), empty.Histogram.Export())
}

func TestSamplesPieces(t *testing.T) {
	s := samples{limit: 2*samplePiece + 1}
	for i := range 2*samplePiece + 3 {
		s.add(Sample{Start: int64(i)})
	}
	require.Equal(t, 2*samplePiece+3, s.n)
	require.Len(t, s.pieces, 3)
	require.Len(t, s.pieces[2], 1)
	require.EqualValues(t, 2*samplePiece, s.pieces[2][0].Start)
}

func TestRing(t *testing.T) {
	r := newRing(3)
	for round := range int32(5) {
		r.push(round)
		r.push(round + 10)
		require.Equal(t, round, r.pop())
		require.Equal(t, round+10, r.pop())
		require.True(t, r.empty())
	}
}

// A full ring grows and keeps its order, wherever its head is.
func TestRingGrows(t *testing.T) {
	for start := range int32(4) {
		r := newRing(4)
		for range start {
			r.push(-1)
			r.pop()
		}
		for i := range int32(40) {
			r.push(i)
			require.EqualValues(t, 0, r.first())
		}
		for i := range int32(40) {
			require.Equal(t, i, r.pop())
		}
		require.True(t, r.empty())
	}
	var empty ring
	empty.push(7)
	require.EqualValues(t, 7, empty.pop())
}

// The queue keeps the order of start, whichever client leaves it.
func TestQueue(t *testing.T) {
	order := func(q *queue) (got []int32) {
		for i := q.oldest; i != none; i = q.clients[i].newer {
			got = append(got, i)
		}
		return got
	}
	q := queue{clients: make([]client, 4), oldest: none, newest: none}
	for i := range int32(4) {
		q.add(i)
	}
	require.Equal(t, []int32{0, 1, 2, 3}, order(&q))
	q.remove(1)
	q.add(1)
	require.Equal(t, []int32{0, 2, 3, 1}, order(&q))
	q.remove(0)
	q.remove(1)
	require.Equal(t, []int32{2, 3}, order(&q))
	q.remove(3)
	q.remove(2)
	require.Empty(t, order(&q))
	q.add(0)
	require.Equal(t, []int32{0}, order(&q))
}

// recordMany books requests as a loop does, with times from 1 µs to half an hour.
func recordMany(l *ledger, requests int) {
	for i := range requests {
		now := int64(i%10) * int64(time.Second)
		us := uint32(1) << (i % 32)
		x := Sample{Start: now / 1000, Connect: us / 8, Wait: us / 2, Total: us, Status: 200}
		l.book(&x, now)
		l.samples.add(x)
		l.times(&x, i%2 == 0)
		l.lag.record(int64(us), 1)
	}
}

// What a run of any length remembers takes the memory of a short one, once no single times are kept.
func TestRecorderMemoryIsConstant(t *testing.T) {
	const kept, requests = 10_000, 1_000_000
	l := newLedger(kept)
	recordMany(&l, 2*kept)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	recordMany(&l, requests)
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(16<<10), "%d requests more", requests)
	require.EqualValues(t, requests+2*kept, l.good.Count())
	require.EqualValues(t, 1<<31, l.good.Max)
}

// BenchmarkRecorder tells time and memory of a recorded request: -benchtime 50000000x for fifty millions.
func BenchmarkRecorder(b *testing.B) {
	l := newLedger(0)
	b.ReportAllocs()
	b.ResetTimer()
	recordMany(&l, b.N)
}
