package report

import (
	"fmt"
	"math"
	"strings"

	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
	"poolvsloop/internal/why"
)

// Answer is a run in a few sentences, for who has never seen the lab.
type Answer struct {
	// Question is what the run asked, Setting what each server had to do.
	Question, Setting string
	// Verdict says who wins; Winner is that server's name, "" when none is named. Gains say by how much.
	Verdict, Winner string
	Gains           []string
	// Sure says how sure that is, or why nothing is claimed.
	Sure string
	// Why has a sentence for each server.
	Why []Named
	// Next is what to try, without its label.
	Next string
}

// AnswerOf answers the question of a run.
func AnswerOf(run *results.Run) Answer {
	a := Answer{Question: question(run), Setting: setting(run), Next: strings.TrimPrefix(run.Next, "Next: ")}
	a.Why = causesOf(run)
	switch {
	case !run.Valid:
		a.Verdict, a.Sure = "No winner is named.", "The run is not valid: its figures decide nothing, however clear they look."
	case len(run.Comparison) == 0:
		a.Verdict, a.Sure = "Nothing was compared.", "There was no round of both servers."
	case run.Config.Same != "":
		a.Verdict, a.Sure = itself(run)
	default:
		a.Winner, a.Verdict = verdictOf(run)
		a.Gains, a.Sure = gains(run), sureness(run)
	}
	return a
}

func question(run *results.Run) string {
	c := run.Config
	who := fmt.Sprintf("%d clients", c.Concurrency)
	if c.Open() {
		who = fmt.Sprintf("%g requests a second", c.Rate)
	}
	if c.Same != "" {
		return fmt.Sprintf("How far apart do two processes of the same server look under %s?", who)
	}
	return fmt.Sprintf("What serves %s better: a pool of %d blocking workers, or an event loop?", who, c.Workers)
}

func setting(run *results.Run) string {
	c := run.Config
	rounds := 0
	for _, t := range run.Targets {
		rounds = max(rounds, len(t.Rounds))
	}
	return fmt.Sprintf("Both run the same code: ask service A (%s), a cache and service B (%s), then answer. Measured in turn, %s each.",
		c.LatencyA, c.LatencyB, roundsOf(rounds))
}

// performance are the metrics that say who is faster, by the rate, on average and at the slow end, of which slowEnd is the
// last; price those that say what it costs.
var (
	performance = []string{"goodput", "throughput", "mean", "p50", "p99", "p99_9"}
	slowEnd     = performance[4:]
	price       = []string{"server_cpu_per_request", "rss", "ctx_switches_per_request"}
)

// verdictOf says who is faster and who is cheaper.
func verdictOf(run *results.Run) (winner, text string) {
	if rounds := len(run.Targets[0].Rounds); rounds < stats.LeastRounds {
		return "", fmt.Sprintf("Not decided: %s each cannot name a winner.", roundsOf(rounds))
	}
	rows := named(run, performance)
	fast, cheap, faster := unanimous(rows), unanimous(named(run, price)), "faster"
	if len(rows) == len(named(run, slowEnd)) {
		faster = "faster in the slowest 1 % of requests"
	}
	switch {
	case fast == several:
		return "", "Each is faster in something."
	case fast != "" && fast == cheap:
		return fast, fmt.Sprintf("The %s is %s, and cheaper.", ServerTitle(fast), faster)
	case fast != "" && cheap != "" && cheap != several:
		return fast, fmt.Sprintf("The %s is %s, the %s is cheaper.", ServerTitle(fast), faster, ServerTitle(cheap))
	case fast != "":
		return fast, fmt.Sprintf("The %s is %s.", ServerTitle(fast), faster)
	}
	text = "No difference in speed was shown."
	if tied(run) {
		text = "A tie: both are equally fast."
	}
	if cheap == "" || cheap == several {
		return "", text
	}
	return cheap, text + fmt.Sprintf(" The %s is cheaper.", ServerTitle(cheap))
}

// several stands for the name of a server where both are named.
const several = "both"

