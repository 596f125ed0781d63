package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAskComesBeforeTheAnswer: nothing is answered before the dependency has answered 200, and its failures fail the call.
func TestAskComesBeforeTheAnswer(t *testing.T) {
	var asked atomic.Int64
	var status atomic.Int64
	status.Store(http.StatusOK)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.WriteHeader(int(status.Load()))
	}))
	defer other.Close()
	d := start(t, "--latency", "0s", "--ask", other.URL+"/v1/hold?ms=1")
	path := d.url + "/customers/c-1"
	for i, want := range []struct{ of, answer int }{{200, 200}, {503, 502}, {404, 502}, {200, 200}} {
		status.Store(int64(want.of))
		got, err := d.try(http.MethodGet, path, fmt.Sprint(i), "")
		require.NoError(t, err)
		require.Equal(t, want.answer, got.status, got.body)
		require.EqualValues(t, i+1, asked.Load())
	}
	other.Close()
	got, err := d.try(http.MethodGet, path, "gone", "")
	require.NoError(t, err)
	require.Equal(t, http.StatusBadGateway, got.status)
	require.NoError(t, d.Change([]byte(`{"ask":""}`)))
	got, err = d.try(http.MethodGet, path, "none", "")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, got.status)
	r := d.Report()
	require.Equal(t, []uint64{6, 3, 3}, []uint64{r.Calls, r.Answered, r.Errors}, "the books hold")
}

func TestAskIsAURL(t *testing.T) {
	for _, bad := range []string{"127.0.0.1:80", "https://127.0.0.1/", "http:///path", "http://[::1"} {
		c := DefaultConfig()
		c.Name, c.Backlog, c.ErrorStatus, c.Ask = "a", 1, 500, bad
		require.ErrorContains(t, c.Validate(), "--ask", bad)
	}
}
