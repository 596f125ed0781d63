package audit

import (
	"fmt"
	"strings"
)

// check says what the sentences of a text tell against its results; numbers says that it has reports or tables.
func (p *prose) check(f *findings, numbers bool) {
	pictures := p.pictures()
	if len(pictures) > 0 && !numbers {
		var all []string
		for _, c := range pictures {
			all = append(all, c.number)
		}
		f.add(Doubtful, "pictures", pictures[0].line, "figures "+strings.Join(all, ", "),
			fmt.Sprintf("%d captions, no table and no report of a tool", len(pictures)), "no number of a result",
			"All results are in pictures: nothing in the text can be held against anything.")
	}
	p.oneSided(f)
	if numbers || len(pictures) > 0 {
		p.repeats(f)
	}
}

// oneSided: what is measured of one of two that are compared says nothing of the other.
func (p *prose) oneSided(f *findings) {
	pairs := p.pairs()
	for _, c := range p.pictures() {
		for _, x := range pairs {
			one, other := x[0], x[1]
			if c.names(other) {
				one, other = other, one
			}
			if !c.names(one) || c.names(other) || !measures.MatchString(c.text) {
				continue
			}
			f.add(Doubtful, "one side", c.line, "figure "+c.number, fmt.Sprintf("%q names %s, and not %s", c.text, one, other), "1 of 2",
				"Of the two that are compared, this was measured for one alone: it says nothing about the difference.")
			break
		}
	}
}

// student is the 97.5 % point of Student's distribution with one degree of freedom: how many standard errors the 95 %
// interval of a mean of two reaches to each side.
const student = 12.706

// repeats: a mean of two runs has an interval so wide that it says nothing, one run has none.
func (p *prose) repeats(f *findings) {
	switch p.times.value {
	case 1:
		f.add(Doubtful, "repeats", p.times.line, "tests run "+p.times.text, "1 run each", "no spread",
			"Nothing was run twice: which differences are noise cannot be told.")
	case 2:
		// The standard error of a mean of two is half their difference.
		f.add(Doubtful, "repeats", p.times.line, "tests run "+p.times.text,
			fmt.Sprintf("2 runs each; the 95 %% interval of their mean is ± %s × the difference of the two, by Student's distribution", short(student/2)), "1 degree of freedom",
			"Two runs hardly tell which differences are noise: their mean may be off by several times what they differ.")
	}
}
