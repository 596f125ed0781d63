package pictures

import (
	"encoding/xml"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
	"poolvsloop/internal/sweep"
)

// cellsOf is a sweep of that grid, whose cells have the example's run with those verdicts on goodput, one after the other.
func cellsOf(t *testing.T, along string, axes []sweep.Axis, verdicts ...string) *sweep.Sweep {
	t.Helper()
	s := &sweep.Sweep{Servers: []string{"threadpool", "eventloop"}, Axes: axes, Along: along}
	plan, run := sweep.Plan{Axes: axes}, readExample(t).Run
	for i, c := range plan.Cells() {
		verdict := verdicts[i%len(verdicts)]
		cell := sweep.CellResult{Entry: sweep.Entry{Cell: c.Number, Settings: c.Settings}, Status: sweep.Valid, Comparison: slices.Clone(run.Comparison), Run: run}
		for _, target := range run.Targets {
			cell.Servers = append(cell.Servers, sweep.Server{Name: target.Name, Total: target.Total})
		}
		if verdict == sweep.Invalid {
			cell.Status = sweep.Invalid
		}
		for j := range cell.Comparison {
			r := &cell.Comparison[j]
			r.Verdict = verdict
			if r.Ratio = 1; verdict == "eventloop" {
				r.Ratio = 2
			}
			if (verdict == "eventloop") == (r.Better == results.Lower) {
				r.Ratio = 1 / r.Ratio
			}
		}
		s.Cells = append(s.Cells, cell)
	}
	return s
}

func axis(knob string, values ...string) sweep.Axis { return sweep.Axis{Knob: knob, Values: values} }

// requireSound: a picture is well-formed, without figures that are none, and has the whole in words.
func requireSound(t *testing.T, p Picture) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(p.File()))
	var err error
	for err == nil {
		_, err = decoder.Token()
	}
	require.ErrorIs(t, err, io.EOF, p.Name)
	require.NotContains(t, p.File(), "NaN")
	require.NotEmpty(t, p.Sees)
	require.Regexp(t, `\d`, p.Text)
}

func TestTheMapOfASweep(t *testing.T) {
	grid := []sweep.Axis{axis("workers", "10", "40"), axis("concurrency", "5", "20")}
	s := cellsOf(t, "concurrency", grid, "eventloop", "tie", "inconclusive", sweep.Invalid)
	all, left, err := OfSweep(s)
	require.NoError(t, err)
	require.Empty(t, left)
	p := all[0]
	requireSound(t, p)
	require.Equal(t, "map-goodput", p.Name)
	require.Equal(t, "Of 4 cells, named better is the event loop in 1. Grey is a tie; “?” is inconclusive, “!” not valid.", p.Sees)
	require.Contains(t, p.Text, "workers=10 concurrency=5: eventloop 2.00×; workers=10 concurrency=20: tie; workers=40 concurrency=5: "+
		"inconclusive; workers=40 concurrency=20: invalid.")
	for mark, times := range map[string]int{
		`<path class="f-second" fill-opacity="0.4"`: 1, `<path class="f-even" fill-opacity="0.4"`: 1, ">2.00×<": 1, ">?<": 1, ">invalid<": 1,
		">tie<": 2, // once in the key
	} {
		require.Equal(t, times, strings.Count(p.elements, mark), mark)
	}
	require.NotContains(t, p.elements, `class="f-first" fill-opacity`, "no cell names it")
}

