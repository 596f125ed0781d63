package lab

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBesideIsNotKnownOfAnAttachedLab(t *testing.T) {
	_, err := newLab().Beside()
	require.ErrorIs(t, err, ErrNotKnown)
}

func TestSetLatencyPutsASetting(t *testing.T) {
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, r.Method+" "+r.URL.Path+" "+string(body))
		if strings.Contains(string(body), "soon") {
			http.Error(w, "latency: no such model", http.StatusBadRequest)
		}
	}))
	defer server.Close()
	port, err := newAdmin("downstream-a", server.URL)
	require.NoError(t, err)
	d := &Downstream{Name: "a", admin: port}
	defer d.close()
	require.NoError(t, d.SetLatency(t.Context(), "exp:20ms"))
	require.ErrorContains(t, d.SetLatency(t.Context(), "soon"), "no such model")
	require.Equal(t, []string{`PUT /config {"latency":"exp:20ms"}`, `PUT /config {"latency":"soon"}`}, got)
}
