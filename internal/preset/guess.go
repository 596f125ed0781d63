package preset

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"poolvsloop/internal/results"
)

// gradeTolerance is the share of what was measured by which a guess may be off and is still right.
const gradeTolerance = 0.20

// Graded is a guess, and what became of it.
type Graded struct {
	Asks     string         `json:"asks"`
	Unit     string         `json:"unit"`
	Guessed  float64        `json:"guessed"`
	Measured results.Number `json:"measured"`
	Right    bool           `json:"right"`
}

// Read takes an answer: the letter of a choice, or a number of 0 or more.
func (g *Guess) Read(answer string) (float64, error) {
	answer = strings.ToLower(strings.TrimSpace(answer))
	if len(answer) == 1 && answer[0] >= 'a' && int(answer[0]-'a') < len(g.Choices) {
		return g.Choices[answer[0]-'a'], nil
	}
	x, err := strconv.ParseFloat(answer, 64)
	if err != nil || !(x >= 0) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%q: want a letter from a to %c, or a number of 0 or more", answer, 'a'+len(g.Choices)-1)
	}
	return x, nil
}

// question is what is asked, with the choices.
func (g *Guess) question() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s [%s]\n", g.Asks, g.unit())
	for i, c := range g.Choices {
		fmt.Fprintf(&b, "  %c) %s\n", 'a'+i, show(c))
	}
	return b.String()
}

func (g *Guess) unit() string {
	if g.Unit == "" {
		return "times"
	}
	return g.Unit
}

// grade holds a guess against the figures: right is within 20 % of what was measured.
func (g *Guess) grade(guessed float64, figures map[string]any) Graded {
	graded := Graded{Asks: g.Asks, Unit: g.unit(), Guessed: guessed, Measured: results.Unknown}
	value, err := g.Of.value(figures)
	measured, ok := value.(float64)
	if err != nil || !ok || math.IsNaN(measured) {
		return graded
	}
	graded.Measured = results.Number(measured)
	graded.Right = math.Abs(guessed-measured) <= gradeTolerance*math.Abs(measured)
	return graded
}

// Known says whether something was measured that a guess could be held against.
func (g Graded) Known() bool { return !math.IsNaN(float64(g.Measured)) }

// String is the sentence about it.
func (g Graded) String() string {
	measured := float64(g.Measured)
	switch {
	case !g.Known():
		return fmt.Sprintf("Your guess, %s %s, cannot be graded: there is no figure that the lab stands behind.", show(g.Guessed), g.Unit)
	case g.Right:
		return fmt.Sprintf("Your guess, %s %s, is right: %s was measured (20 %% either way counts).", show(g.Guessed), g.Unit, show(measured))
	case measured != 0 && g.Guessed > 0 && g.Guessed/measured > 1:
		return fmt.Sprintf("Your guess, %s %s, is %s times too high: %s was measured.", show(g.Guessed), g.Unit,
			show(math.Round(10*g.Guessed/measured)/10), show(measured))
	case measured > 0 && g.Guessed > 0:
		return fmt.Sprintf("Your guess, %s %s, is %s times too low: %s was measured.", show(g.Guessed), g.Unit,
			show(math.Round(10*measured/g.Guessed)/10), show(measured))
	}
	return fmt.Sprintf("Your guess, %s %s, is wrong: %s was measured.", show(g.Guessed), g.Unit, show(measured))
}
