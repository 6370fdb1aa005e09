package certificate

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"go.podman.io/image/v5/pkg/tlsclientconfig"

	"github.com/goldenarch/goldenarch/internal/regular"
)

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
		text, err := regular.ReadUpTo(name, maxFile)
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
