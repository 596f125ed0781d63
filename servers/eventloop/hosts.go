package main

import (
	"poolvsloop/internal/config"
	"poolvsloop/internal/flow"
)

// hosts are the addresses, host:port, of what the server calls, by target.
type hosts [flow.Timer]string

func newHosts(c *Config) (h hosts) {
	h[flow.DownstreamA], h[flow.DownstreamB] = config.AddressOf(c.DownstreamA), config.AddressOf(c.DownstreamB)
	h[flow.Cache] = c.Redis
	return h
}
