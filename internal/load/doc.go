// Package load is the engine that sends requests to a server and books what became of each of them.
//
// In a closed loop every client sends its next request when the previous one has ended, after a pause if it thinks. In
// an open loop requests start when their schedule says so, whatever became of earlier ones; a partly open one starts
// sessions of several requests in that way. The clients of a run are spread over a few threads; each thread runs one
// plain epoll loop over its own clients and shares nothing with the others, so that the hot path takes no lock, makes
// no allocation and costs two system calls a request:
//
//	start ── open ── send ──▶ (epoll_wait) ──▶ receive ── frame ── book ── start …
//	   ▲       └──────┴── fails ──▶ book ──▶ ready queue ──┐
//	   └───────────────────────────────────────────────────┘
//
// What must hold: a request is counted once, at its start, and ends in exactly one outcome (see [Counts]). Nothing is
// sent again behind the caller's back. In a closed loop at most Clients connections are open at a time, besides the
// idle ones asked for, and none is opened that has no request to carry; kept ones stay open until the run ends.
//
// All times are taken from the monotonic clock, one reading an event, and are kept in whole microseconds (cut, not
// rounded). The package needs Linux.
package load
