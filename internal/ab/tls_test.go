package ab

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func parse(t *testing.T, line string) *Options {
	t.Helper()
	o, err := Parse("ab", strings.Fields(line), os.ReadFile)
	require.NoError(t, err)
	return o
}

func TestServerName(t *testing.T) {
	for line, want := range map[string]string{
		"https://example.test/":                       "example.test",
		"https://example.test:8443/":                  "example.test",
		"https://127.0.0.1/":                          "",
		"https://[::1]/":                              "",
		"https://10.1/":                               "",
		"-I https://example.test/":                    "",
		"-H Host:other.test https://127.0.0.1/":       "other.test",
		"-H host:other.test:8443 https://127.0.0.1/":  "other.test:8443",
		"-H Host:10.0.0.1 https://example.test:8443/": "",
	} {
		require.Equal(t, want, parse(t, line).serverName(), line)
	}
}

func TestTLSConfig(t *testing.T) {
	c, err := parse(t, "-Z AES128-SHA:unknown -f TLS1.2 https://h/").tlsConfig(files)
	require.NoError(t, err)
	require.Equal(t, []uint16{tls.TLS_RSA_WITH_AES_128_CBC_SHA}, c.CipherSuites)
	require.EqualValues(t, tls.VersionTLS12, c.MinVersion)
	require.EqualValues(t, tls.VersionTLS12, c.MaxVersion)
	c, err = parse(t, "-Z HIGH https://h/").tlsConfig(files)
	require.NoError(t, err)
	require.Len(t, c.CipherSuites, len(openSSL)-3, "all but those of TLS 1.3")

	for line, says := range map[string]string{
		"-Z BOGUS http://h/":                                 "error setting ciphersuite list [BOGUS]\n",
		"-f TLS1.3 -Z TLS_AES_128_GCM_SHA256 https://h/":     "error setting ciphersuite list [TLS_AES_128_GCM_SHA256]\n",
		"-f TLS1.3 -Z ECDHE-RSA-AES128-GCM-SHA256 http://h/": "error setting ciphersuite list",
		"-E none http://h/":                                  "unable to get certificate from 'none'\nNo such file or directory\n",
		"-E body http://h/":                                  "unable to get certificate from 'body'\n",
	} {
		_, err := parse(t, line).tlsConfig(files)
		var exit *Exit
		require.ErrorAs(t, err, &exit, line)
		require.Equal(t, 1, exit.Code)
		require.True(t, strings.HasPrefix(exit.Stderr, says), exit.Stderr)
	}
}

// Every suite and curve that crypto/tls may agree on has a name here.
func TestNamesAreComplete(t *testing.T) {
	for _, suite := range append(tls.CipherSuites(), tls.InsecureCipherSuites()...) {
		require.NotEmpty(t, openSSL[suite.ID].name, suite.Name)
		require.Positive(t, openSSL[suite.ID].bits, suite.Name)
	}
	c, err := parse(t, "https://h/").tlsConfig(files)
	require.NoError(t, err)
	for _, curve := range c.CurvePreferences {
		require.NotEmpty(t, temporaryKeys[curve], curve)
	}
}

// TestClientCertificate shows -E to a server that wants a certificate, and the report of an elliptic key.
func TestClientCertificate(t *testing.T) {
	pair := ellipticCertificate(t)
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "client.pem")
	require.NoError(t, os.WriteFile(file, append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})...), 0o600))

	s := &server{}
	config := &tls.Config{Certificates: []tls.Certificate{pair}, ClientAuth: tls.RequireAnyClientCert}
	port := s.listen(t, func(c net.Conn) net.Conn { return tls.Server(c, config) }, "plain")
	at := "https://127.0.0.1:" + strconv.Itoa(port) + "/"
	got := run(t.Context(), "ab", []string{"-n", "2", "-E", file, at})
	require.Equal(t, "0", got.code)
	require.Contains(t, got.stdout, "Failed requests:        0\n")
	require.Contains(t, got.stdout, "SSL/TLS Protocol:       TLSv1.3,TLS_AES_128_GCM_SHA256,256,128\n")
	got = run(t.Context(), "ab", []string{"-n", "2", at})
	require.Contains(t, got.stdout, "Failed requests:        2\n")
}
