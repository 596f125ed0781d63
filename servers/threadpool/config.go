package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"poolvsloop/internal/config"
)

// Config is every setting of the thread pool server: the ones that both servers share, and those of its model.
type Config struct {
	config.Server
	// Workers is the number of workers; they are started when first needed.
	Workers int
	// Queue bounds the requests that wait for a worker; -1 is no limit, 0 hands over to a free worker or refuses.
	Queue int
	// QueueFull is what a full queue does: [Full503], [FullClose] or [FullWait].
	QueueFull string
	// QueueTimeout is the longest wait in the queue; 0 is no limit.
	QueueTimeout time.Duration
	// Worker is what a worker is: [WorkerThread] or [WorkerGoroutine].
	Worker string
	// Dispatch is what the queue holds: [DispatchRequest] or [DispatchConnection].
	Dispatch string
	// Stack is what answers requests on a worker: [StackWire] or [StackFiber].
	Stack string
}

// Values of Config.QueueFull.
const (
	// Full503 answers 503 and keeps the connection.
	Full503 = "503"
	// FullClose closes the connection without an answer.
	FullClose = "close"
	// FullWait waits all the same: the queue has no limit.
	FullWait = "wait"
)

// Values of Config.Worker.
const (
	// WorkerThread is an OS thread that blocks in the kernel.
	WorkerThread = "thread"
	// WorkerGoroutine is a goroutine that waits in Go's scheduler.
	WorkerGoroutine = "goroutine"
)

// Values of Config.Dispatch.
const (
	// DispatchRequest queues requests; idle connections hold no worker.
	DispatchRequest = "request"
	// DispatchConnection queues connections; a worker has one until it closes.
	DispatchConnection = "connection"
)

// Values of Config.Stack.
const (
	// StackWire is the flow and the wire code that all servers of the lab share.
	StackWire = "wire"
	// StackFiber is a fiber application with go-redis and fasthttp's client.
	StackFiber = "fiber"
)

var (
	fullPolicies = []string{Full503, FullClose, FullWait}
	workerKinds  = []string{WorkerThread, WorkerGoroutine}
	dispatches   = []string{DispatchRequest, DispatchConnection}
	stackKinds   = []string{StackWire, StackFiber}
)

// Bind declares the flags of c on fs with their defaults.
func (c *Config) Bind(fs *pflag.FlagSet) {
	c.Addr, c.Admin = "127.0.0.1:8081", "127.0.0.1:8181"
	config.Group(fs, "Thread pool", func() { c.bindPool(fs) })
	c.Server.Bind(fs)
}

func (c *Config) bindPool(fs *pflag.FlagSet) {
	fs.IntVar(&c.Workers, "workers", 200,
		"`workers` that serve one request each at a time; started when needed; PUT /config changes it")
	fs.IntVar(&c.Queue, "queue", 100,
		"most `requests` that wait for a worker, first come first served; -1 = no limit, 0 = a free worker or a refusal; "+
			"PUT /config changes it")
	fs.StringVar(&c.QueueFull, "queue-full", Full503,
		"at --queue: 503 (answer with Retry-After, keep the connection), close (without an answer), "+
			"or wait (as --queue -1)")
	fs.DurationVar(&c.QueueTimeout, "queue-timeout", 0, "longest wait in the queue; then 503; 0 = no limit")
	fs.StringVar(&c.Worker, "worker", WorkerThread,
		"what a worker is: thread (an OS thread that blocks in the kernel) or goroutine (waits in Go's scheduler)")
	fs.StringVar(&c.Dispatch, "dispatch", DispatchRequest,
		"what the queue holds: request (idle connections hold no worker) or connection (a worker has one until it "+
			"closes, so that with more keep-alive clients than workers some wait for ever)")
	fs.StringVar(&c.Stack, "stack", StackWire,
		"what answers: wire (the code both servers share) or fiber (fiber, go-redis and fasthttp's client)")
}

// Validate returns all that is wrong with c as one error that names each flag, or nil.
func (c *Config) Validate() error {
	return errors.Join(
		c.Server.Validate(),
		config.Within("workers", c.Workers, 1, config.MostWorkers),
		config.Within("queue", c.Queue, -1, config.MostQueue),
		config.OneOf("queue-full", c.QueueFull, fullPolicies...),
		config.Within("queue-timeout", c.QueueTimeout, 0, time.Hour),
		config.OneOf("worker", c.Worker, workerKinds...),
		config.OneOf("dispatch", c.Dispatch, dispatches...),
		config.OneOf("stack", c.Stack, stackKinds...),
		c.validateRetries(),
	)
}

// validateRetries: retries are a part of the flow that the servers share, which the fiber stack does without.
func (c *Config) validateRetries() error {
	if c.Retries > 0 && c.Stack == StackFiber {
		return fmt.Errorf("--retries %d: only --stack=%s retries", c.Retries, StackWire)
	}
	return nil
}

// queueLimit is the limit in force of a queue asked for: none when a full queue would wait all the same.
func (c *Config) queueLimit(asked int) int {
	if c.QueueFull == FullWait {
		return -1
	}
	return asked
}
