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
		text += wrap("knee: "+kneeWords(x.Knee), "    ", "          ")
		text += wrap("USL:  "+uslWords(x.USL), "    ", "          ")
		if residuals := residualWords(x.Points); residuals != "" {
			text += wrap("off:  "+residuals, "    ", "          ")
		}
	}
	return text
}

// nameOf is a server at one combination of the other knobs.
func nameOf(s *sweep.Sweep, server string, settings map[string]string) string {
	if len(settings) == 0 {
		return server
	}
	return server + ", " + sweep.Label(s.Axes, settings)
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
		label := sweep.Label(s.Axes, c.Settings)
		if label != "" {
			label += ": "
		}
		text += wrap(label+crossingWords(s, c), "  ", "    ")
	}
	return text
}

func crossingWords(s *sweep.Sweep, c sweep.Crossing) string {
	switch {
	case c.From == c.To:
		return leadWords(c.From) + ", " + c.Note
	case math.IsNaN(float64(c.At)):
		return fmt.Sprintf("%s, then %s, between %s and %s: %s", leadWords(c.From), leadWords(c.To), knobValue(s, c.Above), knobValue(s, c.Below), c.Note)
	}
	words := fmt.Sprintf("%s, then %s: the ratio crosses %.2f at %s", leadWords(c.From), leadWords(c.To), float64(c.Level), knobValue(s, c.At))
	if c.Note != "" {
		return words + "; " + c.Note
	}
	return words + fmt.Sprintf(" (%s .. %s)", knobValue(s, c.CILow), knobValue(s, c.CIHigh))
}

func leadWords(lead string) string {
	if lead == stats.Tie {
		return "no difference"
	}
	return lead + " ahead"
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
