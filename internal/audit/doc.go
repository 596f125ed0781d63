// Package audit reads published results of load tests (reports of ab and of wrk, summary tables of JMeter, also inside
// longer texts) and says what their own arithmetic refutes.
//
// A printed number stands for the interval that its digits leave open: 14.82 is anything from 14.815 to 14.825. A law
// is broken when the intervals of its two sides do not meet. docs/audit.md lists the laws and where they come from.
//
// Everything here is pure: [Read] takes a text, [Text], [Markdown] and [JSON] give one.
package audit
