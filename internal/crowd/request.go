package crowd

import (
	"fmt"
	"strings"

	"poolvsloop/internal/load"
)

// Target is what a crowd asks for when its spec names no path.
type Target struct {
	// Host is the value of the header Host.
	Host string
	// Path is what is asked for, Large what slow readers ask for: an answer that does not fit into the buffers on the way.
	Path, Large string
}

const (
	// headSize is how many bytes the head of a slow sender has: below what servers take (8 KiB), and enough for minutes.
	headSize = 4096
	// bodySize is how many bytes the body has that is sent slowly or in part.
	bodySize = 64 << 10
)

// Crowd is what the load engine is told of the spec.
func (s Spec) Crowd(t Target) load.Crowd {
	c := load.Crowd{
		Kind: s.Kind, Count: s.Count, Rate: s.Rate, Before: !s.Timed, At: s.At, Within: s.Within, Reopen: s.Reopen,
	}
	path := s.Path
	switch {
	case path != "":
	case s.Kind == load.SlowRead:
		path = t.Large
	default:
		path = t.Path
	}
	head := fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: poolvsloop-crowd\r\n", path, t.Host)
	switch {
	case s.Part == Body:
		head = strings.Replace(head, "GET", "POST", 1) + fmt.Sprintf("Content-Length: %d\r\n\r\n", bodySize)
		c.Sent = len(head)
		c.Request = []byte(head + strings.Repeat(".", bodySize))
	case s.Kind == load.SlowSend:
		const name, end = "X-Padding: ", "\r\n\r\n"
		c.Request = []byte(head + name + strings.Repeat(".", max(1, headSize-len(head)-len(name)-len(end))) + end)
	case s.Kind == load.IdleKept:
		c.Request = []byte(head + "\r\n")
	default:
		c.Request = []byte(head + "Connection: close\r\n\r\n")
	}
	if s.Kind == load.HalfOpen {
		c.Sent = map[string]int{Nothing: 0, Head: len(head) / 2, Body: len(head) + bodySize/2}[s.Part]
	}
	return c
}
