package main

import (
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// parker lets one worker wait until it is unparked. Each unpark ends one park, also when it comes first; only one may
// come before the park that it ends.
type parker interface {
	park()
	unpark()
}

// channelParker parks a goroutine in Go's scheduler.
type channelParker chan struct{}

func newChannelParker() channelParker { return make(channelParker, 1) }

func (p channelParker) park()   { <-p }
func (p channelParker) unpark() { p <- struct{}{} }

// futexParker parks an OS thread in the kernel (futex(2)). A goroutine that is locked to its thread and parked in Go's
// scheduler would pay for two threads at each wake: one that schedules it, and its own.
type futexParker struct{ token atomic.Uint32 }

// Operations of futex(2), from linux/futex.h, which x/sys/unix leaves out.
const (
	futexWaitPrivate = 0 | 128
	futexWakePrivate = 1 | 128
)

func (p *futexParker) park() {
	for !p.token.CompareAndSwap(1, 0) {
		// Sleeps only while the token is still 0. Any error is a reason to look again.
		_, _, _ = unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&p.token)), futexWaitPrivate, 0, 0, 0, 0)
	}
}

func (p *futexParker) unpark() {
	p.token.Store(1)
	_, _, _ = unix.RawSyscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&p.token)), futexWakePrivate, 1, 0, 0, 0)
}
