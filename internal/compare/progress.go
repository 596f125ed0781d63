package compare

import (
	"fmt"
	"io"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// Progress is told how a run comes along. It is used from one goroutine, but for Done.
type Progress interface {
	// Step says in a few words what is being done.
	Step(what string)
	// Start says that a slot is being measured; Done how many of its requests have ended, from any goroutine; End that
	// it is over.
	Start(s Slot)
	Done(requests int)
	End(m Measurement)
	// Close ends the display; nothing is shown after it.
	Close()
}

// Lines shows a line for each step and each slot. What cannot be shown is left out: progress is no result.
type Lines struct {
	Out    io.Writer
	Rounds int
}

// Step implements [Progress].
func (l Lines) Step(what string) { _, _ = fmt.Fprintln(l.Out, what) }

// Start implements [Progress].
func (l Lines) Start(Slot) {}

// Done implements [Progress].
func (l Lines) Done(int) {}

// End implements [Progress].
func (l Lines) End(m Measurement) { _, _ = fmt.Fprintln(l.Out, ended(m, l.Rounds)) }

// Close implements [Progress].
func (l Lines) Close() {}

// ended is the line about a measured slot.
func ended(m Measurement, rounds int) string {
	f := figures(m)
	return fmt.Sprintf("round %d of %d, %-11s %8.1f req/s, mean %.1f ms, p99 %.1f ms, failed %d", m.Round, rounds,
		string(m.Server)+":", f.ThroughputRPS, f.MeanMS, f.P99MS, f.Failed)
}

// Bar shows one bar over all rounds on a terminal, and above it a line for each measured slot.
type Bar struct {
	display *mpb.Progress
	bar     *mpb.Bar
	rounds  int
	// what is shown in front of the bar; handed over by a channel because the display reads it from its own goroutine.
	what   chan string
	before int64
}

// refresh is how often the bar is drawn.
const refresh = 100 * time.Millisecond

// NewBar shows a bar on out for that many rounds of so many requests each (0: not known).
func NewBar(out io.Writer, rounds, requests int) *Bar {
	b := &Bar{rounds: rounds, what: make(chan string, 1)}
	b.display = mpb.New(mpb.WithOutput(out), mpb.WithRefreshRate(refresh), mpb.WithWidth(40), mpb.WithAutoRefresh())
	shown := ""
	front := decor.Any(func(decor.Statistics) string {
		select {
		case shown = <-b.what:
		default:
		}
		return fmt.Sprintf("%-34s", shown)
	})
	counter := decor.CountersNoUnit(" %d / %d ")
	if requests == 0 {
		counter = decor.CurrentNoUnit(" %d requests ")
	}
	// A bar with a total ends with its last request, and the display loses what is written after that: its total is shown
	// and not its own, so that Close ends it.
	b.bar = b.display.AddBar(0, mpb.PrependDecorators(front), mpb.AppendDecorators(counter, decor.Elapsed(decor.ET_STYLE_GO)))
	b.bar.SetTotal(int64(requests*rounds*len(Sides{})), false)
	return b
}

// Step implements [Progress].
func (b *Bar) Step(what string) {
	select {
	case <-b.what:
	default:
	}
	b.what <- what
}

// Start implements [Progress].
func (b *Bar) Start(s Slot) {
	b.before = b.bar.Current()
	b.Step(fmt.Sprintf("round %d of %d, %s", s.Round, b.rounds, s.Server))
}

// Done implements [Progress].
func (b *Bar) Done(requests int) { b.bar.SetCurrent(b.before + int64(requests)) }

// End implements [Progress].
func (b *Bar) End(m Measurement) { _, _ = fmt.Fprintln(b.display, ended(m, b.rounds)) }

// Close implements [Progress].
func (b *Bar) Close() {
	b.bar.Abort(true)
	b.display.Wait()
}
