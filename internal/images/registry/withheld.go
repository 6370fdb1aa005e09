package registry

import (
	"context"
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/internal/images/certificate"
	"github.com/goldenarch/goldenarch/internal/images/confine"
	"github.com/goldenarch/goldenarch/internal/images/credential"
)

// credentials returns the user's credentials for the repository, if the session may
// send them to the service that the challenge names.
func (s *session) credentials(ctx context.Context, c challenge) (credential.Found, error) {
	e := s.endpoint
	found, err := e.client.keyring.Find(ctx, e.host, s.repository)
	if err != nil {
		if ctx.Err() != nil {
			return found, err
		}
		return found, badContent(ErrCredentials, "", "requires a login, and %v", err)
	}
	why := e.withheld(c, found.Credential)
	if why == "" && found.Machine {
		why = e.untrusting()
	}
	if why != "" {
		found.Withheld = "the " + found.String() + " were not sent: " + why
		found.Credential = credential.Credential{}
	}
	_, basic, _ := strings.Cut(found.Basic(), " ")
	e.client.addSecrets(ctx, found.Password, found.IdentityToken, found.RegistryToken, basic)
	return found, nil
}

// `withheld` returns why the client does not send the credentials for a challenge and
// what the user can do about it, or "".
func (e *endpoint) withheld(c challenge, who credential.Credential) string {
	switch {
	case who.Anonymous():
		return ""
	case !e.trusted(c):
		return "the registry is insecure; --allow-insecure-credentials sends them"
	case c.scheme != "basic" || who.Basic() != "":
		return ""
	case who.IdentityToken != "":
		return "the registry requires Basic authentication, which accepts no identity token; log in with a user and a password"
	case who.RegistryToken != "":
		return "the registry requires Basic authentication, which accepts no registry token; log in with a user and a password"
	}
	return "they have no user name, which the registry requires"
}

// untrusting returns why the machine's own logins do not go to the registry, or "".
// Under Argo CD anyone who writes to Git could name their own certificate authority and
// read the logins of all tenants.
func (e *endpoint) untrusting() string {
	o := e.client.options
	if e.client.confine.Logins(e.address) || e.client.confine.Logins(e.host) {
		return ""
	}
	named := ""
	if o.insecure(e.address) {
		named = "calls the registry insecure"
	}
	for _, a := range o.Authorities {
		if a.Host == "" || certificate.Same(a.Host, e.address) {
			named = "names its certificate authority (" + a.Source + ")"
		}
	}
	if named == "" {
		return ""
	}
	return fmt.Sprintf("Git %s. Under Argo CD goldenarch sends no logins of the machine to such a registry; list it in %s to allow that",
		named, confine.AllowedLogins)
}

// trusted reports whether the client may send credentials for a challenge. The host
// that sent it and the host that it names must both authenticate themselves.
func (e *endpoint) trusted(c challenge) bool {
	if e.client.options.AllowInsecureCredentials {
		return true
	}
	if e.client.options.insecure(e.address) {
		return false
	}
	if c.scheme == "basic" {
		return true
	}
	realm, err := parseRealm(c.realm)
	return err == nil && realm.Scheme == "https" && !e.client.options.insecure(realm.Host)
}
