package pictures

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStagesOfWhatWasTold(t *testing.T) {
	d := readExample(t)
	p, why, err := stages(d)
	require.NoError(t, err)
	require.Empty(t, why)
	requireSound(t, p)
	require.Contains(t, p.elements, "mean of the slowest 1 %, ms")
	for _, part := range d.Run.Targets[0].Stages.Parts() {
		require.Contains(t, p.elements, ">"+part.Name+"<")
		require.Contains(t, p.Text, part.Name+" "+briefMillis(part.MeanMS))
	}
	d.Run.Targets[1].Stages.SlowestSamples = 0
	p, _, err = stages(d)
	require.NoError(t, err)
	require.NotContains(t, p.elements, "slowest")
	d.Run.Targets[1].Stages = nil
	_, why, err = stages(d)
	require.NoError(t, err)
	require.Equal(t, "not both servers told the stages of their requests", why)
}
