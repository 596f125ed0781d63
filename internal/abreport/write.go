package abreport

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// Write prints the report, from the two empty lines before "Server Software" on. The banner and the progress before it
// are the caller's. The error is that of w.
func Write(w io.Writer, r *Report) error {
	if _, err := io.WriteString(w, r.text(r.Figures())); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// text is the report with the figures f.
func (r *Report) text(f Figures) string {
	var b strings.Builder
	b.WriteString("\n\n")
	r.writeTarget(&b)
	r.writeCounts(&b)
	r.writeRates(&b, f)
	if r.Complete > 0 {
		r.writeTimes(&b, f)
		if !r.NoPercentiles && r.Complete > 1 {
			writePercentiles(&b, f)
		}
	}
	return b.String()
}

// line writes a label and a value in column 25.
func line(b *strings.Builder, label, format string, args ...any) {
	fmt.Fprintf(b, "%-24s"+format+"\n", append([]any{label}, args...)...)
}

func (r *Report) writeTarget(b *strings.Builder) {
	line(b, "Server Software:", "%s", r.ServerSoftware)
	line(b, "Server Hostname:", "%s", r.Host)
	line(b, "Server Port:", "%d", r.Port)
	if r.TLS != nil {
		optional(b, "SSL/TLS Protocol:", r.TLS.Protocol)
		optional(b, "Server Temp Key:", r.TLS.TempKey)
		optional(b, "TLS Server Name:", r.TLS.ServerName)
	}
	b.WriteString("\n")
	line(b, "Document Path:", "%s", r.Path)
	if r.VariableLength {
		line(b, "Document Length:", "Variable")
	} else {
		line(b, "Document Length:", "%d bytes", r.Length)
	}
	b.WriteString("\n")
}

// optional writes a line unless its value is empty.
func optional(b *strings.Builder, label, value string) {
	if value != "" {
		line(b, label, "%s", value)
	}
}

func (r *Report) writeCounts(b *strings.Builder) {
	if r.Open != nil {
		line(b, "Offered rate:", "%.2f [#/sec] (open loop)", r.Open.Rate)
		line(b, "Requests in flight:", "%.2f mean, %d max", r.Open.InFlight, r.Open.MostInFlight)
	} else {
		line(b, "Concurrency Level:", "%d", r.Concurrency)
	}
	line(b, "Time taken for tests:", "%.3f seconds", float64(r.Elapsed.Microseconds())/1e6)
	line(b, "Complete requests:", "%d", r.Complete)
	line(b, "Failed requests:", "%d", r.Failed.Sum())
	if r.Failed.Sum() > 0 {
		fmt.Fprintf(b, "   (Connect: %d, Receive: %d, Length: %d, Exceptions: %d)\n",
			r.Failed.Connect, r.Failed.Receive, r.Failed.Length, r.Failed.Exceptions)
	}
	if r.WriteErrors > 0 {
		line(b, "Write errors:", "%d", r.WriteErrors)
	}
	if r.Non2xx > 0 {
		line(b, "Non-2xx responses:", "%d", r.Non2xx)
	}
	if r.KeepAlive {
		line(b, "Keep-Alive requests:", "%d", r.KeepAliveRequests)
	}
	line(b, "Total transferred:", "%d bytes", r.TotalRead)
	if r.WithBody {
		line(b, "Total body sent:", "%d", r.TotalSent)
	}
	line(b, "HTML transferred:", "%d bytes", r.HTMLRead)
}

func (r *Report) writeRates(b *strings.Builder, f Figures) {
	if !r.hasRates() {
		return
	}
	line(b, "Requests per second:", "%.2f [#/sec] (mean)", f.RequestsPerSecond)
	if r.Open == nil {
		line(b, "Time per request:", "%.3f [ms] (mean)", f.TimePerRequestMs)
	}
	line(b, "Time per request:", "%.3f [ms] (mean, across all concurrent requests)", f.TimePerRequestAllMs)
	line(b, "Transfer rate:", "%.2f [Kbytes/sec] received", f.ReceivedKiBps)
	if r.WithBody {
		line(b, "", "%.2f kb/s sent", f.SentKiBps)
		line(b, "", "%.2f kb/s total", f.TotalKiBps)
	}
}

// ms rounds microseconds to milliseconds, as ab does.
func ms(us int64) int64 { return (us + 500) / 1000 }

func (r *Report) writeTimes(b *strings.Builder, f Figures) {
	b.WriteString("\nConnection Times (ms)\n")
	rows := []struct {
		label, what string
		Row
	}{
		{"Connect:", "the initial connection time", f.Connect},
		{"Processing:", "the processing time", f.Processing},
		{"Waiting:", "the waiting time", f.Waiting},
		{"Total:", "the total time", f.Total},
	}
	if r.NoConfidence {
		b.WriteString("              min   avg   max\n")
		for _, x := range rows {
			fmt.Fprintf(b, "%-12s%5d %5d%5d\n", x.label, ms(x.Min), ms(x.Mean), ms(x.Max))
		}
		return
	}
	b.WriteString("              min  mean[+/-sd] median   max\n")
	for _, x := range rows {
		fmt.Fprintf(b, "%-12s%5d %4d %5.1f %6d %7d\n",
			x.label, ms(x.Min), ms(x.Mean), x.SD/1000, ms(x.Median), ms(x.Max))
	}
	for _, x := range rows {
		b.WriteString(x.warning(x.what))
	}
}

// warning is ab's remark about a row whose median and mean lie far apart, judged on the rounded figures.
func (x Row) warning(what string) string {
	apart, sd := math.Abs(float64(ms(x.Mean)-ms(x.Median))), x.SD/1000
	switch {
	case apart > 2*sd:
		return "ERROR: The median and mean for " + what + " are more than twice the standard\n" +
			"       deviation apart. These results are NOT reliable.\n"
	case apart > sd:
		return "WARNING: The median and mean for " + what + " are not within a normal deviation\n" +
			"        These results are probably not that reliable.\n"
	}
	return ""
}

func writePercentiles(b *strings.Builder, f Figures) {
	b.WriteString("\nPercentage of the requests served within a certain time (ms)\n")
	for _, p := range f.Percentiles {
		switch {
		case p.extra:
		case p.Percent == 100:
			fmt.Fprintf(b, " 100%%  %5d (longest request)\n", ms(p.Micros))
		default:
			fmt.Fprintf(b, "  %.0f%%  %5d\n", p.Percent, ms(p.Micros))
		}
	}
}
