package load

import (
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The calls below never block (the sockets are non-blocking), so they go to the kernel without telling Go's scheduler,
// which would cost more than some of them.

// peer is the server's address as the kernel wants it.
type peer struct {
	family uintptr
	raw    [unix.SizeofSockaddrInet6]byte
	size   uintptr
}

// newPeer converts an address.
func newPeer(a netip.AddrPort) *peer {
	var p peer
	port := [2]byte{byte(a.Port() >> 8), byte(a.Port())}
	if ip := a.Addr().Unmap(); ip.Is4() {
		p.family, p.size = unix.AF_INET, unix.SizeofSockaddrInet4
		in := (*unix.RawSockaddrInet4)(unsafe.Pointer(&p.raw))
		in.Family, in.Addr = unix.AF_INET, ip.As4()
		*(*[2]byte)(unsafe.Pointer(&in.Port)) = port
	} else {
		p.family, p.size = unix.AF_INET6, unix.SizeofSockaddrInet6
		in := (*unix.RawSockaddrInet6)(unsafe.Pointer(&p.raw))
		in.Family, in.Addr = unix.AF_INET6, ip.As16()
		*(*[2]byte)(unsafe.Pointer(&in.Port)) = port
	}
	return &p
}

// dial opens a socket, has it set up and starts to connect it. EINPROGRESS is no error here.
func dial(p *peer, setUp func(fd int) unix.Errno, noDelay bool) (fd int, errno unix.Errno) {
	const kind = unix.SOCK_STREAM | unix.SOCK_NONBLOCK | unix.SOCK_CLOEXEC
	r, _, errno := unix.RawSyscall(unix.SYS_SOCKET, p.family, kind, 0)
	if errno != 0 {
		return -1, errno
	}
	if errno := setUp(int(r)); errno != 0 {
		hangUp(int(r))
		return -1, errno
	}
	if noDelay {
		one := int32(1)
		// Without it a large request is only slower, so a failure is not worth one of the request.
		_, _, _ = unix.RawSyscall6(unix.SYS_SETSOCKOPT, r, unix.IPPROTO_TCP, unix.TCP_NODELAY,
			uintptr(unsafe.Pointer(&one)), unsafe.Sizeof(one), 0)
	}
	_, _, errno = unix.RawSyscall(unix.SYS_CONNECT, r, uintptr(unsafe.Pointer(&p.raw)), p.size)
	if errno != 0 && errno != unix.EINPROGRESS {
		hangUp(int(r))
		return -1, errno
	}
	return int(r), 0
}

// send writes what the socket takes.
func send(fd int, b []byte) (int, unix.Errno) {
	n, _, errno := unix.RawSyscall6(unix.SYS_SENDTO, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))),
		uintptr(len(b)), unix.MSG_NOSIGNAL, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}

// receive reads what has come.
func receive(fd int, b []byte) (int, unix.Errno) {
	n, _, errno := unix.RawSyscall6(unix.SYS_RECVFROM, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))),
		uintptr(len(b)), 0, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}

// hangUp closes a socket; that also takes it out of its epoll set. The descriptor is free whatever close(2) says.
func hangUp(fd int) { _, _, _ = unix.RawSyscall(unix.SYS_CLOSE, uintptr(fd), 0, 0) }

// control adds a socket to an epoll set, or changes what it waits for there.
func control(epoll, op, fd int, ev *unix.EpollEvent) unix.Errno {
	_, _, errno := unix.RawSyscall6(unix.SYS_EPOLL_CTL, uintptr(epoll), uintptr(op), uintptr(fd),
		uintptr(unsafe.Pointer(ev)), 0, 0)
	return errno
}
