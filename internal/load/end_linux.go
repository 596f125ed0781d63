package load

import "time"

// lose ends requests whose connection the server broke, as fail does.
func (l *loop) lose(i int32, f failure) {
	if l.clients[i].used {
		l.ClosedOnRequest++
	}
	l.fail(i, f)
}

// fail ends all requests of a client without an answer and hangs up. The client starts again by way of the ready queue,
// so that requests that fail at once don't keep the loop from its other clients.
func (l *loop) fail(i int32, f failure) {
	c := &l.clients[i]
	unconnected := c.phase == connecting
	if c.tunnel != nil && !c.greeted {
		if cause := c.tunnel.failure.Load(); cause != nil {
			f, unconnected = *cause, true
		}
	}
	for c.batch > 0 {
		l.failures[f.cause]++
		l.end(i, f.outcome)
		if l.OnFailure != nil && l.OnFailure(Failure{f.outcome, f.cause, f.errno, unconnected, c.used && c.firstByte == 0}) {
			l.halt()
		}
		if l.MostRefused > 0 && l.Refused > l.MostRefused && l.Answered == 0 {
			l.unheard = true
			l.halt()
		}
		c.answer.reset(false, false, false) // what came of it belongs to the first of the batch
		c.firstByte = 0
	}
	l.disconnect(c)
	switch {
	case l.Arrivals != nil:
		l.retire(i)
	case l.Think > 0:
		l.think(i)
	default:
		l.ready.push(i)
	}
}

// after sees to a client's next request once one has been answered: without a pause it is sent behind the batch of
// events, see goOn.
func (l *loop) after(i int32) {
	switch c := &l.clients[i]; {
	case l.Arrivals != nil && (c.session == 0 || l.timeUp()):
		l.retire(i)
	case l.Think > 0:
		l.think(i)
	default:
		l.again = append(l.again, i)
	}
}

// goOn sends the next requests of the clients that were answered in a batch of events. All answers are read before any
// of them: so the server is woken once for many requests rather than for each, which costs both sides less.
func (l *loop) goOn() {
	for k := 0; k < len(l.again); k++ { // it may grow meanwhile
		l.begin(l.again[k], l.clock())
	}
	l.again = l.again[:0]
}

// end books the request of a client that is first in its batch.
func (l *loop) end(i int32, o Outcome) {
	c := &l.clients[i]
	c.batch--
	l.inFlight--
	if c.batch == 0 {
		l.busy.remove(i)
		c.ended = l.now
	}
	l.lastEnd = l.now
	l.Head += c.answer.headBytes
	l.Body += c.answer.bodyBytes
	*l.of(o)++
	if o == TimedOut || o == InFlight {
		c.age = max(c.age, l.now-c.due)
	}
	if o == InFlight {
		l.ages = append(l.ages, time.Duration(l.now-c.due))
		return
	}
	x := c.sample(l.now, o)
	l.book(&x, l.now)
	l.samples.add(x)
	if o == Answered || o == TimedOut {
		l.times(&x, c.used)
	}
	if o != Answered {
		return
	}
	l.last = l.now
	if l.scheduled {
		l.service.record(int64(micros(l.now-c.start)), 1)
	}
	if l.Duration == 0 || l.now <= int64(l.Duration) {
		l.inWindow++
		if x.Status/100 == 2 {
			l.goodInWindow++
		}
	}
}

// disconnect closes the connection, if there is one.
func (l *loop) disconnect(c *client) {
	if c.fd == none {
		return
	}
	hangUp(c.fd)
	if c.tunnel != nil {
		c.tunnel.hangUp()
	}
	c.fd, c.interest, c.carried, c.used, c.tunnel, c.greeted = none, 0, 0, false, nil, false
}
