package e2e

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/distribution/distribution/v3/configuration"
	"github.com/distribution/distribution/v3/registry/auth/token"
	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/sirupsen/logrus"
	"golang.org/x/crypto/bcrypt"
)

const issuer, service = "issuer", "distribution"

// quiet takes the registry's log away: it writes of each request.
func quiet(t *testing.T) {
	t.Helper()
	logrus.SetOutput(io.Discard)
	t.Cleanup(func() { logrus.SetOutput(os.Stderr) })
}

func basic(user, password string) string {
	return base64.StdEncoding.EncodeToString([]byte(user + ":" + password))
}

func write(t *testing.T, file, content string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// access is how a registry knows who is asking, and what proves that one may
// push.
type access struct {
	auth  configuration.Auth
	proof string
}

// htpasswdAuth is a registry with a file of passwords.
func htpasswdAuth(t *testing.T) access {
	t.Helper()
	hash, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "htpasswd")
	write(t, file, user+":"+string(hash)+"\n")
	return access{
		auth:  configuration.Auth{"htpasswd": configuration.Parameters{"realm": "registry", "path": file}},
		proof: "Basic " + basic(user, password),
	}
}

// tokenAuth is a registry that trusts the tokens of a service, which signs
// them with a key of this run.
func tokenAuth(t *testing.T) access {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	trusted, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: "throw-away", Algorithm: "ES256", Use: "sig"}}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "jwks.json")
	write(t, file, string(trusted))
	signer, err := jose.NewSigner(
		jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: key, KeyID: "throw-away"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	mayPush, err := sign(signer, service, "repository:org/index:pull,push", "repository:org/single:pull,push")
	if err != nil {
		t.Fatal(err)
	}
	return access{
		auth: configuration.Auth{"token": configuration.Parameters{
			"realm": tokenService(t, signer).URL + "/token", "issuer": issuer, "service": service, "jwks": file,
			"signingalgorithms": []any{"ES256"},
		}},
		proof: "Bearer " + mayPush,
	}
}

// tokenService gives the user the tokens that are asked for.
func tokenService(t *testing.T, signer jose.Signer) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if u, p, _ := r.BasicAuth(); u != user || p != password {
			http.Error(rw, `{"errors":[{"code":"UNAUTHORIZED","message":"incorrect username or password"}]}`, http.StatusUnauthorized)
			return
		}
		query := r.URL.Query()
		signed, err := sign(signer, query.Get("service"), query["scope"]...)
		if err != nil {
			http.Error(rw, err.Error(), http.StatusInternalServerError)
			return
		}
		json.NewEncoder(rw).Encode(map[string]string{"token": signed})
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

// sign makes a token for scopes such as "repository:org/app:pull,push".
func sign(signer jose.Signer, audience string, scopes ...string) (string, error) {
	now := time.Now()
	claims := token.ClaimSet{
		Issuer: issuer, Subject: user, Audience: token.AudienceList{audience},
		NotBefore: now.Add(-time.Minute).Unix(), IssuedAt: now.Unix(), Expiration: now.Add(time.Minute).Unix(),
	}
	for _, scope := range scopes {
		if parts := strings.Split(scope, ":"); len(parts) == 3 {
			claims.Access = append(claims.Access, &token.ResourceActions{Type: parts[0], Name: parts[1], Actions: strings.Split(parts[2], ",")})
		}
	}
	return jwt.Signed(signer).Claims(claims).Serialize()
}
