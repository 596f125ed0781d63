package flow

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestFailureOf(t *testing.T) {
	cases := map[string]struct {
		err  error
		want Failure
	}{
		"none":                {nil, OK},
		"deadline":            {os.ErrDeadlineExceeded, Late},
		"deadline of a read":  {&net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, Late},
		"wrapped deadline":    {fmt.Errorf("call: %w", os.ErrDeadlineExceeded), Late},
		"refused":             {&net.OpError{Op: "dial", Err: unix.ECONNREFUSED}, Down},
		"cut":                 {io.ErrUnexpectedEOF, Down},
		"closed":              {net.ErrClosed, Down},
		"malformed":           {ErrMalformed, Malformed},
		"malformed, with why": {errors.Join(ErrMalformed, errors.New("bad chunk")), Malformed},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, FailureOf(c.err)) })
	}
}
