package preset

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadAGuess(t *testing.T) {
	g := Guess{Asks: "How many?", Choices: []float64{1, 2.5, 40}}
	for answer, want := range map[string]float64{
		"a": 1, "B": 2.5, "c": 40, "7": 7, "0.5": 0.5, "0": 0, "1e3": 1000,
	} {
		x, err := g.Read(answer)
		require.NoError(t, err, answer)
		require.Equal(t, want, x, answer)
	}
	for _, answer := range []string{"", "d", "aa", "many", "NaN", "Inf", "1,5", "-1"} {
		_, err := g.Read(answer)
		require.ErrorContains(t, err, "want a letter from a to c, or a number", answer)
	}
	require.Equal(t, "How many? [times]\n  a) 1\n  b) 2.5\n  c) 40\n", g.question())
}

func TestGrade(t *testing.T) {
	for name, c := range map[string]struct {
		guessed, measured float64
		right             bool
		says              string
	}{
		"exact":             {5, 5, true, "is right: 5 was measured"},
		"20 % below":        {4, 5, true, "is right"},
		"20 % above":        {6, 5, true, "is right"},
		"more than 20 %":    {6.1, 5, false, "is 1.2 times too high: 5 was measured"},
		"far above":         {50, 5, false, "is 10 times too high"},
		"far below":         {1, 5, false, "is 5 times too low"},
		"nothing guessed":   {0, 5, false, "is wrong: 5 was measured"},
		"zero of zero":      {0, 0, true, "is right: 0 was measured"},
		"something of zero": {1, 0, false, "is wrong: 0 was measured"},
		"nothing measured":  {1, math.NaN(), false, "cannot be graded"},
	} {
		t.Run(name, func(t *testing.T) {
			figures := map[string]any{"x": c.measured}
			g := Guess{Of: Formula{Text: "x"}}
			require.NoError(t, g.Of.compile(figures))
			graded := g.grade(c.guessed, figures)
			require.Equal(t, c.right, graded.Right)
			require.Contains(t, graded.String(), c.says)
		})
	}
}
