package ab

import (
	"errors"
	"net/netip"
	"strconv"
	"strings"
)

// target is a URL as ab understands it: [http[s]://]host[:port]/path.
type target struct {
	// URL is the text as typed.
	URL  string
	TLS  bool
	Host string // without brackets
	Port int
	Path string
	// HostField is the value of the Host header: brackets around an IPv6 address, and the port unless it is the
	// scheme's own.
	HostField string
}

var errURL = errors.New("invalid URL")

// parseTarget reads a URL. The path is whatever follows the host, sent as it is; it may not be missing.
func parseTarget(url string) (target, error) {
	t := target{URL: url, Port: 80}
	scheme := t.Port
	rest, cut := strings.CutPrefix(url, "https://")
	if t.TLS = cut && rest != ""; t.TLS {
		t.Port, scheme = 443, 443
	} else if rest, cut = strings.CutPrefix(url, "http://"); !cut || rest == "" {
		rest = url
	}
	slash := strings.IndexByte(rest, '/')
	if slash < 0 {
		return t, errURL
	}
	t.Path = rest[slash:]
	host, port, err := splitPort(rest[:slash])
	if err != nil {
		return t, err
	}
	if port != 0 {
		t.Port = port
	}
	t.Host, t.HostField = host, host
	if t.Port != scheme {
		t.HostField = host + ":" + strconv.Itoa(t.Port)
	}
	literal, isLiteral := strings.CutPrefix(host, "[")
	if !isLiteral {
		return t, nil
	}
	literal, closed := strings.CutSuffix(literal, "]")
	if ip, err := netip.ParseAddr(literal); err != nil || !closed || !ip.Is6() || ip.Zone() != "" {
		return t, errURL
	}
	t.Host = literal
	return t, nil
}

// splitPort takes the digits behind the last colon, if there are any, off a host; port is 0 without them.
func splitPort(s string) (host string, port int, err error) {
	host = strings.TrimRight(s, "0123456789")
	digits := s[len(host):]
	if host == "" {
		return "", 0, errURL
	}
	if digits == "" || host[len(host)-1] != ':' {
		return s, 0, nil
	}
	host = host[:len(host)-1]
	if port = atoi(digits); host == "" || port < 1 || port > 65535 {
		return "", 0, errURL
	}
	return host, port, nil
}
