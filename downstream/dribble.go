package main

import (
	"io"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
)

// dribblePause is the time between two pieces of a slow body, at least.
const dribblePause = 10 * time.Millisecond

// dribbled is a body that comes in pieces, a pause before each, the last one when the time is over. It ends its call:
// as answered when all of it was taken, as abandoned otherwise.
type dribbled struct {
	rest   []byte
	piece  int
	pause  time.Duration
	timers *Timers
	ended  sync.Once
	call   Call
}

var _ io.ReadCloser = (*dribbled)(nil)

// newDribbled cuts body into as many pieces as pauses fit into over, one at least.
func newDribbled(timers *Timers, call Call, body []byte, over time.Duration) *dribbled {
	pieces := min(max(1, int(over/dribblePause)), len(body))
	size := (len(body) + pieces - 1) / pieces
	pieces = (len(body) + size - 1) / size
	return &dribbled{rest: body, piece: size, pause: over / time.Duration(pieces), timers: timers, call: call}
}

// Read implements [io.Reader].
func (d *dribbled) Read(p []byte) (int, error) {
	if len(d.rest) == 0 {
		return 0, io.EOF
	}
	d.timers.Wait(d.pause)
	n := copy(p, d.rest[:min(d.piece, len(d.rest))])
	d.rest = d.rest[n:]
	return n, nil
}

// Close implements [io.Closer]; fasthttp calls it when the body was sent and when sending failed.
func (d *dribbled) Close() error {
	d.ended.Do(func() {
		if len(d.rest) == 0 {
			d.call.End(Answered)
		} else {
			d.call.End(Abandoned)
		}
	})
	return nil
}

// dribble answers with the head at once and the body slowly.
func (s *Server) dribble(c *fiber.Ctx, call Call, body []byte, over time.Duration) error {
	c.Response().Header.SetContentType(fiber.MIMEApplicationJSON)
	c.Response().ImmediateHeaderFlush = true // with nothing buffered, each piece is written as it is read
	c.Response().SetBodyStream(newDribbled(s.timers, call, body, over), len(body))
	return nil
}
