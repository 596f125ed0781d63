package main

import "time"

// pause returns after d, and never before.
func pause(d time.Duration) {
	if d > 0 {
		time.Sleep(d)
	}
}
