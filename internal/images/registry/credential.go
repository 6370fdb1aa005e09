package registry

import (
	"github.com/goldenarch/goldenarch/internal/images/credential"
)

// Credential is a login that was handed over, such as one of a pull secret. It
// prints as where it came from, and is never encoded.
type Credential struct {
	// Match is what it is for: "host", "host:port" or "host/path". Labels of the
	// host may be globs ("*.example.com"), as the kubelet has it.
	Match string `json:"-"`
	// Only says that it is for the repository Match alone. It comes after all
	// credentials that are for more.
	Only bool `json:"-"`

	Username string `json:"-"`
	Password string `json:"-"`
	// IdentityToken is exchanged for tokens (OAuth 2 refresh token).
	IdentityToken string `json:"-"`
	// RegistryToken is sent as it is (bearer token).
	RegistryToken string `json:"-"`
	// Source says where it came from, for messages: "Secret pull".
	Source string `json:"-"`
}

// String hides the secrets from every way of printing.
func (c Credential) String() string { return "credentials for " + c.Match + " from " + c.Source }

// GoString is String.
func (c Credential) GoString() string { return c.String() }

// ParseDockerConfig reads the credentials of a Secret of type
// kubernetes.io/dockerconfigjson. Source names the Secret. The error says what
// is wrong and repeats nothing of the data. Credential helpers are passed over:
// a Secret starts no program.
func ParseDockerConfig(source string, data []byte) ([]Credential, error) {
	return fromEntries(credential.ParseDockerConfig(source, data))
}

// ParseDockerCfg does the same for the older type kubernetes.io/dockercfg.
func ParseDockerCfg(source string, data []byte) ([]Credential, error) {
	return fromEntries(credential.ParseDockerCfg(source, data))
}

func fromEntries(entries []credential.Entry, err error) ([]Credential, error) {
	out := make([]Credential, len(entries))
	for i, e := range entries {
		out[i] = Credential{
			Match: e.Match, Username: e.Username, Password: e.Password,
			IdentityToken: e.IdentityToken, RegistryToken: e.RegistryToken, Source: e.Source,
		}
	}
	return out, err
}

func toEntries(list []Credential) []credential.Entry {
	out := make([]credential.Entry, len(list))
	for i, c := range list {
		out[i] = credential.Entry{Match: c.Match, Only: c.Only, Credential: credential.Credential{
			Username: c.Username, Password: c.Password,
			IdentityToken: c.IdentityToken, RegistryToken: c.RegistryToken, Source: c.Source,
		}}
	}
	return out
}
