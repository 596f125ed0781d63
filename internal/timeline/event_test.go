package timeline

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]Event{
		"10s b.latency=500ms":                    {10 * time.Second, "b", "latency", "500ms"},
		"10s=b.latency=500ms":                    {10 * time.Second, "b", "latency", "500ms"},
		"1.5s	a.latency = uniform:1ms..2ms":      {1500 * time.Millisecond, "a", "latency", "uniform:1ms..2ms"},
		"0s b.latency=lognormal:p50=20ms,p99=1s": {0, "b", "latency", "lognormal:p50=20ms,p99=1s"},
		"2m threadpool.workers=20":               {2 * time.Minute, "threadpool", "workers", "20"},
		"1s threadpool.queue=-1":                 {time.Second, "threadpool", "queue", "-1"},
		"1s eventloop.max-inflight=0":            {time.Second, "eventloop", "max-inflight", "0"},
		"1s a.error-share=0.25":                  {time.Second, "a", "error-share", "0.25"},
		"1s redis.stopped=true":                  {time.Second, "redis", "stopped", "true"},
	} {
		got, err := Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got)
		again, err := Parse(got.String())
		require.NoError(t, err)
		require.Equal(t, got, again, "an event is read as it is written")
		spaced, err := Parse("  " + text + " ")
		require.NoError(t, err)
		require.Equal(t, want, spaced)
	}
}

func TestParseSaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "want TIME PROGRAM.SETTING=VALUE, such as 10s b.latency=500ms",
		"10s":                         "want TIME PROGRAM",
		"10s b.latency":               "want TIME PROGRAM",
		"10s latency=5ms":             "want TIME PROGRAM",
		"10 b.latency=5ms":            "such as 10ms or 10s",
		"soon b.latency=5ms":          `"soon"`,
		"-1s b.latency=5ms":           "want a time of 0s to 24h0m0s",
		"25h b.latency=5ms":           "want a time of 0s to 24h0m0s",
		"1s c.latency=5ms":            `no program "c": want a, b, eventloop, redis, threadpool`,
		"1s b.latncy=5ms":             `b has no setting "latncy" that changes while it runs: want concurrency-limit, error-share`,
		"1s b.latency=":               "b.latency",
		"1s b.latency=5":              "5ms or 5s",
		"1s b.error-share=2":          `b.error-share: "2": want a number of 0 to 1`,
		"1s b.hang-share=NaN":         "want a number of 0 to 1",
		"1s b.error-status=200":       "want a whole number of 400 to 599",
		"1s threadpool.workers=0":     "want a whole number of 1 to",
		"1s threadpool.latency=5ms":   `threadpool has no setting "latency"`,
		"1s eventloop.max-lag=-1ms":   "want 0s to",
		"1s redis.stopped=1":          "want true or false",
		"1s b.latency=5ms a.latency=": "b.latency",
	} {
		_, err := Parse(text)
		require.ErrorContains(t, err, want, text)
		require.NotContains(t, err.Error(), "\n")
	}
}

func TestParseAll(t *testing.T) {
	all, err := ParseAll([]string{"3s b.latency=3ms", "1s a.latency=1ms; 3s a.latency=2ms"})
	require.NoError(t, err)
	var texts []string
	for _, e := range all {
		texts = append(texts, e.String())
	}
	require.Equal(t, []string{"1s a.latency=1ms", "3s b.latency=3ms", "3s a.latency=2ms"}, texts)

	_, err = ParseAll([]string{"1s x.latency=1ms", "1s b.latency=no"})
	require.ErrorContains(t, err, `"x"`)
	require.ErrorContains(t, err, `"no"`, "all that is wrong is said")

	_, err = ParseAll([]string{strings.Repeat("1s b.latency=1ms;", most+1) + "1s b.latency=1ms"})
	require.ErrorContains(t, err, "want 1000 at most")
}

func TestJoin(t *testing.T) {
	for name, c := range map[string]struct{ times, words, texts, rest []string }{
		"nothing":           {},
		"whole":             {times: []string{"1s b.latency=1ms"}, texts: []string{"1s b.latency=1ms"}},
		"two words":         {times: []string{"1s"}, words: []string{"b.latency=1ms"}, texts: []string{"1s b.latency=1ms"}},
		"in their order":    {times: []string{"1s", "2s=a.latency=2ms", "3s"}, words: []string{"b.latency=1ms", "b.latency=3ms"}, texts: []string{"1s b.latency=1ms", "2s=a.latency=2ms", "3s b.latency=3ms"}},
		"a URL between":     {times: []string{"1s"}, words: []string{"http://a.b/?c=1", "b.latency=1ms"}, texts: []string{"1s b.latency=1ms"}, rest: []string{"http://a.b/?c=1"}},
		"one time too many": {times: []string{"1s", "2s"}, words: []string{"b.latency=1ms"}, texts: []string{"1s b.latency=1ms", "2s"}},
		"one word too many": {words: []string{"b.latency=1ms"}, rest: []string{"b.latency=1ms"}},
		"words of no use":   {times: []string{"1s"}, words: []string{"b", "c=1"}, texts: []string{"1s"}, rest: []string{"b", "c=1"}},
	} {
		t.Run(name, func(t *testing.T) {
			texts, rest := Join(c.times, c.words)
			require.Equal(t, c.texts, texts)
			require.Equal(t, c.rest, rest)
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"10s b.latency=500ms", "1s=threadpool.workers=5", "1s a.latency=steps:p50=1ms,p90=2ms", "", "1s redis.stopped=true", "=.="} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "trace:") {
			t.Skip("reads a file")
		}
		e, err := Parse(text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Fatalf("an error of %d lines: %s", strings.Count(err.Error(), "\n")+1, err)
			}
			return
		}
		again, err := Parse(e.String())
		if err != nil || again != e {
			t.Fatalf("%+v is written %q and read %+v: %v", e, e, again, err)
		}
	})
}
