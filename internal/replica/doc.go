// Package replica measures again what five published reports measured, on the lab's servers, and prints it in their own
// columns. What today's handler does not do is "not yet" in the tables, never a figure of something else.
//
// A report is a file: its grid, its columns, and what of it cannot be had.
package replica
