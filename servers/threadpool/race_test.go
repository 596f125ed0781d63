//go:build race

package main

// raceEnabled says that the race detector is on.
const raceEnabled = true
