package queueing

import "container/heap"

// events are jobs in the order of their next event; of two at the same time, the one that was planned first.
type events struct {
	heap    eventHeap
	planned uint64
}

// next takes the job whose event comes first, and false when there is none.
func (e *events) next() (*job, bool) {
	if len(e.heap) == 0 {
		return nil, false
	}
	return heap.Pop(&e.heap).(*job), true
}

// plan has then called for the job at its time; a job has one event at most.
func (e *events) plan(j *job) {
	e.planned++
	j.order = e.planned
	heap.Push(&e.heap, j)
}

// eventHeap implements [heap.Interface].
type eventHeap []*job

func (h eventHeap) Len() int { return len(h) }

func (h eventHeap) Less(i, k int) bool {
	return h[i].at < h[k].at || h[i].at == h[k].at && h[i].order < h[k].order
}

func (h eventHeap) Swap(i, k int) { h[i], h[k] = h[k], h[i] }

func (h *eventHeap) Push(x any) { *h = append(*h, x.(*job)) }

func (h *eventHeap) Pop() any {
	last := len(*h) - 1
	j := (*h)[last]
	*h = (*h)[:last]
	return j
}

// fifo is a queue of jobs.
type fifo struct {
	jobs []*job
	head int
}

func (q *fifo) len() int { return len(q.jobs) - q.head }

func (q *fifo) push(j *job) { q.jobs = append(q.jobs, j) }

// pop takes the first job of a queue that is not empty. What was taken is given up once it is the larger half.
func (q *fifo) pop() *job {
	j := q.jobs[q.head]
	q.head++
	if q.head > 32 && 2*q.head > len(q.jobs) {
		q.jobs = append(q.jobs[:0], q.jobs[q.head:]...)
		q.head = 0
	}
	return j
}
