package certificate

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"

	"go.podman.io/image/v5/pkg/tlsclientconfig"

	"github.com/goldenarch/goldenarch/internal/files"
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

// maxFile is the size limit of a file of certificates.
const maxFile = 4 << 20

// directory reads the directory of a host (containers-certs.d(5)): *.crt are authorities,
// *.cert with *.key are client certificates. It uses the first directory that exists, as
// podman does.
func (s *Store) directory(host string) ([]*x509.Certificate, []tls.Certificate, error) {
	for _, dir := range s.directories() {
		for _, name := range names(host) {
			hostDir := filepath.Join(dir, name)
			entries, err := os.ReadDir(hostDir)
			switch {
			case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
				continue
			case err != nil:
				return nil, nil, fmt.Errorf("read the certificates of the host: %w", err)
			}
			return s.readDirectory(hostDir, entries)
		}
	}
	return nil, nil, nil
}

func (s *Store) directories() []string {
	if s.Dirs != nil {
		return s.Dirs
	}
	var list []string
	if dir := s.Env("XDG_CONFIG_HOME"); dir != "" {
		list = append(list, filepath.Join(dir, "containers", "certs.d"))
	} else if home := s.Env("HOME"); home != "" {
		list = append(list, filepath.Join(home, ".config", "containers", "certs.d"))
	}
	return append(list, "/etc/containers/certs.d", "/etc/docker/certs.d")
}

// names returns the possible names of a host's directory. Users name the one of Docker Hub
// after the host in references, or after its address.
func names(host string) []string {
	if Same(host, "docker.io") {
		return []string{"docker.io", "registry-1.docker.io"}
	}
	if host == "" || host == "." || host == ".." || filepath.Base(host) != host {
		return nil // from a redirect: not a valid directory name
	}
	return []string{host}
}

// readDirectory returns the authorities and the client certificates of a directory, which
// containers/image reads. readDirectory first refuses files that containers/image would
// wait for or skip: a pipe, a very large file, a .crt that is not a certificate.
func (s *Store) readDirectory(dir string, entries []fs.DirEntry) ([]*x509.Certificate, []tls.Certificate, error) {
	var authorities []*x509.Certificate
	for _, entry := range entries {
		name := filepath.Join(dir, entry.Name())
		extension := filepath.Ext(name)
		if extension != ".crt" && (s.AuthoritiesOnly || extension != ".cert" && extension != ".key") {
			continue
		}
		text, err := files.ReadUpTo(name, maxFile)
		if err != nil {
			return nil, nil, err
		}
		if extension == ".crt" {
			list, err := Parse(text)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", name, err)
			}
			authorities = append(authorities, list...)
		}
	}
	if s.AuthoritiesOnly {
		return authorities, nil, nil
	}
	config := tls.Config{RootCAs: x509.NewCertPool()} // not the system's pool, which the Store has
	if err := tlsclientconfig.SetupCertificates(dir, &config); err != nil {
		return nil, nil, fmt.Errorf("the client certificates in %s: %w", dir, err)
	}
	return authorities, config.Certificates, nil
}
