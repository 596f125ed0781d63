package single

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"poolvsloop/internal/load"
)

// parseStages reads --stages:
//
//	stages = stage { "," stage }
//	stage  = rate [ ".." rate ] [ ":" time ]
//
// A rate is a number of arrivals a second; two make a ramp. Only the last stage may have no time: it has no end.
func parseStages(text string) (load.Plan, error) {
	var plan load.Plan
	for _, part := range strings.Split(text, ",") {
		s, err := parseStage(strings.TrimSpace(part))
		if err != nil {
			return nil, fmt.Errorf("stage %q: %w", part, err)
		}
		plan = append(plan, s)
	}
	return plan, plan.Validate()
}

func parseStage(text string) (s load.Stage, err error) {
	rates, length, timed := strings.Cut(text, ":")
	from, to, ramp := strings.Cut(rates, "..")
	if !ramp {
		to = from
	}
	if s.From, err = strconv.ParseFloat(from, 64); err != nil {
		return s, fmt.Errorf("%q is no rate", from)
	}
	if s.To, err = strconv.ParseFloat(to, 64); err != nil {
		return s, fmt.Errorf("%q is no rate", to)
	}
	if !timed {
		return s, nil
	}
	if s.For, err = time.ParseDuration(length); err != nil {
		return s, fmt.Errorf("%q is no time such as 30s", length)
	}
	if s.For <= 0 {
		return s, errors.New("want a time above 0")
	}
	return s, nil
}
