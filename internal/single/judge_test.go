package single

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/deadport"
	"poolvsloop/internal/load"
)

// A run of which nothing was answered has no throughput, and every client of it starved.
func TestNobodyListens(t *testing.T) {
	t.Run("a long run ends at once", func(t *testing.T) {
		for _, model := range [][]string{{"-c", "5", "-t", "60"}, {"-c", "5", "-n", "100000000"}, {"--rate", "20000", "-t", "60"}} {
			dead := deadport.Addr(t).String()
			began := time.Now()
			text, err := run(t, "http://"+dead+"/", model...)
			require.ErrorContains(t, err, "the run is not valid: nobody listens at "+dead+": the first 10")
			require.ErrorContains(t, err, "requests were refused and none was answered, so the run ended there")
			require.NotContains(t, err.Error(), ";", "one reason is enough")
			require.Contains(t, text, "connection refused: 10")
			require.Less(t, time.Since(began), 30*time.Second)
		}
	})
	url := "http://" + deadport.Addr(t).String() + "/"
	text, err := run(t, url, "-n", "30", "-c", "3")
	require.ErrorContains(t, err, "no request succeeded")
	require.NotContains(t, err.Error(), "generator", "one reason is enough")
	for _, says := range []string{
		"\nComplete requests:      0\nFailed requests:        30\n", "3 clients, 3 starved",
		"WARNING: 3 of 3 connections starved", "connection refused: 30",
	} {
		require.Contains(t, text, says)
	}
	require.NotContains(t, text, "Requests per second")
	text, err = run(t, url, "-n", "30", "-c", "3", "--format", "json", "--fail-if", "starved>0")
	require.ErrorContains(t, err, "--fail-if starved>0: starved is 3")
	var x Report
	require.NoError(t, json.Unmarshal([]byte(text), &x))
	require.Zero(t, x.ThroughputRPS)
	require.Equal(t, 3, x.Fairness.Starved)
}

// Both things are said of a run that is valid and fails a condition.
func TestValidAndFails(t *testing.T) {
	text, err := run(t, serve(t, hello), "-k", "-n", "20", "--fail-if", "p50>=0")
	require.ErrorContains(t, err, "--fail-if p50>=0")
	require.True(t, strings.HasSuffix(text, "\nThe run is valid, and fails by its --fail-if: exit code 1.\n"), text)
}

// More connections than the process may have are an error of usage, before anything is sent.
func TestTooManyConnections(t *testing.T) {
	for _, args := range [][]string{{"-c", "1000000000"}, {"--idle", "1000000000"}, {"-c", "600000000", "--idle", "600000000"}} {
		_, err := NewPlan(t.Context(), optionsOf(t, args...), "http://127.0.0.1:1/")
		require.ErrorContains(t, err, "ulimit -n")
	}
}

// reportOf makes a report of a closed loop with 10 clients, which took a second for 1000 answers.
func reportOf(response, turnaround, longest time.Duration) (*Report, *load.Result) {
	const answers = 1000
	x := &Report{Model: Model{Loop: closedLoop, Pipeline: 1}, Response: Times{MeanMS: ms(response)}}
	return x, &load.Result{
		Counts: load.Counts{Answered: answers}, Clients: 10, Duration: time.Second, Window: time.Second, LastAnswer: time.Second,
		InWindow: answers, Turnaround: answers * turnaround, Response: load.Times{Max: longest.Microseconds()},
	}
}

func TestLittleFails(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name                          string
		response, turnaround, longest time.Duration
		pipeline                      int
		want                          bool
	}{
		{"all clients are accounted for", 10 * ms, 0, 12 * ms, 1, false},
		{"half of them waited unseen", 5 * ms, 0, 6 * ms, 1, true},
		{"half of them waited for the generator", 5 * ms, 5 * ms, 6 * ms, 1, false},
		{"a twentieth is allowed", 9500 * time.Microsecond, 0, 10 * ms, 1, false},
		{"the end of a run may take as long as an answer", 5 * ms, 0, 51 * ms, 1, false},
		{"a pipeline is not full all the time", 5 * ms, 0, 6 * ms, 4, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, r := reportOf(c.response, c.turnaround, c.longest)
			x.Model.Pipeline = c.pipeline
			require.Equal(t, c.want, littleFails(x, r))
		})
	}
	x, r := reportOf(time.Millisecond, 0, 0)
	r.Answered = 0
	require.False(t, littleFails(x, r), "without an answer another warning says it")
}

// A loop that computes all the time is the limit, but a start of a few milliseconds says nothing.
func TestGeneratorIsTheLimit(t *testing.T) {
	for _, c := range []struct {
		name     string
		duration time.Duration
		needed   time.Duration
		want     bool
	}{
		{"a long run at work all the time", time.Second, time.Second, true},
		{"a long run at ease", time.Second, 800 * time.Millisecond, false},
		{"just above the bound", time.Second, 861 * time.Millisecond, true},
		{"a run of a few requests", 5 * time.Millisecond, 5 * time.Millisecond, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, r := reportOf(time.Millisecond, 0, 0)
			r.Counts = load.Counts{Planned: 1, Sent: 1, Answered: 1}
			r.OK2xx, r.Duration, r.NeediestLoop = 1, c.duration, c.needed
			x.judge(&Plan{}, r)
			require.Equal(t, c.want, !x.Valid, x.InvalidReasons)
		})
	}
}
