package lab

import (
	"context"
	"encoding/json"
	"fmt"

	"poolvsloop/internal/procstat"
)

// Target is one server under test.
type Target struct {
	// Name is the folder's, binary's and service's name, such as "threadpool".
	Name string
	// URL is http://host:port, without a path.
	URL string

	admin *admin
	pid   int // 0 for an attached server
}

// Config returns what the server says of itself: every resolved flag and every effective limit (GET /config).
func (t *Target) Config(ctx context.Context) (map[string]any, error) {
	var config map[string]any
	return config, t.admin.get(ctx, "/config", &config)
}

// Usage returns what the server's process has used so far: of a child from /proc, which costs the server nothing; of an
// attached server from the "process" object of its /stats. Compare two of one target by [procstat.Usage.Since].
func (t *Target) Usage(ctx context.Context) (procstat.Usage, error) {
	if t.pid != 0 {
		return procstat.Process(t.pid)
	}
	var stats struct {
		Process json.RawMessage `json:"process"`
	}
	if err := t.admin.get(ctx, "/stats", &stats); err != nil {
		return procstat.Usage{}, err
	}
	usage := procstat.Usage{ReadWriteCalls: -1} // a server of another version does not tell
	if len(stats.Process) == 0 {
		return usage, fmt.Errorf("%s: /stats has no \"process\" object", t.admin)
	}
	if err := json.Unmarshal(stats.Process, &usage); err != nil {
		return procstat.Usage{}, fmt.Errorf("%s: \"process\" of /stats: %w", t.admin, err)
	}
	return usage, nil
}

// PID is the server's process, 0 for an attached one.
func (t *Target) PID() int { return t.pid }

// Collect has the server collect its garbage and give free memory back (POST /gc), so that what it holds is what it
// needs.
func (t *Target) Collect(ctx context.Context) error { return t.admin.post(ctx, "/gc") }

// close lets go of connections; it works on nil, a server that did not come up.
func (t *Target) close() {
	if t != nil {
		t.admin.close()
	}
}