// unanimous is the server that all rows name, "" without a row.
func unanimous(rows []results.Comparison) string {
	name := ""
	for _, r := range rows {
		if name != "" && r.Verdict != name {
			return several
		}
		name = r.Verdict
	}
	return name
}

// gains are the clearest figures that name a server: of the rate, of the times, of CPU and of memory, three at most.
func gains(run *results.Run) []string {
	var all []string
	for _, kind := range [][]string{{"goodput", "throughput"}, {"mean", "p50", "p99", "p99_9"}, {"server_cpu_per_request"}, {"rss"}} {
		if rows := named(run, kind); len(rows) > 0 && len(all) < 3 {
			all = append(all, gain(rows[0]))
		}
	}
	return all
}

// named are the rows of those metrics that name a server, in the order of the names.
func named(run *results.Run, metrics []string) []results.Comparison {
	var all []results.Comparison
	for _, m := range metrics {
		for _, r := range run.Comparison {
			if r.Metric == m && r.Verdict != stats.Tie && r.Verdict != stats.Inconclusive {
				all = append(all, r)
			}
		}
	}
	return all
}

// tied says that goodput and mean are both a tie.
func tied(run *results.Run) bool {
	ties := 0
	for _, r := range run.Comparison {
		if (r.Metric == "goodput" || r.Metric == "mean") && r.Verdict == stats.Tie {
			ties++
		}
	}
	return ties == 2
}

// gain says by how much the server wins that a row names.
func gain(r results.Comparison) string {
	better, worse := r.EventLoop, r.ThreadPool
	factor := float64(r.Ratio)
	if (factor > 1) == (r.Better == results.Lower) {
		better, worse = worse, better
	}
	if factor < 1 {
		factor = 1 / factor
	}
	figures := fmt.Sprintf("%s against %s", figure(better), figure(worse))
	if r.Unit != "" && r.Unit != "req/s" {
		figures += " " + r.Unit
	}
	who := upper(ServerTitle(r.Verdict)) + ": "
	switch {
	case math.IsNaN(factor) || math.IsInf(factor, 0):
		return fmt.Sprintf("%s%s %s", who, title(r.Metric), figures)
	case r.Better == results.Higher && factor >= 1.5:
		return fmt.Sprintf("%s%.1f times as many answers a second, %s", who, factor, figures)
	case r.Better == results.Higher:
		return fmt.Sprintf("%s%.0f %% more answers a second, %s", who, 100*(factor-1), figures)
	}
	return fmt.Sprintf("%s%.0f %% less %s, %s", who, 100*(1-1/factor), lessOf(r.Metric), figures)
}

