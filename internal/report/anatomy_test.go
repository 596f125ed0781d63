package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
)

// stagesOf are stages of which each mean, p99 and mean of the slowest is given, outside the server last.
func stagesOf(samples, slowest int, parts ...results.Stage) *results.Stages {
	s := &results.Stages{Samples: samples, SlowestSamples: slowest}
	for i, to := range []*results.Stage{&s.Queue, &s.A, &s.Cache, &s.B, &s.Fill, &s.Rest, &s.Outside} {
		*to = parts[i]
		for _, sum := range []*results.Stage{&s.Total, &s.Response} {
			if sum == &s.Total && to == &s.Outside {
				continue
			}
			sum.MeanMS, sum.SlowestMeanMS = sum.MeanMS+to.MeanMS, sum.SlowestMeanMS+to.SlowestMeanMS
			sum.P50MS, sum.P99MS = results.Unknown, results.Unknown
		}
	}
	return s
}

func stage(mean, p99, slowest results.Number) results.Stage {
	return results.Stage{MeanMS: float64(mean), P50MS: results.Unknown, P99MS: p99, SlowestMeanMS: slowest}
}

func TestAnatomy(t *testing.T) {
	run := &results.Run{Comparison: make([]results.Comparison, 1), Targets: []results.Target{
		{Name: "threadpool", Stages: stagesOf(1014, 11, stage(10, 40, 42), stage(20, 21, 21), stage(0.2, 0.4, 0.2), stage(30, 31, 30.5),
			stage(0.03, 0.4, 0), stage(0.57, 1, 0.6), stage(0.2, 1, 0.7))},
		{Name: "eventloop2", Stages: stagesOf(1015, 11, stage(0, 0, 0), stage(20, 21, 25.5), stage(0.2, 0.4, 0.2), stage(30, 31, 26),
			stage(0.03, 0.4, 0), stage(0.27, 1, 0.3), stage(2.5, 9, 8.0))},
	}}
	require.Equal(t, `Anatomy of a request [ms], by what one in 20 told of its stages

  all           threadpool, 1014 requests                 eventloop2, 1015 requests
                 mean     p99  # = 2.542 ms                mean     p99  # = 2.542 ms
  queue         10.00   40.00  ####                       0.000   0.000
  A             20.00   21.00      ########               20.00   21.00  ########
  cache         0.200   0.400              .              0.200   0.400          .
  B             30.00   31.00              ############   30.00   31.00          ############
  fill          0.030   0.400                         .   0.030   0.400                      .
  rest          0.570   1.000                         .   0.270   1.000                      .
  outside       0.200   1.000                         .   2.500   9.000                      #
  response      61.00       -  ########################   53.00       -  #####################
`, strings.Join(strings.SplitAfter(anatomy(run), "\n")[:12], ""))
	text := anatomy(run)
	for line := range strings.Lines(text) {
		require.LessOrEqual(t, len([]rune(line))-1, columns, line)
	}
	require.Contains(t, text, "  slowest 1 %   threadpool, 11 requests ")
	require.Contains(t, text, "  queue         42.00  +32.00  ###########")
	require.Contains(t, text, "26.00  -4.000")
	require.Contains(t, strings.Join(strings.Fields(text), " "), "The slowest 1 % take: threadpool 34.00 ms longer than the mean request, "+
		"of which 32.00 in queue; eventloop2 7.000 ms longer than the mean request, of which 5.500 in A and 5.500 in outside.")
}

// What is not known is not drawn.
func TestAnatomyOfTooLittle(t *testing.T) {
	few := stage(10, results.Unknown, results.Unknown)
	one := stagesOf(40, 0, few, few, few, few, few, few, few)
	for name, c := range map[string]struct {
		run          results.Run
		want, absent string
	}{
		"nothing measured": {results.Run{Targets: make([]results.Target, 2)}, "", "Anatomy"},
		"nothing told":     {results.Run{Targets: make([]results.Target, 2), Comparison: make([]results.Comparison, 1)}, "not known", "queue"},
		"too few": {
			results.Run{Targets: []results.Target{{Name: "threadpool", Stages: one}, {Name: "eventloop", Stages: one}}},
			"The slowest 1 % and p99 take 441 of them.", "slowest 1 %  ",
		},
		"one server alone": {
			results.Run{Targets: []results.Target{{Name: "threadpool"}, {Name: "eventloop", Stages: one}}},
			"  B                 -       -                             10.00       -            ###", "NaN",
		},
	} {
		t.Run(name, func(t *testing.T) {
			text := anatomy(&c.run)
			require.Contains(t, text, c.want)
			require.NotContains(t, text, c.absent)
			require.Equal(t, name == "nothing measured", text == "")
		})
	}
}

func TestBar(t *testing.T) {
	for name, c := range map[string]struct {
		from, length, whole float64
		want                string
	}{
		"the whole":                {0, 24, 24, strings.Repeat("#", 24)},
		"a part":                   {6, 2, 24, "      ##"},
		"less than a mark":         {6, 0.2, 24, "      ."},
		"at the end":               {23.9, 0.1, 24, strings.Repeat(" ", 23) + "."},
		"nothing":                  {6, 0, 24, ""},
		"below nothing":            {6, -1, 24, ""},
		"beyond the whole":         {20, 20, 24, strings.Repeat(" ", 20) + "####"},
		"of nothing":               {0, 0, 0, ""},
		"so small that it is lost": {0, 1e-9, 24, "."},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, bar(c.from, c.length, c.whole)) })
	}
}
