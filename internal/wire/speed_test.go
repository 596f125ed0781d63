package wire

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var (
	orderRequest = []byte("POST /v1/sync HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: bench\r\nAccept: */*\r\n" +
		"X-Request-Id: 0123456789abcdef\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n" +
		strings.Repeat("b", 900))
	chunkedRequest = []byte(post("Transfer-Encoding: chunked\r\n", "5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\n"))
	orderReply     = []byte("HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n" +
		"Content-Type: application/json\r\nContent-Length: 60\r\n\r\n" + strings.Repeat("b", 60))
	bulk = []byte("$60\r\n" + strings.Repeat("b", 60) + "\r\n")
)

// steps are what a server does with each request, by name.
func steps() map[string]func() {
	requests, replies := NewRequestDecoder(testLimits), NewReplyDecoder(testLimits)
	var request Request
	var reply Reply
	var date DateLine
	response := Response{Status: 200, Body: make([]byte, 550), ID: []byte("0123456789abcdef")}
	out := make([]byte, 0, 2048)
	readRequest := func(in []byte) func() {
		return func() {
			n, _, _ := requests.Decode(in, &request)
			if _, p, err := requests.Decode(in[n:], &request); err != nil || p != Complete {
				panic(err)
			}
		}
	}
	return map[string]func(){
		"request":         readRequest(orderRequest),
		"chunked request": readRequest(chunkedRequest),
		"reply": func() {
			if _, p, err := replies.Decode(orderReply, &reply); err != nil || p != Complete {
				panic(err)
			}
		},
		"value": func() {
			if _, n, _ := ParseValue(bulk, 1<<20); n != len(bulk) {
				panic(n)
			}
		},
		"response": func() { out = AppendResponse(out[:0], &response, &request, Reuse, date.At(time.Unix(1, 0))) },
		"call": func() {
			out = AppendCall(out[:0], Post, "127.0.0.1:9000", []byte("/quotes"), response.ID, response.Body[:200])
		},
		"set": func() { out = AppendSet(out[:0], []byte("catalog:sku"), response.Body[:60], time.Minute) },
	}
}

func TestStepsDoNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("sync.Pool drops values at random under the race detector")
	}
	for name, step := range steps() {
		require.Zero(t, testing.AllocsPerRun(200, step), name)
	}
}

func BenchmarkSteps(b *testing.B) {
	for name, step := range steps() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				step()
			}
		})
	}
}

// BenchmarkDrippedHead feeds a head of 8 KB byte by byte: the time per byte must not depend on its length.
func BenchmarkDrippedHead(b *testing.B) {
	for _, size := range []int{1000, 8000} {
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			in := []byte(get("/", "X: "+strings.Repeat("a", size)+"\r\n"))
			var r Request
			for b.Loop() {
				d := NewRequestDecoder(testLimits)
				for i := range in {
					if _, _, err := d.Decode(in[:i+1], &r); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(in)), "ns/byte")
		})
	}
}
