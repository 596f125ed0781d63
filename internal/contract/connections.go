package contract

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/config"
	"poolvsloop/internal/meter"
)

var connectionCases = []testCase{
	{"keep-alive and close", keepAlive},
	{"HTTP/1.0 with and without keep-alive", http10},
	{"max-requests: the last answer says so", maxRequests},
	{"half-close in service: answered, then ended", halfClose},
	{"half-close without a request: ended in silence", halfCloseSilent},
	{"half-close inside a head: ended in silence", halfCloseInHead},
	{"half-close inside a body: answered with 400", halfCloseInBody},
	{"reset inside a body: abandoned", resetInBody},
	{"client gone in service", gone},
	{"bytes one by one", splitWrites},
	{"expect: 100-continue", expectContinue},
}

func keepAlive(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	c := w.dial(t)
	for range 20 {
		got := c.ask(w.orderRequest())
		require.Equal(t, http.StatusOK, got.status)
		require.Empty(t, got.header.Get("Connection"), "HTTP/1.1 keeps alive without a word")
	}
	got := c.ask(w.orderRequest("Connection: close"))
	require.Equal(t, http.StatusOK, got.status)
	require.True(t, got.closes)
	c.ends()
}

func http10(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	body := order("c-1", "s-1", 1, "")
	old := func(headers string) string {
		return fmt.Sprintf("POST %s HTTP/1.0\r\n%sContent-Length: %d\r\n\r\n%s", s.Path, headers, len(body), body)
	}
	c := w.dial(t)
	for range 3 {
		got := c.ask(old("Connection: Keep-Alive\r\n"))
		require.Equal(t, http.StatusOK, got.status)
		require.Equal(t, "keep-alive", strings.ToLower(got.header.Get("Connection")), "else the client waits for the end")
	}
	require.Equal(t, http.StatusOK, c.ask(old("")).status)
	c.ends()

	c = w.dial(t)
	require.Equal(t, http.StatusOK, c.ask(old("Expect: 100-continue\r\n")).status, "no interim answer in HTTP/1.0")
	c.ends()
}

func maxRequests(t *testing.T, s Server) {
	w := newWorld(t, s, func(c *config.Server) { c.MaxRequests = 3 })
	c := w.dial(t)
	c.send(strings.Repeat(hold("size=60"), 5))
	for n := 1; n <= 3; n++ {
		got := c.read()
		require.Equal(t, http.StatusOK, got.status)
		require.Equal(t, n == 3, got.closes, "answer %d", n)
	}
	c.isGone()
	w.counted(t, "three answers", func(c meter.Counts) bool { return c.Answered == 3 && c.InFlight == 0 })
	w.mustServe(t)
}

func halfClose(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	w.a.hold()
	c := w.dial(t)
	c.send(w.orderRequest())
	eventually(t, func() bool { return len(w.a.calls()) == 1 }, "in service")
	require.NoError(t, c.CloseWrite())
	c.staysSilent()
	w.a.release()
	require.Equal(t, http.StatusOK, c.read().status)
	c.ends()
}

func halfCloseSilent(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	for _, before := range []string{"", w.orderRequest()} {
		c := w.dial(t)
		if before != "" {
			c.ask(before)
		}
		require.NoError(t, c.CloseWrite())
		c.ends()
	}
}

func halfCloseInHead(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	raw := w.orderRequest()
	for _, before := range []string{"", raw} {
		c := w.dial(t)
		if before != "" {
			c.ask(before)
		}
		c.send(raw[:len(raw)/4])
		require.NoError(t, c.CloseWrite())
		c.ends()
	}
	w.counted(t, "one answer, nothing else", func(c meter.Counts) bool {
		return c.Answered == 1 && c.Abandoned["in_service"]+c.Abandoned["queued"] == 0
	})
}

func halfCloseInBody(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	raw := w.orderRequest()
	head, _, _ := strings.Cut(raw, "\r\n\r\n")
	for n, cut := range []string{
		raw[:len(raw)-5], head + "\r\n\r\n",
		"POST " + s.Path + " HTTP/1.1\r\nHost: lab\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
	} {
		c := w.dial(t)
		c.send(cut)
		require.NoError(t, c.CloseWrite())
		got := c.read()
		require.Equal(t, http.StatusBadRequest, got.status)
		require.Equal(t, `{"error":"body cut short"}`, got.body)
		require.True(t, got.closes)
		c.ends()
		w.counted(t, "an answer", func(c meter.Counts) bool { return c.Responses["400"] == uint64(n+1) && c.InFlight == 0 })
	}
	require.Empty(t, w.a.calls())
}

func resetInBody(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	c := w.dial(t)
	raw := w.orderRequest("Expect: 100-continue")
	c.send(raw[:strings.Index(raw, "\r\n\r\n")+len("\r\n\r\n")])
	require.Equal(t, http.StatusContinue, c.read().status, "its head is read")
	c.reset()
	w.abandonedOnce(t)
}

// gone leaves in service, by FIN and by RST: the request runs to its end and is counted once.
func gone(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	const n = 6
	w.a.hold()
	for i := range n {
		c := w.dial(t)
		c.send(w.orderRequest())
		eventually(t, func() bool { return len(w.a.calls()) == i+1 }, "in service")
		if i%2 == 0 {
			c.reset()
		} else {
			require.NoError(t, c.Close())
		}
	}
	w.a.release()
	w.counted(t, "each is answered or abandoned, once", func(c meter.Counts) bool {
		return c.InFlight == 0 && c.Answered+c.Abandoned["in_service"]+c.Abandoned["queued"] == n
	})
	w.mustServe(t)
}

func splitWrites(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	c := w.dial(t)
	for _, raw := range []string{
		w.orderRequest(), hold("size=60"),
		"POST /v1/hold HTTP/1.1\r\nHost: lab\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n1\r\nd\r\n0\r\nT: v\r\n\r\n",
	} {
		for i := range len(raw) {
			c.send(raw[i : i+1])
		}
		require.Equal(t, http.StatusOK, c.read().status)
	}
}

func expectContinue(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	raw := w.orderRequest("Expect: 100-continue")
	end := strings.Index(raw, "\r\n\r\n") + len("\r\n\r\n")
	c := w.dial(t)
	for range 2 {
		c.send(raw[:end])
		require.Equal(t, http.StatusContinue, c.read().status, "before the body is sent")
		c.send(raw[end:])
		require.Equal(t, http.StatusOK, c.read().status)
	}
	require.Equal(t, http.StatusOK, c.ask(hold("")).status)
	c.send(request("GET", "/healthz", "", "Expect: 100-continue"))
	require.Equal(t, http.StatusOK, c.read().status, "nothing to continue with")
}
