// Package config holds the flags that every program of the lab shares: one name, one unit, one default each, and an
// environment variable for every flag (LAB_MAX_CONNS for --max-conns).
package config

import (
	"time"

	"github.com/spf13/pflag"
)

// Server is what both servers are configured with besides their concurrency model.
type Server struct {
	// Addr and Admin are host:port; port 0 picks a free one, which is logged. An empty Admin turns the admin port off.
	Addr, Admin string
	// LogLevel is debug, info, warn or error. LogFormat is json, console or auto (console on a terminal).
	LogLevel, LogFormat string
	// DownstreamA and DownstreamB are http:// base URLs, Redis is host:port.
	DownstreamA, DownstreamB, Redis string
	// DownstreamTimeout and CacheTimeout bound one call, dialling included.
	DownstreamTimeout, CacheTimeout time.Duration
	// CacheTTL is the life of an entry that a miss fills.
	CacheTTL time.Duration
	// MaxConns bounds accepted connections, idle ones included; 0 is no limit but the descriptors.
	MaxConns int
	// ConnsFull says what happens at MaxConns: backlog (stop accepting) or evict-idle (close the longest idle first).
	ConnsFull string
	// Backlog is the limit of the kernel's accept queue that is asked for; somaxconn cuts it.
	Backlog int
	// HeaderTimeout is total, from the first byte (from accept for the first request). BodyTimeout is total, from when
	// the body is first wanted. WriteTimeout is from the first byte of the response. IdleTimeout is the keep-alive wait.
	HeaderTimeout, BodyTimeout, WriteTimeout, IdleTimeout time.Duration
	// MaxRequests bounds the requests of one connection; the last answer says Connection: close; 0 is no limit.
	MaxRequests int
	// MaxHeader and MaxBody are in bytes.
	MaxHeader, MaxBody int
	// Drain bounds how long a server serves on after SIGTERM.
	Drain time.Duration
	// GoMaxProcs is what GOMAXPROCS is set to; 0 leaves the choice to the server, which prints it.
	GoMaxProcs int
}

// Bind declares the flags of s on fs with their defaults.
func (s *Server) Bind(fs *pflag.FlagSet) { panic("not written") }

// Validate returns all that is wrong with s as one error that names each flag, or nil.
func (s *Server) Validate() error { panic("not written") }
