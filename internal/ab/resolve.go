package ab

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"syscall"
	"time"
)

// resolve finds the address to connect to: that of the proxy, or of the URL's host. Of several addresses it is the
// first that takes a connection, or else the last one.
func (s *session) resolve(ctx context.Context) (netip.AddrPort, error) {
	family := "ip"
	if s.Bind != "" {
		local, err := lookup(ctx, family, s.Bind)
		if err != nil {
			return netip.AddrPort{}, err
		}
		s.local = local[0]
		if err := s.tryBind(ctx); err != nil {
			return netip.AddrPort{}, err
		}
		if family = "ip6"; s.local.Is4() {
			family = "ip4"
		}
	}
	host, port := s.target.Host, s.target.Port
	if s.Proxied {
		host, port = s.Proxy, s.ProxyPort
	}
	all, err := lookup(ctx, family, host)
	if err != nil {
		return netip.AddrPort{}, err
	}
	if port < 1 || port > 65535 { // a proxy without a port
		return netip.AddrPort{}, aprError("apr_socket_recv", int(syscall.ECONNREFUSED), reason(syscall.ECONNREFUSED))
	}
	return netip.AddrPortFrom(s.reachable(ctx, all, port), uint16(port)), nil
}

// lookup asks the resolver. The error is an [*Exit] with the code that APR gives it.
func lookup(ctx context.Context, family, host string) ([]netip.Addr, error) {
	if ip, err := netip.ParseAddr(host); err == nil {
		if family == "ip4" && !ip.Is4() || family == "ip6" && ip.Is4() {
			return nil, aprError("apr_sockaddr_info_get() for "+host, 670009, "Address family for hostname not supported")
		}
		return []netip.Addr{ip}, nil
	}
	all, err := net.DefaultResolver.LookupNetIP(ctx, family, host)
	if err == nil && len(all) > 0 {
		for i := range all {
			all[i] = all[i].Unmap()
		}
		return all, nil
	}
	code, text := 670002, "Name or service not known"
	if dns := (*net.DNSError)(nil); errors.As(err, &dns) && !dns.IsNotFound {
		code, text = 670003, "Temporary failure in name resolution"
	}
	return nil, aprError("apr_sockaddr_info_get() for "+host, code, text)
}

// reachable tries several addresses in their order. The connections that this takes are closed at once and counted
// nowhere.
func (s *session) reachable(ctx context.Context, all []netip.Addr, port int) netip.Addr {
	const wait = 3 * time.Second
	last := len(all) - 1
	dialer := net.Dialer{Timeout: wait}
	if s.local.IsValid() {
		dialer.LocalAddr = net.TCPAddrFromAddrPort(netip.AddrPortFrom(s.local, 0))
	}
	for _, ip := range all[:last] {
		c, err := dialer.DialContext(ctx, "tcp", netip.AddrPortFrom(ip, uint16(port)).String())
		if err == nil {
			c.Close()
			return ip
		}
	}
	return all[last]
}
