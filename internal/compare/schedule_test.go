package compare

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
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
			for i, slot := range Schedule(Sides{ThreadPool, EventLoop}, c.rounds, ABBA, 1) {
				order.WriteString(letters[slot.Server])
				require.Equal(t, i+1, slot.Order)
				require.Equal(t, i/2+1, slot.Round)
				require.Equal(t, i%2 == 0, slot.Opens)
				seen[Slot{Round: slot.Round, Server: slot.Server}] = true
			}
			require.Equal(t, c.order, order.String())
			require.Len(t, seen, 2*c.rounds, "each server is measured once in each round")
		})
	}
}

func TestScheduleAtRandomIsBalanced(t *testing.T) {
	begun, orders := map[Server]int{}, map[string]bool{}
	for seed := range uint64(20) {
		slots := Schedule(Sides{ThreadPool, EventLoop}, 4, Random, seed)
		require.Equal(t, slots, Schedule(Sides{ThreadPool, EventLoop}, 4, Random, seed), "a seed gives one order")
		var order strings.Builder
		for i := 0; i < len(slots); i += 2 {
			begun[slots[i].Server]++
			order.WriteString(string(slots[i].Server))
			require.NotEqual(t, slots[i].Server, slots[i+1].Server)
		}
		orders[order.String()] = true
	}
	require.Equal(t, begun[ThreadPool], begun[EventLoop], "each server begins as often as the other")
	require.Len(t, orders, 4)
}

func TestSides(t *testing.T) {
	for _, c := range []struct {
		same   string
		want   Sides
		second Server
	}{
		{"", Sides{"threadpool", "eventloop"}, EventLoop},
		{"threadpool", Sides{"threadpool", "threadpool2"}, ThreadPool},
		{"eventloop", Sides{"eventloop", "eventloop2"}, EventLoop},
	} {
		config := results.Config{Same: c.same, Handicap: 7}
		got := sides(config)
		require.Equal(t, c.want, got)
		require.Equal(t, c.second, got[1].kind())
		started := programs(config)
		require.Equal(t, string(c.second), started[1].Program)
		require.NotContains(t, started[0].Args, "--burn", "the handicap is the second server's")
		require.Equal(t, []string{"--burn", "7"}, started[1].Args[len(started[1].Args)-2:])
	}
}
