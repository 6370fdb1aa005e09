package credential

import (
	"encoding/base64"

	"github.com/google/go-containerregistry/pkg/authn"
)

var _ authn.Authenticator = Credential{}

// Credential proves to a registry who is asking. The zero Credential is nobody. It
// prints as where it came from, and is never encoded.
type Credential struct {
	// Match is where a login that was handed over may go: "host", "host:port" or
	// "host/path". Labels of the host may be globs ("*.example.com"), as the kubelet
	// has it.
	Match string `json:"-"`
	// Only says that it is for the repository Match alone: not for those below it,
	// and after all logins that are for more.
	Only bool `json:"-"`

	Username string `json:"-"`
	Password string `json:"-"`
	// IdentityToken is exchanged for tokens (OAuth 2 refresh token).
	IdentityToken string `json:"-"`
	// RegistryToken is sent as it is (bearer token).
	RegistryToken string `json:"-"`
	// Source says where it came from, for messages: a file, a helper, "Secret pull".
	Source string `json:"-"`
}

// Anonymous reports whether there is nothing to prove with.
func (c Credential) Anonymous() bool {
	return c.Password == "" && c.IdentityToken == "" && c.RegistryToken == ""
}

// Basic returns the value of an Authorization header for basic
// authentication, or "".
func (c Credential) Basic() string {
	if c.Username == "" || c.Password == "" {
		return ""
	}
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(c.Username+":"+c.Password))
}

// String hides the secrets from every way of printing.
func (c Credential) String() string {
	if c.Anonymous() {
		return "no credentials"
	}
	return "credentials from " + c.Source
}

// GoString is String.
func (c Credential) GoString() string { return c.String() }

// Authorization implements authn.Authenticator of go-containerregistry.
func (c Credential) Authorization() (*authn.AuthConfig, error) {
	return &authn.AuthConfig{
		Username: c.Username, Password: c.Password, IdentityToken: c.IdentityToken, RegistryToken: c.RegistryToken,
	}, nil
}
