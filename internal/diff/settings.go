package diff

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"poolvsloop/internal/results"
)

// Difference is a setting that the runs do not share. Keys are those of run.json, with config, environment or versions in
// front.
type Difference struct {
	Key    string `json:"key"`
	First  string `json:"first"`
	Second string `json:"second"`
}

// load are the settings that say what work a round is: runs that differ in one of them can't be compared, since every
// figure would differ by that alone. All others (the pool, the loop, versions, the machine) may be what is compared.
var load = []string{
	"config.requests", "config.concurrency", "config.rate_rps", "config.arrivals", "config.in_flight", "config.duration_s", "config.keep_alive",
	"config.body_size_bytes", "config.at", "config.with",
	"config.timeout_s", "config.latency_a", "config.latency_b", "config.concurrency_limit_a", "config.concurrency_limit_b",
	"config.rate_limit_a_rps", "config.rate_limit_b_rps", "config.hit_ratio", "config.keys", "config.seed", "config.lab",
}

// plain are those that say nothing about the figures: where things are, and what is printed.
var plain = []string{
	"config.name", "config.results", "config.format", "config.quiet", "config.threadpool", "config.eventloop",
	"config.threadpool_admin", "config.eventloop_admin", "config.downstream_a_admin", "config.downstream_b_admin",
	"config.cost", "config.cost_rate_rps", "config.cost_connections",
}

// Differences returns the settings, parts of the environment and versions that differ, in the order of their keys.
func Differences(first, second *results.Run) ([]Difference, error) {
	a, err := flat(first)
	if err != nil {
		return nil, err
	}
	b, err := flat(second)
	if err != nil {
		return nil, err
	}
	differences := []Difference{}
	for _, key := range sortedKeys(a, b) {
		if a[key] != b[key] && !slices.Contains(plain, key) {
			differences = append(differences, Difference{Key: key, First: orNone(a, key), Second: orNone(b, key)})
		}
	}
	return differences, nil
}

// work returns an error that names the differences in the work that a round is, or nil.
func work(differences []Difference) error {
	var texts []string
	for _, d := range differences {
		if slices.Contains(load, d.Key) {
			texts = append(texts, fmt.Sprintf("%s %s and %s", d.Key, d.First, d.Second))
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return fmt.Errorf("a round is not the same work in both: %s", strings.Join(texts, ", "))
}

// flat is the configuration and the environment of a run, as text by key.
func flat(run *results.Run) (results.Settings, error) {
	environment := run.Environment
	text, err := json.Marshal(map[string]any{"config.": run.Config, "environment.": environment})
	if err != nil {
		return nil, fmt.Errorf("read the settings of %s: %w", run.ID, err)
	}
	var parts map[string]map[string]any
	if err := json.Unmarshal(text, &parts); err != nil {
		return nil, fmt.Errorf("read the settings of %s: %w", run.ID, err)
	}
	all := results.Settings{}
	for prefix, part := range parts {
		for key, value := range results.ReadSettings(part) {
			all[prefix+key] = value
		}
	}
	return all, nil
}

func sortedKeys(a, b results.Settings) []string {
	var keys []string
	for _, settings := range []results.Settings{a, b} {
		for key := range settings {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

func orNone(s results.Settings, key string) string {
	if value, ok := s[key]; ok && value != "" {
		return value
	}
	return "none"
}
