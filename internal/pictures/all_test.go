package pictures

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"poolvsloop/internal/results"
)

const example = "../../results/example"

var update = flag.Bool("update", false, "write the pictures of results/example anew")

func readExample(t testing.TB) Data {
	t.Helper()
	run, err := results.Load(example)
	require.NoError(t, err)
	d, err := Read(run, func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(example, name)) })
	require.NoError(t, err)
	return d
}

// TestGolden draws the committed example run. After a change of the pictures, loadrunner report --format html
// results/example makes them anew, and so does -update.
func TestGolden(t *testing.T) {
	all, _, err := All(readExample(t))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(all), 4)
	for _, p := range all {
		path := filepath.Join(example, p.Name+".svg")
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(p.File()), 0o644))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, string(want) == p.File(), "%s is another picture: go run ./loadrunner report --format html results/example makes it anew", path)
		require.Less(t, len(want), 20_000, "a picture is small")
	}
}

// words are an element of text in an SVG.
type words struct {
	ID   string `xml:"id,attr"`
	Text string `xml:",chardata"`
}

// TestPicturesCanBeReadWithoutEyes: each is well-formed and says what it is.
func TestPicturesCanBeReadWithoutEyes(t *testing.T) {
	all, _, err := All(readExample(t))
	require.NoError(t, err)
	for _, p := range all {
		for kind, text := range map[string]string{"inline": p.Inline(), "file": p.File()} {
			var svg struct {
				Role  string `xml:"role,attr"`
				By    string `xml:"aria-labelledby,attr"`
				Title words  `xml:"title"`
				Desc  words  `xml:"desc"`
			}
			require.NoError(t, xml.Unmarshal([]byte(text), &svg), "%s, %s", p.Name, kind)
			require.Equal(t, "img", svg.Role)
			require.Equal(t, svg.Title.ID+" "+svg.Desc.ID, svg.By)
			require.Equal(t, p.Title, svg.Title.Text)
			require.Equal(t, p.Text, svg.Desc.Text, p.Name)
			require.Regexp(t, `\d`, svg.Desc.Text, "the figures are in the text")
			require.NotContains(t, text, "NaN")
		}
		require.NotEmpty(t, p.Sees)
	}
}

func TestWhatCannotBeDrawnSaysWhy(t *testing.T) {
	empty := &results.Run{Valid: true, Targets: []results.Target{{Name: "threadpool"}, {Name: "eventloop"}}}
	d, err := Read(empty, func(string) ([]byte, error) { return nil, os.ErrNotExist })
	require.NoError(t, err)
	all, left, err := All(d)
	require.NoError(t, err)
	require.Empty(t, all)
	for _, l := range left {
		require.NotEmpty(t, l.Title)
		require.NotEmpty(t, l.Why)
	}

	_, err = Read(empty, func(string) ([]byte, error) { return nil, errors.New("broken disk") })
	require.ErrorContains(t, err, "broken disk")
	_, err = Read(empty, func(string) ([]byte, error) { return []byte("1,1,1,no histogram\n"), nil })
	require.ErrorContains(t, err, "read threadpool-response.hlog")
}

func TestNamesAreEscaped(t *testing.T) {
	d := readExample(t)
	d.Run.Targets[0].Name = `<script>"&`
	d.Response[d.Run.Targets[0].Name] = d.Response["threadpool"]
	all, _, err := All(d)
	require.NoError(t, err)
	for _, p := range all {
		require.NotContains(t, p.Inline()+p.File(), "<script>")
		decoder := xml.NewDecoder(strings.NewReader(p.File()))
		for err = nil; err == nil; {
			_, err = decoder.Token()
		}
		require.ErrorIs(t, err, io.EOF)
	}
}

// TestNoFigureBreaksAPicture: run.json may hold anything.
func TestNoFigureBreaksAPicture(t *testing.T) {
	whole := readExample(t)
	times := hdr.New(1, 100, 1)
	require.NoError(t, times.RecordValue(7))
	for name := range whole.Response {
		whole.Response[name] = []results.Interval{{Times: times}}
	}
	rapid.Check(t, func(r *rapid.T) {
		figure := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, -1, 1, 1e308, 1e-308, math.NaN(), math.Inf(1)}))
		number := func() results.Number { return results.Number(figure.Draw(r, "figure")) }
		run := *whole.Run
		run.Config.Margin = figure.Draw(r, "margin")
		run.Config.Concurrency = rapid.IntRange(-10, 300).Draw(r, "clients")
		run.Config.Workers = rapid.IntRange(-10, 300).Draw(r, "workers")
		run.Comparison = append([]results.Comparison{}, whole.Run.Comparison...)
		for i := range run.Comparison {
			c := &run.Comparison[i]
			c.Ratio, c.CILow, c.CIHigh = number(), number(), number()
		}
		run.Predictions = append([]results.Prediction{}, whole.Run.Predictions...)
		for i := range run.Predictions {
			p := &run.Predictions[i]
			p.Measured.ThroughputRPS, p.Measured.MeanMS, p.KneeClients = number(), number(), number()
		}
		run.Calibration = append([]results.Calibration{}, whole.Run.Calibration...)
		for i := range run.Calibration {
			c := &run.Calibration[i]
			c.MeanMS, c.ServerCPUUS, c.OtherCPUUS = figure.Draw(r, "mean"), figure.Draw(r, "cpu"), number()
		}
		run.Targets = append([]results.Target{}, whole.Run.Targets...)
		for i := range run.Targets {
			t := &run.Targets[i]
			t.Series = []results.Series{{Order: 1, Seconds: []results.Second{
				{Answered: 3, OK2xx: 2, P50MS: number(), P99MS: number()}, {Second: 1, OK2xx: 5, P50MS: number(), P99MS: number()},
			}}}
		}
		_, _, _ = All(Data{Run: &run, Response: whole.Response})
	})
}
