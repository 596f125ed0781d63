package preset

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
)

// expectation makes one that is ready.
func expectation(t *testing.T, figures map[string]any, value, is, above, below string, within float64) *Expectation {
	t.Helper()
	e := &Expectation{
		Says: Label{Text: "it"}, Value: Formula{Text: value}, Is: Formula{Text: is}, Above: Formula{Text: above},
		Below: Formula{Text: below}, Within: within,
	}
	for _, f := range []*Formula{&e.Value, &e.Is, &e.Above, &e.Below} {
		require.NoError(t, f.compile(figures))
	}
	return e
}

func TestJudge(t *testing.T) {
	figures := map[string]any{
		"x": 100.0, "zero": 0.0, "unknown": math.NaN(), "limit": "workers", "valid": true,
		"a": map[string]any{"threadpool": map[string]any{"goodput_rps": 50.0}, "eventloop": map[string]any{"goodput_rps": 200.0}},
	}
	for name, c := range map[string]struct {
		value, is, above, below string
		within                  float64
		passed                  bool
		wanted                  string
	}{
		"within":                   {"x", "95", "", "", 10, true, "95 ± 10 %"},
		"at the edge":              {"x", "80", "", "", 25, true, "80 ± 25 %"},
		"too high":                 {"x", "90", "", "", 10, false, "90 ± 10 %"},
		"too low":                  {"x", "120", "", "", 10, false, "120 ± 10 %"},
		"exactly":                  {"x", "100", "", "", 0, true, "100"},
		"not exactly":              {"x", "101", "", "", 0, false, "101"},
		"zero of zero":             {"zero", "0", "", "", 10, true, "0 ± 10 %"},
		"something of zero":        {"x", "0", "", "", 10, false, "0 ± 10 %"},
		"negative":                 {"-x", "-95", "", "", 10, true, "-95 ± 10 %"},
		"above":                    {"x", "", "99", "", 0, true, "above 99"},
		"not above itself":         {"x", "", "100", "", 0, false, "above 100"},
		"below":                    {"x", "", "", "101", 0, true, "below 101"},
		"between":                  {"x", "", "50", "150", 0, true, "above 50, below 150"},
		"not between":              {"x", "", "50", "60", 0, false, "above 50, below 60"},
		"a ratio of servers":       {"a.eventloop.goodput_rps / a.threadpool.goodput_rps", "4", "", "", 1, true, "4 ± 1 %"},
		"a formula":                {"a.threadpool.goodput_rps", "10 / 0.2", "", "", 1, true, "50 ± 1 %"},
		"a function":               {"x * erlang_b(20, 18)", "10.92", "", "", 1, true, "10.92 ± 1 %"},
		"a text":                   {"limit", "'workers'", "", "", 0, true, "workers"},
		"another text":             {"limit", "'clients'", "", "", 0, false, "clients"},
		"a truth":                  {"valid", "true", "", "", 0, true, "true"},
		"a text for a number":      {"x", "'100'", "", "", 10, false, "100"},
		"a text above a number":    {"limit", "", "1", "", 0, false, "above 1"},
		"what is not known":        {"unknown", "100", "", "", 100, false, "100 ± 100 %"},
		"of what is not known":     {"x", "unknown", "", "", 100, false, "not known ± 100 %"},
		"below what is not known":  {"x", "", "", "unknown", 0, false, "below not known"},
		"unknown is below nothing": {"unknown", "", "", "5", 0, false, "below 5"},
		"function of unknown":      {"x", "erlang_b(5, unknown)", "", "", 10, false, "not known ± 10 %"},
	} {
		t.Run(name, func(t *testing.T) {
			j := expectation(t, figures, c.value, c.is, c.above, c.below, c.within).judge(figures)
			require.Equal(t, c.passed, j.Passed, "%+v", j)
			require.Equal(t, c.wanted, j.Wanted)
		})
	}
}

func TestDeviation(t *testing.T) {
	j := expectation(t, map[string]any{"x": 90.0}, "x", "100", "", "", 20).judge(map[string]any{"x": 90.0})
	require.Equal(t, results.Number(-10), j.DeviationPercent)
	require.Equal(t, "passed  it: 90, wanted 100 ± 20 % (-10.0 %)", j.String())
}

func TestFunctions(t *testing.T) {
	for text, want := range map[string]float64{
		"erlang_b(20, 18)":                   0.1092,
		"erlang_c(20, 18)":                   0.5508,
		"wait_mmc(20, 18, 0.1)":              0.02754,
		"blocked(300, 20, 100, 0.1)":         0.3333,
		"served(300, 20, 100, 0.1)":          200.0,
		"wait_mg1(50, 0.01, 1)":              0.01,
		"shared(0.1, 0.5)":                   0.2,
		"fan_out(0.01, 100)":                 0.634,
		"sqrt(40)":                           6.3246,
		"mean_of('steps:p99=50ms,p100=5s')":  0.0995,
		"scv_of('exp:20ms')":                 1.0,
		"20 / ((1 - 0.05) * 0.1 + 0.05 * 1)": 137.93,
	} {
		f := Formula{Text: text}
		require.NoError(t, f.compile(map[string]any{}), text)
		value, err := f.value(map[string]any{})
		require.NoError(t, err)
		require.InEpsilon(t, want, value, 2e-3, text)
	}
}

func TestVerdictOfAPreset(t *testing.T) {
	for name, c := range map[string]struct {
		value                string
		valid, refused, busy bool
		verdict              string
		fails                bool
	}{
		"as expected":                             {"1", true, false, false, Passed, false},
		"otherwise":                               {"2", true, false, false, Failed, true},
		"refused":                                 {"1", false, false, false, Invalid, true},
		"refused, and otherwise":                  {"2", false, false, false, Invalid, true},
		"refused as expected":                     {"1", false, true, false, Passed, false},
		"not refused as expected":                 {"1", true, true, false, Passed, false},
		"refused, other otherwise":                {"2", false, true, false, Failed, true},
		"as expected on a busy machine":           {"1", true, false, true, Passed, false},
		"otherwise on a busy machine":             {"2", true, false, true, Failed, true},
		"refused on a busy machine":               {"1", false, false, true, Busy, true},
		"refused as expected on a busy machine":   {"1", false, true, true, Passed, false},
		"refused there, and the others otherwise": {"2", false, true, true, Busy, true},
	} {
		t.Run(name, func(t *testing.T) {
			p := &Preset{Name: "it", Expect: []Expectation{*expectation(t, map[string]any{}, c.value, "1", "", "", 1)}}
			o := &Outcome{Preset: "it", preset: p, Steps: []StepOutcome{{Valid: true}, {Valid: c.valid, MachineBusy: c.busy}}}
			if c.refused {
				o.Steps[1].Expected = "answers"
			}
			o.judge(map[string]any{})
			require.Equal(t, c.verdict, o.Verdict)
			require.Equal(t, c.fails, o.Err() != nil)
			require.Contains(t, o.text(), "Verdict: "+c.verdict)
		})
	}
}

func TestShow(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 1e-100: "0", 0.10921: "0.1092", 1: "1", 99.684: "99.68", 1000: "1000", 12345.6: "12346", 2e9: "2e+09", -3.5: "-3.5",
	} {
		require.Equal(t, want, show(x))
	}
	require.Equal(t, "not known", show(math.NaN()))
	require.Equal(t, "workers", show("workers"))
}
