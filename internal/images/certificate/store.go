package certificate

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
)

// Store finds the certificates for a host. Set the fields before the first call. It is safe
// for use by many goroutines.
type Store struct {
	// Base are the authorities of all hosts; nil means the system's.
	Base *x509.CertPool
	// Given are the authorities that the caller passes.
	Given []Authority
	// Env returns an environment variable.
	Env func(string) string
	// AuthoritiesOnly prevents the use of client certificates.
	AuthoritiesOnly bool
	// Dirs are directories that have one subdirectory for each host; nil means podman's and
	// docker's.
	Dirs []string
}

// For returns the authorities of a host, nil if they are those of all hosts, and the client
// certificates for that host. The error names the file that cannot be read.
func (s *Store) For(host string) (*x509.CertPool, []tls.Certificate, error) {
	var added []*x509.Certificate
	for _, a := range s.Given {
		if a.Host != "" && !Same(a.Host, host) {
			continue
		}
		list, err := Parse(a.PEM)
		if err != nil {
			return nil, nil, err
		}
		added = append(added, list...)
	}
	found, clients, err := s.directory(host)
	if err != nil {
		return nil, nil, err
	}
	added = append(added, found...)
	if len(added) == 0 {
		return nil, clients, nil
	}
	pool := s.base()
	for _, one := range added {
		pool.AddCert(one)
	}
	return pool, clients, nil
}

// base returns a copy of the authorities of all hosts.
func (s *Store) base() *x509.CertPool {
	if s.Base != nil {
		return s.Base.Clone()
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		// A container may have no system authorities: then the host's own are the only ones.
		return x509.NewCertPool()
	}
	return pool
}

// Same reports whether two names mean the same host: the default port is 443, and Docker
// Hub has several names.
func Same(a, b string) bool { return canonical(a) == canonical(b) }

func canonical(host string) string {
	host = strings.ToLower(host)
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = strings.Trim(host, "[]"), "443"
	}
	if imageref.IsDockerHub(name) {
		name = imageref.DockerHub
	}
	return net.JoinHostPort(name, port)
}

// Authority is a set of certificate authorities that the caller passes, in addition to
// those of the system.
type Authority struct {
	// Host is the only registry ("name" or "name:port") that they apply to; "" means all.
	Host string
	// PEM has the certificates.
	PEM []byte
	// Source says where they came from, for messages: "ConfigMap ca".
	Source string
}

// Parse reads the certificates of a PEM text. It skips other blocks, because users keep
// keys and parameters in the same file. The error says that the text has no certificate, or
// which one cannot be read. It repeats nothing of the text.
func Parse(text []byte) ([]*x509.Certificate, error) {
	var list []*x509.Certificate
	for n := 1; ; {
		var block *pem.Block
		if block, text = pem.Decode(text); block == nil {
			break
		}
		if block.Type != "CERTIFICATE" {
			continue
		}
		one, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("certificate %d cannot be read: %w", n, err)
		}
		list = append(list, one)
		n++
	}
	if len(list) == 0 {
		return nil, errors.New("it holds no certificate in PEM")
	}
	return list, nil
}
