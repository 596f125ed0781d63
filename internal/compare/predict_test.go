package compare

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
)

func TestCalibratedIsTheCostOfOneRequest(t *testing.T) {
	m := soundEvidence(1).Rounds[0]
	c := calibrated(m, 0.05)
	f := figures(m)
	require.Equal(t, f.Completed, c.Requests)
	require.InDelta(t, 0.05e6/float64(f.Completed), float64(c.OtherCPUUS), 1e-9)
	require.Equal(t, f.ServerCPUUSPerRequest, c.ServerCPUUS)
	require.True(t, math.IsNaN(float64(calibrated(m, math.NaN()).OtherCPUUS)), "what is not known stays so")
	m.Load.OK2xx--
	require.Zero(t, calibrated(m, 0.05), "a failed request is no measure of the handler")
}

func TestPredictionsNeedCalibrationAndRounds(t *testing.T) {
	e := soundEvidence(2)
	e.Config.LatencyA, e.Config.LatencyB, e.Environment.GoMaxProcs = "20ms", "30ms", 2
	e.Config.Workers = 10
	require.Empty(t, e.Run().Predictions, "nothing was calibrated")
	for _, s := range (Sides{ThreadPool, EventLoop}) {
		e.Calibration = append(e.Calibration, results.Calibration{Server: string(s), Requests: 20, MeanMS: 1, ServerCPUUS: 400, OtherCPUUS: 300})
	}
	run := e.Run()
	require.Len(t, run.Predictions, 2)
	for i, p := range run.Predictions {
		require.Equal(t, run.Targets[i].Name, p.Server)
		require.Positive(t, float64(p.Predicted.ThroughputRPS))
		require.InDelta(t, run.Targets[i].Total.GoodputRPS, float64(p.Measured.ThroughputRPS), 1e-9)
		for _, law := range p.Laws {
			require.True(t, law.OK, law.Name)
		}
	}
	broken := run.Targets[0]
	broken.Ledger.BCalls--
	require.False(t, laws(broken)[3].OK)
	broken.Total.Sent++
	require.False(t, laws(broken)[1].OK)
	broken.LittlesLaw.Ratio = 1.2
	require.False(t, laws(broken)[0].OK)
	e.Rounds = nil
	require.Empty(t, e.Run().Predictions, "nothing was measured")
}

func TestForcedFlowOfRequestsThatFailed(t *testing.T) {
	for name, c := range map[string]struct {
		calls        int64
		sent, failed int
		relation     string
		rhs          float64
		ok           bool
	}{
		"all served":               {10, 10, 0, "=", 10, true},
		"a call lost":              {9, 10, 0, "=", 10, false},
		"a call too many":          {11, 10, 4, "=", 10, false},
		"rejected before any call": {6, 10, 4, ">=", 6, true},
		"failed after the call":    {10, 10, 4, ">=", 6, true},
		"served without a call":    {5, 10, 4, ">=", 6, false},
	} {
		t.Run(name, func(t *testing.T) {
			law := forcedFlow("B", c.calls, results.Figures{Sent: c.sent, Failed: c.failed})
			require.Equal(t, c.relation, law.Relation)
			require.InDelta(t, c.rhs, law.RHS, 0)
			require.Equal(t, c.ok, law.OK)
			require.Contains(t, law.Name, c.relation)
		})
	}
}
