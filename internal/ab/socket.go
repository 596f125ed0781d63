package ab

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"syscall"

	"golang.org/x/sys/unix"
)

// prepare gives a new socket the buffers of -b and the address of -B.
func (s *session) prepare(fd int) unix.Errno {
	var err error
	if s.Buffer > 0 {
		err = errors.Join(unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_SNDBUF, s.Buffer),
			unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, s.Buffer))
	}
	switch {
	case err != nil || !s.local.IsValid():
	case s.local.Is4():
		err = errors.Join(unix.SetsockoptInt(fd, unix.IPPROTO_IP, unix.IP_BIND_ADDRESS_NO_PORT, 1),
			unix.Bind(fd, &unix.SockaddrInet4{Addr: s.local.As4()}))
	default:
		err = errors.Join(unix.SetsockoptInt(fd, unix.IPPROTO_IP, unix.IP_BIND_ADDRESS_NO_PORT, 1),
			unix.Bind(fd, &unix.SockaddrInet6{Addr: s.local.As16()}))
	}
	var errno unix.Errno
	errors.As(err, &errno)
	return errno
}

// tryBind finds out early whether the address of -B is one of this machine. The error is an [*Exit].
func (s *session) tryBind(ctx context.Context) error {
	var listen net.ListenConfig
	ln, err := listen.Listen(ctx, "tcp", netip.AddrPortFrom(s.local, 0).String())
	if err == nil {
		return ln.Close()
	}
	var errno syscall.Errno
	errors.As(err, &errno)
	return aprError("bind", int(errno), reason(err))
}
