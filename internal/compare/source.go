package compare

import "strconv"

// route is the order handler of each server, and word what it calls itself in answers.
var (
	route = map[Server]string{ThreadPool: "/v1/sync", EventLoop: "/v1/async"}
	word  = map[Server]string{ThreadPool: "pool", EventLoop: "loop"}
)

// source makes the requests of a batch for one server; it is a [load.Source].
type source struct {
	batch      Batch
	head, tail []byte // what comes before and behind the request's id
	ask        []byte // what asks for the stages, between them
}

func newSource(b Batch, s Server, host string, keepAlive bool) *source {
	head := "POST " + route[s.kind()] + " HTTP/1.1\r\nHost: " + host + "\r\nContent-Type: application/json\r\nContent-Length: " +
		strconv.Itoa(b.BodySize) + "\r\nX-Request-Id: "
	tail := "\r\n\r\n"
	if !keepAlive {
		tail = "\r\nConnection: close\r\n\r\n"
	}
	return &source{batch: b, head: []byte(head), tail: []byte(tail), ask: []byte("\r\nX-Lab-Timing: 1")}
}

// Append implements [load.Source].
func (s *source) Append(dst []byte, i int) []byte {
	dst = append(dst, s.head...)
	dst = s.batch.AppendID(dst, i)
	if s.batch.Timed(i) {
		dst = append(dst, s.ask...)
	}
	dst = append(dst, s.tail...)
	return s.batch.AppendBody(dst, i)
}
