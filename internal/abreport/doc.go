// Package abreport writes the report of ApacheBench 2.3 (ab) about a run: the same lines in the same order, width and
// rounding, from times in whole microseconds.
//
// It is pure: it neither reads a clock nor opens a file. All figures come from [Report.Figures], also those that
// [Write] prints, so that a report and a JSON document made of the same Report can't disagree.
package abreport
