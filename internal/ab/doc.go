// Package ab is ApacheBench: the command line, the messages, the report and the exit codes of ab 2.4, around the load
// engine of package load.
//
// [Run] is all of the program. What it does differently from ab, and why, is listed in docs/ab.md. The reading of the
// command line ([Parse]), of URLs and the making of request bytes are pure; only Run touches files, names and sockets.
package ab
