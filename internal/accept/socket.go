package accept

import (
	"errors"
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// socket is what the net package does not offer on a listening socket.
type socket struct{ raw syscall.RawConn }

// newSocket sets the backlog of l by a second listen(2): net.Listen always asks for somaxconn.
func newSocket(l *net.TCPListener, backlog int) (*socket, error) {
	raw, err := l.SyscallConn()
	if err != nil {
		return nil, err
	}
	s := &socket{raw: raw}
	return s, s.control(func(fd int) error { return unix.Listen(fd, backlog) })
}

func (s *socket) control(do func(fd int) error) error {
	var failed error
	err := s.raw.Control(func(fd uintptr) { failed = do(int(fd)) })
	return errors.Join(err, failed)
}

// queue returns how many connections wait to be accepted, and the limit in force; 0 and 0 on a closed socket. For a
// listening socket TCP_INFO has them in tcpi_unacked and tcpi_sacked (tcp_get_info in the kernel's net/ipv4/tcp.c).
func (s *socket) queue() (depth, limit int) {
	_ = s.control(func(fd int) error {
		info, err := unix.GetsockoptTCPInfo(fd, unix.SOL_TCP, unix.TCP_INFO)
		if err == nil {
			depth, limit = int(info.Unacked), int(info.Sacked)
		}
		return err
	})
	return depth, limit
}

// dropSYN makes the kernel drop every segment with SYN set that comes to the socket. Handshakes under way go on.
func (s *socket) dropSYN() error {
	const (
		flagsOffset = 13 // of the TCP header, where a socket's filter starts (RFC 9293 §3.1)
		syn         = 0x02
		keep        = 1 << 18
	)
	program := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: flagsOffset},
		{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, K: syn, Jt: 0, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: 0},
		{Code: unix.BPF_RET | unix.BPF_K, K: keep},
	}
	return s.control(func(fd int) error {
		return unix.SetsockoptSockFprog(fd, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER,
			&unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]})
	})
}
