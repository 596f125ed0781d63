package audit

import (
	"regexp"
	"slices"
	"strings"
)

// caption is a line under a picture.
type caption struct {
	line         int
	number, text string
}

// prose is what the sentences of a text say of its results.
type prose struct {
	captions []caption
	// measured says that some sentence speaks of what load tests measure.
	measured bool
	// times is how often each test was run, where a sentence says so; its value is 1 or 2.
	times figure
}

var (
	emphasis  = strings.NewReplacer("**", "", "__", "", "`", "", "\\", "")
	captioned = regexp.MustCompile(`(?i)^[#*_\s]*fig(?:ure|\.)?\s*(\d{1,3}(?:\.\d{1,2})?)\s*[:.–—-]\s*(\S.*)$`)
	measures  = regexp.MustCompile(`(?i)\b(?:throughput|latency|latencies|response times?|requests per second|memory|heap|cpu|footprint|percentiles?)\b`)
	loadTests = regexp.MustCompile(`(?i)\b(?:throughput|latency|response times?|requests per second)\b`)
	repeated  = regexp.MustCompile(`(?i)\b(?:tests?|runs?|benchmarks?|measurements?|experiments?)\b[^.|]{0,40}\b` +
		`(?:done|run|made|repeated|executed|performed|conducted|carried out)\b[^.|]{0,20}\b(once|twice|(?:one|1) time|(?:two|2) times)\b( (?:an?|as|the|that|per|every|each)\b)?`)
)

// mostCaptions is how many captions of a text are read: each may be held against each.
const mostCaptions = 100

// read takes the next line of the text, without blanks around it.
func (p *prose) read(text string, line int) {
	text = emphasis.Replace(text)
	p.measured = p.measured || loadTests.MatchString(text)
	if m := captioned.FindStringSubmatch(text); m != nil && len(p.captions) < mostCaptions {
		p.captions = append(p.captions, caption{line, m[1], strings.TrimSpace(m[2])})
	}
	if m := repeated.FindStringSubmatch(text); m != nil && m[2] == "" {
		p.times = figure{1, 0, m[1], line}
		if first := strings.ToLower(m[1])[:2]; first == "tw" || first == "2 " {
			p.times.value = 2
		}
	}
}

// pictures are the captions of a text about load tests; others have none that count.
func (p *prose) pictures() []caption {
	if !p.measured {
		return nil
	}
	return p.captions
}

// pair is two things that captions compare.
type pair [2]string

var (
	versus = regexp.MustCompile(`(?i)\s+(?:vs\.?|versus|compared (?:to|with|against))\s+`)
	before = regexp.MustCompile(`(?i)^.*(?:\b(?:of|for|between)\s+|:\s+)`)
	behind = regexp.MustCompile(`(?i)(?:\s+(?:along|at|by|for|in|on|under|with|when|while)\b|\s*[,;(.]).*$`)
	// axes are words of what is drawn against something, in place of things that are compared.
	axes = regexp.MustCompile(`(?i)\b(?:concurren\w*|users?|clients?|connections?|threads?|workers?|sizes?|payloads?|messages?|times?|rates?|requests?|` +
		`loads?|delays?|levels?|seconds|before|after)\b`)
)

// pairs are the things that captions compare two by two, each pair once.
func (p *prose) pairs() []pair {
	var all []pair
	for _, c := range p.pictures() {
		sides := versus.Split(c.text, -1)
		if len(sides) != 2 {
			continue
		}
		x := pair{strings.TrimSpace(before.ReplaceAllString(sides[0], "")), strings.TrimSpace(behind.ReplaceAllString(sides[1], ""))}
		drawn := measures.MatchString(x[0]+" "+x[1]) || axes.MatchString(x[0]+" "+x[1])
		if x[0] != "" && x[1] != "" && !drawn && !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	return all
}

// names says that the caption names a thing, in whole words.
func (c *caption) names(thing string) bool {
	text, thing := strings.ToLower(c.text), strings.ToLower(thing)
	return regexp.MustCompile(`(?:^|\W)` + regexp.QuoteMeta(thing) + `(?:\W|$)`).MatchString(text)
}
