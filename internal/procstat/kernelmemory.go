package procstat

import (
	"errors"
	"fmt"
	"os"

	"github.com/prometheus/procfs"
)

// KernelMemory is what the kernel of this machine holds for itself, in bytes.
type KernelMemory struct {
	// Bytes is what it has in slabs (sockets, files, epoll entries, …), in stacks of threads and in page tables
	// (proc_meminfo(5)).
	Bytes int64
	// TCPBuffers is what TCP sockets hold in their buffers, as /proc/net/sockstat has it, whole pages.
	TCPBuffers int64
}

// ReadKernelMemory reads /proc/meminfo and /proc/net/sockstat: all programs of the machine together.
func ReadKernelMemory() (KernelMemory, error) {
	m, err := readKernelMemory(procfs.DefaultMountPoint)
	if err != nil {
		return m, fmt.Errorf("read the kernel's memory: %w", err)
	}
	return m, nil
}

func readKernelMemory(proc string) (m KernelMemory, err error) {
	fs, err := procfs.NewFS(proc)
	if err != nil {
		return m, err
	}
	memory, err := fs.Meminfo()
	if err != nil {
		return m, err
	}
	for name, bytes := range map[string]*uint64{
		"Slab": memory.SlabBytes, "KernelStack": memory.KernelStackBytes, "PageTables": memory.PageTablesBytes,
	} {
		if bytes == nil {
			return m, fmt.Errorf("/proc/meminfo has no %s", name)
		}
		m.Bytes += int64(*bytes)
	}
	sockets, err := fs.NetSockstat()
	if err != nil {
		return m, err
	}
	for _, p := range sockets.Protocols {
		if p.Protocol == "TCP" && p.Mem != nil {
			m.TCPBuffers = int64(*p.Mem) * int64(os.Getpagesize())
			return m, nil
		}
	}
	return m, errors.New("/proc/net/sockstat has no mem of TCP")
}
