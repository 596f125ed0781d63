package accept

import (
	"io"
	"net"
	"os"
	"os/exec"
	"testing"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// The descriptor limit is the process's, so the case runs in a process of its own: this test binary again.
func TestFullDescriptorTableIsWaitedOut(t *testing.T) {
	const child = "ACCEPT_TEST_CHILD"
	if os.Getenv(child) == "1" {
		serveWithoutDescriptors(t)
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), child+"=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "PASS: "+t.Name())
}

func serveWithoutDescriptors(t *testing.T) {
	l, err := Listen(Config{Addr: "127.0.0.1:0", Backlog: 10}, zerolog.Nop())
	require.NoError(t, err)
	result := make(chan error, 1)
	go func() {
		result <- l.Serve(func(c *net.TCPConn) {
			_, _ = c.Write([]byte("served"))
			c.Close()
			l.Release()
		})
	}()

	// A first client warms everything up that needs descriptors of its own; the second connects, and then all are taken.
	require.Equal(t, "served", receive(t, l.Addr()))
	client := socketFor(t)
	taken := takeAllDescriptors(t)
	require.NoError(t, unix.Connect(client, sockaddr(l.Addr())))
	eventually(t, "the shortage is counted, over and over", func() bool { return l.Stats().DescriptorsFull >= 3 })
	require.Equal(t, 1, l.Stats().QueueDepth, "the client still waits in the kernel")
	require.Zero(t, l.Stats().Open)

	for _, fd := range taken {
		require.NoError(t, unix.Close(fd))
	}
	file := os.NewFile(uintptr(client), "client")
	defer file.Close()
	got, err := io.ReadAll(file)
	require.NoError(t, err)
	require.Equal(t, "served", string(got))
	require.NoError(t, l.Close())
	require.NoError(t, <-result)
}

func receive(t *testing.T, addr net.Addr) string {
	t.Helper()
	conn, err := net.Dial("tcp", addr.String())
	require.NoError(t, err)
	defer conn.Close()
	got, err := io.ReadAll(conn)
	require.NoError(t, err)
	return string(got)
}

func socketFor(t *testing.T) int {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	return fd
}

func sockaddr(a *net.TCPAddr) unix.Sockaddr {
	return &unix.SockaddrInet4{Port: a.Port, Addr: [4]byte(a.IP.To4())}
}

func takeAllDescriptors(t *testing.T) []int {
	t.Helper()
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 64, Max: 64}))
	var taken []int
	for {
		fd, err := unix.Dup(0)
		if err != nil {
			require.ErrorIs(t, err, unix.EMFILE)
			return taken
		}
		taken = append(taken, fd)
	}
}
