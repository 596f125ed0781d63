package timeline

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
)

// side is a server that took so many seconds to recover in each of its rounds.
func side(name string, took ...int) Side {
	s := Side{Name: name}
	for i, n := range took {
		seconds := course(part{5, second(50, 100)}, part{5, second(500, 30)}, part{n, second(900, 200)}, part{15 - n, second(50, 100)})
		x := judge(seconds, 25*time.Second)
		x.Order = i + 1
		s.Series, s.Rounds = append(s.Series, results.Series{Order: i + 1, Seconds: seconds}), append(s.Rounds, x)
	}
	return s
}

func TestText(t *testing.T) {
	text := Text([]Side{side("threadpool", 4, 6, 5), side("eventloop", 0, 0, 0)}, 25*time.Second)
	for line := range strings.Lines(text) {
		require.LessOrEqual(t, len([]rune(line))-1, 100, line)
	}
	for _, want := range []string{
		"  a  5s      b.latency=500ms\n", "  b  10s     b.latency=30ms   (ends the fault)\n",
		"  threadpool  p50 [ms]    ▁▁▁▁▁▅▅▅▅▅█████▁▁▁▁▁▁▁▁▁▁  50.00 .. 900.0\n",
		"  eventloop   good [1/s]  █████▃▃▃▃▃███████████████  30.00 .. 100.0\n",
		"       4         50.00      100.0         50.00      100.0\n",
		"       5         500.0      30.00         500.0      30.00   a\n",
		"      10         900.0      200.0         50.00      100.0   b\n",
		"              b: after 5 s (4 to 6)\n", "              b: after 0 s\n",
		"begun at most 1.00 ms late and took at most 2.00 ms",
	} {
		require.Contains(t, text, want)
	}
	require.Contains(t, text, "      15         50.00", "the second in which the pool was back")
	require.NotContains(t, text, "      20 ", "seconds in which nothing happens are left out")
	require.Empty(t, Text([]Side{{Name: "threadpool"}}, time.Second))
}

func TestTextTellsWhyThereIsNoRecovery(t *testing.T) {
	never := side("threadpool", 15)
	require.Contains(t, Text([]Side{never}, 25*time.Second), "b: not recovered\n")
	some := side("threadpool", 4, 15)
	require.Contains(t, Text([]Side{some}, 25*time.Second), "b: after 4 s in 1 of 2 rounds, not recovered in the others")
	seconds := course(part{10, second(50, 100)})
	forever := Side{Name: "loop", Series: []results.Series{{Seconds: seconds}},
		Rounds: []results.Timeline{Judge(seconds, 10*time.Second, []Done{event(5*time.Second, "b.latency", "500ms")}, map[string]string{"b.latency": "30ms"})}}
	require.Contains(t, Text([]Side{forever}, 10*time.Second), "no event ends the fault: none goes back to b.latency=30ms")
	early := Side{Name: "loop", Series: forever.Series,
		Rounds: []results.Timeline{judge(seconds, 10*time.Second, event(time.Second, "b.latency", "500ms"), event(2*time.Second, "b.latency", "30ms"))}}
	text := Text([]Side{early}, 10*time.Second)
	require.Contains(t, text, "level not known")
	require.Contains(t, text, "b: not known")
}

func TestSpark(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct {
		figures []float64
		most    int
		want    string
	}{
		"nothing":      {nil, 10, ""},
		"from 0":       {[]float64{0, 50, 100}, 10, "▁▅█"},
		"all 0":        {[]float64{0, 0}, 10, "▁▁"},
		"unknown":      {[]float64{nan, 7, nan}, 10, " █ "},
		"none known":   {[]float64{nan, nan}, 10, "  "},
		"two in a bar": {[]float64{0, 100, 200, 200, nan}, 3, "▃█ "},
	} {
		t.Run(name, func(t *testing.T) {
			line, _, _ := spark(c.figures, c.most)
			require.Equal(t, c.want, line)
		})
	}
}

func TestCourseOfRounds(t *testing.T) {
	rounds := []results.Series{
		{Seconds: course(part{2, second(10, 100)})},
		{Seconds: course(part{1, second(30, 200)}, part{2, second(0, 0)})},
	}
	all := Course(rounds, 9)
	require.Len(t, all, 3)
	require.Equal(t, Second{P50MS: 20, Good: 150}, all[0])
	require.Equal(t, Second{P50MS: 10, Good: 50}, all[1], "a round without an answer has no p50")
	require.True(t, math.IsNaN(all[2].P50MS))
	require.Len(t, Course(rounds, 1), 1)
}
