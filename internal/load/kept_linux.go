package load

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// Kept are keep-alive connections that each carried one request and are then left alone. One goroutine at a time may use
// them.
type Kept struct {
	addr    netip.AddrPort
	request []byte
	from    *bufio.Reader
	conns   []*net.TCPConn
}

const (
	// keptTimeout bounds the request of one connection, opening it included.
	keptTimeout = 5 * time.Second
	// keptTries is how often a connection is tried: a queue without places turns requests away that come before the worker
	// of the last one is back.
	keptTries = 5
	// keptPause is the time between two tries.
	keptPause = 20 * time.Millisecond
)

// NewKept returns no connections yet. The request is one that keeps its connection, and is answered with 200.
func NewKept(addr netip.AddrPort, request []byte) *Kept {
	return &Kept{addr: addr, request: request, from: bufio.NewReader(nil)}
}

// Grow opens connections, one after another, until n are there, so that the server never has more than one request of
// theirs. The error is why one could not be opened, the last one tried, or the end of ctx.
func (k *Kept) Grow(ctx context.Context, n int) error {
	for len(k.conns) < n {
		conn, err := k.open(ctx)
		for try := 1; err != nil && try < keptTries && ctx.Err() == nil; try++ {
			time.Sleep(keptPause)
			conn, err = k.open(ctx)
		}
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			return fmt.Errorf("open idle connection %d of %d to %s: %w", len(k.conns)+1, n, k.addr, err)
		}
		k.conns = append(k.conns, conn)
	}
	return nil
}

// open opens one connection and has it answered.
func (k *Kept) open(ctx context.Context) (*net.TCPConn, error) {
	ctx, cancel := context.WithTimeout(ctx, keptTimeout)
	defer cancel()
	conn, err := (&net.Dialer{KeepAlive: -1}).DialContext(ctx, "tcp", k.addr.String())
	if err != nil {
		return nil, err
	}
	end := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	err = k.ask(conn)
	if !end() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn.(*net.TCPConn), nil
}

// ask sends the request and reads its answer.
func (k *Kept) ask(conn net.Conn) error {
	if _, err := conn.Write(k.request); err != nil {
		return err
	}
	k.from.Reset(conn)
	answer, err := http.ReadResponse(k.from, nil)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }() // it was read to its end, or the connection is given up
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK || answer.Close {
		return fmt.Errorf("answer %s, connection kept: %t", answer.Status, !answer.Close)
	}
	return nil
}

// Open counts the connections that the server has not ended.
func (k *Kept) Open() int {
	open := 0
	for _, c := range k.conns {
		if !endedByPeer(c) {
			open++
		}
	}
	return open
}

// Close resets all connections, so that the kernel keeps nothing of them.
func (k *Kept) Close() {
	for _, c := range k.conns {
		// What fails here is gone already.
		_ = c.SetLinger(0)
		_ = c.Close()
	}
	k.conns = nil
}
