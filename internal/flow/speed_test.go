package flow

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var order900 = `{"customer_id":"c-000123","sku":"sku-00042","quantity":3,"note":"` + strings.Repeat("n", 832) + `"}`

// runner returns a function that runs one order of 900 bytes through a flow that it reuses.
func runner(t testing.TB, w world) func() {
	var f Flow
	h := newHandler(t, "pool", "/v1/sync")
	request := order123(order900)
	return func() {
		for call := f.Start(h, request); call.To != Done; {
			switch call.Stage {
			case StageA:
				call = f.Resume(w.a)
			case StageCache:
				call = f.Resume(w.get)
			case StageB:
				call = f.Resume(w.b)
			case StageFill:
				call = f.Resume(w.set)
			}
		}
		if f.Response.Status != 200 {
			panic(string(f.Response.Body))
		}
	}
}

func TestFlowDoesNotAllocate(t *testing.T) {
	require.Len(t, order900, 899)
	require.Zero(t, testing.AllocsPerRun(200, runner(t, hit())), "hit")
	require.Zero(t, testing.AllocsPerRun(200, runner(t, miss())), "miss")
}

func BenchmarkFlow(b *testing.B) {
	for name, w := range map[string]world{"hit": hit(), "miss": miss()} {
		run := runner(b, w)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				run()
			}
		})
	}
}

// BenchmarkReadOrder parses the body of an order: 900 bytes.
func BenchmarkReadOrder(b *testing.B) {
	var f Flow
	body := []byte(order900)
	b.ReportAllocs()
	for b.Loop() {
		if problem := f.readOrder(body); problem != "" {
			b.Fatal(problem)
		}
	}
}

// BenchmarkBurn burns 1,000 iterations.
func BenchmarkBurn(b *testing.B) {
	for b.Loop() {
		Burn(1000)
	}
}

func BenchmarkServerTiming(b *testing.B) {
	timing, out := Timing{StageTotal: 123456}, make([]byte, 0, 256)
	b.ReportAllocs()
	for b.Loop() {
		out = timing.AppendServerTiming(out[:0])
	}
}
