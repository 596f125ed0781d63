package ab

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"net/textproto"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// server answers by the path of a request: /behaviour/argument/argument. Requests are counted over all its connections.
type server struct {
	plain, secure, impatient, nginx int // ports; impatient hangs up on who says nothing for 100 ms
	connections, requests           atomic.Int64

	mu    sync.Mutex
	first []byte
}

// exchange is a request to be answered.
type exchange struct {
	conn   net.Conn // as the client sees it, encrypted or not
	tcp    *net.TCPConn
	header textproto.MIMEHeader
	method string
	args   []string
	body   []byte
	number int // of the request on this server, from 1
	turn   int // of the request on its connection, from 1
	keep   bool
}

func (x *exchange) arg(i, otherwise int) int {
	if i < len(x.args) {
		if n, err := strconv.Atoi(x.args[i]); err == nil {
			return n
		}
	}
	return otherwise
}

// every says whether this request is one of those that an every-nth behaviour means.
func (x *exchange) every() bool { return x.number%x.arg(0, 1) == 0 }

func (x *exchange) write(format string, args ...any) { fmt.Fprintf(x.conn, format, args...) }

func (x *exchange) connection() string {
	if x.keep {
		return "Connection: Keep-Alive\r\n"
	}
	return "Connection: close\r\n"
}

func (x *exchange) answer(status, body string) bool {
	length := len(body)
	if x.method == "HEAD" {
		body = ""
	}
	x.write("HTTP/1.1 %s\r\nServer: abtest/1.0 (unit)\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n%s\r\n%s",
		status, length, x.connection(), body)
	return true
}

func (x *exchange) reset() bool { _ = x.tcp.SetLinger(0); return false }

func pause(ms int) { time.Sleep(time.Duration(ms) * time.Millisecond) }

// behaviours answer a request and say whether the connection may go on.
var behaviours = map[string]func(*exchange) bool{
	"":       func(x *exchange) bool { return x.answer("200 OK", "x") },
	"plain":  func(x *exchange) bool { return x.answer("200 OK", strings.Repeat("x", 13)) },
	"echo":   func(x *exchange) bool { return x.answer("200 OK", string(x.body)) },
	"status": func(x *exchange) bool { return x.answer(x.args[0]+" Status", "status body\n") },
	"varlen": func(x *exchange) bool { return x.answer("200 OK", strings.Repeat("v", 10+x.number%3)) },
	"everyN": func(x *exchange) bool {
		if x.every() {
			return x.answer(x.args[1]+" X", "eleven byte")
		}
		return x.answer("200 OK", "eleven byte")
	},
	"lat": func(x *exchange) bool {
		pause(x.number % x.arg(1, 10) * x.arg(0, 2))
		return x.answer("200 OK", "latency\n")
	},
	"slow": func(x *exchange) bool { pause(x.arg(0, 50)); return x.answer("200 OK", "slow\n") },
	"reset": func(x *exchange) bool {
		return x.every() && x.reset() || !x.every() && x.answer("200 OK", "hello reset\n")
	},
	"eof": func(x *exchange) bool { return !x.every() && x.answer("200 OK", "hello eof\n") },
	"short": func(x *exchange) bool {
		x.write("HTTP/1.1 200 OK\r\nServer: abtest/1.0\r\nContent-Length: 20\r\n%s\r\n0123456789", x.connection())
		if !x.every() {
			x.write("0123456789")
		}
		return !x.every()
	},
	"hang": func(x *exchange) bool {
		if x.every() {
			_, _ = x.conn.Read(make([]byte, 1))
			return false
		}
		return x.answer("200 OK", "hello hang\n")
	},
	"chunked": func(x *exchange) bool {
		x.write("HTTP/1.1 200 OK\r\nServer: abtest/1.0\r\nTransfer-Encoding: chunked\r\n%s\r\n"+
			"5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", x.connection())
		return true
	},
	"chunkedslow": func(x *exchange) bool {
		x.write("HTTP/1.1 200 OK\r\nServer: abtest/1.0\r\nTransfer-Encoding: chunked\r\n%s\r\n5\r\nhello\r\n", x.connection())
		pause(10)
		x.write("6\r\n world\r\n0\r\n\r\n")
		return true
	},
	"kaidle": func(x *exchange) bool { return x.answer("200 OK", "hello kaidle\n") && x.turn < x.arg(0, 1) },
	"karst": func(x *exchange) bool {
		x.answer("200 OK", "hello karst\n")
		return x.turn < x.arg(0, 1) || x.reset()
	},
	"noserver": func(x *exchange) bool {
		x.write("HTTP/1.0 200 OK\r\nContent-Length: 5\r\n%s\r\nhello", x.connection())
		return true
	},
	"mute": func(x *exchange) bool { // HTTP/1.1, no word about the connection, which stays open for a while
		x.write("HTTP/1.1 200 OK\r\nServer: abtest/1.0\r\nContent-Length: 5\r\n\r\nhello")
		pause(x.arg(0, 300))
		return false
	},
	"bighdr": func(x *exchange) bool {
		x.write("HTTP/1.0 200 OK\r\nServer: big/1\r\nX-Pad: %s\r\nContent-Length: 5\r\n%s\r\nhello",
			strings.Repeat("p", x.arg(0, 9000)), x.connection())
		return true
	},
	"garbage": func(x *exchange) bool { x.write("this is not http\r\n\r\nbody"); return false },
	"nginx": func(x *exchange) bool {
		x.write("HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Mon, 30 Nov 2026 18:24:19 GMT\r\nContent-Type: text/html\r\n"+
			"Content-Length: 17\r\nLast-Modified: Mon, 30 Nov 2026 18:24:19 GMT\r\n%s"+
			"ETag: \"656bd3a4-11\"\r\nAccept-Ranges: bytes\r\n\r\nseventeen bytes.\n", x.connection())
		return true
	},
}

