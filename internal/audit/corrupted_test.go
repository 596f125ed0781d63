package audit

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// corruptions are places of one figure each, by the kind of text, and by what the figure is multiplied there.
var corruptions = map[string][]struct {
	place string
	by    float64
}{
	"ab": {
		{`Concurrency Level: +()(\d+)`, 10}, {`Time taken for tests: +()([\d.]+)`, 2}, {`Complete requests: +()(\d+)`, 2},
		{`Total transferred: +()(\d+)`, 2}, {`HTML transferred: +()(\d+)`, 2}, {`Document Length: +()(\d+)`, 2},
		{`Requests per second: +()([\d.]+)`, 1.01}, {`Time per request: +()([\d.]+)`, 1.01},
		{`Time per request: +()([\d.]+)[^\n]*across`, 1.01}, {`Transfer rate: +()([\d.]+)`, 1.5},
		{`Total:( +\d+ +)(\d+)`, 2}, {`Total:( +\d+ +\d+ +[\d.]+ +\d+ +)(\d+)`, 2}, {`Total:( +\d+ +\d+ +)([\d.]+)`, 20},
		{`\n  50%( +)(\d+)`, 10}, {`\n  90%( +)(\d+)`, 0.1}, {`100%( +)(\d+)`, 2},
	},
	"wrk": {
		{`threads and ()(\d+)`, 10}, {`Latency +()([\d.]+)`, 3}, {`Latency( +[\d.]+ms +)([\d.]+)`, 100},
		{`Latency( +[\d.]+ms +[\d.]+ms +)([\d.]+)`, 0.1}, {`50%( +)([\d.]+)`, 10}, {`99%( +)([\d.]+)`, 0.1},
		{`()(\d+) requests in`, 2}, {`requests in ()([\d.]+)`, 2}, {`in [\d.]+s, ()([\d.]+)`, 2},
		{`Requests/sec: +()([\d.]+)`, 1.02}, {`Transfer/sec: +()([\d.]+)`, 1.02},
	},
	"jmeter": {
		{`run 1[ |,]+()(\d+)`, 10}, {`run 1[ |,]+\d+[ |,]+()(\d+)`, 2}, {`run 1(?:[ |,]+\d+){2}[ |,]+()([\d.]+)`, 3},
		{`run 1(?:[ |,]+[\d.]+){4}[ |,]+()([\d.]+)`, 10}, {`run 1(?:[ |,]+[\d.]+){7}[ |,]+()(\d+)`, 10},
		{`run 1(?:[ |,]+[\d.]+){8}[ |,]+()(\d+)`, 0.1}, {`run 1(?:[ |,]+[\d.]+){9}[ |,]+[\d.]+%[ |,]+()([\d.]+)`, 2},
		{`run 1(?:[ |,]+[\d.]+){9}[ |,]+[\d.]+%[ |,]+[\d.]+[ |,]+()([\d.]+)`, 20},
	},
}

func TestACorruptedFigureGivesAFinding(t *testing.T) {
	for name, places := range corruptions {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				sound := reports[name](t)
				for range 3 {
					c := rapid.SampledFrom(places).Draw(t, "place")
					text := corrupted(t, sound, c.place, c.by)
					if d := Read(name, text); len(d.Findings) == 0 {
						t.Fatalf("%s times %g: nothing found in\n%s", c.place, c.by, text)
					}
				}
			})
		})
	}
}

// corrupted is the text with the figure in the last group of the place multiplied.
func corrupted(t *rapid.T, sound, place string, by float64) string {
	m := regexp.MustCompile(place).FindStringSubmatchIndex(sound)
	if m == nil {
		t.Fatalf("no %s in\n%s", place, sound)
	}
	from, to := m[len(m)-2], m[len(m)-1]
	return sound[:from] + multiplied(t, sound[from:to], by) + sound[to:]
}

// multiplied is the number with as many decimals as before.
func multiplied(t *rapid.T, text string, by float64) string {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	_, fraction, _ := strings.Cut(text, ".")
	return strconv.FormatFloat(v*by, 'f', len(fraction), 64)
}
