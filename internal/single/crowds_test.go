package single

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
)

func TestCrowdsBesideARun(t *testing.T) {
	var crowd atomic.Int64
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.UserAgent(), "crowd") {
			crowd.Add(1)
			require.Equal(t, "/x?y=1", r.RequestURI)
			w.WriteHeader(http.StatusTeapot)
		}
		hello(w, r)
	}) + "/x?y=1"
	args := []string{"-k", "-c", "2", "-t", "0.4", "--with", "storm=20,within=0s", "--with", "idle=3;half-open=4"}
	text, err := run(t, url, append(args, "--format", "json")...)
	require.NoError(t, err)
	var x struct {
		ByStatus map[int]int `json:"by_status"`
		Crowds   []results.Crowd
		Requests Requests
	}
	require.NoError(t, json.Unmarshal([]byte(text), &x))
	require.EqualValues(t, 23, crowd.Load())
	require.Equal(t, map[int]int{200: x.Requests.Answered}, x.ByStatus, "no answer of a crowd is among them")
	require.Len(t, x.Crowds, 3)
	require.Equal(t, map[int]int{418: 20}, x.Crowds[0].ByStatus)
	require.Equal(t, 3, x.Crowds[1].StillOpen)
	require.Equal(t, 4, x.Crowds[2].StillOpen)

	for _, format := range []string{Text, Markdown} {
		text, err = run(t, url, append(args, "--format", format)...)
		require.NoError(t, err)
		require.Contains(t, text, "  storm=20,at=0s,within=0s\n")
		require.Contains(t, text, "answers by status 418: 20")
	}
}

func TestCrowdsThatCannotBe(t *testing.T) {
	for says, c := range map[string]struct {
		url  string
		args []string
	}{
		"no crowd":            {"http://127.0.0.1:1/", []string{"--with", "mob=5"}},
		"crowds speak no TLS": {"https://127.0.0.1:1/", []string{"--with", "idle=5"}},
		"above 2s":            {"http://127.0.0.1:1/", []string{"-t", "1", "--with", "storm=5,at=2s"}},
		"connections need":    {"http://127.0.0.1:1/", []string{"--with", "idle=1000000"}},
	} {
		_, err := NewPlan(t.Context(), optionsOf(t, c.args...), c.url)
		require.ErrorContains(t, err, says)
	}
}
