package credential

import "encoding/base64"

// Credential proves to a registry who is asking. The zero Credential is
// nobody.
type Credential struct {
	Username string
	Password string
	// IdentityToken is exchanged for tokens (OAuth 2 refresh token).
	IdentityToken string
	// RegistryToken is sent as it is (bearer token).
	RegistryToken string
	// Source is the file or helper it came from, for messages.
	Source string
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
