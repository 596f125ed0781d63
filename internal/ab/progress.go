package ab

import "io"

// progress prints a line whenever another tenth of the requests, or another hundred, has ended.
type progress struct {
	w io.Writer
	// step is 0 when no lines are printed.
	step, next int
}

// newProgress follows ab: lines only for more than 150 requests, and never closer than a hundred.
func newProgress(w io.Writer, o *Options) progress {
	p := progress{w: w}
	if !o.Quiet && o.Requests > 150 {
		p.step = max(100, o.Requests/10)
	}
	p.next = p.step
	return p
}

// report is told how many requests have ended.
func (p *progress) report(done int) {
	for ; p.step > 0 && p.next <= done; p.next += p.step {
		say(p.w, "Completed %d requests\n", p.next)
	}
}
