package single

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"poolvsloop/internal/abreport"
	"poolvsloop/internal/load"
)

// text writes the report as text: ab's, and below it what ab does not say.
func (x *Report) text(p *Plan) (string, error) {
	var b strings.Builder
	if err := abreport.Write(&b, x.abReport(p)); err != nil {
		return "", err
	}
	b.WriteString("\n")
	x.writeModel(&b)
	x.writeTimes(&b)
	x.writeBooks(&b)
	x.writeFair(&b)
	if text := x.sections(); text != "" {
		b.WriteString("\n" + text)
	}
	x.writeVerdict(&b)
	return b.String(), nil
}

// abReport fills the part that ab prints, too.
func (x *Report) abReport(p *Plan) *abreport.Report {
	port := int(p.Load.Addr.Port())
	ab := &abreport.Report{Host: p.URL.Hostname(), Port: port, Path: p.URL.RequestURI(), KeepAlive: p.Load.KeepAlive,
		WithBody: p.Options.Body != "" || p.Options.BodyFile != "" || p.Options.Targets != "",
		// Several targets have answers of several lengths.
		VariableLength: p.Options.Targets != ""}
	if p.Load.Arrivals != nil {
		ab.Open = &abreport.Open{Rate: offered(p.Load), InFlight: x.LittlesLaw.InFlight, MostInFlight: x.Fairness.Clients}
	}
	ab.Fill(x.result)
	return ab
}

// offered is the mean rate of an open loop in requests a second; that of the last stage where it has no end.
func offered(c load.Config) float64 {
	plan := c.Arrivals.Plan
	rate := plan[len(plan)-1].To
	if length := plan.Length(); length > 0 {
		rate = plan.Arrivals() / length.Seconds()
	}
	return rate * float64(max(1, c.PerConnection))
}

// line writes a label and a value in ab's column.
func line(b *strings.Builder, label, format string, args ...any) {
	fmt.Fprintf(b, "%-24s"+format+"\n", append([]any{label}, args...)...)
}

func (x *Report) writeModel(b *strings.Builder) {
	m := x.Model
	switch m.Loop {
	case closedLoop:
		think := ""
		if m.ThinkS > 0 {
			think = fmt.Sprintf(", think time %g s", m.ThinkS)
		}
		line(b, "Load model:", "closed loop, %d clients%s", x.Fairness.Clients, think)
	default:
		what := "requests"
		if m.Loop == partlyOpen {
			what = fmt.Sprintf("sessions of %d requests", m.PerConnection)
		}
		line(b, "Load model:", "%s loop, %s arrivals of %s, %s a second", m.Loop, m.Arrivals, what, m.Stages)
	}
	if m.Pipeline > 1 {
		line(b, "Pipeline:", "%d requests at once", m.Pipeline)
	}
	if x.TLS != nil {
		line(b, "TLS:", "%s %s, %d handshakes, %d sessions resumed", x.TLS.Version, x.TLS.Cipher, x.TLS.Handshakes, x.TLS.Resumed)
	}
}

