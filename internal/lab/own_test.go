package lab

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOwnReadsTheSumsOfHistograms(t *testing.T) {
	var own Own
	require.NoError(t, own.addTimes([]byte(`# TYPE lab_service_seconds histogram
lab_service_seconds_bucket{server="threadpool",le="+Inf"} 4
lab_service_seconds_sum{server="threadpool"} 0.25
lab_service_seconds_count{server="threadpool"} 4
# TYPE lab_queue_wait_seconds histogram
lab_queue_wait_seconds_bucket{le="+Inf"} 4
lab_queue_wait_seconds_sum 0.5
lab_queue_wait_seconds_count 4
`)))
	require.Equal(t, Own{ServiceS: 0.25, QueueS: 0.5, Served: 4}, own)
	require.Error(t, own.addTimes([]byte("lab_service_seconds_sum many\n")))
}

func TestOwnSince(t *testing.T) {
	before := &Own{Answered: 10, DescriptorsFull: 1, ServiceS: 1, QueueS: 2, Served: 9, InFlight: 3}
	after := &Own{Answered: 15, DescriptorsFull: 1, ServiceS: 1.5, QueueS: 2.25, Served: 14, InFlight: 0}
	require.Equal(t, &Own{Answered: 5, ServiceS: 0.5, QueueS: 0.25, Served: 5}, after.Since(before))
	var none *Own
	require.Nil(t, none.Since(before))
	require.Nil(t, after.Since(nil))
}
