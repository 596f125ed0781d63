package main

import (
	"container/heap"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Timers lets any number of calls wait, all of them woken by one timerfd(2) that Go's poller watches. The runtime's own
// timers end its wait for events in whole milliseconds, so that a sleep is 0.8 ms late on average; timerfd ends it on
// time. All methods may be called from any goroutine.
type Timers struct {
	// file is read through the poller; descriptor is the same, for setting the time.
	file       *os.File
	descriptor int
	ended      chan struct{}

	mu      sync.Mutex
	waiting alarms
	closed  bool
	// spare are alarms to use again.
	spare sync.Pool
}

// alarm wakes one call.
type alarm struct {
	at   time.Time
	ring chan struct{}
}

// coalescing is the least time from one wake-up to the next: what is due meanwhile is woken together. It bounds the CPU
// that wake-ups cost (2,000 a second) and what it adds to a delay, half of it on average when calls are many.
const coalescing = 500 * time.Microsecond

// NewTimers starts the goroutine that wakes; [Timers.Close] ends it.
func NewTimers() (*Timers, error) {
	descriptor, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("create a timerfd: %w", err)
	}
	t := &Timers{
		file: os.NewFile(uintptr(descriptor), "timerfd"), descriptor: descriptor, ended: make(chan struct{}),
		spare: sync.Pool{New: func() any { return &alarm{ring: make(chan struct{}, 1)} }},
	}
	go t.run()
	return t, nil
}

// Wait returns after d and never before, but when the timers are closed: then it returns at once.
func (t *Timers) Wait(d time.Duration) {
	if d <= 0 {
		return
	}
	a := t.spare.Get().(*alarm)
	if t.set(a, d) {
		<-a.ring
	}
	t.spare.Put(a)
}

// set adds an alarm; it is false when the timers are closed.
func (t *Timers) set(a *alarm, d time.Duration) bool {
	a.at = time.Now().Add(d)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return false
	}
	heap.Push(&t.waiting, a)
	if t.waiting[0] == a {
		t.arm(d)
	}
	return true
}

// run wakes who is due whenever the timerfd expires, until it is closed.
func (t *Timers) run() {
	defer close(t.ended)
	var expirations [8]byte
	for {
		if _, err := t.file.Read(expirations[:]); err != nil {
			return
		}
		t.wake(time.Now())
	}
}

func (t *Timers) wake(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.waiting) > 0 && !t.waiting[0].at.After(now) {
		heap.Pop(&t.waiting).(*alarm).ring <- struct{}{}
	}
	if len(t.waiting) > 0 && !t.closed {
		t.arm(max(t.waiting[0].at.Sub(now), coalescing))
	}
}

// arm sets the one time at which the timerfd expires next. It is called with the lock held and before Close.
func (t *Timers) arm(d time.Duration) {
	next := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(d))}
	if err := unix.TimerfdSettime(t.descriptor, 0, &next, nil); err != nil {
		panic(fmt.Sprintf("timerfd_settime fails only for a bad time or descriptor: %v", err))
	}
}

// Close wakes all who wait and ends the goroutine. It may be called again.
func (t *Timers) Close() error {
	t.mu.Lock()
	t.closed = true
	for _, a := range t.waiting {
		a.ring <- struct{}{}
	}
	t.waiting = nil
	t.mu.Unlock()
	err := t.file.Close()
	<-t.ended
	if errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

// alarms is a heap, the earliest first.
type alarms []*alarm

// Len implements [heap.Interface].
func (w alarms) Len() int { return len(w) }

// Less implements [heap.Interface].
func (w alarms) Less(i, j int) bool { return w[i].at.Before(w[j].at) }

// Swap implements [heap.Interface].
func (w alarms) Swap(i, j int) { w[i], w[j] = w[j], w[i] }

// Push implements [heap.Interface].
func (w *alarms) Push(a any) { *w = append(*w, a.(*alarm)) }

// Pop implements [heap.Interface].
func (w *alarms) Pop() any {
	last := len(*w) - 1
	a := (*w)[last]
	(*w)[last] = nil
	*w = (*w)[:last]
	return a
}
