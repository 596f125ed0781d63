package report

import (
	"fmt"
	"strings"

	"poolvsloop/internal/stats"
	"poolvsloop/internal/sweep"
)

// SweepParts are what the text report says of a sweep, piece by piece, for those who lay it out themselves.
type SweepParts struct {
	// Question is what the sweep asked; Verdict says how many cells name which server, and Others what the others say;
	// Says says where the lead changes, or how much load each server carries.
	Question, Verdict, Others string
	Says                      []Named
	// Settings are the grid and the flags of all cells.
	Settings []Named
	// Remarks are what the whole must be read with. Scaling says how each server scales along the number of clients, Searched what each step of a search showed.
	Remarks  []string
	Scaling  []Named
	Searched string
	// Head and Rows are the table of the cells, the settings first; Faults are what is wrong with some.
	Head   []string
	Rows   [][]string
	Faults string
}

// SweepPartsOf takes the report of a sweep apart.
func SweepPartsOf(s *sweep.Sweep) SweepParts {
	p := SweepParts{Question: "Which server is ahead where?", Faults: faults(s)}
	p.Verdict, p.Others = tally(s)
	for _, axis := range s.Axes {
		p.Settings = append(p.Settings, Named{axis.Knob, strings.Join(axis.Values, ", ")})
	}
	p.Settings = append(p.Settings, Named{"all cells", baseWords(s.Base)})
	for _, remark := range s.Remarks {
		p.Remarks = append(p.Remarks, upper(remark)+".")
	}
	rows := cellRows(s)
	p.Head, p.Rows = rows[0], rows[1:]
	for _, x := range s.Scaling {
		p.Scaling = append(p.Scaling, Named{nameOf(s, x.Server, x.Settings), "Knee: " + kneeWords(x.Knee) + ". Scalability law: " + uslWords(x.USL) + "."})
	}
	for _, c := range s.Crossings {
		p.Says = append(p.Says, Named{sweep.Label(s.Knobs(), c.Settings), upper(CrossingWords(s, c)) + "."})
	}
	if s.Search != nil {
		p.searched(s)
	}
	return p
}

// searched enters what a search found.
func (p *SweepParts) searched(s *sweep.Sweep) {
	conditions := strings.Join(s.Search.Conditions, " and ")
	p.Question = fmt.Sprintf("How much load does each server carry while %s?", conditions)
	p.Verdict, p.Others, p.Searched = "No server is shown to carry more.", "", capacityText(s)
	var ahead []string
	for _, c := range s.Capacities {
		label := sweep.Label(s.Knobs(), c.Settings)
		for _, server := range c.Servers {
			p.Says = append(p.Says, Named{label, server.Name + ": " + bracketWords(server, unitOf(s.Search)) + "."})
		}
		if c.Ahead != "" {
			ahead = append(ahead, strings.TrimPrefix(label+": "+aheadWords(c), ": "))
		}
	}
	if len(ahead) > 0 {
		p.Verdict = strings.Join(ahead, "; ") + "."
	}
}

// tally counts the cells by the verdict on their goodput.
func tally(s *sweep.Sweep) (verdict, others string) {
	if len(s.Servers) < 2 {
		return "Nothing was measured yet.", ""
	}
	count := map[string]int{}
	for _, c := range s.Cells {
		row, known := c.Row("goodput")
		switch {
		case c.Status != sweep.Valid:
			count[sweep.Invalid]++
		case known:
			count[row.Verdict]++
		}
	}
	more, less := sides(s)
	if count[more] < count[less] {
		more, less = less, more
	}
	verdict = fmt.Sprintf("The %s has more throughput in %d of %d cells, the %s in %d.", ServerTitle(more), count[more], len(s.Cells),
		ServerTitle(less), count[less])
	return verdict, fmt.Sprintf("Ties: %d. Inconclusive: %d. Not valid: %d.", count[stats.Tie], count[stats.Inconclusive], count[sweep.Invalid])
}
