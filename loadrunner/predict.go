package main

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poolvsloop/internal/compare"
	"poolvsloop/internal/config"
	"poolvsloop/internal/predict"
	"poolvsloop/internal/program"
	"poolvsloop/internal/report"
)

// forecast is what the flags of loadrunner predict say.
type forecast struct {
	predict.Forecast
	cpu, otherCPU time.Duration
	format        string
}

// predictCommand predicts without measuring.
func predictCommand() *cobra.Command {
	var f forecast
	cmd := &cobra.Command{
		Use:   "predict",
		Short: "Predict what both servers would do, without starting them",
		Long: "Derives throughput, response times, busy workers and queue of both servers from the settings alone, by queueing\n" +
			"theory and a simulation, and says what bounds them and from how many clients on requests queue. METHOD.md says\n" +
			"what that may claim. loadrunner compare prints its own predictions beside what it measured.",
		Args: cobra.NoArgs,
	}
	f.bind(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		text, err := f.text(cmd.Flags().Changed("cpu"))
		if err != nil {
			return program.Usage(err)
		}
		return show(cmd.OutOrStdout(), text)
	}
	return cmd
}

func (f *forecast) bind(fs *pflag.FlagSet) {
	compare.BindSystem(fs, &f.Config)
	fs.Float64Var(&f.Load.Rate, "rate", 0, "open loop: `arrivals` a second in place of the clients; 0 = closed loop")
	fs.BoolVar(&f.Load.Evenly, "evenly", false, "open loop: arrivals are evenly spaced, not a Poisson process")
	config.SecondsVar(fs, &f.Load.Think, "think", "", 0, "closed loop: `pause` of a client before its next request")
	fs.IntSliceVar(&f.Clients, "sweep-c", nil, "closed loop: predict for these `numbers` of clients, as 1,10,50")
	fs.DurationVar(&f.cpu, "cpu", 0, fmt.Sprintf("CPU `time` of a request on either server; without it what the example run "+
		"measured: %v on the thread pool, %v on the event loop", predict.Costs[predict.ThreadPool].CPU, predict.Costs[predict.EventLoop].CPU))
	fs.DurationVar(&f.otherCPU, "other-cpu", 0, "CPU `time` of a request in programs that share the servers' processors")
	fs.IntVar(&f.Cores, "cores", runtime.GOMAXPROCS(0), "processors")
	fs.StringVar(&f.format, "format", compare.Text, "what is printed: text, json or markdown")
}

// text is what is printed. cpuGiven says that --cpu was.
func (f *forecast) text(cpuGiven bool) (string, error) {
	cost := f.setCosts(cpuGiven)
	err := errors.Join(compare.ValidateSystem(f.Config), f.Validate(),
		config.OneOf("format", f.format, compare.Text, compare.JSON, compare.Markdown))
	if err != nil {
		return "", err
	}
	all, err := f.Predictions()
	if err != nil {
		return "", err
	}
	switch f.format {
	case compare.JSON:
		return indented(all)
	case compare.Markdown:
		return report.MarkdownForecast(all), nil
	}
	return report.Forecast(all, cost), nil
}

// setCosts takes the cost of a request from the flags, and says in words what it is.
func (f *forecast) setCosts(cpuGiven bool) string {
	f.Costs = map[string]predict.Cost{}
	for server, cost := range predict.Costs {
		cost.OtherCPU = f.otherCPU
		if cpuGiven {
			cost.CPU = f.cpu
		}
		f.Costs[server] = cost
	}
	if cpuGiven {
		return fmt.Sprintf("it costs %v of CPU time, and %v in other programs on the same processors", f.cpu, f.otherCPU)
	}
	return fmt.Sprintf("it costs %v of CPU time on the thread pool and %v on the event loop, as in results/example, and %v in "+
		"other programs on the same processors", f.Costs[predict.ThreadPool].CPU, f.Costs[predict.EventLoop].CPU, f.otherCPU)
}
