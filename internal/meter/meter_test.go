package meter

import (
	"bytes"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/stretchr/testify/require"

	"poolvsloop/internal/accept"
	"poolvsloop/internal/flow"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// everything counts each thing a different number of times, so that a mix-up shows.
func everything() *Server {
	s := New("threadpool")
	s.Watch(func() accept.Stats {
		return accept.Stats{
			BacklogAsked: 1, Backlog: 2, QueueDepth: 3, MaxConnsAsked: 4, MaxConns: 5, Open: 6,
			Accepted: 7, DescriptorsFull: 8, BlockedSeconds: 9.5,
		}
	})
	times(1, func() { s.Response(200) })
	times(2, func() { s.Response(503) })
	times(3, func() { s.Response(7) })
	for r := QueueFull; r <= LagLimit; r++ {
		times(10+int(r), func() { s.Rejected(r) })
	}
	times(20, func() { s.Abandoned(Queued) })
	times(21, func() { s.Abandoned(InService) })
	for p := HeaderTimeout; p <= IdleTimeout; p++ {
		times(30+int(p), func() { s.TimedOut(p) })
	}
	for target := flow.DownstreamA; target <= flow.CPU; target++ {
		for f := flow.OK; f <= flow.Malformed; f++ {
			times(100*int(target)+int(f), func() { s.Called(target, f) })
		}
	}
	for target := flow.DownstreamA; target <= flow.Cache; target++ {
		times(int(target), func() { s.Resent(target) })
	}
	times(4, s.CacheFailed)
	times(6, s.Panicked)
	s.Idle(5)
	s.Idle(-2)
	s.InFlight(9)
	s.Service(30 * time.Millisecond)
	return s
}

func times(n int, do func()) {
	for range n {
		do()
	}
}

func TestNamesLabelsAndValues(t *testing.T) {
	const golden = "testdata/metrics.txt"
	families, err := everything().Registry().Gather()
	require.NoError(t, err)
	var names []string
	for _, f := range families {
		if strings.HasPrefix(f.GetName(), "lab_") && !strings.HasPrefix(f.GetName(), "lab_listen_overflows") &&
			!strings.HasPrefix(f.GetName(), "lab_listen_drops") {
			names = append(names, f.GetName())
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(golden, format(t, families, names), 0o600))
	}
	want, err := os.Open(golden)
	require.NoError(t, err)
	defer want.Close()
	require.NoError(t, testutil.GatherAndCompare(everything().Registry(), want, names...))
}

func format(t *testing.T, families []*dto.MetricFamily, names []string) []byte {
	t.Helper()
	var out bytes.Buffer
	for _, f := range families {
		if slices.Contains(names, f.GetName()) {
			_, err := expfmt.MetricFamilyToText(&out, f)
			require.NoError(t, err)
		}
	}
	return out.Bytes()
}

func TestProcessAndHostMetricsAreThere(t *testing.T) {
	families, err := New("eventloop").Registry().Gather()
	require.NoError(t, err)
	var names []string
	for _, f := range families {
		names = append(names, f.GetName())
		for _, m := range f.GetMetric() {
			require.Contains(t, m.String(), `name:"server"`, f.GetName())
		}
	}
	for _, name := range []string{
		"lab_listen_overflows_total", "lab_listen_drops_total", "go_sched_latencies_seconds", "go_goroutines",
		"go_build_info", "process_cpu_seconds_total", "process_open_fds", "process_resident_memory_bytes",
	} {
		require.Contains(t, names, name)
	}
}

func TestRegisterAddsTheServerLabel(t *testing.T) {
	s := New("threadpool")
	own := prometheus.NewGauge(prometheus.GaugeOpts{Name: "lab_pool_workers", Help: "x"})
	s.Register(own)
	own.Set(3)
	require.NoError(t, testutil.GatherAndCompare(s.Registry(), strings.NewReader(
		"# HELP lab_pool_workers x\n# TYPE lab_pool_workers gauge\nlab_pool_workers{server=\"threadpool\"} 3\n"),
		"lab_pool_workers"))
	require.Panics(t, func() { s.Register(own) })
}

func TestCounts(t *testing.T) {
	c := everything().Counts()
	require.Equal(t, map[string]uint64{"200": 1, "503": 2, "other": 3}, c.Responses)
	require.EqualValues(t, 6, c.Answered)
	require.EqualValues(t, 13, c.Rejected["lag_limit"])
	require.EqualValues(t, 21, c.Abandoned["in_service"])
	require.EqualValues(t, 32, c.TimedOut["write"])
	require.EqualValues(t, 102, c.Calls["downstream_a"]["late"])
	require.EqualValues(t, 303, c.Calls["cache"]["malformed"])
	require.Len(t, c.Calls, 3, "waits and CPU steps are no calls")
	require.EqualValues(t, 2, c.Resent["downstream_b"])
	require.EqualValues(t, 4, c.CacheFailOpen)
	require.EqualValues(t, 6, c.Panics)
	require.EqualValues(t, 9, c.InFlight)
	require.EqualValues(t, 3, c.Idle)
}

func TestHotPathDoesNotAllocate(t *testing.T) {
	s := New("threadpool")
	require.Zero(t, testing.AllocsPerRun(100, func() {
		s.Response(200)
		s.Called(flow.Cache, flow.OK)
		s.Service(time.Millisecond)
		s.InFlight(1)
	}))
}

func BenchmarkRequest(b *testing.B) {
	s := New("threadpool")
	b.ReportAllocs()
	for b.Loop() {
		s.InFlight(1)
		s.Called(flow.DownstreamA, flow.OK)
		s.Called(flow.Cache, flow.OK)
		s.Called(flow.DownstreamB, flow.OK)
		s.Response(200)
		s.Service(time.Millisecond)
		s.InFlight(-1)
	}
}
