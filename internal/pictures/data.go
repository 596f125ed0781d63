package pictures

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"poolvsloop/internal/results"
)

// Data is what pictures are drawn of: a run, and the response times of each round of each server.
type Data struct {
	Run      *results.Run
	Response map[string][]results.Interval
}

// Read reads what is not in run.json through open, which returns the content of a file of the run's folder. A log that is
// not there is no error: its pictures are left out.
func Read(run *results.Run, open func(name string) ([]byte, error)) (Data, error) {
	d := Data{Run: run, Response: map[string][]results.Interval{}}
	for _, t := range run.Targets {
		name := t.Name + "-response.hlog"
		log, err := open(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return d, fmt.Errorf("read the response times: %w", err)
		}
		if d.Response[t.Name], err = results.ReadHistogramLog(bytes.NewReader(log)); err != nil {
			return d, fmt.Errorf("read %s: %w", name, err)
		}
	}
	return d, nil
}

// inkOf is the ink of a server by its place in the run.
func inkOf(i int) ink { return []ink{first, second}[i] }

// noTimes is why a picture of response times is left out.
const noTimes = "there are no response times of both servers"

// sound says that a time in ms or a rate is one that an axis can show.
func sound(v float64) bool { return v >= 1e-6 && v < 1e12 }
