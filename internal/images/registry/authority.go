package registry

import (
	"crypto/tls"

	"github.com/goldenarch/goldenarch/internal/images/certificate"
	"github.com/goldenarch/goldenarch/internal/images/transport"
)

// trust returns how the transport finds the certificates of a host. A client
// certificate goes to an insecure host as little as a password does.
func trust(o Options) func(string) (transport.Trust, error) {
	store := &certificate.Store{Base: o.RootCAs, Given: o.Authorities, Env: o.Env}
	return func(host string) (transport.Trust, error) {
		roots, clients, err := store.For(host)
		if o.insecure(host) && !o.AllowInsecureCredentials {
			clients = []tls.Certificate(nil)
		}
		return transport.Trust{RootCAs: roots, Certificates: clients}, err
	}
}
