package single

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/load"
)

func TestParseStages(t *testing.T) {
	stage := func(from, to float64, length time.Duration) load.Stage {
		return load.Stage{From: from, To: to, For: length}
	}
	for text, want := range map[string]load.Plan{
		"100":                      {stage(100, 100, 0)},
		"0..500:10s, 500:1m,500":   {stage(0, 500, 10*time.Second), stage(500, 500, time.Minute), stage(500, 500, 0)},
		"1.5..0:250ms":             {stage(1.5, 0, 250*time.Millisecond)},
		"0:1s,1e3..2000:1h2m3.25s": {stage(0, 0, time.Second), stage(1000, 2000, 3723250*time.Millisecond)},
	} {
		got, err := parseStages(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got)
	}
	for text, says := range map[string]string{
		"": "no rate", "x:1s": "no rate", "1..:1s": "no rate", "1..2..3:1s": "no rate", "1:": "no time", "1:1": "no time",
		"1:0s": "above 0", "1:-1s": "above 0", "1,2": "not the last", "1..2": "goes from 1 to 2", "-1:1s": "rate -1",
		"NaN:1s": "rate NaN", "0:1s": "no arrivals", "1:1s,": "no rate", "1e9:1s": "rate 1e+09",
	} {
		_, err := parseStages(text)
		require.ErrorContains(t, err, says, text)
	}
}

func FuzzStages(f *testing.F) {
	for _, seed := range []string{"100", "0..500:10s,500", "1:1h,2..3:1ms", "..", ":", ","} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		plan, err := parseStages(text)
		if err != nil {
			return
		}
		// The plan is usable: its arrivals have times in order, if they come within a lifetime.
		last := time.Duration(0)
		for x := 0.0; x < 50; x++ {
			at, ok := plan.When(x)
			if !ok {
				return
			}
			require.GreaterOrEqual(t, at, last)
			last = at
		}
	})
}
