// Package pictures draws a run: each picture is an SVG of a few kilobytes that a browser shows in light and in dark, with
// a text that says what to see. They are a function of the files of a results folder alone: the same files give the same
// bytes. gonum.org/v1/plot places axes and curves; svg.go writes what it draws.
package pictures
