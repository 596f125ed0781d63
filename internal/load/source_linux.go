package load

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// maxSources bounds the source addresses of a loop: about 28,000 ports each.
const maxSources = 64

// dialer opens the connections of a loop. When the ports of the source address run out, and the server is on the IPv4
// loopback, it goes on from the next address of 127.0.0.0/8.
type dialer struct {
	peer   *peer
	source int // how many addresses it has gone on, 0 while the kernel chooses
	// ports bounds the local ports, the lowest in the lower half and the highest in the upper one (ip(7),
	// IP_LOCAL_PORT_RANGE); 0 leaves them to the kernel.
	ports uint32
	// receiveBuffer is what is asked for with SO_RCVBUF, 0 for the kernel's choice.
	receiveBuffer int32
	// prepare is Config.Prepare.
	prepare func(fd int) unix.Errno
}

// open starts a connection; see dial.
func (d *dialer) open(noDelay bool) (fd int, errno unix.Errno) {
	for {
		fd, errno = dial(d.peer, d.setUp, noDelay)
		short := errno == unix.EADDRNOTAVAIL || errno == unix.EADDRINUSE
		if !short || d.prepare != nil || !d.peer.onLoopback4() || d.source+1 >= maxSources {
			return fd, errno
		}
		d.source++
	}
}

// setUp is what is done to a socket before it connects.
func (d *dialer) setUp(fd int) unix.Errno {
	if d.receiveBuffer > 0 {
		if errno := setReceiveBuffer(fd, d.receiveBuffer); errno != 0 {
			return errno
		}
	}
	if d.prepare != nil {
		return d.prepare(fd)
	}
	if from := d.from(); from != nil {
		return from.bind(fd)
	}
	return 0
}

// from is what a socket is bound to before it connects, nil for nothing.
func (d *dialer) from() *source {
	if d.source == 0 && d.ports == 0 {
		return nil
	}
	return &source{address: [4]byte{127, 0, 0, byte(1 + d.source)}, ports: d.ports}
}

// onLoopback4 says whether the address is in 127.0.0.0/8.
func (p *peer) onLoopback4() bool {
	return p.family == unix.AF_INET && (*unix.RawSockaddrInet4)(unsafe.Pointer(&p.raw)).Addr[0] == 127
}

// source is an IPv4 address to connect from, and the range of its ports.
type source struct {
	address [4]byte
	ports   uint32
}

// bind binds a socket to the address and leaves the port to connect(2), which can share it between servers.
func (s *source) bind(fd int) unix.Errno {
	const ipLocalPortRange = 51
	if errno := setIP(fd, unix.IP_BIND_ADDRESS_NO_PORT, 1); errno != 0 {
		return errno
	}
	if s.ports != 0 {
		if errno := setIP(fd, ipLocalPortRange, s.ports); errno != 0 {
			return errno
		}
	}
	address := unix.RawSockaddrInet4{Family: unix.AF_INET, Addr: s.address}
	_, _, errno := unix.RawSyscall(unix.SYS_BIND, uintptr(fd), uintptr(unsafe.Pointer(&address)), unsafe.Sizeof(address))
	return errno
}

// setIP sets an option of level IP.
func setIP(fd int, option uintptr, value uint32) unix.Errno {
	_, _, errno := unix.RawSyscall6(unix.SYS_SETSOCKOPT, uintptr(fd), unix.IPPROTO_IP, option,
		uintptr(unsafe.Pointer(&value)), unsafe.Sizeof(value), 0)
	return errno
}
