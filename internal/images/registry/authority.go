package registry

import (
	"crypto/tls"

	"github.com/goldenarch/goldenarch/internal/images/certificate"
	"github.com/goldenarch/goldenarch/internal/images/transport"
)

// Authority is a set of certificate authorities that the user passes, in addition to
// those of the system.
type Authority struct {
	// Host is the only registry ("host" or "host:port") that they are valid for; "" is
	// all.
	Host string
	// PEM are the certificates.
	PEM []byte
	// Source says where they came from, for messages: "ConfigMap ca".
	Source string
}

// Check says whether a client could trust the authority: whether PEM holds
// certificates, and all of them can be read. The error repeats nothing of it.
func (a Authority) Check() error {
	_, err := certificate.Parse(a.PEM)
	return err
}

// trust returns how the transport finds the certificates of a host. A client
// certificate goes to an insecure host as little as a password does.
func trust(o Options) func(string) (transport.Trust, error) {
	store := &certificate.Store{Base: o.RootCAs, Env: o.Env}
	for _, a := range o.Authorities {
		store.Given = append(store.Given, certificate.Authority{Host: a.Host, PEM: a.PEM})
	}
	return func(host string) (transport.Trust, error) {
		roots, clients, err := store.For(host)
		if o.insecure(host) && !o.AllowInsecureCredentials {
			clients = []tls.Certificate(nil)
		}
		return transport.Trust{RootCAs: roots, Certificates: clients}, err
	}
}
