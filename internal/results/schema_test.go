package results

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"poolvsloop/internal/abreport"
)

const schemaFile = "../../results/schema.json"

// node is what the tests look at in a schema.
type node struct {
	Ref         string          `json:"$ref"`
	Description string          `json:"description"`
	Type        any             `json:"type"`
	Properties  map[string]node `json:"properties"`
	Required    []string        `json:"required"`
	Items       *node           `json:"items"`
	Additional  json.RawMessage `json:"additionalProperties"`
	Defs        map[string]node `json:"$defs"`
}

func readSchema(t *testing.T) node {
	t.Helper()
	text, err := os.ReadFile(schemaFile)
	require.NoError(t, err)
	var root node
	require.NoError(t, json.Unmarshal(text, &root))
	return root
}

// TestSchemaDescribesEveryField walks the Go types and the schema together: every field has an entry with a
// description, and every entry a field.
func TestSchemaDescribesEveryField(t *testing.T) {
	root := readSchema(t)
	var walk func(path string, typ reflect.Type, n node)
	walk = func(path string, typ reflect.Type, n node) {
		if n.Ref != "" {
			n = root.Defs[strings.TrimPrefix(n.Ref, "#/$defs/")]
		}
		if typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		switch {
		case typ.Kind() == reflect.Slice:
			require.NotNil(t, n.Items, path)
			walk(path+"[]", typ.Elem(), *n.Items)
		case typ.Kind() == reflect.Struct && typ != reflect.TypeFor[time.Time]():
			require.Equal(t, "false", string(n.Additional), "%s allows unknown keys", path)
			var keys []string
			for _, field := range reflect.VisibleFields(typ) {
				key := field.Tag.Get("json")
				require.NotEmpty(t, key, "%s.%s has no key", path, field.Name)
				keys = append(keys, key)
				entry, ok := n.Properties[key]
				require.True(t, ok, "%s.%s is not in the schema", path, key)
				require.NotEmpty(t, entry.Description, "%s.%s has no description", path, key)
				walk(path+"."+key, field.Type, entry)
			}
			for key := range n.Properties {
				require.Contains(t, keys, key, "%s: the schema knows a key that no field has", path)
			}
			slices.Sort(keys)
			require.Equal(t, keys, slices.Sorted(slices.Values(n.Required)), "%s: every key is required", path)
		}
	}
	walk("run", reflect.TypeFor[Run](), root)
}

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	schema, err := compiler.Compile(schemaFile)
	require.NoError(t, err)
	return schema
}

func TestRunMatchesTheSchema(t *testing.T) {
	schema := compileSchema(t)
	for name, c := range map[string]struct {
		change func(*Run)
		ok     bool
	}{
		"whole":             {func(*Run) {}, true},
		"figure not known":  {func(r *Run) { r.Comparison[0].Ratio = Number(math.NaN()) }, true},
		"no stages told":    {func(r *Run) { r.Targets[0].Stages = nil }, true},
		"p99 of too few":    {func(r *Run) { r.Targets[0].Stages.B.P99MS = Unknown }, true},
		"stages of nobody":  {func(r *Run) { r.Targets[0].Stages.Samples = 0 }, false},
		"unknown verdict":   {func(r *Run) { r.Comparison[0].Verdict = "draw" }, false},
		"unknown server":    {func(r *Run) { r.Targets[0].Name = "nginx" }, false},
		"negative count":    {func(r *Run) { r.Targets[1].Total.Reset = -1 }, false},
		"no clients":        {func(r *Run) { r.Config.Concurrency = 0 }, false},
		"reasons not given": {func(r *Run) { r.InvalidReasons = nil }, false},
	} {
		t.Run(name, func(t *testing.T) {
			run := example()
			c.change(run)
			text, err := json.Marshal(run)
			require.NoError(t, err)
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
			require.NoError(t, err)
			if err := schema.Validate(value); c.ok {
				require.NoError(t, err)
			} else {
				require.Error(t, err)
			}
		})
	}
}

func TestRunSurvivesJSON(t *testing.T) {
	run := example()
	text, err := json.Marshal(run)
	require.NoError(t, err)
	var back Run
	require.NoError(t, json.Unmarshal(text, &back))
	require.Equal(t, *run, back)

	run.Comparison[0].CILow = Number(math.Inf(1))
	text, err = json.Marshal(run)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &back))
	require.True(t, math.IsNaN(float64(back.Comparison[0].CILow)))
}

