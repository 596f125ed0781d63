package page

import (
	"poolvsloop/internal/pictures"
	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
	"poolvsloop/internal/sweep"
)

// sweepContent is what the page of a sweep shows.
type sweepContent struct {
	frame
	Sweep *sweep.Sweep
	Knobs []string
	report.SweepParts
}

// SweepFiles are the page and the pictures of a sweep, to be written to its folder.
func SweepFiles(s *sweep.Sweep) ([]results.File, error) {
	all, left, err := pictures.OfSweep(s)
	if err != nil {
		return nil, err
	}
	c := sweepContent{frame: newFrame(s.ID, s.Argv, s.Servers, all, left), Sweep: s, Knobs: s.Knobs(), SweepParts: report.SweepPartsOf(s)}
	c.Nav = []report.Named{{Name: "pictures", Text: "Pictures"}, {Name: "figures", Text: "Figures"}, {Name: "run", Text: "The sweep"}}
	if len(all) > 0 {
		c.lead()
	}
	body, err := fill("sweep.html", c)
	if err != nil {
		return nil, err
	}
	return together(body, all), nil
}
