package abreport

import (
	"fmt"
	"io"
	"strings"
)

// Attributes are inserted into the tags of the HTML report as they are.
type Attributes struct {
	Table, Row, Cell string
}

// WriteHTML prints the report as ab does with -w: fewer lines than [Write], whole averages only, and Processing as the
// difference of the other two rows. The error is that of w.
func WriteHTML(w io.Writer, r *Report, a Attributes) error {
	f := r.Figures()
	var b strings.Builder
	fmt.Fprintf(&b, "\n\n<table %s>\n", a.Table)
	r.htmlTarget(&b, a)
	r.htmlCounts(&b, a)
	if r.Elapsed > 0 {
		a.line(&b, "Requests per second:", "%.2f", f.RequestsPerSecond)
		a.line(&b, "Transfer rate:", "%.2f kb/s received", f.ReceivedKiBps)
		if r.WithBody {
			a.unlabelled(&b, "%.2f kb/s sent", f.SentKiBps)
			a.unlabelled(&b, "%.2f kb/s total", f.TotalKiBps)
		}
	}
	if r.Complete > 0 {
		r.htmlTimes(&b, a)
	}
	b.WriteString("</table>\n")
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// line writes a row of a label and a value.
func (a Attributes) line(b *strings.Builder, label, format string, args ...any) {
	fmt.Fprintf(b, "<tr %s><th colspan=2 %s>%s</th><td colspan=2 %s>%s</td></tr>\n",
		a.Row, a.Cell, label, a.Cell, fmt.Sprintf(format, args...))
}

func (a Attributes) unlabelled(b *strings.Builder, format string, args ...any) {
	fmt.Fprintf(b, "<tr %s><td colspan=2 %s>&nbsp;</td><td colspan=2 %s>%s</td></tr>\n",
		a.Row, a.Cell, a.Cell, fmt.Sprintf(format, args...))
}

func (r *Report) htmlTarget(b *strings.Builder, a Attributes) {
	a.line(b, "Server Software:", "%s", r.ServerSoftware)
	a.line(b, "Server Hostname:", "%s", r.Host)
	a.line(b, "Server Port:", "%d", r.Port)
	a.line(b, "Document Path:", "%s", r.Path)
	if r.VariableLength {
		a.line(b, "Document Length:", "Variable")
	} else {
		a.line(b, "Document Length:", "%d bytes", r.Length)
	}
	a.line(b, "Concurrency Level:", "%d", r.Concurrency)
	a.line(b, "Time taken for tests:", "%.3f seconds", float64(r.Elapsed.Microseconds())/1e6)
}

func (r *Report) htmlCounts(b *strings.Builder, a Attributes) {
	a.line(b, "Complete requests:", "%d", r.Complete)
	a.line(b, "Failed requests:", "%d", r.Failed.Sum())
	if r.Failed.Sum() > 0 {
		fmt.Fprintf(b, "<tr %s><td colspan=4 %s >   (Connect: %d, Length: %d, Exceptions: %d)</td></tr>\n",
			a.Row, a.Cell, r.Failed.Connect, r.Failed.Length, r.Failed.Exceptions)
	}
	if r.Non2xx > 0 {
		a.line(b, "Non-2xx responses:", "%d", r.Non2xx)
	}
	if r.KeepAlive {
		a.line(b, "Keep-Alive requests:", "%d", r.KeepAliveRequests)
	}
	a.line(b, "Total transferred:", "%d bytes", r.TotalRead)
	if r.WithBody {
		a.line(b, "Total body sent:", "%d", r.TotalSent)
	}
	a.line(b, "HTML transferred:", "%d bytes", r.HTMLRead)
}

// htmlTimes writes the table of times. An average is the rounded sum over the number, cut to a millisecond.
func (r *Report) htmlTimes(b *strings.Builder, a Attributes) {
	average := func(s *Series) int64 { return ms(s.sum) / max(s.n, 1) }
	connect := [3]int64{ms(r.Connect.min), average(&r.Connect), ms(r.Connect.max)}
	total := [3]int64{ms(r.Total.min), average(&r.Total), ms(r.Total.max)}
	var processing [3]int64
	for i := range processing {
		processing[i] = total[i] - connect[i]
	}
	fmt.Fprintf(b, "<tr %s><th %s colspan=4>Connection Times (ms)</th></tr>\n", a.Row, a.Cell)
	fmt.Fprintf(b, "<tr %s><th %[2]s>&nbsp;</th> <th %[2]s>min</th>   <th %[2]s>avg</th>   <th %[2]s>max</th></tr>\n",
		a.Row, a.Cell)
	for _, row := range []struct {
		label string
		times [3]int64
	}{{"Connect:", connect}, {"Processing:", processing}, {"Total:", total}} {
		fmt.Fprintf(b, "<tr %s><th %[2]s>%[3]s</th><td %[2]s>%5[4]d</td><td %[2]s>%5[5]d</td><td %[2]s>%5[6]d</td></tr>\n",
			a.Row, a.Cell, row.label, row.times[0], row.times[1], row.times[2])
	}
}
