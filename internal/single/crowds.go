package single

import (
	"errors"
	"fmt"
	"net/url"

	"poolvsloop/internal/crowd"
	"poolvsloop/internal/load"
	"poolvsloop/internal/results"
)

// crowds reads the crowds beside the run; what they ask for, unless they say it, is what the URL says.
func (o *Options) crowds(u *url.URL) (specs []crowd.Spec, crowds []load.Crowd, err error) {
	if specs, err = crowd.ParseAll(o.With); err != nil {
		return nil, nil, fmt.Errorf("--with %w", err)
	}
	var errs []error
	if len(specs) > 0 && u.Scheme == "https" {
		errs = append(errs, errors.New("--with: crowds speak no TLS: want an http:// URL"))
	}
	for _, s := range specs {
		if s.Timed && o.Duration > 0 && s.At >= o.Duration {
			errs = append(errs, fmt.Errorf("--with %q: want a --duration (-t) above %s: a crowd has to come before the run ends", s, s.At))
		}
		crowds = append(crowds, s.Crowd(crowd.Target{Host: u.Host, Path: u.RequestURI(), Large: u.RequestURI()}))
	}
	return specs, crowds, errors.Join(errs...)
}

// addCrowds adds what became of the crowds.
func (x *Report) addCrowds(p *Plan, r *load.Result) {
	x.Crowds = []results.Crowd{}
	for i, books := range r.Crowds {
		x.Crowds = append(x.Crowds, crowd.Total(p.Crowds[i], []load.CrowdResult{books}))
		if err := books.Books(); err != nil {
			x.InvalidReasons = append(x.InvalidReasons, err.Error())
		}
	}
	x.Valid = len(x.InvalidReasons) == 0
}

// sections are what disturbed the run and what came of it, in words; "" when nothing did.
func (x *Report) sections() string {
	text := crowd.Text([]crowd.Side{{Name: targetName, Crowds: x.Crowds}})
	if more := x.timelineText(); more != "" {
		if text != "" {
			text += "\n"
		}
		text += more
	}
	return text
}

// targetName is what the one server is called where two could stand.
const targetName = "target"
