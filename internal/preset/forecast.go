package preset

import (
	"fmt"

	"poolvsloop/internal/predict"
	"poolvsloop/internal/results"
	"poolvsloop/internal/single"
)

// forecast is what is known before anything runs: for steps that compare what the models of internal/predict say with the
// costs of the example run, for all others that nothing was measured.
func (p *Preset) forecast(quick bool, cores int) (map[string]any, error) {
	known := p.sample()
	for i := range p.Steps {
		s := &p.Steps[i]
		if s.Compare == nil {
			continue
		}
		predictions, err := s.predictions(quick, cores)
		if err != nil {
			return nil, fmt.Errorf("predict step %s: %w", s.Name.Text, err)
		}
		c, _ := s.comparison(quick) // it could be predicted
		run := &results.Run{Predictions: predictions, Config: c}
		for _, p := range predictions {
			run.Targets = append(run.Targets, results.Target{Name: p.Server})
			in := p.Inputs
			run.Calibration = append(run.Calibration, results.Calibration{
				Server: p.Server, MeanMS: in.WaitMS + in.OverheadMS + (in.CPUUS+in.OtherCPUUS)/1e3, WaitMS: in.WaitMS,
			})
		}
		step := compared(run)
		for _, name := range servers {
			step[name].(map[string]any)["good"] = known[s.Name.Text].(map[string]any)[name].(map[string]any)["good"]
		}
		step["checks"] = map[string]any{s.Invalid: ""}
		known[s.Name.Text] = step
	}
	return known, nil
}

// predictions are those of both servers for a step that compares.
func (s *Step) predictions(quick bool, cores int) ([]results.Prediction, error) {
	c, err := s.comparison(quick)
	if err != nil {
		return nil, err
	}
	return predict.Forecast{
		Config: c, Load: predict.Load{Rate: c.Rate, Evenly: c.Open() && c.Arrivals != single.PoissonArrivals}, Costs: predict.Costs, Cores: cores,
	}.Predictions()
}
