package compare

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestScheduleIsABBA(t *testing.T) {
	letters := map[Server]string{ThreadPool: "A", EventLoop: "B"}
	for name, c := range map[string]struct {
		rounds int
		order  string
	}{
		"none":  {0, ""},
		"one":   {1, "AB"},
		"two":   {2, "ABBA"},
		"three": {3, "ABBAAB"},
		"four":  {4, "ABBAABBA"},
	} {
		t.Run(name, func(t *testing.T) {
			var order strings.Builder
			seen := map[Slot]bool{}
			for i, slot := range Schedule(c.rounds) {
				order.WriteString(letters[slot.Server])
				require.Equal(t, i+1, slot.Order)
				require.Equal(t, i/2+1, slot.Round)
				seen[Slot{Round: slot.Round, Server: slot.Server}] = true
			}
			require.Equal(t, c.order, order.String())
			require.Len(t, seen, 2*c.rounds, "each server is measured once in each round")
		})
	}
}
