package config

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Within returns nil when least <= value <= most, and otherwise an error that names the flag, the value and the bounds.
func Within[T cmp.Ordered](flag string, value, least, most T) error {
	if value >= least && value <= most {
		return nil
	}
	return fmt.Errorf("--%s %v: want %v to %v", flag, value, least, most)
}

// OneOf returns nil when value is one of those allowed, and otherwise an error that names the flag, the value and them,
// but for an empty one, which is a flag that was not given.
func OneOf(flag, value string, allowed ...string) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	words := slices.DeleteFunc(slices.Clone(allowed), func(word string) bool { return word == "" })
	return fmt.Errorf("--%s %q: want one of %s", flag, value, strings.Join(words, ", "))
}

func atLeast[T cmp.Ordered](flag string, value, least T) error {
	if value >= least {
		return nil
	}
	return fmt.Errorf("--%s %v: want %v or more", flag, value, least)
}

// HostPort returns nil when value has the form host:port, and otherwise an error that names the flag and the value. A
// name need not resolve yet.
func HostPort(flag, value string) error {
	_, port, err := net.SplitHostPort(value)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return fmt.Errorf("--%s %q: want host:port, such as 127.0.0.1:8081", flag, value)
	}
	return nil
}

// baseURL returns nil when value is the http:// URL of a server, and otherwise an error that names the flag and the value.
func baseURL(flag, value string) error {
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "http" || u.Host == "" || u.User != nil || strings.ContainsAny(value, "?#") {
		return fmt.Errorf("--%s %q: want http://host[:port][/prefix]", flag, value)
	}
	return nil
}

// AddressOf returns the host:port to connect to for an http:// URL; port 80 when it names none. A text that is no URL
// is returned as it is: whoever connects to it will say so.
func AddressOf(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return base
	}
	port := u.Port()
	if port == "" {
		port = "80"
	}
	return net.JoinHostPort(u.Hostname(), port)
}
