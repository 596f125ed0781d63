package contract

import (
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/meter"
)

var garbageCases = []testCase{
	{"garbage: the server lives on and still answers", garbage},
}

// nasty are inputs that broke servers before, or nearly did.
var nasty = []string{
	"\x00", "\r\n\r\n\r\n", "\n", " ", "\xff\xfe\xfd", "GET", "GET ", "GET /", "GET / HTTP/1.1", "GET / HTTP/1.1\r\n:\r\n\r\n",
	"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "*1\r\n$4\r\nPING\r\n",
	"GET /%00 HTTP/1.1\r\nHost: x\r\n\r\n", "GET /v1/hold?size=%zz HTTP/1.1\r\nHost: x\r\n\r\n",
	"GET /v1/hold?ms=99999999999999999999 HTTP/1.1\r\nHost: x\r\n\r\n", "GET /v1/hold?ms=%35&ms=1 HTTP/1.1\r\nHost: x\r\n\r\n",
	"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 18446744073709551616\r\n\r\n",
	"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
	"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
	"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
	"POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n",
	"GET / HTTP/1.1\r\nHost: x\r\nConnection: close, keep-alive\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
	"GET / HTTP/1.1\r\nHost: " + strings.Repeat("x", 4000) + "\r\n\r\n",
	"GET / HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("A: b\r\n", 99) + "\r\n",
	strings.Repeat("GET / HTTP/1.1\r\nHost: x\r\n\r\n", 100),
	strings.Repeat("\r\n", 3000) + "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
	strings.Repeat("a", 20000), strings.Repeat("\x00", 20000),
}

func garbage(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	inputs := append([]string{
		request("POST", s.Path, strings.Repeat(`{"a":`, 2000)), request("POST", s.Path, `{"customer_id":"`+"\x00"+`"}`),
		request("POST", s.Path, strings.Repeat("[", 100000)), request("POST", s.Path, "\xef\xbb\xbf{}"),
	}, nasty...)
	random := rand.New(rand.NewPCG(7, 11))
	whole := w.orderRequest()
	for range 60 {
		mangled := []byte(whole)
		for range 1 + random.IntN(4) {
			mangled[random.IntN(len(mangled))] = byte(random.IntN(256))
		}
		inputs = append(inputs, string(mangled))
	}
	for i, input := range inputs {
		c := w.dial(t)
		_, err := io.WriteString(c, input)
		if err == nil && i%3 != 0 {
			err = c.CloseWrite()
		}
		if err == nil && i%3 != 0 {
			_, err = io.Copy(io.Discard, c.reader)
		}
		require.False(t, err != nil && isTimeout(err), "input %d %.80q must come to an end", i, input)
		c.reset()
	}
	w.mustServe(t)
	w.counted(t, "nothing is left in service", func(c meter.Counts) bool { return c.InFlight == 0 })
}
