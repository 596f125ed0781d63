// Package flow is the handler that both servers run, as a state machine without I/O: Start(request) → Call,
// Resume(outcome) → Call, until a Call says Done and the response is ready. It never touches a socket, a clock or a
// goroutine; who waits for a Call, and how, is the whole difference between the servers.
//
// A scenario (the order handler, hold, …) is one small file: a value with start and resume.
package flow
