package latency

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// traceOf is an [Opener] of one file with that content.
func traceOf(content string) Opener {
	return func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }
}

func noFile(string) (io.ReadCloser, error) { return nil, errors.New("no file in this test") }

func mustParse(t *testing.T, spec string, open Opener) Model {
	t.Helper()
	model, err := Parse(spec, open)
	require.NoError(t, err)
	return model
}

func TestDelayIsTheQuantileFunctionOfTheSpec(t *testing.T) {
	const ms = time.Millisecond
	for _, tc := range []struct {
		spec string
		u    float64
		want time.Duration
	}{
		{"20ms", 0.5, 20 * ms},
		{"const:20ms", 0.999, 20 * ms},
		{"0s", 0.5, 0},
		{"const:1h", 0.5, time.Hour},
		{"uniform:10ms..30ms", 1e-12, 10 * ms},
		{"uniform:10ms..30ms", 0.25, 15 * ms},
		{"uniform:10ms..30ms", 1 - 1e-12, 30 * ms},
		{"uniform:10ms..10ms", 0.7, 10 * ms},
		{"exp:20ms", 0.5, 13_862_943}, // 20 ms ln 2
		{"exp:20ms", 0.99, 92_103_403},
		{"exp:0s", 0.99, 0},
		{"exp:1h", 0.99, time.Hour},
		{"lognormal:p50=20ms,p99=200ms", 0.5, 20 * ms},
		{"lognormal:p50=20ms,p99=200ms", 0.99, 200 * ms},
		{"lognormal:p99=200ms,p50=20ms", 0.01, 2 * ms},
		{"lognormal:p50=20ms,p99=20ms", 0.9, 20 * ms},
		{"lognormal:p50=1ns,p99=1h", 0.999999, time.Hour},
		{"pareto:min=10ms,alpha=2", 1e-12, 10 * ms},
		{"pareto:min=10ms,alpha=2", 0.75, 20 * ms},
		{"pareto:min=10ms,alpha=2", 0.99, 100 * ms},
		{"pareto:min=10ms,alpha=2,max=50ms", 0.99, 50 * ms},
		{"pareto:min=10ms,alpha=1e-300", 0.5, time.Hour},
		{"steps:p50=20ms,p90=50ms,p99=200ms", 0.01, 20 * ms},
		{"steps:p50=20ms,p90=50ms,p99=200ms", 0.5, 20 * ms},
		{"steps:p50=20ms,p90=50ms,p99=200ms", 0.500001, 50 * ms},
		{"steps:p50=20ms,p90=50ms,p99=200ms", 0.9, 50 * ms},
		{"steps:p50=20ms,p90=50ms,p99=200ms", 0.98, 200 * ms},
		{"steps:p50=20ms,p90=50ms,p99=200ms", 0.9999, 200 * ms},
		{"steps:p99.9=1ms,p100=2s", 0.9995, 2 * time.Second},
		{"trace:x", 0.1, 1 * ms},
		{"trace:x", 0.49, 3 * ms},
		{"trace:x", 0.6, 2 * ms},
		{"trace:x", 1 - 1e-16, 0},
	} {
		t.Run(fmt.Sprintf("%s at %g", tc.spec, tc.u), func(t *testing.T) {
			model := mustParse(t, tc.spec, traceOf("# ms\n1ms\n 3ms \n\n2ms\n0s\n"))
			assert.InDelta(t, tc.want, model.Delay(tc.u), 10, "nanoseconds")
		})
	}
}

