package main

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func isOpen(turn chan struct{}) bool {
	if turn == nil {
		return true
	}
	select {
	case <-turn:
		return true
	default:
		return false
	}
}

func TestGateIsFirstComeFirstServed(t *testing.T) {
	var g Gate
	g.SetLimit(2)
	require.True(t, isOpen(g.Enter()))
	require.True(t, isOpen(g.Enter()))
	third, fourth, fifth := g.Enter(), g.Enter(), g.Enter()
	assert.Equal(t, 3, g.QueueDepth())
	assert.False(t, isOpen(third))

	g.Leave()
	assert.True(t, isOpen(third))
	assert.False(t, isOpen(fourth))
	g.Leave()
	assert.True(t, isOpen(fourth))
	assert.False(t, isOpen(fifth))
	assert.Equal(t, 1, g.QueueDepth())
}

func TestGateWithoutLimitLetsAllIn(t *testing.T) {
	var g Gate
	for range 100 {
		assert.Nil(t, g.Enter())
	}
}

func TestGateLimitChangesWhileCallsAreInside(t *testing.T) {
	var g Gate
	g.SetLimit(1)
	require.Nil(t, g.Enter())
	second, third, fourth := g.Enter(), g.Enter(), g.Enter()

	g.SetLimit(2)
	assert.True(t, isOpen(second), "a higher limit acts at once")
	assert.False(t, isOpen(third))

	g.SetLimit(1)
	g.Leave()
	assert.False(t, isOpen(third), "a lower limit acts as calls leave")
	g.Leave()
	assert.True(t, isOpen(third))

	g.SetLimit(0)
	assert.True(t, isOpen(fourth), "no limit lets all in")
	assert.Zero(t, g.QueueDepth())
}

func TestGateNeverLetsMoreInThanItsLimit(t *testing.T) {
	const limit = 4
	var g Gate
	g.SetLimit(limit)
	var inside, most atomic.Int64
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() {
			for range 200 {
				if turn := g.Enter(); turn != nil {
					<-turn
				}
				n := inside.Add(1)
				for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
				}
				inside.Add(-1)
				g.Leave()
			}
		})
	}
	all.Wait()
	assert.LessOrEqual(t, most.Load(), int64(limit))
	assert.Zero(t, g.QueueDepth())
}
