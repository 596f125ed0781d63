package ab

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseTarget(t *testing.T) {
	for text, want := range map[string]target{
		"http://host/":              {Host: "host", Port: 80, Path: "/", HostField: "host"},
		"host/a b?c#d":              {Host: "host", Port: 80, Path: "/a b?c#d", HostField: "host"},
		"https://host/":             {TLS: true, Host: "host", Port: 443, Path: "/", HostField: "host"},
		"https://host:443/":         {TLS: true, Host: "host", Port: 443, Path: "/", HostField: "host"},
		"https://host:80/":          {TLS: true, Host: "host", Port: 80, Path: "/", HostField: "host:80"},
		"http://host:0080/":         {Host: "host", Port: 80, Path: "/", HostField: "host"},
		"http://host:8080//x":       {Host: "host", Port: 8080, Path: "//x", HostField: "host:8080"},
		"http://host:/":             {Host: "host:", Port: 80, Path: "/", HostField: "host:"},
		"http://127.0.0.1/":         {Host: "127.0.0.1", Port: 80, Path: "/", HostField: "127.0.0.1"},
		"http://[::1]/":             {Host: "::1", Port: 80, Path: "/", HostField: "[::1]"},
		"http://[::1]:8080/":        {Host: "::1", Port: 8080, Path: "/", HostField: "[::1]:8080"},
		"http://user:pass@host/":    {Host: "user:pass@host", Port: 80, Path: "/", HostField: "user:pass@host"},
		"HTTP://host/":              {Host: "HTTP:", Port: 80, Path: "//host/", HostField: "HTTP:"},
		"ftp://host/":               {Host: "ftp:", Port: 80, Path: "//host/", HostField: "ftp:"},
		"http://h/http://other:81/": {Host: "h", Port: 80, Path: "/http://other:81/", HostField: "h"},
	} {
		t.Run(text, func(t *testing.T) {
			want.URL = text
			got, err := parseTarget(text)
			require.NoError(t, err)
			require.Equal(t, want, got)
		})
	}
	for _, text := range []string{"", "http://host", "http:///", "/", "http://:80/", "http://8080/", "http://host:0/",
		"http://host:65536/", "http://[::1/", "http://[x]/", "http://[::1]x/", "http://[127.0.0.1]/", "http://[fe80::1%eth0]/",
		"http://[/", "http://[]/", "http://[]:1/"} {
		_, err := parseTarget(text)
		require.ErrorIs(t, err, errURL, text)
	}
}

// What is accepted can be put together again, and its parts are in range.
func FuzzTarget(f *testing.F) {
	for _, text := range []string{"http://host:80/x", "https://[::1]:8/", "h/", "[", "1/", "http://h:99999/"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		x, err := parseTarget(text)
		if err != nil {
			return
		}
		require.NotEmpty(t, x.Host)
		require.True(t, x.Port >= 1 && x.Port <= 65535)
		require.True(t, strings.HasPrefix(x.Path, "/"))
		require.True(t, strings.HasSuffix(text, x.Path))
		require.Contains(t, text, x.Host)
	})
}
