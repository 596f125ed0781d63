package compare

import (
	"context"

	"poolvsloop/internal/lab"
)

// resources are counters at one moment: those of a server about itself, and the CPU time of the programs beside it. Both
// are read outside the span in which a server's own CPU time is taken, since reading costs some.
type resources struct {
	own       lab.Own
	othersCPU float64
}

func (s *session) resources(ctx context.Context, target *lab.Target) (r resources, err error) {
	if r.own, err = target.Own(ctx); err != nil {
		return r, err
	}
	r.othersCPU, err = s.beside()
	return r, err
}
