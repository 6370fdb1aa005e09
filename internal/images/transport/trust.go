package transport

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
)

// Trust has the certificates for one host, in addition to those for all hosts. The zero
// Trust adds nothing.
type Trust struct {
	// RootCAs are the trusted certificate authorities, instead of those of Options; nil
	// uses those of Options.
	RootCAs *x509.CertPool
	// Certificates are the client certificates for this host.
	Certificates []tls.Certificate
}

// tripper returns the connection pool for a host. Most hosts share a pool; a host with
// its own certificates has its own.
func (t *Transport) tripper(h *host, insecure bool) (http.RoundTripper, error) {
	shared := t.secure
	if insecure {
		shared = t.insecure
	}
	if t.options.Trust == nil {
		return shared, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.trustKnown {
		trust, err := t.options.Trust(h.name)
		h.trustKnown = true
		switch {
		case err != nil:
			h.trustErr = fmt.Errorf("%w: %w", ErrTrust, err)
		case trust.RootCAs != nil || len(trust.Certificates) > 0:
			h.private = roundTripper(t.options, trust, insecure)
		}
	}
	if h.private != nil {
		shared = h.private
	}
	return shared, h.trustErr
}