func upper(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// lessOf is what there is less of in a metric of which less is better.
func lessOf(metric string) string {
	words := map[string]string{
		"mean": "time to answer on average", "p50": "time to answer in the median", "server_cpu_per_request": "CPU per request",
		"rss": "memory", "ctx_switches_per_request": "context switches",
	}
	if w, ok := words[metric]; ok {
		return w
	}
	return title(metric)
}

// sureness says what the verdicts rest on.
func sureness(run *results.Run) string {
	rows := append(named(run, performance), named(run, price)...)
	rounds := len(run.Targets[0].Rounds)
	var all []string
	if len(rows) > 0 && !math.IsNaN(float64(rows[0].CILow)) {
		low, high := float64(rows[0].CILow), float64(rows[0].CIHigh)
		if rows[0].Ratio < 1 {
			low, high = 1/high, 1/low
		}
		all = append(all, fmt.Sprintf("95 %% interval of the first figure: a factor of %.2f to %.2f.", low, high))
	}
	if len(named(run, performance)) == 0 && !tied(run) {
		all = append(all, unsettled(run))
	}
	switch {
	case rounds < stats.LeastRounds:
		all = append(all, fmt.Sprintf("An interval takes %d rounds or more: take --rounds 10.", stats.LeastRounds))
	case !stats.Corrected(rounds, rounds, len(run.Comparison)):
		all = append(all, fmt.Sprintf("%d rounds each are an indication; for a claim take --rounds 10.", rounds))
	}
	return strings.Join(all, " ")
}

// unsettled says why goodput and mean name nobody.
func unsettled(run *results.Run) string {
	for _, r := range run.Comparison {
		if r.Metric == "goodput" && r.Note != "" {
			return fmt.Sprintf("Throughput is inconclusive: %s.", r.Note)
		}
	}
	return "The intervals of throughput and times hold both a gain and a loss."
}

// itself is the verdict on a server that was compared with itself.
func itself(run *results.Run) (text, sure string) {
	rows := append(named(run, performance), named(run, price)...)
	var names []string
	for _, r := range rows {
		names = append(names, title(r.Metric))
	}
	switch {
	case run.Config.Handicap > 0 && len(rows) > 0:
		return "The handicap was found.", "A difference was named in: " + strings.Join(names, ", ") + "."
	case run.Config.Handicap > 0:
		return "The handicap was not found.", "No metric names a server: more rounds, or a larger handicap, would show it."
	case len(rows) > 0:
		return fmt.Sprintf("%d of %d metrics name a winner by accident.", len(rows), len(run.Comparison)), "They are: " + strings.Join(names, ", ") + "."
	}
	return "No difference was named, as it should be.", "Both sides are the same server: what differs is noise."
}

// causesOf says what limited each server; what both have in common is said once.
func causesOf(run *results.Run) []Named {
	all := run.Explanations
	switch {
	case len(all) == 0 && run.Why == "":
		return nil
	case len(all) == 0:
		return []Named{{"", strings.TrimPrefix(run.Why, "Why: ")}}
	case len(all) == 2 && cause(all[0]) == cause(all[1]) && all[0].Change == all[1].Change:
		return []Named{{"", cause(all[0]) + remedy(all[0], all[1])}}
	}
	var causes []Named
	for _, e := range all {
		causes = append(causes, Named{e.Server, cause(e) + remedy(e)})
	}
	return causes
}

// cause says in plain words what limited a server.
func cause(e results.Explanation) string {
	text := fmt.Sprintf("The limit is %s.", e.Bottleneck)
	if words, ok := causes[e.Bottleneck]; ok {
		text = words
	}
	for _, r := range e.Resources {
		if r.Name == e.Bottleneck && !math.IsNaN(float64(r.Of)) {
			text += fmt.Sprintf(" In use: %s of %s %s.", figure(float64(r.Used)), bounded(r.Of), r.Unit)
		}
	}
	return text
}

// remedy says what would help the servers, all by the same change, and what the models expect of each then.
func remedy(all ...results.Explanation) string {
	change := all[0].Change
	if change == "" {
		return ""
	}
	var rates []string
	for _, e := range all {
		if rate := why.Expected(e); rate != "" {
			rates = append(rates, rate)
		}
	}
	text := " To go faster: " + change
	if len(rates) == len(all) {
		text += fmt.Sprintf(" (predicted: %s answers a second)", strings.Join(rates, " and "))
	}
	return text + "."
}

// causes are limits in plain words.
var causes = map[string]string{
	"workers":             "All its workers are taken: other requests queue for one.",
	"loops":               "Its loops compute all the time.",
	"CPU":                 "It computes on all the cores that it may use.",
	"CPU of the lab":      "All cores are busy, with it and with the rest of the lab.",
	"clients":             "The clients are the limit: each waits for its answer, and nothing in the server is full.",
	"unknown":             "No limit was found: nothing was full, and yet requests took longer than one alone does.",
	"load runner":         "The load generator was the limit, so nothing is known of the server.",
	"lateness of A and B": "The services A and B were late, so nothing is known of the server.",
	"requests let in":     "It lets in no more requests than its bound.",
	"connections to A":    "All its connections to A are taken.",
	"connections to B":    "All its connections to B are taken.",
}

// ServerTitle is what a server is called in sentences; one that is compared with itself keeps its name.
func ServerTitle(name string) string {
	switch name {
	case "threadpool":
		return "thread pool"
	case "eventloop":
		return "event loop"
	}
	return name
}
