package preset

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// required are presets that must be there.
var required = strings.Fields(`seed baseline pool-starved pool-sized heavy-tail insensitive cpu-hog
	blocking-mistake overload-open overload-closed open-vs-closed idle-10k cache-hit slow-downstream mock-limited
	metastable pool-deadlock mem-per-conn slow-reader slowloris conn-storm
	stampede downstream-fail noisy-neighbour os-threads gen-limited crossover`)

func TestEveryPresetIsWhole(t *testing.T) {
	names := Names()
	for _, name := range required {
		require.Contains(t, names, name)
	}
	require.Equal(t, Lessons, names[:len(Lessons)], "lessons come first")
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			p, err := Find(name)
			require.NoError(t, err)
			require.Equal(t, name, p.Name)
			require.Less(t, len([]rune(p.Title)), 90, "a title is half a line")
		})
	}
}

// TestDescription: what is printed before a run, for a comparison, for runs, and for figures that the lab is to refuse.
func TestDescription(t *testing.T) {
	for name, says := range map[string]string{
		"pool-starved": "the pool serves N/(S+D) requests a second: 99.", "overload-open": "both servers: --downstream-timeout 400ms",
		"gen-limited": "the check of the schedule fails: failed", "noisy-neighbour": "9 GET /v1/hold?ms=20, 1 GET",
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Find(name)
			require.NoError(t, err)
			text, err := p.Description(true)
			require.NoError(t, err)
			require.Contains(t, strings.Join(strings.Fields(text), " "), says, "wherever its lines end")
			require.NotContains(t, text, "%!")
			for _, label := range []string{"Question: ", "Expected:\n", "Law: ", "Theory: ", "Lesson: ", "Next: loadrunner "} {
				require.Contains(t, text, label)
			}
		})
	}
}

// TestQuickFormIsShort: all presets together take less than a quarter of an hour, so no step may be long.
func TestQuickFormIsShort(t *testing.T) {
	total := 0.0
	for _, name := range Names() {
		p, err := Find(name)
		require.NoError(t, err)
		for i := range p.Steps {
			total += p.Steps[i].seconds(t)
		}
	}
	require.Less(t, total, 900.0)
}

// seconds is about how long a step takes in its quick form, with what it takes to start and end a lab.
func (s *Step) seconds(t *testing.T) float64 {
	t.Helper()
	if s.Compare != nil {
		c, err := s.comparison(true)
		require.NoError(t, err)
		const around = 5
		return around + 2*float64(c.Rounds)*float64(c.Duration)/1e9
	}
	l, err := s.load(true)
	require.NoError(t, err)
	const around = 2
	return around + 2*float64(l.rounds)*(l.Duration+l.warmup).Seconds()
}

// whole is a file without a fault.
const whole = `title: A title
question: A question?
guess: {asks: "How many?", of: one.threadpool.goodput_rps, unit: req/s, choices: [1, 2]}
steps:
  - name: one
    compare: {workers: 5, c: 10}
    quick: {t: 3}
  - name: two
    path: /v1/hold?ms=10
    run: {rate: 50, t: 5}
    servers: {gomaxprocs: 1}
    downstream-b: {latency: 30ms}
expect:
  - says: it is so
    value: one.threadpool.goodput_rps
    is: erlang_b(5, 2) * 100
    within: 10
  - says: it is more
    value: two.eventloop.p99_ms
    above: 10
    below: 20
law: X = N/S
theory: A paragraph.
lesson: A lesson.
next: loadrunner compare
`

func TestParse(t *testing.T) {
	p, err := Parse("folder/mine.yaml", []byte(whole))
	require.NoError(t, err)
	require.Equal(t, "mine", p.Name)
	require.Len(t, p.Steps, 2)
	c, err := p.Steps[0].comparison(true)
	require.NoError(t, err)
	require.Equal(t, []int{5, 10, 1, 0}, []int{c.Workers, c.Concurrency, c.Rounds, c.Requests})
	require.Equal(t, 3.0, float64(c.Duration)/1e9, "quick replaces the time")
	l, err := p.Steps[1].load(false)
	require.NoError(t, err)
	require.Equal(t, []any{50.0, 2, 5.0}, []any{l.Rate, l.rounds, l.Duration.Seconds()})
}

