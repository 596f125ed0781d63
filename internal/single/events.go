package single

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"poolvsloop/internal/drill"
	"poolvsloop/internal/lab"
	"poolvsloop/internal/load"
	"poolvsloop/internal/results"
	"poolvsloop/internal/timeline"
)

// Events are the flags of a run in which a lab that is up is changed.
type Events struct {
	At []string
	// The admin ports of the programs that events change.
	DownstreamA, DownstreamB, ThreadPool, EventLoop string
}

func (e *Events) bind(fs *pflag.FlagSet) {
	fs.StringArrayVar(&e.At, "at", nil, "`event` in the run, as '10s b.latency=500ms', put back at its end; repeatable, needs -t and the "+
		"program's admin port (see docs/timeline.md)")
	for _, a := range e.addresses() {
		fs.StringVar(a.value, a.flag, "", "`URL` of the admin port of "+a.program+", for events of "+a.program)
	}
}

// address is where the settings of a program are changed.
type address struct {
	program, flag string
	value         *string
}

func (e *Events) addresses() []address {
	return []address{
		{timeline.DownstreamA, "downstream-a-admin", &e.DownstreamA}, {timeline.DownstreamB, "downstream-b-admin", &e.DownstreamB},
		{timeline.ThreadPool, "threadpool-admin", &e.ThreadPool}, {timeline.EventLoop, "eventloop-admin", &e.EventLoop},
	}
}

// events reads the events and checks that each can be carried out within the run.
func (o *Options) events() ([]timeline.Event, error) {
	all, err := timeline.ParseAll(o.Events.At)
	if err != nil {
		return nil, fmt.Errorf("--at %w", err)
	}
	var errs []error
	for _, e := range all {
		if e.At >= o.Duration {
			errs = append(errs, fmt.Errorf("--at %q: want a --duration (-t) above %s: an event has to come before the run ends", e, e.At))
		}
		i := slices.IndexFunc(o.Events.addresses(), func(a address) bool { return a.program == e.Program })
		switch {
		case i < 0:
			errs = append(errs, fmt.Errorf("--at %q: only the cache that an embedded lab starts can be stopped", e))
		case *o.Events.addresses()[i].value == "":
			errs = append(errs, fmt.Errorf("--at %q needs --%s", e, o.Events.addresses()[i].flag))
		}
	}
	return all, errors.Join(errs...)
}

// course is what became of the events of a run.
type course struct {
	done   []timeline.Done
	before map[string]string
}

// load makes the load while the events are carried out, and puts everything back.
func (p *Plan) load(ctx context.Context) (r *load.Result, seen course, err error) {
	if len(p.Events) == 0 {
		r, err = load.Run(ctx, p.Load)
		return r, seen, err
	}
	ports := map[string]string{}
	for _, a := range p.Options.Events.addresses() {
		ports[a.program] = *a.value
	}
	knobs, err := lab.KnobsAt(ports)
	if err != nil {
		return nil, seen, err
	}
	defer knobs.Close()
	d, err := drill.Prepare(ctx, knobs, p.Events)
	if err != nil {
		return nil, seen, err
	}
	c := p.Load
	c.MaxSamples = 0 // the seconds are cut from single times
	c.OnStart = func(origin time.Time) { d.Start(ctx, origin) }
	r, err = load.Run(ctx, c)
	seen.done, seen.before = d.Stop(), d.Before
	return r, seen, errors.Join(err, d.Restore(ctx))
}

// addTimeline adds what the events did.
func (x *Report) addTimeline(seen course, r *load.Result) {
	if len(seen.done) == 0 {
		return
	}
	x.Series = timeline.Seconds(r.Samples)
	t := timeline.Judge(x.Series, r.Window, seen.done, seen.before)
	x.Timeline = &t
	for _, e := range seen.done {
		if e.Err != nil {
			x.InvalidReasons = append(x.InvalidReasons, fmt.Sprintf("event %q failed: %s", e.Event, e.Err))
		}
	}
	x.Valid = len(x.InvalidReasons) == 0
}

// timelineText is what the events did, in words; "" for a run without events.
func (x *Report) timelineText() string {
	if x.Timeline == nil {
		return ""
	}
	return timeline.Text([]timeline.Side{{
		Name: targetName, Series: []results.Series{{Seconds: x.Series}}, Rounds: []results.Timeline{*x.Timeline},
	}}, x.result.Window)
}
