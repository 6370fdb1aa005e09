package registrytest

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
)

// Users are passwords by user.
type Users map[string]string

// Basic asks for a user and a password.
func Basic(users Users) Wrapper {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if _, ok := users.of(r); !ok {
				unauthorized(rw, `Basic realm="registrytest"`)
				return
			}
			next.ServeHTTP(rw, r)
		})
	}
}

// of returns the user who asks, if the password is right.
func (u Users) of(r *http.Request) (name string, ok bool) {
	name, password, _ := r.BasicAuth()
	want, known := u[name]
	return name, known && password == want
}

func unauthorized(rw http.ResponseWriter, challenge string) {
	rw.Header().Set("Content-Type", "application/json")
	if challenge != "" {
		rw.Header().Set("WWW-Authenticate", challenge)
	}
	rw.WriteHeader(http.StatusUnauthorized)
	_, _ = fmt.Fprint(rw, `{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}`)
}

// Tokens is a token service, and the registries that trust it (distribution
// spec/auth/token and spec/auth/oauth). A token is for one repository.
type Tokens struct {
	// Realm is the URL of the service; "" is TokenPath of the registry asked.
	Realm string
	// Service is the name of the registry for the service.
	Service string
	// Users may get tokens; none is anybody.
	Users Users
	// May narrows which user gets a token for which repository; nil is all.
	May func(user, repository string) bool
	// IdentityToken is taken by POST in a user's place.
	IdentityToken string
	// AccessTokenOnly answers with access_token and without token.
	AccessTokenOnly bool

	generation atomic.Int64
}

// Revoke makes all tokens given so far worth nothing.
func (t *Tokens) Revoke() { t.generation.Add(1) }

// Require asks for a token for the repository, and answers for the service
// where the realm is the registry itself.
func (t *Tokens) Require() Wrapper {
	return func(next http.Handler) http.Handler {
		service := t.Serve()(next)
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			asked := parse(r)
			switch {
			case asked.kind == Token && t.Realm == "":
				service.ServeHTTP(rw, r)
			case asked.kind == Other,
				r.Header.Get("Authorization") == "Bearer "+t.token(scopeOf(asked.repository)):
				next.ServeHTTP(rw, r)
			default:
				unauthorized(rw, t.challenge(r, scopeOf(asked.repository)))
			}
		})
	}
}

// Serve answers for the token service, and passes on what asks for no token.
func (t *Tokens) Serve() Wrapper {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if parse(r).kind != Token {
				next.ServeHTTP(rw, r)
				return
			}
			user, ok := t.who(r)
			if !ok || t.Service != "" && r.FormValue("service") != t.Service {
				unauthorized(rw, "")
				return
			}
			t.grant(rw, user, r.FormValue("scope"))
		})
	}
}

// who returns the user that asks the service; "" is nobody in particular.
func (t *Tokens) who(r *http.Request) (user string, ok bool) {
	if r.Method == http.MethodPost {
		return "", t.IdentityToken != "" && r.PostFormValue("grant_type") == "refresh_token" &&
			r.PostFormValue("refresh_token") == t.IdentityToken
	}
	if len(t.Users) == 0 {
		return "", true
	}
	return t.Users.of(r)
}

// grant gives a token for the scope, or, as services do, one for nothing to a
// user who may not have it.
func (t *Tokens) grant(rw http.ResponseWriter, user, scope string) {
	repository, ok := strings.CutSuffix(strings.TrimPrefix(scope, "repository:"), ":pull")
	if !ok || t.May != nil && !t.May(user, repository) {
		scope = ""
	}
	key := "token"
	if t.AccessTokenOnly {
		key = "access_token"
	}
	rw.Header().Set("Content-Type", "application/json")
	_, _ = rw.Write(encode(map[string]any{key: t.token(scope), "expires_in": 300}))
}

// tokenPrefix begins all tokens.
const tokenPrefix = "g1ven-t0ken-"

// token is the one token for a scope: unlike any other text, so that a test
// finds it where it must not be.
func (t *Tokens) token(scope string) string {
	return tokenPrefix + strconv.FormatInt(t.generation.Load(), 10) + "-" + hex.EncodeToString([]byte(scope))
}

// challenge is the header WWW-Authenticate. Negotiate stands first, as some
// registries send it: it cannot be met.
func (t *Tokens) challenge(r *http.Request, scope string) string {
	realm := t.Realm
	if realm == "" {
		realm = "https://" + r.Host + TokenPath
		if r.TLS == nil {
			realm = "http://" + r.Host + TokenPath
		}
	}
	challenge := fmt.Sprintf(`Negotiate, Bearer realm=%q,service=%q`, realm, t.Service)
	if scope == "" {
		return challenge // a ping is about no repository
	}
	return challenge + fmt.Sprintf(`,scope=%q`, scope)
}

func scopeOf(repository string) string {
	if repository == "" {
		return ""
	}
	return "repository:" + repository + ":pull"
}
