package lab

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestKnobsOfPrograms(t *testing.T) {
	var put string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			body, err := io.ReadAll(r.Body)
			put = string(body)
			if err != nil || put == `{"latency":"bad"}` {
				http.Error(w, "no such model", http.StatusBadRequest)
			}
			return
		}
		_, _ = io.WriteString(w, `{"latency":"30ms","workers":20,"limits":{"latency":"x"}}`)
	}))
	defer server.Close()
	k, err := KnobsAt(map[string]string{"b": server.URL, "threadpool": ""})
	require.NoError(t, err)
	defer k.Close()

	for setting, want := range map[string]string{"latency": "30ms", "workers": "20"} {
		value, err := k.Setting(t.Context(), "b", setting)
		require.NoError(t, err)
		require.Equal(t, want, value)
	}
	_, err = k.Setting(t.Context(), "b", "colour")
	require.ErrorContains(t, err, `no "colour" in it`)
	require.NoError(t, k.Set(t.Context(), "b", "latency", "500ms"))
	require.Equal(t, `{"latency":"500ms"}`, put)
	require.ErrorContains(t, k.Set(t.Context(), "b", "latency", "bad"), "no such model")

	require.ErrorIs(t, k.Set(t.Context(), "threadpool", "workers", "5"), ErrNotKnown)
	_, err = k.Setting(t.Context(), "a", "latency")
	require.ErrorIs(t, err, ErrNotKnown, "a program that nobody named")
	require.ErrorContains(t, k.Set(t.Context(), "redis", "stopped", "true"), "only the cache that an embedded lab starts")
	_, err = KnobsAt(map[string]string{"a": "ftp://x"})
	require.Error(t, err)
}

func TestKnobsStopTheCache(t *testing.T) {
	l := start(t, embedded(t))
	k := l.Knobs()
	before, err := k.Setting(t.Context(), "redis", "stopped")
	require.NoError(t, err)
	require.Equal(t, "false", before)

	require.NoError(t, k.Set(t.Context(), "redis", "stopped", "true"))
	client := newRedisClient(l.Cache.Addr)
	defer client.Close()
	answered := make(chan error, 1)
	go func() { answered <- client.Ping(t.Context()).Err() }()
	select {
	case <-answered:
		t.Error("a stopped cache answered")
	case <-time.After(50 * time.Millisecond):
	}
	now, err := k.Setting(t.Context(), "redis", "stopped")
	require.NoError(t, err)
	require.Equal(t, "true", now)
	require.NoError(t, k.Set(t.Context(), "redis", "stopped", before))
	select {
	case <-answered:
	case <-time.After(20 * time.Second):
		t.Error("a cache that went on does not answer")
	}
	require.NoError(t, l.Err())
}
