package load

import "time"

// Answer is what Config.OnAnswer is told of an answer.
type Answer struct {
	// Loop is the loop that got it, from 0; Number that of its request, as Source counts.
	Loop, Number int
	Status       int
	// Header is the value of the header that Config.Header names, several lines of it joined by ", "; empty without one.
	// It is valid during the call only.
	Header []byte
	// Response goes from when the request was due to the last byte of the answer, as [Result.Response] does.
	Response time.Duration
}
