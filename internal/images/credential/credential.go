package credential

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/authn"

	"github.com/goldenarch/goldenarch/internal/files"
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

// maxFile is the size limit of an auth file.
const maxFile = 4 << 20

// file is an auth file: docker's config.json or podman's auth.json.
type file struct {
	// auths and helpers have normalized keys.
	auths   map[string]Credential
	helpers map[string]string
	store   string
}

type fileJSON struct {
	Auths       map[string]json.RawMessage `json:"auths"` // one by one, so that an error names the key
	CredHelpers map[string]string          `json:"credHelpers"`
	CredsStore  string                     `json:"credsStore"`
}

// readFile reads an auth file. It returns nil if the file does not exist and is not
// required.
func readFile(name string, required bool) (*file, error) {
	data, err := files.ReadUpTo(name, maxFile)
	if errors.Is(err, fs.ErrNotExist) && !required {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the auth file: %w", err)
	}
	return parseFile(name, data)
}

// parseFile reads the text of an auth file. The error names the file and repeats nothing of
// its content.
func parseFile(name string, data []byte) (*file, error) {
	broken := func(what string) error {
		return fmt.Errorf("the auth file %s is broken: %s; correct it, or set REGISTRY_AUTH_FILE to another one", name, what)
	}
	in, err := parseJSON(data)
	if err != nil {
		return nil, broken(err.Error())
	}
	out := &file{store: in.CredsStore, auths: map[string]Credential{}, helpers: map[string]string{}}
	// Sorted, so that of two keys with the same meaning always the same one wins.
	for _, key := range slices.Backward(slices.Sorted(maps.Keys(in.Auths))) {
		c, err := credential(key, in.Auths[key])
		if err != nil {
			return nil, broken(err.Error())
		}
		if !c.Anonymous() {
			c.Source = name
			out.auths[normalKey(key)] = c
		}
	}
	for _, key := range slices.Backward(slices.Sorted(maps.Keys(in.CredHelpers))) {
		out.helpers[normalKey(key)] = in.CredHelpers[key]
	}
	return out, nil
}

// parseJSON reads the form that auth files and pull secrets share. The error gives the
// position of the mistake and repeats nothing of the content.
func parseJSON(data []byte) (fileJSON, error) {
	var in fileJSON
	// "podman logout --all" and a mounted /dev/null leave an empty file.
	if len(strings.TrimSpace(string(data))) == 0 {
		return in, nil
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return in, notExpected(position(err))
	}
	return in, nil
}

func notExpected(why string) error { return fmt.Errorf("it is not the JSON expected (%s)", why) }

// position says where a JSON text is invalid without repeating its content.
func position(err error) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Sprintf("at byte %d", syntax.Offset)
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Sprintf("wrong type at byte %d", kind.Offset)
	case errors.As(err, &kind):
		return fmt.Sprintf("wrong type of %q at byte %d", kind.Field, kind.Offset)
	}
	return "unreadable"
}

// credential reads one login. go-containerregistry knows its form. Its errors may repeat the content.
func credential(key string, data []byte) (Credential, error) {
	var a authn.AuthConfig
	err := json.Unmarshal(data, &a)
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return Credential{}, notExpected(fmt.Sprintf("auths[%q]: %s", key, position(err)))
	}
	if err != nil || a.Auth != "" && a.Username == "" {
		return Credential{}, fmt.Errorf(`auths[%q]: "auth" is not base64 of user:password`, key)
	}
	return Credential{
		Username: a.Username, Password: strings.Trim(a.Password, "\x00"), // docker pads with NUL (docker/cli decodeAuth)
		IdentityToken: a.IdentityToken, RegistryToken: a.RegistryToken,
	}, nil
}

// ParseDockerConfig reads the content of a Secret of type kubernetes.io/dockerconfigjson.
// It ignores credential helpers in it: the content of a package must not start a program.
// The error names the source and repeats no secret.
func ParseDockerConfig(source string, data []byte) ([]Credential, error) {
	in, err := parseJSON(data)
	if err != nil {
		return nil, broken(source, err.Error())
	}
	var list []Credential
	for _, key := range slices.Sorted(maps.Keys(in.Auths)) {
		c, err := credential(key, in.Auths[key])
		if err != nil {
			return nil, broken(source, err.Error())
		}
		if c.Match, c.Source = key, source; !c.Anonymous() {
			list = append(list, c)
		}
	}
	return list, nil
}

// ParseDockerCfg reads the content of a Secret of type kubernetes.io/dockercfg: the older
// form, without "auths" around it.
func ParseDockerCfg(source string, data []byte) ([]Credential, error) {
	var auths map[string]json.RawMessage
	if err := json.Unmarshal(data, &auths); err != nil {
		return nil, broken(source, notExpected(position(err)).Error())
	}
	wrapped, err := json.Marshal(map[string]any{"auths": auths})
	if err != nil {
		return nil, broken(source, "it is not the JSON expected")
	}
	return ParseDockerConfig(source, wrapped)
}

func broken(source, what string) error { return fmt.Errorf("%s is broken: %s", source, what) }
