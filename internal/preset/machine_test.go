package preset

import (
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/procstat"
)

func TestOtherLoad(t *testing.T) {
	before := look{Moment: procstat.Moment{TotalS: 100, BusyS: 50}, ours: 10}
	for name, c := range map[string]struct {
		busy, ours float64
		refused    bool
	}{
		"a quiet machine":   {52, 12, false},
		"a busy lab":        {70, 30, false},
		"others, some":      {65, 10, false},
		"others, too many":  {66, 10, true},
		"others beside us":  {69, 13, true},
		"we counted more":   {51, 20, false},
		"nothing was to do": {50, 10, false},
	} {
		t.Run(name, func(t *testing.T) {
			after := look{Moment: procstat.Moment{TotalS: 120, BusyS: c.busy}, ours: c.ours}
			require.Equal(t, c.refused, after.othersSince(before) != "")
		})
	}
	require.Empty(t, before.othersSince(before), "no time has passed")
}
