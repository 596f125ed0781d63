package expr

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// kinds knows a metric of each kind.
func kinds(metric string) (Kind, bool) {
	k, ok := map[string]Kind{"p99": Time, "p99.9": Time, "errors": Share, "rps": Rate, "starved": Count, "jain": Count}[metric]
	return k, ok
}

func TestParse(t *testing.T) {
	for text, want := range map[string]Condition{
		"p99>50ms":         {Metric: "p99", Operator: ">", Kind: Time, Bound: 0.05},
		" p99.9 >= 1.5 s ": {Metric: "p99.9", Operator: ">=", Kind: Time, Bound: 1.5},
		"p99<=100us":       {Metric: "p99", Operator: "<=", Kind: Time, Bound: 0.0001},
		"p99>100µs":        {Metric: "p99", Operator: ">", Kind: Time, Bound: 0.0001},
		"p99>1m":           {Metric: "p99", Operator: ">", Kind: Time, Bound: 60},
		"p99>0":            {Metric: "p99", Operator: ">", Kind: Time},
		"errors>0.1%":      {Metric: "errors", Operator: ">", Kind: Share, Bound: 0.001},
		"errors!=0":        {Metric: "errors", Operator: "!=", Kind: Share},
		"rps<1000":         {Metric: "rps", Operator: "<", Kind: Rate, Bound: 1000},
		"rps < 1000/s":     {Metric: "rps", Operator: "<", Kind: Rate, Bound: 1000},
		"starved==3":       {Metric: "starved", Operator: "==", Kind: Count, Bound: 3},
		"jain<.9":          {Metric: "jain", Operator: "<", Kind: Count, Bound: 0.9},
	} {
		t.Run(text, func(t *testing.T) {
			got, err := Parse(text, kinds)
			require.NoError(t, err)
			require.InDelta(t, want.Bound, got.Bound, 1e-12)
			want.Text, want.Bound = text, got.Bound
			require.Equal(t, want, got)
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"":                                      "metric first",
		">5ms":                                  "metric first",
		"p98>5ms":                               `no metric "p98"`,
		"P99>5ms":                               "metric first",
		"p99":                                   "want one of",
		"p99=5ms":                               "want one of",
		"p99><5ms":                              "want one of",
		"p99>":                                  "want a number",
		"p99>-5ms":                              "want a number",
		"p99>1.2.3ms":                           "want a number",
		"p99>5":                                 "want us, ms, s or m",
		"p99>5h":                                "want us, ms, s or m",
		"p99>5%":                                "want us, ms, s or m",
		"errors>0.1":                            "want %",
		"starved>1s":                            "want none",
		"p99>5ms and more":                      "want us, ms, s or m",
		"rps>" + strings.Repeat("9", 90):        "",
		"p99>" + strings.Repeat("9", 200) + "s": "at most",
	} {
		_, err := Parse(text, kinds)
		if says == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, says, text)
	}
}

func TestJudge(t *testing.T) {
	exact := func(v float64) Figure { return Figure{Value: v} }
	atLeast := func(v float64) Figure { return Figure{Value: v, AtLeast: true} }
	for _, c := range []struct {
		condition string
		figure    Figure
		want      Truth
	}{
		{"p99>2s", exact(3), Holds}, {"p99>2s", exact(2), Fails}, {"p99>=2s", exact(2), Holds}, {"p99<2s", exact(2), Fails},
		{"p99<=2s", exact(2), Holds}, {"p99==2s", exact(2), Holds}, {"p99!=2s", exact(2), Fails},
		{"p99>2s", atLeast(3), Holds}, {"p99>2s", atLeast(2), Unknown}, {"p99>2s", atLeast(1), Unknown},
		{"p99>=2s", atLeast(2), Holds}, {"p99>=2s", atLeast(1), Unknown},
		{"p99<2s", atLeast(2), Fails}, {"p99<2s", atLeast(1), Unknown},
		{"p99<=2s", atLeast(3), Fails}, {"p99<=2s", atLeast(2), Unknown},
		{"p99==2s", atLeast(3), Fails}, {"p99==2s", atLeast(2), Unknown},
		{"p99!=2s", atLeast(3), Holds}, {"p99!=2s", atLeast(1), Unknown},
		{"p99>2s", Figure{Missing: "too few"}, Unknown},
	} {
		parsed, err := Parse(c.condition, kinds)
		require.NoError(t, err)
		require.Equal(t, c.want, parsed.Judge(c.figure), "%s for %+v", c.condition, c.figure)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"p99>50ms", "errors > 0.1%", "starved>=0", "rps<1000/s", "jain!=.9", "p99>>1s", "p99>1e9s", "µ", "p99>100µs"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse(text, kinds)
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		require.True(t, c.Bound >= 0 && !math.IsInf(c.Bound, 0))
		// Every figure is on one side, and one that is known to be at least so large agrees with what is larger.
		for _, x := range []float64{0, c.Bound / 2, c.Bound, c.Bound*2 + 1} {
			require.NotEqual(t, Unknown, c.Judge(Figure{Value: x}))
			if truth := c.Judge(Figure{Value: x, AtLeast: true}); truth != Unknown {
				require.Equal(t, truth, c.Judge(Figure{Value: x*3 + 1}))
			}
		}
	})
}
