package main

import (
	"io"

	"poolvsloop/internal/wire"
)

// cacheAnswer is the answer of the cache. Its value aliases the outbound's buffer.
type cacheAnswer struct {
	value wire.Value
	begun bool
}

func (a *cacheAnswer) reset(bool) { a.value, a.begun = wire.Value{}, false }

func (a *cacheAnswer) feed(b []byte) (n int, done bool, err error) {
	a.begun = true
	a.value, n, err = wire.ParseValue(b, wire.ReplyLimits.MaxBody)
	return n, n > 0, err
}

func (a *cacheAnswer) end() error {
	return io.ErrUnexpectedEOF
}

func (a *cacheAnswer) started() bool  { return a.begun }
func (a *cacheAnswer) reusable() bool { return true }