func TestParseSaysWhatIsWrong(t *testing.T) {
	for spec, want := range map[string]string{
		"":                                 "want a time with its unit",
		"20":                               "want a time with its unit",
		"fast":                             "want a time with its unit",
		"-1ms":                             "a delay is 0 to 1h0m0s",
		"2h":                               "a delay is 0 to 1h0m0s",
		"normal:20ms":                      "want 20ms, const:20ms",
		"Const:20ms":                       "want 20ms, const:20ms",
		"const:":                           "want a time with its unit",
		"uniform:10ms":                     "want LOW..HIGH",
		"uniform:30ms..10ms":               "30ms is above 10ms",
		"uniform:..10ms":                   "want a time with its unit",
		"uniform:1ms..9h":                  "a delay is 0 to",
		"exp:x":                            "want a time with its unit",
		"lognormal:p50=20ms":               "p99 is missing",
		"lognormal:p50=20ms,p95=200ms":     `"p95": want p50, p99`,
		"lognormal:p50=20ms,p99=10ms":      "want 0 < p50 <= p99",
		"lognormal:p50=0s,p99=10ms":        "want 0 < p50 <= p99",
		"lognormal:p50=x,p99=1ms":          "want a time with its unit",
		"lognormal:p50=1ms,p99=x":          "want a time with its unit",
		"pareto:min=10ms":                  "alpha is missing",
		"pareto:min=x,alpha=1":             "want a time with its unit",
		"pareto:min=10ms,alpha=x":          "alpha=x: want a number above 0",
		"pareto:min=10ms,alpha=0":          "want a number above 0",
		"pareto:min=10ms,alpha=NaN":        "want a number above 0",
		"pareto:min=10ms,alpha=Inf":        "want a number above 0",
		"pareto:min=0s,alpha=1":            "want 0 < min <= max",
		"pareto:min=10ms,alpha=1,max=1ms":  "want 0 < min <= max",
		"pareto:min=10ms,alpha=1,max=x":    "want a time with its unit",
		"pareto:min=10ms,alpha=1,most=1s":  `"most": want min, alpha, max`,
		"pareto:min=10ms,min=20ms,alpha=1": "given twice",
		"steps:":                           "want name=value",
		"steps:50=1ms":                     "want a percentile",
		"steps:p0=1ms":                     "want a percentile",
		"steps:p101=1ms":                   "want a percentile",
		"steps:pNaN=1ms":                   "want a percentile",
		"steps:p50=x":                      "want a time with its unit",
		"steps:p50=1ms,p50=2ms":            "given twice",
		"steps:p50=1ms,p5e1=2ms":           "percentiles must rise",
		"steps:p90=1ms,p50=2ms":            "percentiles must rise",
		"steps:p50=2ms,p90=1ms":            "delays must not fall",
		"steps:p50=2ms,":                   "want name=value",
		"trace:missing":                    "open the trace: no file in this test",
	} {
		t.Run(spec, func(t *testing.T) {
			_, err := Parse(spec, noFile)
			require.ErrorContains(t, err, want)
			assert.ErrorContains(t, err, fmt.Sprintf("latency %q", spec))
		})
	}
}

func TestTraceIsCheckedAndNeverQuoted(t *testing.T) {
	for name, tc := range map[string]struct{ content, want string }{
		"empty":     {"", "no delay in it"},
		"comments":  {"# one\n\n", "no delay in it"},
		"no delay":  {"1ms\nsecret\n", "line 2 is not a delay such as 20ms"},
		"negative":  {"-1ms\n", "line 1 is not"},
		"too long":  {"61m\n", "line 1 is not"},
		"long line": {strings.Repeat("x", 100_000), "token too long"},
		"too many":  {strings.Repeat("1s\n", maxTraceLines+1), "more than 1000000 lines"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("trace:x", traceOf(tc.content))
			require.ErrorContains(t, err, tc.want)
			assert.NotContains(t, err.Error(), "secret")
		})
	}
}

func TestTraceIsReadFromRegularFilesOnly(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "trace")
	require.NoError(t, os.WriteFile(file, []byte("7ms\n"), 0o600))
	assert.Equal(t, 7*time.Millisecond, mustParse(t, "trace:"+file, OpenFile).Delay(0.5))

	_, err := Parse("trace:"+folder, OpenFile)
	require.ErrorContains(t, err, "is not a regular file")
	_, err = Parse("trace:"+file+"2", OpenFile)
	require.ErrorIs(t, err, os.ErrNotExist)
}

func FuzzParse(f *testing.F) {
	for _, spec := range []string{
		"20ms", "const:1s", "uniform:1ms..2ms", "exp:20ms", "lognormal:p50=20ms,p99=200ms",
		"pareto:min=10ms,alpha=1.5,max=10s", "steps:p50=20ms,p99.9=50ms", "trace:x",
	} {
		f.Add(spec, "1ms\n# x\n2s\n")
	}
	f.Fuzz(func(t *testing.T, spec, file string) {
		model, err := Parse(spec, traceOf(file))
		if err != nil {
			assert.Nil(t, model)
			return
		}
		_, unordered := model.(trace)
		last, least := time.Duration(0), 0.5/(1<<52) // of what a downstream draws
		for _, u := range []float64{least, 0.01, 0.5, 0.9, 0.99, 0.999999, 1 - least} {
			d := model.Delay(u)
			if d < 0 || d > Max {
				t.Fatalf("%q: Delay(%g) = %v is outside 0 to %v", spec, u, d, Max)
			}
			if d < last && !unordered {
				t.Fatalf("%q: Delay(%g) = %v is below %v: not a quantile function", spec, u, d, last)
			}
			last = d
		}
	})
}