func TestParseRefuses(t *testing.T) {
	for name, c := range map[string]struct{ old, new, says string }{
		"unknown key":               {"law:", "laws:", "mine.yaml:22: unknown key laws"},
		"unknown key of a step":     {"    quick: {t: 3}", "    quicker: {t: 3}", "mine.yaml:7: unknown key quicker"},
		"unknown key of a claim":    {"within", "wide", "mine.yaml:17: unknown key wide"},
		"no yaml":                   {"title: A title", "title: [", "mine.yaml:"},
		"missing text":              {"lesson: A lesson.\n", "", "mine.yaml: lesson is missing"},
		"unknown flag":              {"workers: 5", "worker-count: 5", "mine.yaml:6: unknown flag worker-count"},
		"unknown flag of run":       {"rate: 50", "rates: 50", "mine.yaml:10: unknown flag rates"},
		"unknown flag of a server":  {"gomaxprocs: 1", "maxprocs: 1", "mine.yaml:11: unknown flag maxprocs"},
		"bad value":                 {"workers: 5", "workers: five", `mine.yaml:6: workers: "five" is no value of it`},
		"value out of bounds":       {"c: 10", "c: 0", "mine.yaml:5: step one: --concurrency 0"},
		"flag of the preset":        {"workers: 5", "results: elsewhere", "mine.yaml:6: results: a preset decides that itself"},
		"flag twice":                {"{rate: 50, t: 5}", "{t: 50, t: 5}", "mine.yaml:10: t is given twice"},
		"flag twice by two names":   {"{t: 3}", "{t: 3, duration: 4}", ""},
		"step without a kind":       {"    compare: {workers: 5, c: 10}\n", "", "mine.yaml:5: step one: want either compare or run"},
		"step twice":                {"name: two", "name: one", "mine.yaml:8: step one is there twice"},
		"step named as a function":  {"name: two", "name: erlang_b", "mine.yaml:8: step \"erlang_b\": want a name"},
		"path of a comparison":      {"    quick: {t: 3}", "    path: /", "mine.yaml:5: step one: path, targets"},
		"run of nothing":            {"    path: /v1/hold?ms=10\n", "", "mine.yaml:8: step two: want either path or targets"},
		"bad targets":               {"path: /v1/hold?ms=10", "targets: 0 GET /", "mine.yaml:8: step two: targets, line 1"},
		"unknown figure":            {"goodput_rps\n    is", "goodput\n    is", "mine.yaml:15: formula"},
		"unknown server":            {"two.eventloop.p99_ms", "two.loop.p99_ms", "mine.yaml:19: formula"},
		"unknown step":              {"two.eventloop.p99_ms", "three.eventloop.p99_ms", "mine.yaml:19: formula"},
		"unknown function":          {"erlang_b(5, 2)", "erlang_a(5, 2)", "mine.yaml:16: formula"},
		"wrong number of arguments": {"erlang_b(5, 2)", "erlang_b(5)", "mine.yaml:16: formula"},
		"argument without an end":   {"erlang_b(5, 2)", "erlang_b(1e12, 2)", "mine.yaml:16: formula"},
		"no formula":                {"erlang_b(5, 2) * 100", "5 +", "mine.yaml:16: formula"},
		"claim without a bound":     {"    above: 10\n    below: 20\n", "", "mine.yaml:19: expectation 2: want says, value"},
		"is and above":              {"    above: 10", "    is: 10", "mine.yaml:20: is goes without above and below"},
		"within of nothing":         {"    above: 10", "    within: 10", "mine.yaml:18: within: want 0 to 100"},
		"guess without choices":     {", choices: [1, 2]", "", "mine.yaml: guess: want asks, of, and two choices"},
		"two documents":             {"law: X", "---\nlaw: X", "mine.yaml:"},
		"check of a run":            {"    path: /v1/hold?ms=10", "    invalid: answers\n    path: /v1/hold?ms=10", "mine.yaml:8: step two: invalid needs compare"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, whole, c.old)
			_, err := Parse("mine.yaml", []byte(strings.Replace(whole, c.old, c.new, 1)))
			if c.says == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestParseNamesEveryFault(t *testing.T) {
	text := strings.NewReplacer("workers: 5", "worker-count: 5", "rate: 50", "rates: 50").Replace(whole)
	_, err := Parse("mine.yaml", []byte(text))
	require.ErrorContains(t, err, "worker-count")
	require.ErrorContains(t, err, "rates")
}

func TestFind(t *testing.T) {
	_, err := Find("nonsense")
	require.ErrorContains(t, err, "preset list")
	_, err = Find(filepath.Join(t.TempDir(), "none.yaml"))
	require.ErrorContains(t, err, "none.yaml")
	p, err := Find("files/seed.yaml")
	require.NoError(t, err)
	require.Equal(t, "seed", p.Name)
}

func TestListNamesAll(t *testing.T) {
	text, err := List()
	require.NoError(t, err)
	for _, name := range Names() {
		require.Contains(t, text, " "+name+" ")
	}
}

func TestOverlayKnowsLetters(t *testing.T) {
	p, err := Parse("mine.yaml", []byte(strings.Replace(whole, "{t: 3}", "{duration: 2, c: 4}", 1)))
	require.NoError(t, err)
	c, err := p.Steps[0].comparison(true)
	require.NoError(t, err)
	require.Equal(t, 4, c.Concurrency)
	require.Equal(t, 2.0, float64(c.Duration)/1e9)
	command := p.Steps[0].Command(true)
	require.Equal(t, 1, strings.Count(command, "--concurrency"), command)
}

func FuzzParse(f *testing.F) {
	f.Add(whole)
	for _, name := range Names() {
		text, err := files.ReadFile("files/" + name + ending)
		require.NoError(f, err)
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse("fuzz.yaml", []byte(text))
		if err != nil {
			require.ErrorContains(t, err, "fuzz.yaml")
			return
		}
		require.NotEmpty(t, p.Title)
		require.NotEmpty(t, p.Steps)
		require.False(t, slices.ContainsFunc(p.Expect, func(e Expectation) bool { return e.Value.program == nil }))
	})
}
