package contract

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// behaviour is what a downstream does with a call. The zero value answers well.
type behaviour struct {
	// gate, when set, is waited for before the answer.
	gate <-chan struct{}
	// delay is waited before the answer.
	delay time.Duration
	// status and body replace those of a good answer when set.
	status int
	body   string
	// chunked sends the body in chunks.
	chunked bool
	// closes closes the connection after the answer without a word.
	closes bool
	// raw is sent instead of an answer; then the connection is closed.
	raw string
	// resets resets the connection instead of an answer; hangs never answers.
	resets, hangs bool
}

// downstream is a scripted HTTP server on a port of its own, which it keeps when it is stopped and started again.
type downstream struct {
	t      *testing.T
	answer func(path string, body []byte) string
	addr   string

	mu       sync.Mutex // guards what follows
	does     behaviour
	opened   chan struct{} // the gate that release opens
	listener net.Listener  // nil while stopped
	conns    map[net.Conn]bool
	ids      []string // X-Request-Id of each call
	busy     int      // calls under way
	busiest  int
	serving  sync.WaitGroup
}

func newDownstream(t *testing.T, answer func(path string, body []byte) string) *downstream {
	t.Helper()
	d := &downstream{t: t, answer: answer, addr: "127.0.0.1:0", conns: map[net.Conn]bool{}}
	d.start()
	t.Cleanup(func() {
		d.release()
		d.stop()
	})
	return d
}

func (d *downstream) url() string { return "http://" + d.addr }

// set changes what the downstream does from the next call on.
func (d *downstream) set(b behaviour) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.does = b
}

// hold makes calls wait until release.
func (d *downstream) hold() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.opened = make(chan struct{})
	d.does = behaviour{gate: d.opened}
}

// release lets calls go that wait because of hold, and answers well from now on.
func (d *downstream) release() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.opened != nil {
		close(d.opened)
		d.opened, d.does = nil, behaviour{}
	}
}

// calls are the request ids of all calls so far.
func (d *downstream) calls() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]string(nil), d.ids...)
}

// underWay is the number of calls that wait for their answer now, and the most that ever did.
func (d *downstream) underWay() (now, most int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.busy, d.busiest
}

// connections is the number of connections that are open.
func (d *downstream) connections() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.conns)
}

// start listens, on the same port as before.
func (d *downstream) start() {
	d.t.Helper()
	listener, err := net.Listen("tcp", d.addr)
	require.NoError(d.t, err)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.listener, d.addr = listener, listener.Addr().String()
	d.serving.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			if !d.enter(conn) {
				drop(conn)
				return
			}
			d.serving.Go(func() { d.serve(conn) })
		}
	})
}

// stop closes the port and every connection.
func (d *downstream) stop() {
	d.mu.Lock()
	if d.listener != nil {
		drop(d.listener)
		d.listener = nil
	}
	for conn := range d.conns {
		drop(conn)
	}
	d.mu.Unlock()
	d.serving.Wait()
}

func (d *downstream) enter(conn net.Conn) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.listener == nil {
		return false
	}
	d.conns[conn] = true
	return true
}

func (d *downstream) leave(conn net.Conn) {
	d.mu.Lock()
	delete(d.conns, conn)
	d.mu.Unlock()
	drop(conn)
}

func (d *downstream) serve(conn net.Conn) {
	defer d.leave(conn)
	reader := bufio.NewReader(conn)
	for {
		req, err := http.ReadRequest(reader)
		if err != nil {
			return
		}
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return
		}
		does := d.begin(req.Header.Get("X-Request-Id"))
		again := d.reply(conn, does, req.URL.Path, body)
		if !again {
			return
		}
	}
}

// begin notes a call and says what to do with it.
func (d *downstream) begin(id string) behaviour {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ids = append(d.ids, id)
	d.busy++
	d.busiest = max(d.busiest, d.busy)
	return d.does
}

// reply answers one call; it says whether the connection goes on.
func (d *downstream) reply(conn net.Conn, does behaviour, path string, body []byte) bool {
	end := sync.OnceFunc(func() {
		d.mu.Lock()
		d.busy--
		d.mu.Unlock()
	})
	defer end()
	if does.gate != nil {
		<-does.gate
	}
	time.Sleep(does.delay)
	switch {
	case does.hangs:
		_, _ = io.Copy(io.Discard, conn)
		return false
	case does.resets:
		_ = conn.(*net.TCPConn).SetLinger(0)
		return false
	case does.raw != "":
		_, _ = io.WriteString(conn, does.raw)
		return false
	}
	text := d.text(does, path, body)
	end()
	_, err := io.WriteString(conn, text)
	return err == nil && !does.closes
}

// text is the whole answer.
func (d *downstream) text(does behaviour, path string, body []byte) string {
	content := does.body
	if content == "" {
		content = d.answer(path, body)
	}
	status := cmp.Or(does.status, http.StatusOK)
	head := fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: application/json\r\n", status, http.StatusText(status))
	if does.chunked {
		half := len(content) / 2
		return head + fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n",
			half, content[:half], len(content)-half, content[half:])
	}
	return head + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(content), content)
}

// customer is downstream A's answer to GET /customers/ID.
func customer(path string, _ []byte) string {
	id := path[strings.LastIndexByte(path, '/')+1:]
	return fmt.Sprintf(`{"customer_id":%q,"tier":"gold","discount_bp":250}`, id)
}

// Prices of downstream B's world, in cents.
const (
	listPrice = 1999
	unitPrice = 1949
)

// entry is the catalog entry of a SKU, as it is cached.
func entry(sku string) string {
	return fmt.Sprintf(`{"sku":%q,"name":"Item %s","list_price":%d}`, sku, sku, listPrice)
}

// quote is downstream B's answer to POST /quotes.
func quote(_ string, body []byte) string {
	var q struct {
		CustomerID    string `json:"customer_id"`
		SKU           string `json:"sku"`
		Quantity      int    `json:"quantity"`
		CatalogWanted bool   `json:"catalog_wanted"`
	}
	if err := json.Unmarshal(body, &q); err != nil {
		return fmt.Sprintf(`{"error":%q}`, err.Error())
	}
	answer := fmt.Sprintf(`{"quote_id":"q-%s","unit_price":%d,"total":%d`, q.CustomerID, unitPrice, unitPrice*q.Quantity)
	if q.CatalogWanted {
		answer += `,"catalog":` + entry(q.SKU)
	}
	return answer + "}"
}
