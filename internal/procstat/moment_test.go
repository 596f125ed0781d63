package procstat

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func machine(pairs ...string) fstest.MapFS {
	root := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		root[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return root
}

const idleStat = "cpu  100 0 50 800 50 0 0 0 0 0\ncpu0 1 2 3\n"

func TestReadMoment(t *testing.T) {
	for name, c := range map[string]struct {
		root fstest.MapFS
		want Moment
	}{
		"time": {machine("proc/stat", "cpu  100 10 50 700 50 5 35 50 9 0\n"), Moment{TotalS: 10, BusyS: 2, StealS: 0.5}},
		"swap": {machine("proc/stat", idleStat, "proc/vmstat", "nr_free_pages 7\npswpin 3\npswpout 4\n"),
			Moment{TotalS: 10, BusyS: 1.5, SwappedPages: 7}},
		"quota, v2, own and above": {machine("proc/stat", idleStat, "proc/7/cgroup", "0::/a/b\n",
			"sys/fs/cgroup/a/b/cpu.stat", "usage_usec 5\nnr_periods 10\nnr_throttled 2\nthrottled_usec 9\n",
			"sys/fs/cgroup/a/cpu.stat", "nr_periods 20\nnr_throttled 3\n"),
			Moment{TotalS: 10, BusyS: 1.5, Periods: 30, Throttled: 5}},
		"quota, v2, a container's own root": {machine("proc/stat", idleStat, "proc/7/cgroup", "0::/\n",
			"sys/fs/cgroup/cpu.stat", "nr_periods 10\nnr_throttled 1\n"), Moment{TotalS: 10, BusyS: 1.5, Periods: 10, Throttled: 1}},
		"quota, v1": {machine("proc/stat", idleStat, "proc/7/cgroup", "5:memory:/m\n4:cpu,cpuacct:/a\n",
			"sys/fs/cgroup/cpu/a/cpu.stat", "nr_periods 10\nnr_throttled 4\nthrottled_time 99\n"),
			Moment{TotalS: 10, BusyS: 1.5, Periods: 10, Throttled: 4}},
		"two processes of one cgroup count once": {machine("proc/stat", idleStat, "proc/7/cgroup", "0::/a\n",
			"proc/8/cgroup", "0::/a\n", "sys/fs/cgroup/a/cpu.stat", "nr_periods 10\nnr_throttled 4\n"),
			Moment{TotalS: 10, BusyS: 1.5, Periods: 10, Throttled: 4}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ReadMoment(c.root, []int{7, 8, 9})
			require.NoError(t, err)
			require.InDelta(t, c.want.BusyS, got.BusyS, 1e-9)
			got.Time, got.BusyS, c.want.BusyS = c.want.Time, 0, 0
			require.Equal(t, c.want, got)
		})
	}
}

func TestReadMomentOfNonsense(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "too short": "cpu 1 2 3\n", "another file": "a b c d e f g h i\n", "words": "cpu a b c d e f g h\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadMoment(machine("proc/stat", text), nil)
			require.ErrorContains(t, err, "processor time")
		})
	}
	_, err := ReadMoment(machine(), nil)
	require.Error(t, err)
}

func TestMomentOfThisMachine(t *testing.T) {
	before, err := ReadMoment(os.DirFS("/"), []int{os.Getpid()})
	require.NoError(t, err)
	burn(30_000_000)
	after, err := ReadMoment(os.DirFS("/"), []int{os.Getpid()})
	require.NoError(t, err)
	d := after.Since(before)
	require.Positive(t, d.TotalS)
	require.GreaterOrEqual(t, d.BusyS, 0.0)
	require.LessOrEqual(t, d.BusyS, d.TotalS)
}

func FuzzReadMoment(f *testing.F) {
	f.Add(idleStat, "pswpin 3\n", "0::/a\n")
	f.Add("cpu 1e309 x", "pswpin", ":::/../..")
	f.Fuzz(func(t *testing.T, stat, vmstat, cgroup string) {
		m, err := ReadMoment(machine("proc/stat", stat, "proc/vmstat", vmstat, "proc/7/cgroup", cgroup), []int{7})
		require.True(t, err != nil || m.BusyS <= m.TotalS)
	})
}
