package report

import (
	"fmt"
	"math"
	"strings"

	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
	"poolvsloop/internal/sweep"
)

// scalingText says how each server scales along the number of clients: its knee, the law that fits it, and by how much
// the points are off that.
func scalingText(s *sweep.Sweep) string {
	if len(s.Scaling) == 0 {
		return ""
	}
	text := "Scaling along the number of clients (goodput; 95 % intervals over resampled rounds)\n\n"
	for _, x := range s.Scaling {
		text += "  " + nameOf(s, x.Server, x.Settings) + "\n"
		text += wrap("knee: "+kneeWords(x.Knee), "    ", "      ")
		text += wrap("USL: "+uslWords(x.USL), "    ", "      ")
		if residuals := residualWords(x.Points); residuals != "" {
			text += wrap("off: "+residuals, "    ", "      ")
		}
	}
	return text
}

// nameOf is a server at one combination of the other knobs.
func nameOf(s *sweep.Sweep, server string, settings map[string]string) string {
	if len(settings) == 0 {
		return server
	}
	return server + ", " + sweep.Label(s.Knobs(), settings)
}

func kneeWords(k sweep.Knee) string {
	if k.Note != "" {
		return k.Note
	}
	return fmt.Sprintf("%s clients%s: from there on requests queue", short(k.Clients), bounds(k.CILow, k.CIHigh))
}

func uslWords(u sweep.USL) string {
	if u.Refused != "" {
		return "refused: " + u.Refused
	}
	words := fmt.Sprintf("λ %s/s%s, σ %s%s, κ %s%s", short(u.Lambda.Value), bounds(u.Lambda.CILow, u.Lambda.CIHigh),
		short(u.Sigma.Value), bounds(u.Sigma.CILow, u.Sigma.CIHigh), short(u.Kappa.Value), bounds(u.Kappa.CILow, u.Kappa.CIHigh))
	if !math.IsNaN(float64(u.PeakClients)) {
		words += fmt.Sprintf("; most, %s/s, at %s clients", short(u.PeakRPS), short(u.PeakClients))
	}
	return words
}

// residualWords are those of the points that a law was fitted to.
func residualWords(points []sweep.ScalingPoint) string {
	var words []string
	for _, p := range points {
		switch {
		case p.LeftOut != "":
			words = append(words, fmt.Sprintf("%d left out (%s)", p.Concurrency, p.LeftOut))
		case !math.IsNaN(float64(p.Residual)):
			words = append(words, fmt.Sprintf("%d: %+.1f %%", p.Concurrency, 100*float64(p.Residual)))
		}
	}
	return strings.Join(words, ", ")
}

// crossingText says where the lead changes.
func crossingText(s *sweep.Sweep) string {
	if len(s.Crossings) == 0 {
		return ""
	}
	text := fmt.Sprintf("Who is ahead along %s (goodput, %s / %s; 95 %% intervals over resampled rounds)\n\n", s.Along, s.Servers[1], s.Servers[0])
	for _, c := range s.Crossings {
		label := sweep.Label(s.Knobs(), c.Settings)
		if label != "" {
			label += ": "
		}
		text += wrap(label+CrossingWords(s, c), "  ", "    ")
	}
	return text
}

// CrossingWords say who is ahead along the knob of the crossings, and where that changes.
func CrossingWords(s *sweep.Sweep, c sweep.Crossing) string {
	between := fmt.Sprintf("between %s and %s", knobValue(s, c.Above), knobValue(s, c.Below))
	words := ""
	alike := c.From == c.To
	switch {
	case alike && c.To == stats.Tie:
		words = "no clear lead"
	case alike:
		words = c.From + " ahead"
	case c.From == stats.Tie:
		return fmt.Sprintf("no clear lead, then %s ahead: that begins %s", c.To, between)
	case c.To == stats.Tie:
		return fmt.Sprintf("%s ahead, then no clear lead: that begins %s", c.From, between)
	default:
		words = fmt.Sprintf("%s ahead, then %s: equal at %s", c.From, c.To, knobValue(s, c.At))
		if c.Note == "" {
			words += fmt.Sprintf(" (%s .. %s)", knobValue(s, c.CILow), knobValue(s, c.CIHigh))
		}
		words += ", " + between
	}
	if c.Note != "" {
		words += "; " + c.Note
	}
	return words
}

// knobValue is a value of the knob of the crossings; times are in seconds.
func knobValue(s *sweep.Sweep, x results.Number) string {
	for _, axis := range s.Axes {
		if axis.Knob == s.Along && axis.Times() {
			return short(x*1e3) + " ms"
		}
	}
	return short(x)
}

// bounds is an interval in brackets, "" when there is none.
func bounds(low, high results.Number) string {
	if math.IsNaN(float64(low)) || math.IsNaN(float64(high)) {
		return ""
	}
	return fmt.Sprintf(" (%s .. %s)", short(low), short(high))
}
