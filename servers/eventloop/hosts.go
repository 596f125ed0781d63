package main

import (
	"net"
	"net/url"

	"poolvsloop/internal/flow"
)

// hosts are the addresses, host:port, of what the server calls, by target.
type hosts [flow.Timer]string

func newHosts(c *Config) (h hosts) {
	h[flow.DownstreamA], h[flow.DownstreamB], h[flow.Cache] = hostOf(c.DownstreamA), hostOf(c.DownstreamB), c.Redis
	return h
}

// hostOf returns host:port of a base URL; Validate has seen that it is one.
func hostOf(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = "80"
	}
	return net.JoinHostPort(u.Hostname(), port)
}