// example is a small run with every list filled.
func example() *Run {
	round := func(order int, throughput float64) Figures {
		return Figures{
			Order: order, Requests: 100, Sent: 100, Completed: 100, DurationS: 0.5, ThroughputRPS: throughput,
			GoodputRPS: throughput, MeanMS: 50, P50MS: 50, P99MS: 51, MaxMS: 52, ServerCPUUSPerRequest: 80,
			ServerRSSBytes: 1 << 24, ServerThreads: 9, CtxSwitchesPerRequest: 4,
		}
	}
	target := func(name string, rounds ...Figures) Target {
		return Target{
			Name: name, URL: "http://127.0.0.1:1/v1", Steady: []Course{{Order: 1, Verdict: "flat", Change: 0.01, PValue: 0.4}}, Rounds: rounds, Total: rounds[0],
			Crowds: []Crowd{{
				Spec: "storm=5,at=0s,within=100ms", Kind: "storm", Clients: 5, Rounds: 2, Started: 10, Opened: 10, Answered: 10,
				ByStatus: map[int]int{200: 10}, Causes: map[string]int{"no": 0}, ConnectsBySecond: map[int]int{1: 2}, SYNRetried: 2,
			}},
			Timeline: []Timeline{{
				Order: 1, BaseP50MS: 50, BaseGoodRPS: 200, Before: map[string]string{"b.latency": "30ms"},
				Events: []Event{{AtS: 10, Program: "b", Setting: "latency", Value: "30ms", LagMS: 0.1, TookMS: 2, EndsFault: true,
					Recovery: Recovered, RecoveredS: 3}},
			}},
			Series:       []Series{{Order: 1, Seconds: []Second{{Answered: 100, OK2xx: 100, P50MS: 50, P99MS: 51, MaxMS: 52}}}},
			AB:           &abreport.Summary{Host: "127.0.0.1", Complete: 200, Served: []abreport.Served{{Percent: 50, US: 50_000}}},
			ServerConfig: map[string]any{"backlog": "4096"}, Limits: map[string]any{"backlog": "4096"},
			Stages:   &Stages{Samples: 500, SlowestSamples: 5, A: Stage{MeanMS: 20, P50MS: 20, P99MS: 21, SlowestMeanMS: 22}},
			Fairness: Fairness{Connections: 10, Min: 10, Median: 10, Max: 10, Jain: 1},
		}
	}
	return &Run{
		Schema: Schema, ID: "20260102T030405Z-test", Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Argv: []string{"loadrunner"}, Valid: true, InvalidReasons: []string{},
		Environment: Environment{Versions: map[string]string{"github.com/panjf2000/gnet/v2": "v2.9.7"}},
		Config: Config{
			Concurrency: 10, Arrivals: "poisson", Rounds: 2, Order: "abba", Margin: 0.03, At: []string{"10s b.latency=30ms"}, With: []string{"idle=5"}, Lab: "embedded", Format: "text", Warmup: Seconds(1500 * time.Millisecond),
		},
		Targets: []Target{
			target("threadpool", round(1, 200), round(4, 201)), target("eventloop", round(2, 202), round(3, 203)),
		},
		Comparison: []Comparison{{
			Metric: "throughput", Unit: "req/s", Better: Higher, ThreadPool: 200.5, EventLoop: 202.5, Ratio: 1.01,
			CILow: 0.99, CIHigh: 1.02, PValue: 0.3, Verdict: "tie",
		}},
		Calibration: []Calibration{{Server: "threadpool", Requests: 20, MeanMS: 51, WaitMS: 50, ServerCPUUS: 400, OtherCPUUS: 300}},
		Explanations: []Explanation{{
			Server: "threadpool", Bottleneck: "workers", Change: "raise --workers to 200", PredictedRPS: 1989,
			Resources: []Resource{{Name: "workers", Used: 19.9, Of: 20, Unit: "workers", Share: 0.995}},
		}},
		Predictions: []Prediction{{
			Server: "threadpool", Model: "M/M/c/K", Bounds: []Bound{{Name: "N/(S+D)", Means: "the workers", RPS: 400}},
			ModelOff: []string{"p99"}, Weak: []string{"heavy tail"}, Laws: []Law{{Name: "Little", LHS: 10, Relation: "=", RHS: 10, OK: true}},
		}},
		Checks: []Check{{Name: "closed books", OK: true, Status: Passed, Unit: "requests", Detail: "100 = 100"}},
	}
}

// TestTheExampleMatchesTheSchema: what a reader finds beside the schema is described by it, field by field.
func TestTheExampleMatchesTheSchema(t *testing.T) {
	files, err := filepath.Glob("../../results/*/run.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		require.NoError(t, err)
		require.NoError(t, compileSchema(t).Validate(value), file)
	}
}
