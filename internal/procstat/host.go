package procstat

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"runtime"
	"strconv"
	"strings"

	"github.com/prometheus/procfs"
	"github.com/shirou/gopsutil/v4/cpu"
	"github.com/shirou/gopsutil/v4/host"
	"golang.org/x/sys/unix"
)

// Host is the machine that a program runs on, and the limits it sets. Every field is as read at one moment.
type Host struct {
	// Name is the hostname, Kernel the release of the running kernel, Go the version that built this program.
	Name   string `json:"host"`
	Kernel string `json:"kernel"`
	Go     string `json:"go"`
	// CPUModel is the first CPU's name, CPUs the number this process may run on (its affinity mask at start).
	CPUModel string `json:"cpu_model"`
	CPUs     int    `json:"cpus"`
	// GoMaxProcs is the number of OS threads that run Go code at once.
	GoMaxProcs int `json:"gomaxprocs"`
	// CgroupQuota is the CPU quota of this process's cgroup or the tightest above it, in CPUs; 0 is none.
	CgroupQuota float64 `json:"cgroup_quota"`
	// Somaxconn cuts the backlog of every listening socket of the network namespace.
	Somaxconn int `json:"somaxconn"`
	// NofileSoft and NofileHard are the descriptor limits of this process.
	NofileSoft uint64 `json:"nofile"`
	NofileHard uint64 `json:"nofile_hard"`
}

// ReadHost reads the host. What cannot be read is an error that names it; the other fields are still filled.
func ReadHost() (Host, error) {
	h := Host{Go: runtime.Version(), CPUs: runtime.NumCPU(), GoMaxProcs: runtime.GOMAXPROCS(0)}
	var errs []error
	h.Name = read(&errs, "hostname", os.Hostname)
	h.Kernel = read(&errs, "kernel release", host.KernelVersion)
	h.CPUModel = read(&errs, "CPU model", cpuModel)
	h.CgroupQuota = read(&errs, "cgroup CPU quota", func() (float64, error) { return cgroupQuota(os.DirFS("/")) })
	h.Somaxconn = read(&errs, "somaxconn", somaxconn)
	limit := read(&errs, "descriptor limit", nofile)
	h.NofileSoft, h.NofileHard = limit.Cur, limit.Max
	return h, errors.Join(errs...)
}

func read[T any](errs *[]error, what string, from func() (T, error)) T {
	value, err := from()
	if err != nil {
		*errs = append(*errs, fmt.Errorf("read %s: %w", what, err))
	}
	return value
}

func cpuModel() (string, error) {
	infos, err := cpu.Info()
	if err != nil || len(infos) == 0 {
		return "", err
	}
	return infos[0].ModelName, nil
}

func nofile() (unix.Rlimit, error) {
	var limit unix.Rlimit
	err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit)
	return limit, err
}

// somaxconn reads net.core.somaxconn of this network namespace.
func somaxconn() (int, error) {
	text, err := os.ReadFile("/proc/sys/net/core/somaxconn")
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(text)))
}

// cgroupQuota returns the CPU quota, in CPUs, of this process's cgroup or the tightest one above it; 0 is no quota. It
// reads cgroup v2 (cpu.max) and v1 (cpu.cfs_quota_us) under root, the file system's root.
func cgroupQuota(root fs.FS) (float64, error) {
	text, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0, err
	}
	tightest := 0.0
	for line := range strings.Lines(string(text)) {
		mount, group := cpuController(line)
		if mount == "" {
			continue
		}
		read := quotaV1
		if mount == mountV2 {
			read = quotaV2
		}
		quota := tightestAbove(root, mount, group, read)
		if quota > 0 && (tightest == 0 || quota < tightest) {
			tightest = quota
		}
	}
	return tightest, nil
}

// tightestAbove walks from the cgroup up to the mount point: a container sees its own cgroup as the root, and files
// that are not there mean no quota on that level.
func tightestAbove(root fs.FS, mount, group string, quota func(fs.FS, string) float64) float64 {
	tightest := 0.0
	for dir := path.Clean("/" + group); ; dir = path.Dir(dir) {
		if q := quota(root, path.Join(mount, dir)); q > 0 && (tightest == 0 || q < tightest) {
			tightest = q
		}
		if dir == "/" {
			return tightest
		}
	}
}

// quotaV2 reads "QUOTA PERIOD" or "max PERIOD", both in microseconds.
func quotaV2(root fs.FS, dir string) float64 {
	text, err := fs.ReadFile(root, path.Join(dir, "cpu.max"))
	if err != nil {
		return 0
	}
	quota, period, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
	return ratio(quota, period)
}

// quotaV1 reads two files in microseconds; a quota of -1 is none.
func quotaV1(root fs.FS, dir string) float64 {
	quota, err1 := fs.ReadFile(root, path.Join(dir, "cpu.cfs_quota_us"))
	period, err2 := fs.ReadFile(root, path.Join(dir, "cpu.cfs_period_us"))
	if err1 != nil || err2 != nil {
		return 0
	}
	return ratio(strings.TrimSpace(string(quota)), strings.TrimSpace(string(period)))
}

func ratio(quota, period string) float64 {
	q, err1 := strconv.ParseFloat(quota, 64)
	p, err2 := strconv.ParseFloat(period, 64)
	if err1 != nil || err2 != nil || q <= 0 || p <= 0 {
		return 0
	}
	return q / p
}

// ListenDrops are counters of the network namespace since its start: handshakes that a full kernel accept queue turned away.
type ListenDrops struct {
	// Overflows is TcpExt ListenOverflows, Drops is TcpExt ListenDrops (which includes other reasons).
	Overflows, Drops uint64
}

// ReadListenDrops reads the counters from /proc/self/net/netstat.
func ReadListenDrops() (ListenDrops, error) {
	self, err := procfs.Self()
	if err != nil {
		return ListenDrops{}, err
	}
	netstat, err := self.Netstat()
	if err != nil {
		return ListenDrops{}, err
	}
	if netstat.ListenOverflows == nil || netstat.ListenDrops == nil {
		return ListenDrops{}, errors.New("netstat has no TcpExt ListenOverflows or ListenDrops")
	}
	return ListenDrops{Overflows: uint64(*netstat.ListenOverflows), Drops: uint64(*netstat.ListenDrops)}, nil
}
