package single

import (
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
)

// knob is the admin port of a program with one setting.
type knob struct {
	mu    sync.Mutex
	value string
	puts  []string
}

func (k *knob) serve(w http.ResponseWriter, r *http.Request) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if r.Method == http.MethodPut {
		var change map[string]string
		if err := json.NewDecoder(r.Body).Decode(&change); err != nil || change["latency"] == "66ms" {
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		k.value = change["latency"]
		k.puts = append(k.puts, k.value)
	}
	_, _ = io.WriteString(w, `{"latency":"`+k.value+`"}`)
}

func TestEventsOfARun(t *testing.T) {
	k := &knob{value: "30ms"}
	admin := serve(t, k.serve)
	text, err := run(t, serve(t, hello), "-c", "2", "-t", "0.3", "--at", "100ms b.latency=500ms", "--at", "200ms b.latency=30ms",
		"--downstream-b-admin", admin, "--format", "json")
	require.NoError(t, err)
	var x struct {
		Series   []results.Second
		Timeline results.Timeline
		Requests Requests
	}
	require.NoError(t, json.Unmarshal([]byte(text), &x))
	require.Equal(t, []string{"500ms", "30ms", "30ms"}, k.puts, "the last one puts it back")
	require.Len(t, x.Timeline.Events, 2)
	require.True(t, x.Timeline.Events[1].EndsFault)
	answered := 0
	for _, s := range x.Series {
		answered += s.Answered
	}
	require.Equal(t, x.Requests.Answered, answered)

	for _, format := range []string{Text, Markdown} {
		text, err = run(t, serve(t, hello), "-t", "0.2", "--at", "100ms b.latency=500ms", "--downstream-b-admin", admin, "--format", format)
		require.NoError(t, err)
		require.Contains(t, text, "no event ends the fault: none goes back to b.latency=30ms")
	}
	text, err = run(t, serve(t, hello), "-t", "0.2", "--at", "100ms b.latency=66ms", "--downstream-b-admin", admin)
	require.ErrorContains(t, err, `event "100ms b.latency=66ms" failed`)
	require.Contains(t, text, "INVALID: event")
	require.Equal(t, "30ms", k.value)
}

func TestEventsThatCannotBeCarriedOut(t *testing.T) {
	for says, args := range map[string][]string{
		"needs --downstream-b-admin": {"-t", "5", "--at", "1s b.latency=1s"},
		"above 1s":                   {"-t", "1", "--at", "1s b.latency=1s", "--downstream-b-admin", "127.0.0.1:1"},
		"above 2s":                   {"-n", "9", "--at", "2s b.latency=1s", "--downstream-b-admin", "127.0.0.1:1"},
		"only the cache that":        {"-t", "5", "--at", "1s redis.stopped=true"},
		"want TIME PROGRAM.SETTING=": {"-t", "5", "--at", "1s"},
	} {
		_, err := NewPlan(t.Context(), optionsOf(t, args...), "http://127.0.0.1:1/")
		require.ErrorContains(t, err, says)
		require.ErrorContains(t, err, "--at")
	}
	p, err := NewPlan(t.Context(), optionsOf(t, "-t", "5", "--at", "1s b.latency=1s", "--downstream-b-admin", "127.0.0.1:1"), "http://127.0.0.1:1/")
	require.NoError(t, err)
	_, err = Measure(t.Context(), p)
	require.ErrorContains(t, err, "read b.latency, which an event changes", "nothing was sent")
}
