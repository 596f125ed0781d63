// Package sweep measures a grid of settings and says what the whole of it shows: a line for each cell, the knee and the
// scalability law of each server, where one server overtakes the other, and how much load each one carries within a bound.
//
// A cell is a run of internal/compare, which the caller provides as a function: nothing here starts a server. What is
// committed to the [Journal] stays, whatever kills the process, and a sweep goes on from there. Everything that is said
// of a sweep is a function of its folder.
package sweep
