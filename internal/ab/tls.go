package ab

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/tls"
	"fmt"
	"net"
	"strings"

	"poolvsloop/internal/abreport"
	"poolvsloop/internal/load"
)

// tlsConfig makes what -f, -Z, -E and -I say. Nothing is verified, as in ab. The error is an [*Exit].
func (o *Options) tlsConfig(read func(file string) ([]byte, error)) (*tls.Config, error) {
	c := &tls.Config{
		InsecureSkipVerify: true,
		ServerName:         o.serverName(),
		MinVersion:         tls.VersionTLS10,
		// What OpenSSL 3.0 knows too, so that the temporary key is of the same kind.
		CurvePreferences: []tls.CurveID{tls.X25519, tls.CurveP256, tls.CurveP384, tls.CurveP521},
	}
	if o.MinTLS != 0 {
		c.MinVersion, c.MaxVersion = o.MinTLS, o.MaxTLS
	}
	if o.Ciphers != "" {
		ids := cipherList(o.Ciphers)
		if len(ids) == 0 || o.MinTLS == tls.VersionTLS13 {
			return nil, &Exit{Code: 1, Stderr: "error setting ciphersuite list [" + o.Ciphers + "]\n"}
		}
		c.CipherSuites = ids
	}
	if o.CertificateFile != "" {
		pem, err := read(o.CertificateFile)
		if err != nil {
			return nil, noCertificate(o.CertificateFile, reason(err))
		}
		pair, err := tls.X509KeyPair(pem, pem)
		if err != nil {
			return nil, noCertificate(o.CertificateFile, err.Error())
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}

func noCertificate(file, why string) *Exit {
	return &Exit{Code: 1, Stderr: fmt.Sprintf("unable to get certificate from '%s'\n%s\n", file, why)}
}

// serverName is the name for SNI: that of a -H Host: line, else of the URL; none for an IP address.
func (o *Options) serverName() string {
	name, given := o.header("Host")
	if !given {
		name = o.target.Host
	}
	if o.NoSNI || net.ParseIP(name) != nil || strings.Trim(name, "0123456789.") == "" {
		return ""
	}
	return name
}

// describe says in OpenSSL's words what the first handshake agreed on; nil for a run without TLS.
func (o *Options) describe(use *load.TLSUse) *abreport.TLS {
	if !o.target.TLS || use == nil {
		return nil
	}
	t := &abreport.TLS{ServerName: o.serverName()}
	if use.Handshakes == 0 {
		return t
	}
	suite := openSSL[use.First.CipherSuite]
	t.Protocol = fmt.Sprintf("%s,%s,%d,%d", protocolNames[use.First.Version], suite.name, keyBits(use.First), suite.bits)
	t.TempKey = temporaryKeys[use.First.CurveID]
	return t
}

// keyBits is the size of the key in the server's certificate.
func keyBits(state tls.ConnectionState) int {
	if len(state.PeerCertificates) == 0 {
		return 0
	}
	switch key := state.PeerCertificates[0].PublicKey.(type) {
	case *rsa.PublicKey:
		return key.N.BitLen()
	case *ecdsa.PublicKey:
		return key.Curve.Params().BitSize
	case ed25519.PublicKey:
		return 8 * ed25519.PublicKeySize
	}
	return 0
}
