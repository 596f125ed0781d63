package main

import (
	"sync"

	"poolvsloop/internal/wire"
)

// inbox is what a connection needs while a request comes in and is answered: bytes that were read and not decoded, the
// decoder and the request. An idle connection has none.
type inbox struct {
	buf     []byte // buf[from:to] is not decoded yet
	from    int
	to      int
	decoder *wire.RequestDecoder
	request wire.Request
	whole   bool // the request's body is complete
	out     []byte
	date    wire.DateLine
}

// inboxes lends inboxes to connections.
type inboxes struct{ pool sync.Pool }

// leastInput is the size of an inbox's buffer, in bytes, unless a head may be larger.
const leastInput = 16 << 10

func newInboxes(maxHeader, maxBody int) *inboxes {
	limits := wire.RequestLimits(maxHeader, maxBody)
	size := max(leastInput, maxHeader+1<<10)
	return &inboxes{sync.Pool{New: func() any {
		return &inbox{buf: make([]byte, size), decoder: wire.NewRequestDecoder(limits)}
	}}}
}

func (i *inboxes) borrow() *inbox { return i.pool.Get().(*inbox) }

// giveBack takes an inbox whose decoder is between two messages and whose buffer is empty.
func (i *inboxes) giveBack(in *inbox) {
	in.request.Reset()
	i.pool.Put(in)
}

// space is where the next bytes are read to. It is never empty: a head that fills the buffer was refused before.
func (in *inbox) space() []byte {
	if in.from > 0 && in.to == len(in.buf) {
		in.to = copy(in.buf, in.buf[in.from:in.to])
		in.from = 0
	}
	return in.buf[in.to:]
}

func (in *inbox) empty() bool { return in.from == in.to }

// started says that a byte of a request is here.
func (in *inbox) started() bool { return in.decoder.Started() }

// head decodes until the request's head is complete, and then what is here of its body.
func (in *inbox) head() (done bool, err error) {
	in.whole = false
	p, err := in.decode()
	if err != nil || p != wire.HeadDone {
		return false, err
	}
	return true, in.body()
}

// body decodes what is here of the body; whole says whether that was all.
func (in *inbox) body() error {
	p, err := in.decode()
	in.whole = p == wire.Complete
	return err
}

func (in *inbox) decode() (wire.Progress, error) {
	n, p, err := in.decoder.Decode(in.buf[in.from:in.to], &in.request)
	in.from += n
	if in.empty() {
		in.from, in.to = 0, 0
	}
	return p, err
}
