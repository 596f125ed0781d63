// Package stats says what a handful of measured rounds carry: their middle and spread, whether two servers differ, and
// how evenly the answers were spread over the clients. It is pure.
package stats
