package lab

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"

	"poolvsloop/internal/program"
)

const (
	// tailLines is how many of a child's last lines an error shows.
	tailLines = 15
	// maxLine bounds what is kept of one line, in bytes.
	maxLine = 4096
)

// announcement is the log line by which a program says where it listens.
type announcement struct {
	Message string `json:"message"`
	Addr    string `json:"addr"`
	Admin   string `json:"admin"`
}

// output takes what a child writes: it keeps the last lines, hands each on, and catches the announcement.
type output struct {
	// announced gets the first announcement.
	announced chan announcement
	// each, if set, is called for every line, by one goroutine at a time.
	each func(line string)

	mu   sync.Mutex // protects the rest
	rest []byte     // of a line that has not ended
	tail []string
}

func newOutput(each func(string)) *output {
	return &output{announced: make(chan announcement, 1), each: each}
}

// Write implements io.Writer; it never fails.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := len(p)
	for {
		line, after, whole := bytes.Cut(p, []byte("\n"))
		o.rest = append(o.rest, line[:min(len(line), maxLine-len(o.rest))]...)
		if !whole {
			return n, nil
		}
		o.line(string(o.rest))
		o.rest, p = o.rest[:0], after
	}
}

func (o *output) line(text string) {
	if o.each != nil {
		o.each(text)
	}
	if len(o.tail) == tailLines {
		o.tail = o.tail[1:]
	}
	o.tail = append(o.tail, text)
	var a announcement
	if json.Unmarshal([]byte(text), &a) != nil || a.Message != program.Listening {
		return
	}
	select {
	case o.announced <- a:
	default:
	}
}

// last returns the last lines, indented, on lines of their own; nothing when there are none.
func (o *output) last() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	lines := o.tail
	if len(o.rest) > 0 {
		lines = append(lines[:len(lines):len(lines)], string(o.rest))
	}
	if len(lines) == 0 {
		return "it logged nothing"
	}
	return "its last lines:\n  " + strings.Join(lines, "\n  ")
}
