// Package request makes the bytes of a run's requests, all of them before the run: from one target or a file of
// weighted ones, with bodies and simple templates (see [Spec]). It is pure.
package request

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"poolvsloop/internal/load"
)

const (
	// maxBytes bounds the resolved requests of a run.
	maxBytes = 256 << 20
	// maxSteps bounds the work of putting the targets in their order, the sum of weights times the number of targets: about
	// a second.
	maxSteps = 1 << 28
)

// Spec says what the requests are made of. Path, header values and bodies may hold templates: {{n}}, {{rand LOW HIGH}},
// {{pick A B …}}, {{hex N}}.
type Spec struct {
	// Host is the value of Host; a header of that name among Headers takes its place.
	Host string
	// Targets are asked for in proportion to their weights (at least one).
	Targets []Target
	// Bodies are the contents of the targets' body files, by name.
	Bodies map[string][]byte
	// Headers are lines "Name: value" for every request.
	Headers []string
	// Close adds "Connection: close".
	Close bool
	// Variants is the number of requests that are made when something has a template, at least; then they repeat.
	Variants int
	// Seed makes the random parts: the same seed, the same requests.
	Seed uint64
}

// Cycle is a source that repeats its requests in order.
type Cycle [][]byte

// Append implements [load.Source].
func (c Cycle) Append(dst []byte, i int) []byte { return append(dst, c[i%len(c)]...) }

// Build resolves the requests.
func Build(s Spec) (load.Source, error) {
	if len(s.Targets) == 0 {
		return nil, errors.New("no target")
	}
	makers := make([]*maker, len(s.Targets))
	differ := false
	for i, t := range s.Targets {
		m, err := s.maker(t)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", t.Method, t.Path, err)
		}
		makers[i], differ = m, differ || m.varies
	}
	turn, err := order(s.Targets)
	if err != nil {
		return nil, err
	}
	count := len(turn)
	if differ {
		count *= max(1, (s.Variants+count-1)/count)
	}
	random := rand.New(rand.NewPCG(s.Seed, 0))
	var all Cycle
	size := 0
	for n := range count {
		all = append(all, makers[turn[n%len(turn)]].request(n, random))
		if size += len(all[n]); size > maxBytes {
			return nil, fmt.Errorf("the requests take more than %d MiB; fewer variants take less", maxBytes>>20)
		}
	}
	if len(all) == 1 {
		return load.Fixed(all[0]), nil
	}
	return all, nil
}

// order is the sequence in which the targets take their turns, one round of it: each as often as its weight says,
// spread evenly (smooth weighted round robin, as nginx does it).
func order(targets []Target) ([]int, error) {
	sum := 0
	for _, t := range targets {
		sum += t.Weight
	}
	if sum > maxSteps/len(targets) {
		return nil, fmt.Errorf("%d targets with weights of %d in all are too many to take turns; smaller weights or fewer targets "+
			"take less", len(targets), sum)
	}
	credit, turn := make([]int, len(targets)), make([]int, sum)
	for n := range turn {
		best := 0
		for i, t := range targets {
			credit[i] += t.Weight
			if credit[i] > credit[best] {
				best = i
			}
		}
		credit[best] -= sum
		turn[n] = best
	}
	return turn, nil
}

// maker makes the requests of one target.
type maker struct {
	head     template // up to the blank line, without Content-Length
	body     template
	withBody bool
	varies   bool
}

func (s Spec) maker(t Target) (*maker, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	var head strings.Builder
	fmt.Fprintf(&head, "%s %s HTTP/1.1\r\n", t.Method, t.Path)
	hostGiven := false
	for _, h := range s.Headers {
		name, value, found := strings.Cut(h, ":")
		if !found || !token(name) || strings.ContainsAny(value, "\r\n\x00") {
			return nil, fmt.Errorf("header %q: want Name: value", h)
		}
		if strings.EqualFold(name, "Content-Length") || strings.EqualFold(name, "Transfer-Encoding") {
			return nil, fmt.Errorf("header %s is made from the body", name)
		}
		hostGiven = hostGiven || strings.EqualFold(name, "Host")
		fmt.Fprintf(&head, "%s: %s\r\n", name, strings.TrimSpace(value))
	}
	if !hostGiven {
		fmt.Fprintf(&head, "Host: %s\r\n", s.Host)
	}
	if s.Close {
		head.WriteString("Connection: close\r\n")
	}
	body := string(s.Bodies[t.BodyFile])
	m := &maker{withBody: t.BodyFile != "", varies: varies(head.String()) || varies(body)}
	var err error
	if m.head, err = parseTemplate(head.String()); err != nil {
		return nil, err
	}
	m.body, err = parseTemplate(body)
	return m, err
}

// request makes variant n.
func (m *maker) request(n int, random *rand.Rand) []byte {
	b := m.head.append(nil, n, random)
	body := m.body.append(nil, n, random)
	if m.withBody {
		b = fmt.Appendf(b, "Content-Length: %d\r\n", len(body))
	}
	b = append(b, "\r\n"...)
	return bytes.Clone(append(b, body...))
}
