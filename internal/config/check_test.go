package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAddressOf(t *testing.T) {
	cases := map[string]struct{ base, want string }{
		"with a port":   {"http://127.0.0.1:9101", "127.0.0.1:9101"},
		"with a prefix": {"http://a.example:9101/v2/x", "a.example:9101"},
		"no port":       {"http://a.example", "a.example:80"},
		"IPv6":          {"http://[::1]:9101/", "[::1]:9101"},
		"IPv6, no port": {"http://[::1]", "[::1]:80"},
		"no URL":        {"http://[::1", "http://[::1"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, AddressOf(c.base)) })
	}
}

func TestOneOf(t *testing.T) {
	require.NoError(t, OneOf("same", "", "", "threadpool", "eventloop"))
	require.EqualError(t, OneOf("same", "pool", "", "threadpool", "eventloop"),
		`--same "pool": want one of threadpool, eventloop`)
}
