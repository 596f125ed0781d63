package compare

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"poolvsloop/internal/cost"
	"poolvsloop/internal/load"
	"poolvsloop/internal/results"
)

func bindCost(fs *pflag.FlagSet, c *results.Config) {
	fs.BoolVar(&c.Cost, "cost", false,
		"after the rounds, measure what a request costs at one rate for both servers and what an idle connection does; takes a minute more")
	fs.Float64Var(&c.CostRate, "cost-rate", 0, "that rate, in `requests` a second; 0 = half of what the slower server answered in the rounds")
	fs.IntVar(&c.CostConnections, "cost-connections", 0,
		fmt.Sprintf("most idle `connections`; 0 = %d, or fewer where servers or descriptors allow no more", cost.MostConnections))
}

func validateCost(fs *pflag.FlagSet, c results.Config) error {
	own, err := load.MostConnections()
	if err != nil {
		return err
	}
	return checkCost(fs, c, max(0, own-spare))
}

// checkCost is what is wrong with the flags of costs where descriptors allow most idle connections.
func checkCost(fs *pflag.FlagSet, c results.Config, most int) error {
	return errors.Join(
		unless(c.Cost || !fs.Changed("cost-rate"), "--cost-rate needs --cost"),
		unless(c.Cost || !fs.Changed("cost-connections"), "--cost-connections needs --cost"),
		unless(c.CostRate >= 0 && c.CostRate <= load.MaxRate, "--cost-rate %g: want 0 to %g", c.CostRate, float64(load.MaxRate)),
		unless(c.CostConnections == 0 || c.CostConnections >= cost.LeastConnections, "--cost-connections %d: want %d or more",
			c.CostConnections, cost.LeastConnections),
		unless(!c.Cost || max(c.CostConnections, cost.LeastConnections) <= most,
			"--cost-connections %d: the limit of descriptors allows %d; raise it with ulimit -n",
			max(c.CostConnections, cost.LeastConnections), most),
		unless(!c.Cost || len(c.With) == 0 && len(c.At) == 0,
			"--cost measures servers that nothing disturbs: take it without --with and --at"),
	)
}
