package ab

import (
	"crypto/tls"
	"encoding/base64"
	"strings"
	"time"

	"poolvsloop/internal/abreport"
)

// Bounds of the command line.
const (
	maxConcurrency = 200_000
	// timedRequests is the number of requests that -t implies.
	timedRequests = 50_000
	// maxCredentials is how many bytes of -A and -P ab's buffer holds in base64.
	maxCredentials = 765
)

// Options is a command line that was read.
type Options struct {
	target   target
	Requests int
	// Concurrency is at most Requests.
	Concurrency int
	// TimeLimit is 0 for none; below 0 no request may start.
	TimeLimit time.Duration
	// Timeout bounds a request, 0 for no limit.
	Timeout time.Duration

	Method      string
	SendBody    bool
	Body        []byte
	ContentType string
	Headers     []string
	Cookies     []string
	// authorization holds whole lines.
	authorization string
	KeepAlive     bool

	Proxied   bool
	Proxy     string // host
	ProxyPort int
	Bind      string // local address or name
	Buffer    int    // bytes of the socket's buffers, 0 for the system's

	VariableLength bool
	GoOn           bool // after failures of connections
	Quiet          bool
	Verbosity      int
	NoConfidence   bool
	NoPercentiles  bool
	HTML           bool
	Attributes     abreport.Attributes
	CSV, Gnuplot   string // files, empty without

	NoSNI           bool
	MinTLS, MaxTLS  uint16 // 0: what the library allows
	Ciphers         string
	CertificateFile string
}

// command is a command line being read.
type command struct {
	Options
	name string
	read func(file string) ([]byte, error)
}

// Parse reads the words behind the program's name. name is what usage errors begin with, read reads -p and -u. The
// error is an [*Exit].
func Parse(name string, words []string, read func(file string) ([]byte, error)) (*Options, error) {
	c := command{name: name, read: read, Options: Options{
		Requests: 1, Concurrency: 1, Timeout: 30 * time.Second, ContentType: "text/plain",
		Attributes: abreport.Attributes{Cell: "bgcolor=white"},
	}}
	s := scanner{words: words}
	for {
		letter, argument, wrong := s.next()
		if wrong != nil {
			return nil, c.misuse(wrong, s.operands())
		}
		if letter == 0 {
			break
		}
		if err := c.set(letter, argument); err != nil {
			return nil, err
		}
	}
	if len(s.operands()) != 1 {
		return nil, usage(name, "wrong number of arguments")
	}
	if err := c.check(s.operands()[0]); err != nil {
		return nil, err
	}
	return &c.Options, nil
}

// check looks at what can only be judged when all options are known.
func (c *command) check(url string) error {
	if c.Method == "" {
		c.Method = "GET"
	}
	t, err := parseTarget(url)
	if err != nil {
		return usage(c.name, err.Error())
	}
	c.target = t
	switch {
	case c.Concurrency == 0:
		return usage(c.name, "Invalid Concurrency [Range 1..200000]")
	case c.Concurrency < 0 || c.Concurrency > maxConcurrency:
		return usage(c.name, "Invalid Concurrency [Range 0..200000]")
	case c.Concurrency > c.Requests:
		return usage(c.name, "Cannot use concurrency level greater than total number of requests")
	}
	return nil
}

// set takes in one option.
func (c *command) set(letter byte, argument string) error {
	switch letter {
	case 'h':
		return usage(c.name, "")
	case 'V':
		return &Exit{Stdout: banner(c.HTML)}
	case 'i', 'p', 'u', 'm':
		return c.setMethod(letter, argument)
	case 'A', 'P':
		return c.setCredentials(letter, argument)
	case 'n', 'c', 't', 's', 'b', 'v':
		return c.setNumber(letter, atoi(argument))
	}
	if flag := c.flag(letter); flag != nil {
		*flag = true
		return nil
	}
	c.setText(letter, argument)
	return nil
}

