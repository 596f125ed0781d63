package main

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/config"
)

// TestClientsThatLeaveWithoutARequest connects, says nothing or too little, and leaves: the server lives on, and counts
// no idle connection when none is left.
func TestClientsThatLeaveWithoutARequest(t *testing.T) {
	leaves := map[string]func(*client){
		"FIN":                   func(c *client) { c.socket.Close() },
		"RST":                   (*client).reset,
		"half-close":            func(c *client) { require.NoError(t, c.socket.CloseWrite()); c.expectCut() },
		"too slow":              (*client).expectCut,
		"FIN in a head":         func(c *client) { c.send("GET /healthz HT"); c.socket.Close() },
		"FIN after an answer":   func(c *client) { c.send(get("/healthz")).expect(http.StatusOK); c.socket.Close() },
		"FIN after a bad start": func(c *client) { c.send("\n"); c.socket.Close() },
	}
	for _, full := range []string{config.ConnsBacklog, config.ConnsEvictIdle} {
		t.Run(full, func(t *testing.T) {
			everyKind(t, func(t *testing.T, mode func(*Config)) {
				s := start(t, testConfig(mode, func(c *Config) {
					c.ConnsFull, c.HeaderTimeout = full, 50*time.Millisecond
				}), nil)
				for _, leave := range leaves {
					leave(s.dial())
				}
				eventually(t, func() bool {
					return s.listener.Stats().Accepted == uint64(len(leaves)) && s.listener.Stats().Open == 0
				}, "all are gone")
				require.Zero(t, s.meter.Counts().Idle)
			})
		})
	}
}
