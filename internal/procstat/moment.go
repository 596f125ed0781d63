package procstat

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"
)

// ticksPerSecond is USER_HZ, the unit of /proc/stat, on every architecture that Go runs on.
const ticksPerSecond = 100

// Moment is what the machine has counted up to one moment, since its start. Take two and [Moment.Since] to see what
// happened between them.
type Moment struct {
	// Time is when it was read; it has the wall clock and the monotonic one.
	Time time.Time
	// TotalS is the processor time of all processors in seconds, BusyS the part in which they ran anything, StealS the
	// part that the hypervisor gave to others.
	TotalS, BusyS, StealS float64
	// SwappedPages is how many pages went to or came from swap.
	SwappedPages uint64
	// Periods and Throttled are those of the CPU quotas of the cgroups that were looked at: all, and those in which the
	// quota ran out.
	Periods, Throttled uint64
	// Listen are the handshakes that full kernel accept queues turned away, in the network namespace of this process.
	Listen ListenDrops
}

// ReadMoment reads root, the file system's root, but for Listen. pids are the processes whose cgroups are looked at; one
// that has ended, and a file for swap or quota that is not there, count nothing. An error is a /proc/stat that cannot be
// read.
func ReadMoment(root fs.FS, pids []int) (Moment, error) {
	m := Moment{Time: time.Now()}
	text, err := fs.ReadFile(root, "proc/stat")
	if err != nil {
		return m, fmt.Errorf("read the processor time of the machine: %w", err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	// cpu user nice system idle iowait irq softirq steal guest guest_nice (proc_stat(5)); user has guest in it.
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return m, fmt.Errorf("read the processor time of the machine: /proc/stat begins %.60q, want \"cpu\" and 8 numbers", line)
	}
	var idle float64
	for i, field := range fields[1:9] {
		count, err := strconv.ParseUint(field, 10, 64)
		if err != nil {
			return m, fmt.Errorf("read the processor time of the machine: /proc/stat: %q is no number", field)
		}
		seconds := float64(count) / ticksPerSecond
		m.TotalS += seconds
		switch i {
		case 3, 4:
			idle += seconds
		case 7:
			m.StealS = seconds
		}
	}
	m.BusyS = m.TotalS - idle - m.StealS
	pages := numbers(root, "proc/vmstat")
	m.SwappedPages = pages["pswpin"] + pages["pswpout"]
	for dir := range quotaDirs(root, pids) {
		stat := numbers(root, path.Join(dir, "cpu.stat"))
		m.Periods += stat["nr_periods"]
		m.Throttled += stat["nr_throttled"]
	}
	return m, nil
}

// Since returns what was counted between before and m. Time stays that of m.
func (m Moment) Since(before Moment) Moment {
	m.TotalS -= before.TotalS
	m.BusyS -= before.BusyS
	m.StealS -= before.StealS
	m.SwappedPages -= before.SwappedPages
	m.Periods -= before.Periods
	m.Throttled -= before.Throttled
	m.Listen.Overflows -= before.Listen.Overflows
	m.Listen.Drops -= before.Listen.Drops
	return m
}

// Where the CPU controller is mounted, below the root, in cgroup v2 and v1.
const (
	mountV2 = "sys/fs/cgroup"
	mountV1 = "sys/fs/cgroup/cpu"
)

// quotaDirs returns the directories of the CPU controller that processes are in, and all above them, v2 and v1.
func quotaDirs(root fs.FS, pids []int) map[string]bool {
	dirs := map[string]bool{}
	for _, pid := range pids {
		text, err := fs.ReadFile(root, path.Join("proc", strconv.Itoa(pid), "cgroup"))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			mount, group := cpuController(line)
			if mount == "" {
				continue
			}
			for dir := path.Clean("/" + group); ; dir = path.Dir(dir) {
				dirs[path.Join(mount, dir)] = true
				if dir == "/" {
					break
				}
			}
		}
	}
	return dirs
}

// cpuController returns where the CPU controller that a line of /proc/PID/cgroup is about is mounted, and the cgroup;
// "" for a line about another controller (hierarchy-ID:controller-list:cgroup-path, cgroups(7); the v2 line is 0::path).
func cpuController(line string) (mount, group string) {
	fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
	if len(fields) != 3 {
		return "", ""
	}
	if fields[1] == "" {
		return mountV2, fields[2]
	}
	for controller := range strings.SplitSeq(fields[1], ",") {
		if controller == "cpu" {
			return mountV1, fields[2]
		}
	}
	return "", ""
}

// numbers reads lines "name number"; other lines, and a file that is not there, have none.
func numbers(root fs.FS, name string) map[string]uint64 {
	all := map[string]uint64{}
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return all
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		key, value, _ := strings.Cut(lines.Text(), " ")
		if n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 64); err == nil {
			all[key] = n
		}
	}
	return all
}
