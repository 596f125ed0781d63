package latency

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// trace picks one of the delays of a file with equal chances: trace:FILE. The file has one delay a line, such as 20ms;
// empty lines and lines that begin with # do not count.
type trace []time.Duration

// maxTraceLines bounds a trace; more is refused.
const maxTraceLines = 1_000_000

func parseTrace(name string, open Opener) (Model, error) {
	file, err := open(name)
	if err != nil {
		return nil, fmt.Errorf("open the trace: %w", err)
	}
	m, err := readTrace(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("read the trace: %w", err)
	}
	return m, nil
}

// readTrace does not quote what it cannot read: a trace is named over the network, and may not be one.
func readTrace(r io.Reader) (trace, error) {
	var m trace
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if n > maxTraceLines {
			return nil, fmt.Errorf("more than %d lines", maxTraceLines)
		}
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 || d > Max {
			return nil, fmt.Errorf("line %d is not a delay such as 20ms, 0 to %v", n, Max)
		}
		m = append(m, d)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(m) == 0 {
		return nil, errors.New("no delay in it")
	}
	return m, nil
}

// Delay implements [Model]: the delay in place ⌊u n⌋ of n.
func (m trace) Delay(u float64) time.Duration { return m[min(int(u*float64(len(m))), len(m)-1)] }

// OpenFile opens a regular file; anything else could block or never end.
func OpenFile(name string) (io.ReadCloser, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	return os.Open(name)
}
