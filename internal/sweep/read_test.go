package sweep

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/abreport"
	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// fake is a run of six rounds in which the servers had about that throughput, with noise of a per cent.
func fake(c Cell, pool, loop float64) *results.Run { return fakeRounds(c, 6, pool, loop) }

func fakeRounds(c Cell, rounds int, pool, loop float64) *results.Run {
	random := rand.New(rand.NewPCG(math.Float64bits(pool+loop), uint64(c.Number)))
	clients, _ := Number(c.Settings["concurrency"])
	target := func(name string, level float64) results.Target {
		t := results.Target{Name: name, AB: &abreport.Summary{}, Steady: []results.Course{}}
		for range rounds {
			x := level * (1 + 0.01*random.NormFloat64())
			t.Rounds = append(t.Rounds, results.Figures{
				Sent: 5000, Completed: 5000, DurationS: 5000 / x, ThroughputRPS: x, GoodputRPS: x, MeanMS: 1e3 * clients / x, P50MS: 1e3 * clients / x,
				P99MS: 1e3 * clients / x, P999MS: 1e3 * clients / x, ServerCPUUSPerRequest: 100, ServerRSSBytes: 1 << 24, CtxSwitchesPerRequest: 4,
			})
		}
		t.Total = t.Rounds[0]
		return t
	}
	run := &results.Run{
		Schema: results.Schema, ID: c.Name(), Valid: true, InvalidReasons: []string{}, Config: results.Config{Concurrency: int(clients), Margin: 0.03},
		Environment: results.Environment{Host: "here", CPUs: 2, GoMaxProcs: 2, Versions: map[string]string{"gnet": "v2"}},
		Targets:     []results.Target{target("threadpool", pool), target("eventloop", loop)},
	}
	answers := make([]stats.Answer, len(results.Metrics))
	for i, m := range results.Metrics {
		q := stats.Question{A: "eventloop", B: "threadpool", HigherIsBetter: m.Better == results.Higher}
		answers[i] = stats.Compare(q, m.Values(run.Targets[1].Rounds), m.Values(run.Targets[0].Rounds))
	}
	stats.Decide(answers)
	for i, m := range results.Metrics {
		run.Comparison = append(run.Comparison, results.Judged(m, answers[i], run.Targets[0].Rounds, run.Targets[1].Rounds))
	}
	return run
}

// commit saves a run, or with nil a failure.
func commit(t *testing.T, j *Journal, c Cell, run *results.Run) {
	t.Helper()
	e := Entry{Cell: c.Number, Settings: c.Settings, Position: c.Number, Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), DurationS: 9}
	if run == nil {
		e.Failure = "no lab"
		require.NoError(t, j.Commit(e, nil))
		return
	}
	text, err := json.Marshal(run)
	require.NoError(t, err)
	require.NoError(t, j.Commit(e, []results.File{{Name: results.Document, Body: text}}))
}

func TestLoad(t *testing.T) {
	j := begin(t, "workers=20;c=10,20,40,80")
	cells := j.Plan.Cells()
	commit(t, j, cells[0], fake(cells[0], 200, 200))
	invalid := fake(cells[1], 400, 800)
	invalid.Valid, invalid.InvalidReasons = false, []string{"closed_books: lost one"}
	invalid.Environment.Kernel = "other"
	commit(t, j, cells[1], invalid)
	commit(t, j, cells[3], nil)

	s, err := Load(j.Dir)
	require.NoError(t, err)
	validate(t, s)
	require.False(t, s.Complete)
	require.Equal(t, []string{"threadpool", "eventloop"}, s.Servers)
	require.Equal(t, []string{Valid, Invalid, Failed}, []string{s.Cells[0].Status, s.Cells[1].Status, s.Cells[2].Status})
	require.Equal(t, []string{"no lab"}, s.Cells[2].Reasons)
	require.Equal(t, "cell-0002", s.Cells[1].Folder)
	remarks := strings.Join(s.Remarks, "\n")
	require.Contains(t, remarks, "1 of 4 cells are not measured yet")
	require.Contains(t, remarks, "2 of 3 cells are not valid")
	require.Contains(t, remarks, "kernel  and other")

	var table bytes.Buffer
	require.NoError(t, WriteCSV(&table, s))
	rows, err := csv.NewReader(&table).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 4)
	require.Equal(t, []string{"cell", "step", "position", "workers", "concurrency", "status", "throughput_threadpool"}, rows[0][:7])
	require.Equal(t, []string{"2", "0", "2", "20", "20", "invalid"}, rows[2][:6])
	require.Equal(t, []string{"4", "0", "4", "20", "80", "failed", "", ""}, rows[3][:8])
}

func TestPlain(t *testing.T) {
	require.Equal(t, "", plain(math.NaN()))
	require.Equal(t, "", plain(math.Inf(1)))
	require.Equal(t, "0.5", plain(0.5))
}

func TestIs(t *testing.T) {
	require.True(t, Is(begin(t, "c=1").Dir))
	require.False(t, Is(t.TempDir()))
	_, err := Load(t.TempDir())
	require.Error(t, err)
	require.False(t, errors.Is(err, ErrBusy))
}
