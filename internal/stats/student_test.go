package stats

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStudent holds it against printed tables of the quantiles.
func TestStudent(t *testing.T) {
	for name, c := range map[string]struct{ p, freedom, want float64 }{
		"1":    {0.975, 1, 12.706},
		"3":    {0.975, 3, 3.182},
		"6":    {0.95, 6, 1.943},
		"30":   {0.995, 30, 2.750},
		"many": {0.975, 1e6, 1.960},
	} {
		t.Run(name, func(t *testing.T) { require.InDelta(t, c.want, Student(c.p, c.freedom), 5e-4) })
	}
}
