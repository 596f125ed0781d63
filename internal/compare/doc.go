// Package compare is the comparison of the two servers: which requests they get and in which order, what is checked
// after each round, what is said about the result, and the run that ties these to the lab, the load engine and the
// results folder.
//
// Schedule, batches, checks, figures and texts are pure; [Run] alone touches processes, sockets and files.
package compare
