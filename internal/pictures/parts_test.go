package pictures

import (
	"image/color"
	"math"
	"testing"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/recorder"
)

func TestTicks(t *testing.T) {
	labels := func(all []plot.Tick) (texts []string) {
		for _, x := range all {
			if x.Label != "" {
				texts = append(texts, x.Label)
			}
		}
		return texts
	}
	for name, c := range map[string]struct {
		ticker    plot.Ticker
		low, high float64
		want      []string
	}{
		"from zero":           {ticks(4), 0, 400, []string{"0", "100", "200", "300", "400"}},
		"below one":           {ticks(4), 0, 0.9, []string{"0", "0.5"}},
		"away from zero":      {ticks(4), 48, 190, []string{"50", "100", "150"}},
		"too large to tell":   {ticks(4), 1e18, 1e18 + 1000, nil},
		"no logarithm":        {logTicks{}, 0, 10, nil},
		"nothing between":     {ticks(4), 5, 5, nil},
		"within a decade":     {logTicks{}, 50, 200, []string{"50", "100", "150", "200"}},
		"over two decades":    {logTicks{}, 40, 900, []string{"50", "100", "200", "500"}},
		"over many decades":   {logTicks{}, 0.9, 10_000, []string{"1", "10", "100", "1000", "10000"}},
		"percentiles":         {percentTicks{}, 1.0 / 20_000, 1, []string{"0", "50 %", "90 %", "99 %", "99.9 %", "99.99 %"}},
		"few percentiles":     {percentTicks{}, 0.01, 1, []string{"0", "50 %", "90 %", "99 %"}},
		"shares":              {rareTicks{}, 0.0009, 1, []string{"all", "1 in 10", "1 in 100", "1 in 1000"}},
		"times on both sides": {timesTicks{}, 0.4, 4, []string{"equal", "2×", "2×"}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, labels(c.ticker.Ticks(c.low, c.high))) })
	}
}

func TestTail(t *testing.T) {
	times := hdr.New(1, 1e9, 3)
	for i := range 1000 {
		require.NoError(t, times.RecordValue(int64(1000*(i+1))))
	}
	points := tail(times)
	require.Equal(t, plotter.XY{X: 1, Y: 1}, points[0])
	last := points[len(points)-1]
	require.InDelta(t, 0.001, last.X, 1e-12, "one of a thousand")
	require.InEpsilon(t, 999, last.Y, 0.002)
	for i, p := range points[1:] {
		require.Less(t, p.X, points[i].X)
		require.InEpsilon(t, 1000*(1-p.X)+1e-9, p.Y, 0.02, "the times are spread evenly: %v", p)
	}
	sure, luck := split(points, times.TotalCount())
	require.Equal(t, sure[len(sure)-1], luck[0], "no gap between them")
	require.GreaterOrEqual(t, sure[len(sure)-1].X*1000, 10.0)
	require.Less(t, luck[1].X*1000, 10.0)
}

// TestTheCurveGoesThroughThePrediction: what theory expects for other numbers of clients is what run.json has for that of
// the run.
func TestTheCurveGoesThroughThePrediction(t *testing.T) {
	models, why := readExample(t).models()
	require.Empty(t, why)
	require.Len(t, models, 2)
	for _, m := range models {
		p := m.at(m.inputs.Clients)
		require.InEpsilon(t, float64(m.of.Predicted.ThroughputRPS), p.Throughput, 1e-6, m.server)
		require.InEpsilon(t, float64(m.of.Predicted.MeanMS), 1e3*p.Mean, 1e-6, m.server)
		require.InEpsilon(t, float64(m.of.KneeClients), p.Knee, 1e-6)
	}
}

func TestAdvantagesPointToTheBetterServer(t *testing.T) {
	for _, a := range advantages(readExample(t).Run) {
		if a.ink() != even {
			require.Equal(t, map[ink]string{first: "threadpool", second: "eventloop"}[a.ink()], a.verdict, a.name)
		}
		require.LessOrEqual(t, a.lo, a.ratio, a.name)
		require.GreaterOrEqual(t, a.hi, a.ratio, a.name)
	}
}

// luminance and contrast are those of WCAG 2.2.
func luminance(c color.RGBA) float64 {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

func contrast(a, b color.RGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestTextCanBeRead(t *testing.T) {
	for _, i := range []ink{body, soft, first, second, even, loud} {
		require.GreaterOrEqual(t, contrast(looks[i].light, looks[paper].light), 4.5, looks[i].name)
		require.GreaterOrEqual(t, contrast(looks[i].dark, looks[paper].dark), 4.5, looks[i].name)
	}
}

func TestTheEncoderSaysWhatItHasNoWordsFor(t *testing.T) {
	half := vg.Path{}
	half.Arc(vg.Point{}, 1, 0, math.Pi)
	for name, actions := range map[string][]recorder.Action{
		"a turn":             {&recorder.Rotate{Angle: 1}},
		"no ink":             {&recorder.SetColor{Color: color.Black}, &recorder.SetLineWidth{Width: 1}, &recorder.Stroke{}},
		"a part of a circle": {&recorder.SetColor{Color: first}, &recorder.Fill{Path: half}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := encode(actions, 100)
			require.ErrorContains(t, err, "draw a picture: ")
		})
	}
}

func TestTheEncoderJoinsWhatLooksAlike(t *testing.T) {
	stroke := func(x, y vg.Length) *recorder.Stroke {
		p := vg.Path{}
		p.Move(vg.Point{})
		p.Line(vg.Point{X: x, Y: y})
		return &recorder.Stroke{Path: p}
	}
	svg, err := encode([]recorder.Action{
		&recorder.SetColor{Color: faint{second, 0.5}}, &recorder.SetLineWidth{Width: 2}, stroke(1.26, 100), stroke(3, 0),
		&recorder.SetLineWidth{Width: 0}, stroke(9, 9), &recorder.SetLineWidth{Width: 1}, &recorder.SetLineDash{Dashes: []vg.Length{2, 3}}, stroke(4, 4),
	}, 100)
	require.NoError(t, err)
	require.Equal(t, `<path class="line s-second" stroke-opacity="0.5" stroke-width="2" d="M0 100L1.3 0M0 100L3 100"/>`+"\n"+
		`<path class="line s-second" stroke-opacity="0.5" stroke-width="1" stroke-dasharray="2 3" d="M0 100L4 96"/>`+"\n", svg)
}
