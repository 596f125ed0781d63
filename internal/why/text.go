package why

import (
	"fmt"
	"math"
	"strings"

	"poolvsloop/internal/predict"
	"poolvsloop/internal/results"
)

// titles are what the servers are called in sentences.
var titles = map[string]string{predict.ThreadPool: "thread pool", predict.EventLoop: "event loop"}

// Text is the explanation of both servers in one paragraph.
func Text(seen []Seen, all []results.Explanation) string {
	sentences := make([]string, len(all))
	for i, e := range all {
		title := titles[e.Server]
		sentences[i] = strings.ToUpper(title[:1]) + title[1:] + ": " + sentence(seen[i], e)
	}
	text := "Why: " + strings.Join(sentences, " ")
	text += waiting(seen, all)
	var failed []string
	for _, s := range seen {
		if share := s.Figures.FailedShare(); share > results.FailedTooMuch {
			failed = append(failed, fmt.Sprintf("%.1f %% of the %s's requests", 100*share, titles[s.Server]))
		}
	}
	if len(failed) > 0 {
		text += " Not served: " + strings.Join(failed, ", ") + "; " + comesBack(seen[0]) + "compare goodput."
	}
	return text
}

// waiting says why servers differ little whose requests wait for A and B most of the time; "" where a limit tells more.
func waiting(seen []Seen, all []results.Explanation) string {
	var shares, rest []string
	for i, s := range seen {
		called := s.WaitMS + s.LateMS
		if all[i].Bottleneck != Clients || called < mostlyWaits*s.Figures.MeanMS {
			return ""
		}
		shares = append(shares, fmt.Sprintf("%.0f %%", 100*called/s.Figures.MeanMS))
		rest = append(rest, fmt.Sprintf("%.2f ms", s.Figures.MeanMS-called))
	}
	if len(seen) != 2 {
		return ""
	}
	return fmt.Sprintf(" A and B take %s and %s of the response time, on whatever server: throughput and mean differ little. "+
		"The servers' own part is %s and %s.", shares[0], shares[1], rest[0], rest[1])
}

// mostlyWaits is the share of the response time spent in A and B from which on servers can differ only little.
const mostlyWaits = 0.8

// comesBack says what is peculiar to the rejections of a closed loop.
func comesBack(s Seen) string {
	if s.Config.Open() {
		return ""
	}
	return "a rejected client comes back at once, so "
}

// sentence says what limited one server, and what to do.
func sentence(s Seen, e results.Explanation) string {
	text := limit(s, e)
	if others := beside(e); others != "" {
		text += "; " + others
	}
	if text += "."; e.Change == "" {
		return text
	}
	if e.Bottleneck == Rate {
		text += " To load it more: " + e.Change
	} else {
		text += " To go faster: " + e.Change
	}
	if predicted := Expected(e); predicted != "" {
		text += fmt.Sprintf(" (predicted %s req/s, against %.0f measured now)", predicted, s.Figures.GoodputRPS)
	}
	return text + "."
}

// Expected is the goodput that the models expect of a change, in requests per second: from the one that follows from the CPU
// time of one client to the one that follows from this run's, when these differ. "" is not known.
func Expected(e results.Explanation) string {
	before, during := float64(e.PredictedRPS), float64(e.PredictedRunCPURPS)
	switch {
	case math.IsNaN(before):
		return ""
	case during > 0 && math.Abs(during-before) > alike*before:
		return fmt.Sprintf("%.0f to %.0f", min(before, during), max(before, during))
	}
	return fmt.Sprintf("%.0f", before)
}

// alike is the share by which two predictions may differ and be told as one.
const alike = 0.03

// limit names the limit with its figures.
func limit(s Seen, e results.Explanation) string {
	switch e.Bottleneck {
	case Clients:
		return fmt.Sprintf("the %d clients: each waits for its answer, %.1f ms, of which %.1f ms in A and B",
			s.Config.Concurrency, s.Figures.MeanMS, s.WaitMS+s.LateMS)
	case Rate:
		return offered(s, e)
	case Unknown:
		return fmt.Sprintf("unknown: nothing above %.0f %%", 100*highest(e.Resources))
	case Late:
		return fmt.Sprintf("A and B, which were %.1f ms late on %.1f ms", s.LateMS, s.WaitMS)
	}
	r, _ := find(e.Resources, e.Bottleneck)
	text := fmt.Sprintf("the %s (%.2f of %.0f %s, %.1f %%)", r.Name, float64(r.Used), float64(r.Of), r.Unit, 100*float64(r.Share))
	if e.Bottleneck == Workers && s.Config.Dispatch == "connection" && s.Config.KeepAlive {
		text += ", each of which keeps its connection until that closes"
	}
	if s.Config.Open() {
		text += fmt.Sprintf(": of %g requests/s offered %.1f were served", s.Config.Rate, s.Figures.GoodputRPS)
	}
	return text
}

// beside names what else could have been the limit, and was not.
func beside(e results.Explanation) string {
	var others []string
	for _, name := range []string{Workers, Loops, LabCPU, CPU, CPUQuota, LoadRunner} {
		r, found := find(e.Resources, name)
		if !found || name == e.Bottleneck || math.IsNaN(float64(r.Share)) {
			continue
		}
		others = append(others, fmt.Sprintf("%s %.0f %%", name, 100*float64(r.Share)))
	}
	return strings.Join(others, ", ")
}
