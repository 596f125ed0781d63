package load

import (
	"math"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestValidate(t *testing.T) {
	good := Config{Addr: netip.MustParseAddrPort("127.0.0.1:80"), Source: Fixed(get), Requests: 1, Clients: 1}
	require.NoError(t, good.Validate())
	for _, c := range []struct {
		name   string
		change func(*Config)
		want   string
	}{
		{"no address", func(c *Config) { c.Addr = netip.AddrPort{} }, "address"},
		{"no port", func(c *Config) { c.Addr = netip.MustParseAddrPort("127.0.0.1:0") }, "address"},
		{"no source", func(c *Config) { c.Source = nil }, "source"},
		{"negative requests", func(c *Config) { c.Requests = -1 }, "-1 is below 0"},
		{"no end", func(c *Config) { c.Requests = 0 }, "neither"},
		{"negative duration", func(c *Config) { c.Duration = -1 }, "duration"},
		{"negative grace", func(c *Config) { c.Grace = -1 }, "grace"},
		{"duration beyond reckoning", func(c *Config) { c.Duration = math.MaxInt64 }, "duration"},
		{"grace beyond reckoning", func(c *Config) { c.Grace = math.MaxInt64 }, "grace"},
		{"think time beyond reckoning", func(c *Config) { c.Think = math.MaxInt64 }, "think time"},
		{"stages beyond reckoning", func(c *Config) {
			c.Clients, c.Arrivals = 0, &Arrivals{Plan: Plan{{1, 1, MaxDuration}, {1, 1, MaxDuration}}}
		}, "stage 2: its time"},
		{"no clients", func(c *Config) { c.Clients = 0 }, "clients"},
		{"negative timeout", func(c *Config) { c.Timeout = -1 }, "timeout"},
		{"endless timeout", func(c *Config) { c.Timeout = 2 * time.Hour }, "timeout"},
		{"header in capitals", func(c *Config) { c.Header = "Server-Timing" }, "lower case"},
		{"negative threads", func(c *Config) { c.Threads = -1 }, "threads"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := good
			c.change(&bad)
			require.ErrorContains(t, bad.Validate(), c.want)
			_, err := Run(t.Context(), bad)
			require.ErrorContains(t, err, c.want)
		})
	}
	require.ErrorContains(t, Config{}.Validate(), "clients", "all faults are named at once")
	require.ErrorContains(t, Config{}.Validate(), "source")
}

func TestTooFewDescriptors(t *testing.T) {
	require.ErrorContains(t, Config{Clients: 1 << 40}.CheckDescriptors(), "ulimit -n")
	require.ErrorContains(t, Config{Clients: 1, Idle: 1 << 40}.CheckDescriptors(), "ulimit -n")
	require.NoError(t, Config{Clients: 1 << 40, Requests: 1}.CheckDescriptors())
}

func TestResolve(t *testing.T) {
	for _, c := range []struct{ in, want, err string }{
		{"127.0.0.1:80", "127.0.0.1:80", ""},
		{"[::1]:8080", "[::1]:8080", ""},
		{"localhost:80", "", ""},
		{"127.0.0.1:http", "127.0.0.1:80", ""},
		{"127.0.0.1", "", "missing port"},
		{"127.0.0.1:no-such-service", "", "port"},
	} {
		got, err := Resolve(t.Context(), c.in)
		if c.err != "" {
			require.ErrorContains(t, err, c.err)
			continue
		}
		require.NoError(t, err)
		require.True(t, got.IsValid())
		if c.want != "" {
			require.Equal(t, c.want, got.String())
		}
	}
}

func TestBooks(t *testing.T) {
	require.NoError(t, Counts{Planned: 5, Sent: 4, Dropped: 1, Answered: 3, InFlight: 1}.Books())
	require.ErrorContains(t, Counts{Planned: 5, Sent: 4}.Books(), "planned 5")
	require.ErrorContains(t, Counts{Planned: 4, Sent: 4, Answered: 3}.Books(), "sent 4")
}
