package main

import "time"

// Fault is what goes wrong with a call.
type Fault uint8

// Faults, in the order in which a draw is dealt out among them.
const (
	// NoFault: the call is answered.
	NoFault Fault = iota
	// Hang: no answer ever; the connection stays open until the client leaves.
	Hang
	// Reset: the connection is reset (RST) when the answer would be due.
	Reset
	// Error: an answer with the error status, when the answer would be due.
	Error
	// SlowBody: the answer's head comes when it is due, its body in pieces over a time.
	SlowBody
)

// Faults says which share of the calls meets which fault. Shares are 0 to 1, and their sum is at most 1: a call meets
// at most one fault. The zero value has none.
type Faults struct {
	ErrorShare, HangShare, ResetShare, SlowBodyShare float64
	// ErrorStatus is 400 to 599.
	ErrorStatus int
	// SlowBodyTime is from the answer's head to the last byte of its body.
	SlowBodyTime time.Duration
}

// Pick returns the fault for a uniform draw u.
func (f Faults) Pick(u float64) Fault {
	for _, kind := range [...]struct {
		fault Fault
		share float64
	}{{Hang, f.HangShare}, {Reset, f.ResetShare}, {Error, f.ErrorShare}, {SlowBody, f.SlowBodyShare}} {
		if u < kind.share {
			return kind.fault
		}
		u -= kind.share
	}
	return NoFault
}