func TestTheCurvesOfASweep(t *testing.T) {
	for name, c := range map[string]struct {
		along string
		grid  []sweep.Axis
		want  []string
	}{
		"clients, with what theory says of any number": {
			"concurrency", []sweep.Axis{axis("workers", "10", "40"), axis("concurrency", "5", "20", "80")},
			[]string{"Throughput and response time, workers=10", "Throughput and response time, workers=40"},
		},
		"workers, far apart":  {"workers", []sweep.Axis{axis("workers", "1", "10", "100")}, []string{"Throughput and response time"}},
		"workers, from a few": {"workers", []sweep.Axis{axis("workers", "10", "11")}, []string{"Throughput and response time"}},
		"times":               {"latency-b", []sweep.Axis{axis("latency-b", "5ms", "50ms")}, []string{"Throughput and response time"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := cellsOf(t, c.along, c.grid, "eventloop")
			s.Crossings = []sweep.Crossing{{Settings: s.Cuts(c.along)[0].Settings, From: "tie", To: "eventloop", Above: 5, Below: 20}}
			all, left, err := OfSweep(s)
			require.NoError(t, err)
			require.Empty(t, left)
			var titles []string
			for _, p := range all[2:] {
				requireSound(t, p)
				titles = append(titles, p.Title)
				for _, stroke := range []string{"s-first", "s-second"} {
					require.Contains(t, p.elements, `class="line `+stroke+`" stroke-opacity="0.25" stroke-width="5"`, "a bound")
					require.Contains(t, p.elements, `class="line `+stroke+`" stroke-width="1.5"`, "a prediction")
				}
			}
			require.Equal(t, c.want, titles)
			require.Contains(t, all[2].Sees, "no clear lead, then eventloop ahead")
			require.Contains(t, all[2].elements, `class="f-even" fill-opacity="0.18"`)
		})
	}
	s := cellsOf(t, "latency-b", []sweep.Axis{axis("latency-b", "5ms", "50ms")}, "tie")
	all, _, err := OfSweep(s)
	require.NoError(t, err)
	require.Contains(t, all[2].Text, "latency-b, ms 5, thread pool ", "times are in ms")
}

func TestASweepThatCannotBeDrawnSaysWhy(t *testing.T) {
	one, two := axis("workers", "10"), axis("concurrency", "5", "20")
	many := axis("keys", "1", "2", "3", "4", "5", "6", "7")
	search := cellsOf(t, "", []sweep.Axis{two}, "tie")
	search.Search = &sweep.Search{}
	for name, c := range map[string]struct {
		s   *sweep.Sweep
		why []string
	}{
		"nothing measured": {&sweep.Sweep{}, []string{"nothing was measured yet"}},
		"a search": {search, []string{"the steps of a search are no grid", "the steps of a search are no grid",
			"no knob of numbers leads from cell to cell in a closed loop"}},
		"one cell": {cellsOf(t, "", []sweep.Axis{one}, "tie"), []string{"no knob of the grid has two values", "no knob of the grid has two values",
			"no knob of numbers leads from cell to cell in a closed loop"}},
		"too many": {cellsOf(t, "concurrency", []sweep.Axis{axis("workers", "1", "2", "3", "4", "5", "6", "7", "8"), two, many}, "tie"),
			[]string{"there would be 7 maps, more than 6", "there would be 7 maps, more than 6", "there would be 56 along concurrency, more than 6"}},
		"none valid": {cellsOf(t, "concurrency", []sweep.Axis{two}, sweep.Invalid), []string{"there are no two valid cells along concurrency"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, left, err := OfSweep(c.s)
			require.NoError(t, err)
			var why []string
			for _, l := range left {
				why = append(why, l.Why)
			}
			require.Equal(t, c.why, why)
		})
	}
}

func TestManyColumnsHaveRoom(t *testing.T) {
	var values []string
	for i := range 13 {
		values = append(values, strings.Repeat("9", 2+i/3))
	}
	ticks := named(values, 1)
	require.Less(t, len(ticks), 8)
	require.Equal(t, values[0], ticks[0].Label)
	s := cellsOf(t, "concurrency", []sweep.Axis{axis("concurrency", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10")}, "eventloop", sweep.Invalid)
	all, _, err := OfSweep(s)
	require.NoError(t, err)
	require.NotContains(t, all[0].elements, "2.00")
	require.Contains(t, all[0].elements, ">!<", "what is not valid is marked all the same")
}
