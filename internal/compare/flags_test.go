package compare

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
)

// parse reads a command line as the command does.
func parse(t *testing.T, args ...string) (results.Config, error) {
	t.Helper()
	var c results.Config
	fs := pflag.NewFlagSet("compare", pflag.ContinueOnError)
	Bind(fs, &c)
	if err := fs.Parse(args); err != nil {
		return c, err
	}
	return c, Resolve(fs, &c)
}

func TestTheDefaultRunIsTheKnownOne(t *testing.T) {
	c, err := parse(t)
	require.NoError(t, err)
	require.Equal(t, results.Config{
		Name: "compare", Requests: 5000, Concurrency: 50, Arrivals: "poisson", Rounds: 4, Order: ABBA, Fresh: 2, Margin: 0.03, Warmup: results.Seconds(time.Second),
		Timeout: results.Seconds(30 * time.Second), BodySize: 256, Workers: 200, Queue: 100, QueueFull: "503",
		Worker: "thread", Dispatch: "request", Stack: "wire", Mistake: "none", LatencyA: "20ms", LatencyB: "30ms",
		HitRatio: 0.9, Keys: 1000, Seed: 1, Lab: "embedded", Results: "../../results", Format: "text",
	}, c)
}

func TestRequestsAndDuration(t *testing.T) {
	for name, c := range map[string]struct {
		args     []string
		requests int
		duration time.Duration
	}{
		"neither":             {nil, 5000, 0},
		"requests":            {[]string{"-n", "100"}, 100, 0},
		"time in seconds":     {[]string{"-t", "10"}, 0, 10 * time.Second},
		"time with a unit":    {[]string{"-t", "250ms"}, 0, 250 * time.Millisecond},
		"whichever is first":  {[]string{"-t", "1.5", "-n", "100"}, 100, 1500 * time.Millisecond},
		"no time after all":   {[]string{"-t", "0"}, 5000, 0},
		"time without number": {[]string{"-t", "2s", "-n", "0", "-c", "9"}, 0, 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := parse(t, c.args...)
			require.NoError(t, err)
			require.Equal(t, c.requests, got.Requests)
			require.Equal(t, results.Seconds(c.duration), got.Duration)
		})
	}
}

func TestBadFlagsAreNamed(t *testing.T) {
	for args, names := range map[string][]string{
		"--rate 10 -c 5":                   {"--concurrency", "--rate"},
		"--rate=-1":                        {"--rate"},
		"--rate NaN":                       {"--rate"},
		"--arrivals constant":              {"--arrivals", "--rate"},
		"--rate 10 --arrivals x":           {"--arrivals"},
		"-n -1":                            {"--requests"},
		"-n 0":                             {"--requests", "--duration"},
		"-n 10 -c 20":                      {"--concurrency"},
		"-c 0 --rounds 0 --keys 0":         {"--concurrency", "--rounds", "--keys"},
		"--hit-ratio 1.5 --body-size 3":    {"--hit-ratio", "--body-size"},
		"--timeout 0":                      {"--timeout"},
		"--warmup=-1s":                     {"--warmup"},
		"-t never":                         {"--duration"},
		"-t NaN":                           {"--duration"},
		"-t 1e300":                         {"--duration"},
		"--timeout 2h":                     {"--timeout"},
		"--lab compose":                    {"--lab"},
		"--format xml":                     {"--format"},
		"--name ../up":                     {"--name"},
		"--queue-full drop --worker fiber": {"--queue-full", "--worker"},
		"--mistake sleep --stack net/http": {"--mistake", "--stack"},
		"--threadpool http://127.0.0.1:1":  {"--threadpool", "--lab=attach"},
		"--lab attach": {"--threadpool", "--eventloop", "--threadpool-admin", "--eventloop-admin", "--downstream-a-admin",
			"--downstream-b-admin", "--redis"},
		"--lab attach --workers 3":                   {"--workers"},
		"--latency-a= --latency-b=":                  {"--latency-a", "--latency-b"},
		"--concurrency-limit-a=-1 --rate-limit-b=-1": {"--concurrency-limit-a", "--rate-limit-b"},
		"--lab attach --rate-limit-a 5":              {"--rate-limit-a"},
		"--max-inflight=-1 --loops=-1":               {"--max-inflight", "--loops"},
		"--queue=-2 --workers=0 --results=":          {"--queue", "--workers", "--results"},
	} {
		t.Run(args, func(t *testing.T) {
			_, err := parse(t, strings.Fields(args)...)
			require.Error(t, err)
			for _, name := range names {
				require.ErrorContains(t, err, name)
			}
		})
	}
}

// TestEveryFlagIsInTheConfig compares the flags with the keys of run.json's config, which say the unit as well.
func TestEveryFlagIsInTheConfig(t *testing.T) {
	text, err := json.Marshal(results.Config{})
	require.NoError(t, err)
	var keys map[string]any
	require.NoError(t, json.Unmarshal(text, &keys))

	fs := pflag.NewFlagSet("compare", pflag.ContinueOnError)
	Bind(fs, new(results.Config))
	fs.VisitAll(func(f *pflag.Flag) {
		key := strings.ReplaceAll(f.Name, "-", "_")
		for _, unit := range []string{"", "_s", "_bytes", "_rps"} {
			if _, ok := keys[key+unit]; ok {
				delete(keys, key+unit)
				return
			}
		}
		t.Errorf("--%s is not in the config", f.Name)
	})
	require.Empty(t, keys, "keys that no flag sets")
}