// newServer starts a server that the test stops.
func newServer(t *testing.T) *server {
	s := &server{}
	s.plain = s.listen(t, func(c net.Conn) net.Conn { return c }, "")
	s.nginx = s.listen(t, func(c net.Conn) net.Conn { return c }, "nginx")
	s.impatient = s.listen(t, func(c net.Conn) net.Conn { return impatientConn{c} }, "")
	config := &tls.Config{Certificates: []tls.Certificate{certificate(t)}, MinVersion: tls.VersionTLS12}
	s.secure = s.listen(t, func(c net.Conn) net.Conn { return tls.Server(c, config) }, "")
	return s
}

type impatientConn struct{ net.Conn }

func (c impatientConn) Read(b []byte) (int, error) {
	_ = c.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	return c.Conn.Read(b)
}

// listen serves a port. With always set, every path means that behaviour.
func (s *server) listen(t *testing.T, wrap func(net.Conn) net.Conn, always string) (port int) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var all sync.WaitGroup
	var open sync.Map
	all.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			s.connections.Add(1)
			open.Store(c, true)
			all.Go(func() {
				defer open.Delete(c)
				defer c.Close()
				s.serve(wrap(c), c.(*net.TCPConn), always)
			})
		}
	})
	t.Cleanup(func() {
		ln.Close()
		open.Range(func(c, _ any) bool { c.(net.Conn).Close(); return true })
		all.Wait()
	})
	return ln.Addr().(*net.TCPAddr).Port
}

// serve answers the requests of a connection.
func (s *server) serve(c net.Conn, tcp *net.TCPConn, always string) {
	defer c.Close()
	var raw bytes.Buffer
	r := bufio.NewReader(io.TeeReader(c, &raw))
	for turn := 1; ; turn++ {
		x, err := readExchange(r)
		if err != nil {
			return
		}
		if x.args[0] == "earlyclose" {
			x.conn = c
			x.write("HTTP/1.1 413 Too Large\r\nServer: abtest/1.0\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbig\n")
			pause(20)
			return // with the body unread the kernel resets the connection
		}
		length, _ := strconv.Atoi(x.header.Get("Content-Length"))
		x.body = make([]byte, length)
		if _, err := io.ReadFull(r, x.body); err != nil {
			return
		}
		s.remember(raw.Bytes())
		x.conn, x.tcp, x.turn, x.number = c, tcp, turn, int(s.requests.Add(1))
		name := x.args[0]
		if x.args = x.args[1:]; always != "" {
			name = always
		}
		answer := behaviours[name]
		if answer == nil {
			answer = func(x *exchange) bool { return x.answer("404 Not Found", "nope\n") }
		}
		if !answer(x) || !x.keep {
			return
		}
	}
}

// readExchange reads a request up to its body. args begins with the behaviour.
func readExchange(r *bufio.Reader) (*exchange, error) {
	text := textproto.NewReader(r)
	line, err := text.ReadLine()
	if err != nil {
		return nil, err
	}
	words := strings.Fields(line)
	if len(words) != 3 {
		return nil, errors.New("no request line")
	}
	header, err := text.ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	_, path, absolute := strings.Cut(words[1], "://")
	if !absolute {
		path = words[1]
	}
	path = path[strings.IndexByte(path, '/')+1:]
	path, _, _ = strings.Cut(path, "?")
	return &exchange{method: words[0], header: header, args: strings.Split(path, "/"),
		keep: http.CanonicalHeaderKey(header.Get("Connection")) == "Keep-Alive"}, nil
}

func (s *server) remember(raw []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.first == nil {
		s.first = bytes.Clone(raw)
	}
}

func (s *server) firstRequest() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.first)
}

var rsaKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// certificate is one for an RSA key of 2048 bits, signed by itself.
func certificate(t *testing.T) tls.Certificate {
	key, err := rsaKey()
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// ellipticCertificate is one for a key on P-256.
func ellipticCertificate(t *testing.T) tls.Certificate {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// addr is a port on the loopback address.
func addr(port int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(port))
}
