package credential

import (
	"encoding/base64"

	"github.com/google/go-containerregistry/pkg/authn"
)

var _ authn.Authenticator = Credential{}

// Credential authenticates the user at a registry. The zero Credential is anonymous. A
// Credential prints only its source, and is never encoded.
type Credential struct {
	// Match says where a login that the caller passes may go: "host", "host:port" or
	// "host/path". Labels of the host may be globs ("*.example.com"), as in the kubelet.
	Match string `json:"-"`
	// Only restricts the login to the repository Match, without those below it. Logins for
	// more than one repository win over it.
	Only bool `json:"-"`

	Username string `json:"-"`
	Password string `json:"-"`
	// IdentityToken can be exchanged for tokens (OAuth 2 refresh token).
	IdentityToken string `json:"-"`
	// RegistryToken is sent unchanged (bearer token).
	RegistryToken string `json:"-"`
	// Source says where the credential comes from, for messages: a file, a helper, "Secret
	// pull".
	Source string `json:"-"`
}

// Anonymous reports whether the credential is empty.
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

// String returns a text without the secrets, whatever the format verb.
func (c Credential) String() string {
	if c.Anonymous() {
		return "no credentials"
	}
	return "credentials from " + c.Source
}

// GoString returns the same text as String.
func (c Credential) GoString() string { return c.String() }

// Authorization implements authn.Authenticator of go-containerregistry.
func (c Credential) Authorization() (*authn.AuthConfig, error) {
	return &authn.AuthConfig{
		Username: c.Username, Password: c.Password, IdentityToken: c.IdentityToken, RegistryToken: c.RegistryToken,
	}, nil
}
