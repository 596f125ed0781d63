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
			`{"counts":{"answered":7,"service_s":0.25},"pool":{"queued_s":0.5,"workers_busy_s":0.125},"listener":{"descriptors_full":2}}`,
			Own{Answered: 7, DescriptorsFull: 2, ServiceS: 0.25, QueueS: 0.5, WorkersS: 0.125},
		},
		"event loop": {
			`{"counts":{"answered":7,"service_s":0.25},"loops":[{"busy_s":1,"lag_s":0.5,"ticks":10},{"busy_s":2,"ticks":5}],"listener":{"descriptors_full":0}}`,
			Own{Answered: 7, ServiceS: 0.25, LoopsS: 3, LagS: 0.5, Ticks: 15},
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
			require.Equal(t, c.want, own)
		})
	}
}

func TestOwnOfAServerThatDoesNotTell(t *testing.T) {
	_, err := (&Target{}).Own(t.Context())
	require.ErrorIs(t, err, ErrNotKnown)
}

func TestOwnAddsUp(t *testing.T) {
	before := Own{Answered: 10, DescriptorsFull: 1, ServiceS: 1, QueueS: 2, WorkersS: 3, LoopsS: 4, LagS: 5, Ticks: 6}
	grown := Own{Answered: 5, DescriptorsFull: 2, ServiceS: 0.5, QueueS: 0.25, WorkersS: 1, LoopsS: 2, LagS: 0.125, Ticks: 7}
	require.Equal(t, grown, before.Add(grown).Since(before))
}
