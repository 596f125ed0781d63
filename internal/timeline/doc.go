// Package timeline is what happens to a lab in the course of a round, and what can be said about it afterwards: it reads
// events ("10s b.latency=500ms"), cuts a round into seconds, and finds when a server was back at the level that it had
// before the first event. It is pure: times and values go in and come out. Who carries events out is package drill.
package timeline
