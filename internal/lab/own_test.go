package lab

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOwnReadsTheStats(t *testing.T) {
	for name, c := range map[string]struct {
		stats string
		want  Own
	}{
		"thread pool": {
			`{"counts":{"answered":7,"service_s":0.25},"pool":{"queued_s":0.5},"listener":{"descriptors_full":2}}`,
			Own{Answered: 7, DescriptorsFull: 2, ServiceS: 0.25, QueueS: 0.5},
		},
		"event loop": {
			`{"counts":{"answered":7,"service_s":0.25},"loops":[{"busy_s":1}],"listener":{"descriptors_full":0}}`,
			Own{Answered: 7, ServiceS: 0.25},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				_, _ = io.WriteString(w, c.stats)
			}))
			defer s.Close()
			port, err := newAdmin(name, s.URL)
			require.NoError(t, err)
			defer port.client.CloseIdleConnections()
			own, err := (&Target{admin: port}).Own(t.Context())
			require.NoError(t, err)
			require.Equal(t, &c.want, own)
		})
	}
}

func TestOwnSince(t *testing.T) {
	before := &Own{Answered: 10, DescriptorsFull: 1, ServiceS: 1, QueueS: 2}
	after := &Own{Answered: 15, DescriptorsFull: 1, ServiceS: 1.5, QueueS: 2.25}
	require.Equal(t, &Own{Answered: 5, ServiceS: 0.5, QueueS: 0.25}, after.Since(before))
	var none *Own
	require.Nil(t, none.Since(before))
	require.Nil(t, after.Since(nil))
}
