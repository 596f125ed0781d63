package load

import (
	"net"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// echo answers every read with hello: a server that allocates nothing, for requests that come in one piece.
func echo(c *net.TCPConn) {
	b, out := make([]byte, 4096), []byte(hello)
	for {
		if n, err := c.Read(b); err != nil || n == 0 {
			return
		}
		if _, err := c.Write(out); err != nil {
			return
		}
	}
}

// The hot path allocates nothing: what a run allocates does not grow with its requests.
func TestNoAllocationPerRequest(t *testing.T) {
	addr := listen(t, echo)
	allocations := func(requests int) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := mustRun(t, Config{Addr: addr, Source: Fixed(get), Requests: requests, Clients: 8, KeepAlive: true, MaxSamples: -1})
		runtime.ReadMemStats(&after)
		require.Equal(t, requests, r.Answered)
		return after.Mallocs - before.Mallocs
	}
	allocations(100) // warm
	small, large := allocations(100), allocations(10_100)
	require.Less(t, large, small+1000, "10,000 requests more")
}

func BenchmarkRun(b *testing.B) {
	for _, keep := range []bool{true, false} {
		name := "close"
		if keep {
			name = "keep-alive"
		}
		b.Run(name, func(b *testing.B) {
			addr := listen(b, echo)
			b.ReportAllocs()
			b.ResetTimer()
			r, err := Run(b.Context(), Config{Addr: addr, Source: Fixed(get), Requests: b.N, Clients: 50, KeepAlive: keep})
			if err != nil || r.Answered != b.N {
				b.Fatal(err, r.Counts)
			}
			b.ReportMetric(float64(r.LoopCPU.Nanoseconds())/float64(b.N), "loop-cpu-ns/op")
		})
	}
}

// BenchmarkKnownHeader reads nginx's answer of 20 bytes, with and without knowing its header from the answer before.
func BenchmarkKnownHeader(b *testing.B) {
	answer := []byte("HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Mon, 30 Nov 2026 22:00:00 GMT\r\n" +
		"Content-Type: application/octet-stream\r\nContent-Length: 20\r\nConnection: keep-alive\r\n\r\n01234567890123456789")
	for name, k := range map[string]*known{"known": {}, "new": nil} {
		b.Run(name, func(b *testing.B) {
			f := framer{known: k}
			for b.Loop() {
				f.reset(false, false, false)
				if n, err := f.feed(answer); n != len(answer) || err != nil {
					b.Fatal(n, err)
				}
			}
		})
	}
}
