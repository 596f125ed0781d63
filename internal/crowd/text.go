package crowd

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"poolvsloop/internal/load"
	"poolvsloop/internal/results"
)

// Side is one server and what became of the crowds on it, in the order in which they were asked for.
type Side struct {
	Name   string
	Crowds []results.Crowd
}

// Text says what became of each crowd on each side; "" without crowds.
func Text(sides []Side) string {
	crowds := 0
	for _, s := range sides {
		crowds = max(crowds, len(s.Crowds))
	}
	if crowds == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("Crowds (clients beside those that are measured, in none of whose figures they are)\n")
	for i := range crowds {
		first := true
		for _, s := range sides {
			if i >= len(s.Crowds) {
				continue
			}
			if first {
				fmt.Fprintf(&b, "\n  %s\n", s.Crowds[i].Spec)
				fmt.Fprintf(&b, "  %-11s %8s %8s %9s %8s %7s %8s %10s %7s %11s\n", "", "started", "opened", "answered", "closed", "reset",
					"refused", "timed out", "failed", "still open")
				first = false
			}
			writeBooks(&b, s.Name, s.Crowds[i])
		}
		for _, s := range sides {
			if i < len(s.Crowds) {
				writeTimes(&b, s.Name, s.Crowds[i])
			}
		}
	}
	return b.String()
}

func writeBooks(b *strings.Builder, name string, c results.Crowd) {
	fmt.Fprintf(b, "  %-11s %8d %8d %9d %8d %7d %8d %10d %7d %11d\n", name, c.Started, c.Opened, c.Answered, c.ClosedByServer, c.Reset, c.Refused,
		c.TimedOut, c.Failed, c.StillOpen+c.StillConnecting)
}

// writeTimes writes what the books do not say, a line each.
func writeTimes(b *strings.Builder, name string, c results.Crowd) {
	line := func(format string, args ...any) {
		fmt.Fprintf(b, "  %-11s   "+format+"\n", append([]any{name}, args...)...)
	}
	if c.Opened > 0 {
		line("connect p50 %s, p90 %s, p99 %s, max %s ms", show(c.ConnectP50MS), show(c.ConnectP90MS), show(c.ConnectP99MS),
			show(c.ConnectMaxMS))
	}
	if text := retries(c); text != "" {
		line("%s", text)
	}
	if len(c.ByStatus) > 0 {
		var all []string
		for _, status := range slices.Sorted(maps.Keys(c.ByStatus)) {
			all = append(all, fmt.Sprintf("%d: %d", status, c.ByStatus[status]))
		}
		line("answers by status %s; response p50 %s, p99 %s, max %s ms", strings.Join(all, ", "), show(c.ResponseP50MS),
			show(c.ResponseP99MS), show(c.ResponseMaxMS))
	}
	if c.Started > 1 && c.Kind == load.Storm.String() {
		line("all started within %.3f s", c.SpanS)
	}
	for _, cause := range slices.Sorted(maps.Keys(c.Causes)) {
		line("%s: %d", cause, c.Causes[cause])
	}
	if c.StillConnecting > 0 {
		line("%d of those still open had not been connected", c.StillConnecting)
	}
	if c.NotStarted > 0 {
		line("%d did not start: the round ended before their time", c.NotStarted)
	}
}

// retries says how many connects waited for the kernel to send their SYN again, and how long the long ones took.
func retries(c results.Crowd) string {
	if len(c.ConnectsBySecond) == 0 {
		return ""
	}
	var all []string
	for _, seconds := range slices.Sorted(maps.Keys(c.ConnectsBySecond)) {
		all = append(all, fmt.Sprintf("%d s: %d", seconds, c.ConnectsBySecond[seconds]))
	}
	return fmt.Sprintf("%d SYNs sent again; connects of %s", c.SYNRetried, strings.Join(all, ", "))
}

// show prints ms in four digits or more.
func show(n results.Number) string {
	switch v := float64(n); {
	case math.IsNaN(v):
		return "-"
	case v >= 1000:
		return fmt.Sprintf("%.0f", v)
	case v >= 100:
		return fmt.Sprintf("%.1f", v)
	default:
		return fmt.Sprintf("%.2f", v)
	}
}
