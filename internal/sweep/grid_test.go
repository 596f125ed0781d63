package sweep

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

var knobs = map[string]string{
	"workers": "workers", "c": "concurrency", "concurrency": "concurrency", "latency-b": "latency-b", "k": "keep-alive",
}

func TestParseGrid(t *testing.T) {
	for text, want := range map[string][]Axis{
		"workers=10,50,200;c=50":    {{"workers", []string{"10", "50", "200"}}, {"concurrency", []string{"50"}}},
		"workers = 10 , 50 ; ;":     {{"workers", []string{"10", "50"}}},
		"--workers=10":              {{"workers", []string{"10"}}},
		"c=50..400*2":               {{"concurrency", []string{"50", "100", "200", "400"}}},
		"c=50..399*2":               {{"concurrency", []string{"50", "100", "200"}}},
		"c=1,10..30+10":             {{"concurrency", []string{"1", "10", "20", "30"}}},
		"latency-b=5ms..45ms*3":     {{"latency-b", []string{"5ms", "15ms", "45ms"}}},
		"latency-b=0.1s..0.3s+0.1s": {{"latency-b", []string{"0.1s", "0.2s", "0.3s"}}},
		`latency-b=5ms,"lognormal:p50=20ms,p99=200ms"`: {{"latency-b", []string{"5ms", "lognormal:p50=20ms,p99=200ms"}}},
		"latency-b=uniform:10ms..30ms":                 {{"latency-b", []string{"uniform:10ms..30ms"}}},
		"k=true,false":                                 {{"keep-alive", []string{"true", "false"}}},
	} {
		axes, err := ParseGrid(text, knobs)
		require.NoError(t, err, text)
		require.Equal(t, want, axes, text)
	}
}

func TestParseGridRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"":                            "want knobs",
		"; ;":                         "want knobs",
		"workers":                     "want a knob and its values",
		"=5":                          "want a knob and its values",
		"workers=":                    "want values",
		"workers=5,,6":                "a value is empty",
		"workers=5,5":                 "5 is there twice",
		"c=50;concurrency=60":         "concurrency is in the grid twice",
		"c=400..50*2":                 "goes down",
		"c=50..400*1":                 "leads nowhere",
		"c=0..400*2":                  "leads nowhere",
		"c=1..5+0":                    "leads nowhere",
		"c=1..5000+1":                 "more than 1000 values",
		"latency-b=1ms..5s*2":         "one unit",
		"latency-b=1ms..5ms+1":        "one unit",
		"c=1..100+1;workers=1..100+1": "more than 1000 cells",
		`latency-b="5ms`:              "double quotes",
	} {
		_, err := ParseGrid(text, knobs)
		require.ErrorContains(t, err, says, text)
	}
	_, err := ParseGrid("wrkers=5", knobs)
	var unknown *UnknownKnobError
	require.True(t, errors.As(err, &unknown))
	require.Equal(t, UnknownKnobError{"wrkers", []string{"concurrency", "keep-alive", "latency-b", "workers"}}, *unknown)
}

func TestNumber(t *testing.T) {
	for text, want := range map[string]float64{"50": 50, "0.9": 0.9, "5ms": 0.005, "1m": 60, "-1": -1} {
		x, ok := Number(text)
		require.True(t, ok, text)
		require.InDelta(t, want, x, 1e-12, text)
	}
	for _, text := range []string{"", "thread", "uniform:1ms..2ms", "NaN", "Inf"} {
		_, ok := Number(text)
		require.False(t, ok, text)
	}
}

func FuzzParseGrid(f *testing.F) {
	for _, text := range []string{"workers=10,50;c=50..400*2", `latency-b=5ms,"a,b"`, "c=1..9+1", "c=0.5..1e9*1.01", "k==;"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		axes, err := ParseGrid(text, knobs)
		if err != nil {
			return
		}
		cells := 1
		for _, axis := range axes {
			require.NotEmpty(t, axis.Values)
			cells *= len(axis.Values)
		}
		require.LessOrEqual(t, cells, MostCells)
		plan := Plan{Schema: PlanSchema, Axes: axes}
		plan.Draw(1)
		require.NoError(t, plan.check())
		require.Len(t, plan.Cells(), cells)
	})
}
