package ab

import (
	"crypto/tls"
	"strings"
)

// OpenSSL's names for what crypto/tls knows.
var (
	protocolNames = map[uint16]string{
		tls.VersionTLS10: "TLSv1", tls.VersionTLS11: "TLSv1.1", tls.VersionTLS12: "TLSv1.2", tls.VersionTLS13: "TLSv1.3",
	}
	temporaryKeys = map[tls.CurveID]string{
		tls.X25519: "X25519 253 bits", tls.CurveP256: "ECDH prime256v1 256 bits",
		tls.CurveP384: "ECDH secp384r1 384 bits", tls.CurveP521: "ECDH secp521r1 521 bits",
	}
	openSSL = map[uint16]cipher{
		tls.TLS_AES_128_GCM_SHA256:       {"TLS_AES_128_GCM_SHA256", 128},
		tls.TLS_AES_256_GCM_SHA384:       {"TLS_AES_256_GCM_SHA384", 256},
		tls.TLS_CHACHA20_POLY1305_SHA256: {"TLS_CHACHA20_POLY1305_SHA256", 256},

		tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256:       {"ECDHE-ECDSA-AES128-GCM-SHA256", 128},
		tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384:       {"ECDHE-ECDSA-AES256-GCM-SHA384", 256},
		tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: {"ECDHE-ECDSA-CHACHA20-POLY1305", 256},
		tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA:          {"ECDHE-ECDSA-AES128-SHA", 128},
		tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256:       {"ECDHE-ECDSA-AES128-SHA256", 128},
		tls.TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA:          {"ECDHE-ECDSA-AES256-SHA", 256},
		tls.TLS_ECDHE_ECDSA_WITH_RC4_128_SHA:              {"ECDHE-ECDSA-RC4-SHA", 128},

		tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256:       {"ECDHE-RSA-AES128-GCM-SHA256", 128},
		tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384:       {"ECDHE-RSA-AES256-GCM-SHA384", 256},
		tls.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: {"ECDHE-RSA-CHACHA20-POLY1305", 256},
		tls.TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA:          {"ECDHE-RSA-AES128-SHA", 128},
		tls.TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256:       {"ECDHE-RSA-AES128-SHA256", 128},
		tls.TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA:          {"ECDHE-RSA-AES256-SHA", 256},
		tls.TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA:         {"ECDHE-RSA-DES-CBC3-SHA", 112},
		tls.TLS_ECDHE_RSA_WITH_RC4_128_SHA:              {"ECDHE-RSA-RC4-SHA", 128},

		tls.TLS_RSA_WITH_AES_128_GCM_SHA256: {"AES128-GCM-SHA256", 128},
		tls.TLS_RSA_WITH_AES_256_GCM_SHA384: {"AES256-GCM-SHA384", 256},
		tls.TLS_RSA_WITH_AES_128_CBC_SHA:    {"AES128-SHA", 128},
		tls.TLS_RSA_WITH_AES_128_CBC_SHA256: {"AES128-SHA256", 128},
		tls.TLS_RSA_WITH_AES_256_CBC_SHA:    {"AES256-SHA", 256},
		tls.TLS_RSA_WITH_3DES_EDE_CBC_SHA:   {"DES-CBC3-SHA", 112},
		tls.TLS_RSA_WITH_RC4_128_SHA:        {"RC4-SHA", 128},
	}
)

// cipher is a cipher suite as OpenSSL calls it, and the strength of its cipher in bits.
type cipher struct {
	name string
	bits int
}

// cipherList reads OpenSSL's list of suites up to TLS 1.2: names, or one of the words that stand for all. Like OpenSSL
// it passes over what it does not know; an empty result is the caller's error.
func cipherList(list string) (ids []uint16) {
	words := strings.FieldsFunc(list, func(r rune) bool { return r == ':' || r == ',' || r == ' ' })
	for _, word := range words {
		every := word == "ALL" || word == "DEFAULT" || word == "HIGH"
		for id, c := range openSSL {
			if (every || word == c.name) && !strings.HasPrefix(c.name, "TLS_") {
				ids = append(ids, id)
			}
		}
	}
	return ids
}
