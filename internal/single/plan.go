package single

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"poolvsloop/internal/crowd"
	"poolvsloop/internal/expr"
	"poolvsloop/internal/load"
	"poolvsloop/internal/request"
	"poolvsloop/internal/results"
	"poolvsloop/internal/timeline"
)

// Plan is a run as it will be made.
type Plan struct {
	Options    Options
	URL        *url.URL
	Load       load.Config
	Conditions []expr.Condition
	Events     []timeline.Event
	Crowds     []crowd.Spec
}

// NewPlan reads files, resolves names and checks everything that can be wrong before a request is sent. Its errors are
// of usage.
func NewPlan(ctx context.Context, o Options, target string) (*Plan, error) {
	p := &Plan{Options: o}
	var err error
	if p.URL, err = parseURL(target); err != nil {
		return nil, err
	}
	conditions, faults := parseConditions(o.FailIf)
	p.Conditions = conditions
	arrivals, err := o.arrivals()
	faults = append(faults, err, o.choices(), o.combinations())
	p.Events, err = o.events()
	faults = append(faults, err)
	var beside []load.Crowd
	p.Crowds, beside, err = o.crowds(p.URL)
	faults = append(faults, err)
	source, err := o.source(p.URL, target)
	if faults = append(faults, err); errors.Join(faults...) != nil {
		return nil, errors.Join(faults...)
	}
	p.Load = load.Config{
		Source: source, Requests: o.Requests, Duration: o.Duration, Clients: o.Concurrency, Think: o.Think, Arrivals: arrivals,
		MaxInFlight: o.MaxInFlight, KeepAlive: o.KeepAlive, PerConnection: o.PerConnection, Pipeline: o.Pipeline, Idle: o.Idle,
		Timeout: o.Timeout, Threads: o.Threads, Crowds: beside,
		MaxSamples:  -1, // a run of any length takes the same memory
		MostRefused: mostRefused,
	}
	if arrivals != nil {
		p.Load.Clients = 0
	}
	if o.Requests == 0 && o.Duration == 0 && (arrivals == nil || arrivals.Plan.Length() == 0) {
		p.Load.Duration = defaultDuration
	}
	if p.URL.Scheme == "https" {
		p.Load.TLS = &tls.Config{ServerName: p.URL.Hostname(), InsecureSkipVerify: o.Insecure,
			ClientSessionCache: tls.NewLRUClientSessionCache(0)}
	}
	if p.Load.Addr, err = load.Resolve(ctx, net.JoinHostPort(p.URL.Hostname(), p.port())); err != nil {
		return nil, err
	}
	return p, errors.Join(p.Load.Validate(), p.Load.CheckDescriptors())
}

// port is the port of the URL, or its scheme's.
func (p *Plan) port() string {
	switch {
	case p.URL.Port() != "":
		return p.URL.Port()
	case p.URL.Scheme == "https":
		return "443"
	}
	return "80"
}

// combinations says which flags can't be together.
func (o *Options) combinations() error {
	var all []error
	complain := func(bad bool, text string) {
		if bad {
			all = append(all, errors.New(text))
		}
	}
	complain(o.Rate != 0 && o.Stages != "", "--rate and --stages: want one of them")
	complain(o.open() && o.Concurrency != 1, "-c has no meaning with --rate or --stages: an open loop uses as many connections "+
		"as it takes; --max-in-flight bounds them")
	complain(!o.open() && o.Arrivals != ConstantArrivals, "--arrivals needs --rate or --stages")
	complain(o.Body != "" && o.BodyFile != "", "--body and --body-file: want one of them")
	complain(o.Targets != "" && (o.Body != "" || o.BodyFile != "" || o.Method != ""),
		"--targets names methods and bodies itself: leave out --method, --body and --body-file")
	complain(o.Variants < 1, fmt.Sprintf("--variants %d is below 1", o.Variants))
	return errors.Join(append(all, results.CheckName(o.Name))...)
}

// arrivals is the schedule of an open loop, nil for a closed one.
func (o *Options) arrivals() (*load.Arrivals, error) {
	a := &load.Arrivals{Poisson: o.Arrivals == PoissonArrivals, Seed: o.Seed}
	switch {
	case o.Stages != "":
		plan, err := parseStages(o.Stages)
		if err != nil {
			return nil, fmt.Errorf("--stages: %w", err)
		}
		a.Plan = plan
	case o.Rate != 0:
		a.Plan = load.Steady(o.Rate)
		if err := a.Plan.Validate(); err != nil {
			return nil, fmt.Errorf("--rate %g: %w", o.Rate, err)
		}
	default:
		return nil, nil
	}
	return a, nil
}

// asTyped is the part of a URL behind its host, without the fragment, as it was typed: escaping would break templates.
func asTyped(target string) string {
	_, rest, _ := strings.Cut(target, "://")
	rest, _, _ = strings.Cut(rest, "#")
	i := strings.IndexAny(rest, "/?")
	switch {
	case i < 0:
		return "/"
	case rest[i] == '?':
		return "/" + rest[i:]
	}
	return rest[i:]
}

// source makes the requests.
func (o *Options) source(u *url.URL, target string) (load.Source, error) {
	spec := request.Spec{Host: u.Host, Headers: o.Headers, Close: !o.KeepAlive || o.PerConnection == 1, Variants: o.Variants,
		Seed: o.Seed, Bodies: map[string][]byte{}}
	if o.Targets != "" {
		text, err := request.ReadFile(o.Targets)
		if err != nil {
			return nil, fmt.Errorf("--targets: %w", err)
		}
		if spec.Targets, err = request.ParseTargets(string(text)); err != nil {
			return nil, fmt.Errorf("--targets %s: %w", o.Targets, err)
		}
	} else {
		path := u.RequestURI()
		if strings.Contains(target, "{{") {
			path = asTyped(target)
		}
		one := request.Target{Weight: 1, Method: o.method(), Path: path, BodyFile: o.BodyFile}
		if o.Body != "" {
			one.BodyFile = "--body"
			spec.Bodies[one.BodyFile] = []byte(o.Body)
		}
		spec.Targets = []request.Target{one}
	}
	for _, t := range spec.Targets {
		if _, read := spec.Bodies[t.BodyFile]; read || t.BodyFile == "" {
			continue
		}
		body, err := request.ReadFile(t.BodyFile)
		if err != nil {
			return nil, fmt.Errorf("read a body: %w", err)
		}
		spec.Bodies[t.BodyFile] = body
	}
	return request.Build(spec)
}