// flag is the field of an option without argument.
func (c *command) flag(letter byte) *bool {
	switch letter {
	case 'k':
		return &c.KeepAlive
	case 'l':
		return &c.VariableLength
	case 'r':
		return &c.GoOn
	case 'q':
		return &c.Quiet
	case 'S':
		return &c.NoConfidence
	case 'd':
		return &c.NoPercentiles
	case 'w':
		return &c.HTML
	case 'I':
		return &c.NoSNI
	}
	return nil
}

func (c *command) setNumber(letter byte, n int) error {
	switch letter {
	case 'n':
		if n <= 0 {
			return refuse("Invalid number of requests")
		}
		c.Requests = n
	case 'c':
		c.Concurrency = n
	case 't':
		c.TimeLimit, c.Requests = time.Duration(n)*time.Second, timedRequests
	case 's':
		c.Timeout = max(0, time.Duration(n)*time.Second)
	case 'b':
		c.Buffer = max(0, n)
	case 'v':
		c.Verbosity = n
	}
	return nil
}

// setMethod reads -i, -p, -u and -m; the first three exclude each other, and a -m before them.
func (c *command) setMethod(letter byte, argument string) error {
	if letter == 'm' {
		c.Method = argument
		return nil
	}
	method := map[byte]string{'i': "HEAD", 'p': "POST", 'u': "PUT"}[letter]
	if c.Method != "" {
		return refuse("Cannot mix " + method + " with other methods")
	}
	c.Method = method
	if letter == 'i' {
		return nil
	}
	body, err := c.read(argument)
	if err != nil {
		return &Exit{Code: 1, Stderr: unreadable(argument, err)}
	}
	c.Body, c.SendBody = body, true
	return nil
}

func (c *command) setCredentials(letter byte, argument string) error {
	what, header := "Authentication", "Authorization"
	if letter == 'P' {
		what, header = "Proxy", "Proxy-Authorization"
	}
	argument = strings.TrimLeft(argument, " \t\n\v\f\r")
	if len(argument) > maxCredentials {
		return refuse(what + " credentials too long")
	}
	c.authorization += header + ": Basic " + base64.StdEncoding.EncodeToString([]byte(argument)) + "\r\n"
	return nil
}

func (c *command) setText(letter byte, argument string) {
	switch letter {
	case 'T':
		c.ContentType = argument
	case 'H':
		c.Headers = append(c.Headers, argument)
	case 'C':
		c.Cookies = append(c.Cookies, argument)
	case 'X':
		host, port, _ := strings.Cut(argument, ":")
		c.Proxied, c.Proxy, c.ProxyPort = true, host, atoi(port)
	case 'B':
		c.Bind = argument
	case 'g':
		c.Gnuplot = argument
	case 'e':
		c.CSV = argument
	case 'x':
		c.HTML, c.Attributes.Table = true, argument
	case 'y':
		c.HTML, c.Attributes.Row = true, argument
	case 'z':
		c.HTML, c.Attributes.Cell = true, argument
	case 'Z':
		c.Ciphers = argument
	case 'E':
		c.CertificateFile = argument
	case 'f':
		c.setProtocol(argument)
	}
}

// setProtocol reads -f by ab's rule: the first of these names that the argument begins with, whatever its case.
// Anything else leaves the protocol open.
func (c *command) setProtocol(argument string) {
	for _, p := range []struct {
		name     string
		min, max uint16
	}{
		{"ALL", 0, 0}, {"TLS1.1", tls.VersionTLS11, tls.VersionTLS11}, {"TLS1.2", tls.VersionTLS12, tls.VersionTLS12},
		{"TLS1.3", tls.VersionTLS13, tls.VersionTLS13}, {"TLS1", tls.VersionTLS10, tls.VersionTLS10},
	} {
		if len(argument) >= len(p.name) && strings.EqualFold(argument[:len(p.name)], p.name) {
			c.MinTLS, c.MaxTLS = p.min, p.max
			return
		}
	}
}