// writeTimes writes the percentiles of the response time with their intervals, and of service time and send lag where
// they are apart.
func (x *Report) writeTimes(b *strings.Builder) {
	if len(x.Response.Percentiles) == 0 {
		return
	}
	apart := x.SendLag.Count > 0
	b.WriteString("\nTimes from when a request was due to its last byte (95 % confidence)")
	if apart {
		b.WriteString("; service time and send lag apart")
	}
	b.WriteString("\n")
	for i, p := range x.Response.Percentiles {
		fmt.Fprintf(b, "  p%-6g %s", p.Percent, showRanked(p, x.sample()))
		if apart && len(x.Service.Percentiles) > 0 {
			fmt.Fprintf(b, "   service %-12s lag %s", showShort(x.Service.Percentiles[i]), showShort(x.SendLag.Percentiles[i]))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "  mean    %-14s sd %s, max %s, of the %d answered\n\n", showMS(x.Response.MeanMS), showMS(x.Response.SDMS),
		showMS(x.Response.MaxMS), x.Response.Count)
}

// sample is the number of requests that the percentiles of the response time are of.
func (x *Report) sample() int { return x.distributions["response"].n }

// showRanked writes a percentile and its interval.
func showRanked(p Ranked, n int) string {
	if p.MS == nil {
		return fmt.Sprintf("-              needs %d requests, %d is too few", p.NeedsRequests, n)
	}
	text := showShort(p)
	if p.LowMS == nil || p.AtLeast {
		return text
	}
	return fmt.Sprintf("%-14s [%s, %s]", text, showMS(*p.LowMS), showMS(*p.HighMS))
}

// showShort writes a percentile alone.
func showShort(p Ranked) string {
	switch {
	case p.MS == nil:
		return "-"
	case p.AtLeast:
		return "≥ " + showMS(*p.MS)
	}
	return showMS(*p.MS)
}

func (x *Report) writeBooks(b *strings.Builder) {
	r, c := x.Requests, x.Connections
	line(b, "Books:", "planned %d = sent %d + dropped %d", r.Planned, r.Sent, r.Dropped)
	line(b, "", "sent = answered %d + timed out %d + reset %d + refused %d + aborted %d + in flight %d", r.Answered, r.TimedOut,
		r.Reset, r.Refused, r.Aborted, r.InFlightAtEnd)
	for _, status := range slices.Sorted(maps.Keys(x.ByStatus)) {
		line(b, "", "status %d: %d", status, x.ByStatus[status])
	}
	for _, cause := range slices.Sorted(maps.Keys(x.Failures)) {
		line(b, "", "%s: %d", cause, x.Failures[cause])
	}
	line(b, "Connections:", "%d opened, %d requests on a reused one", c.Opened, c.Reused)
	line(b, "Closed by the server:", "%d behind an answer, %d with a request on its way; that request failed: none is sent again",
		c.ClosedByServer, c.ClosedOnRequest)
	if c.Unasked > 0 {
		line(b, "Unasked bytes:", "on %d connections, which were hung up", c.Unasked)
	}
	if c.IdleOpened+c.IdleFailed > 0 {
		line(b, "Idle connections:", "%d held, %d of them closed by the server, %d not opened", c.IdleOpened, c.IdleClosedByServer, c.IdleFailed)
	}
	if c.SourceAddresses > 1 {
		line(b, "Source addresses:", "%d, for want of ports", c.SourceAddresses)
	}
}

func (x *Report) writeFair(b *strings.Builder) {
	f, l := x.Fairness, x.LittlesLaw
	if x.Model.Loop == closedLoop {
		line(b, "Answers per client:", "%d to %d, median %d (%d clients, %d starved; Jain's index %.4f)", f.Min, f.Max, f.Median,
			f.Clients, f.Starved, f.Jain)
		each := ""
		if x.Model.Pipeline > 1 {
			each = fmt.Sprintf(" with up to %d requests each", x.Model.Pipeline)
		}
		line(b, "Little's law:", "X*(R+Z) = %.2f for %d clients%s (%.1f %%)", l.InFlight, f.Clients, each, 100*l.Ratio)
	} else {
		line(b, "Little's law:", "X*R = %.2f requests in flight on average, %d at most", l.InFlight, f.Clients)
		line(b, "Late:", "%d of %d sent more than 10 ms after they were due", x.Requests.Late, x.Requests.Sent)
	}
	if f.OldestUnansweredS > 0 {
		line(b, "Oldest unanswered:", "%.2f s", f.OldestUnansweredS)
	}
	g := x.Generator
	line(b, "Generator:", "%.1f %% of a core in the busiest of %d loops (%.1f %% with what it waited for), %.1f us of CPU per request",
		100*g.BusiestLoop, g.Threads, 100*g.NeediestLoop, g.CPUUSPerRequest)
	turnaround := ""
	if g.TurnaroundMeanMS > 0 {
		turnaround = fmt.Sprintf("; clients %.3f ms for their next request", g.TurnaroundMeanMS)
	}
	line(b, "", "events waited %.3f ms for it on average, %.3f ms at most%s", g.EventLagMeanMS, g.EventLagMaxMS, turnaround)
}

// writeVerdict writes warnings, conditions and reasons.
func (x *Report) writeVerdict(b *strings.Builder) {
	b.WriteString("\n")
	for _, w := range x.Warnings {
		fmt.Fprintf(b, "WARNING: %s\n", w)
	}
	for _, g := range x.Gates {
		verdict := "passes"
		if g.Fails {
			verdict = "FAILS"
		}
		fmt.Fprintf(b, "%s: fail-if %s: %s\n", verdict, g.Condition, g.Detail)
	}
	for _, reason := range x.InvalidReasons {
		fmt.Fprintf(b, "INVALID: %s\n", reason)
	}
	switch {
	case x.Valid && x.gateError() != nil:
		b.WriteString("The run is valid, and fails by its --fail-if: exit code 1.\n")
	case x.Valid:
		b.WriteString("The run is valid.\n")
	}
}

// showMS writes milliseconds with three or more digits, above a second in seconds.
func showMS(ms float64) string { return showTime(int64(ms*1e3 + 0.5)) }

// showTime writes microseconds.
func showTime(us int64) string {
	switch d := time.Duration(us) * time.Microsecond; {
	case d >= time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d >= 100*time.Millisecond:
		return fmt.Sprintf("%.1f ms", ms(d))
	case d >= 10*time.Millisecond:
		return fmt.Sprintf("%.2f ms", ms(d))
	}
	return fmt.Sprintf("%.3f ms", float64(us)/1e3)
}
