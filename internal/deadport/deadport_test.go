package deadport

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestAddr(t *testing.T) {
	addr := Addr(t)
	for range 3 {
		_, err := net.Dial("tcp", addr.String())
		require.ErrorIs(t, err, unix.ECONNREFUSED)
	}
	_, err := net.Listen("tcp", addr.String())
	require.ErrorIs(t, err, unix.EADDRINUSE, "no one else can listen there")
	require.NotEqual(t, addr, Addr(t))
}
