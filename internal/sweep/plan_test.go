package sweep

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// plan is that of a grid.
func plan(t *testing.T, grid string) Plan {
	t.Helper()
	axes, err := ParseGrid(grid, knobs)
	require.NoError(t, err)
	p := Plan{Schema: PlanSchema, ID: "test-sweep", Argv: []string{"loadrunner", "sweep"}, Base: []string{}, Axes: axes}
	p.Draw(1)
	return p
}

func TestCellsAreAllCombinations(t *testing.T) {
	p := plan(t, "workers=1,2;c=5,6,7")
	var labels []string
	for i, c := range p.Cells() {
		require.Equal(t, i+1, c.Number)
		labels = append(labels, Label(p.Knobs(), c.Settings))
	}
	require.Equal(t, []string{
		"workers=1 concurrency=5", "workers=1 concurrency=6", "workers=1 concurrency=7",
		"workers=2 concurrency=5", "workers=2 concurrency=6", "workers=2 concurrency=7",
	}, labels)
}

func TestOrderIsDrawnBySeed(t *testing.T) {
	one, again, other := plan(t, "c=1..30+1"), plan(t, "c=1..30+1"), plan(t, "c=1..30+1")
	other.Draw(2)
	require.Equal(t, one.Order, again.Order)
	require.NotEqual(t, one.Order, other.Order)
	require.NoError(t, other.check())
	other.Order[0] = other.Order[1]
	require.ErrorContains(t, other.check(), "order")
}
