package contract

import (
	"net"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// baseline is what a process holds before the suite.
type baseline struct {
	descriptors int
	goroutines  goleak.Option
}

// takeBaseline first does what makes the runtime open descriptors that it keeps.
func takeBaseline(t *testing.T) baseline {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	return baseline{descriptors: descriptors(t), goroutines: goleak.IgnoreCurrent()}
}

// mustBeBack requires that no descriptor and no goroutine is left. Goroutines that libraries start once and keep
// are not the server's.
func (b baseline) mustBeBack(t *testing.T) {
	t.Helper()
	eventually(t, func() bool { return descriptors(t) <= b.descriptors }, "descriptors: %d before", b.descriptors)
	require.NoError(t, goleak.Find(b.goroutines,
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.updateServerDate.func1"),
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.(*workerPool).Start.func2"),
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.(*HostClient).connsCleaner"),
		goleak.IgnoreAnyFunction("github.com/panjf2000/ants/v2.(*poolCommon).purgeStaleWorkers"),
		goleak.IgnoreAnyFunction("github.com/panjf2000/ants/v2.(*poolCommon).ticktock"),
		goleak.IgnoreAnyFunction("github.com/panjf2000/ants/v2.(*goWorker).run.func1"),
		goleak.IgnoreAnyFunction("github.com/panjf2000/ants/v2.(*goWorker).run.func1"), // ends after 10 s
	))
}

func descriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	return len(entries)
}
