package procstat

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func TestReadHost(t *testing.T) {
	h, err := ReadHost()
	require.NoError(t, err)
	require.NotEmpty(t, h.Name)
	require.NotEmpty(t, h.Kernel)
	require.NotEmpty(t, h.Go)
	require.Positive(t, h.CPUs)
	require.Positive(t, h.GoMaxProcs)
	require.Positive(t, h.Somaxconn)
	require.Positive(t, h.NofileSoft)
	require.GreaterOrEqual(t, h.NofileHard, h.NofileSoft)
}

func TestReadListenDrops(t *testing.T) {
	before, err := ReadListenDrops()
	require.NoError(t, err)
	after, err := ReadListenDrops()
	require.NoError(t, err)
	require.GreaterOrEqual(t, after.Overflows, before.Overflows)
	require.GreaterOrEqual(t, after.Drops, before.Drops)
}

func TestCgroupQuota(t *testing.T) {
	files := func(pairs ...string) fstest.MapFS {
		root := fstest.MapFS{}
		for i := 0; i < len(pairs); i += 2 {
			root[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
		}
		return root
	}
	cases := map[string]struct {
		root fstest.MapFS
		want float64
	}{
		"v2, none": {files("proc/self/cgroup", "0::/\n"), 0},
		"v2, max":  {files("proc/self/cgroup", "0::/a\n", "sys/fs/cgroup/a/cpu.max", "max 100000\n"), 0},
		"v2, own":  {files("proc/self/cgroup", "0::/a\n", "sys/fs/cgroup/a/cpu.max", "150000 100000\n"), 1.5},
		"v2, the container's own root": {
			files("proc/self/cgroup", "0::/\n", "sys/fs/cgroup/cpu.max", "200000 100000\n"), 2},
		"v2, tightest above": {files("proc/self/cgroup", "0::/a/b\n", "sys/fs/cgroup/a/b/cpu.max", "400000 100000\n",
			"sys/fs/cgroup/a/cpu.max", "50000 100000\n"), 0.5},
		"v1": {files("proc/self/cgroup", "5:memory:/m\n4:cpu,cpuacct:/a\n",
			"sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "250000\n", "sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n"), 2.5},
		"v1, no quota": {files("proc/self/cgroup", "4:cpu,cpuacct:/a\n",
			"sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "-1\n", "sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n"), 0},
		"nonsense": {files("proc/self/cgroup", "what\n0::/a\n", "sys/fs/cgroup/a/cpu.max", "many few\n"), 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := cgroupQuota(c.root)
			require.NoError(t, err)
			require.InDelta(t, c.want, got, 1e-9)
		})
	}
	t.Run("no cgroup file", func(t *testing.T) {
		_, err := cgroupQuota(files())
		require.Error(t, err)
	})
}
