package selftest

import (
	"io"
	"net"
	"time"
)

// constant answers every request after the same time.
func constant(d time.Duration) behaviour {
	return func(s *server, c net.Conn) {
		exchange(s, c, answer, 0, func(int, time.Duration) time.Duration { return d })
	}
}

// bimodal answers every tenth request slowly.
func bimodal(fast, slow time.Duration) behaviour {
	return func(s *server, c net.Conn) {
		exchange(s, c, answer, 0, func(number int, _ time.Duration) time.Duration {
			if number%10 == 0 {
				return slow
			}
			return fast
		})
	}
}

// stall answers nothing from one moment after the first request to another.
func stall(from, to time.Duration) behaviour {
	return func(s *server, c net.Conn) {
		exchange(s, c, answer, 0, func(_ int, since time.Duration) time.Duration {
			if since >= from && since < to {
				return to - since
			}
			return 0
		})
	}
}

// starvingPool has so many workers, each of which keeps a connection until it closes; the others wait.
func starvingPool(workers int, d time.Duration) behaviour {
	free := make(chan struct{}, workers)
	return func(s *server, c net.Conn) {
		select {
		case free <- struct{}{}:
			defer func() { <-free }()
			constant(d)(s, c)
		case <-s.ctx.Done():
		}
	}
}

// silentClose ends each connection after so many answers without saying so in them.
func silentClose(answers int) behaviour {
	return func(s *server, c net.Conn) {
		exchange(s, c, answer, answers, func(int, time.Duration) time.Duration { return 0 })
	}
}

// hang reads and never answers.
func hang(_ *server, c net.Conn) { _, _ = io.Copy(io.Discard, c) }

// failing answers every request with status 500.
func failing(s *server, c net.Conn) {
	exchange(s, c, "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n", 0,
		func(int, time.Duration) time.Duration { return 0 })
}
