package registry

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	remote "github.com/google/go-containerregistry/pkg/v1/remote/transport"

	"github.com/goldenarch/goldenarch/internal/images/credential"
	"github.com/goldenarch/goldenarch/internal/images/transport"
)

const (
	// tokenLimit is the size of the largest answer of a token service.
	tokenLimit = 1 << 20
	// longestToken is the size of the largest token that the client keeps and sends,
	// with the JSON around it. Servers accept no larger header, and
	// go-containerregistry reads no larger answer.
	longestToken = 64 << 10
)

// exchange is a request for a bearer token (distribution spec/auth/token and
// spec/auth/oauth).
type exchange struct {
	challenge challenge
	scope     string
	// from is the URL that sent the challenge.
	from *url.URL
	who  credential.Credential
}

// exchange returns a bearer token.
//
// It requests one scope at a time: some services honor only the first scope, some
// refuse several, and parallel requests are as fast.
func (e *endpoint) exchange(ctx context.Context, x exchange) (string, error) {
	realm, err := parseRealm(x.challenge.realm)
	if err != nil {
		return "", err
	}
	if err := e.checkRealm(x.from, realm); err != nil {
		return "", err
	}
	if x.who.Anonymous() {
		return e.fetchToken(ctx, realm, x)
	}
	var token string
	err = e.loginCheck(x.who).try(ctx, func(func()) (v verdict, err error) {
		token, err = e.fetchToken(ctx, realm, x)
		return e.serviceVerdict(ctx, realm, x, err), err
	})
	return token, err
}

// fetchToken queries the service once. go-containerregistry implements the protocol,
// and sends its request through our transport.
func (e *endpoint) fetchToken(ctx context.Context, realm *url.URL, x exchange) (string, error) {
	// The service takes the place of the registry: go-containerregistry refuses a
	// service at a private address that is not the registry's. checkRealm decides about
	// that.
	service, err := name.NewRegistry(realm.Host)
	if err != nil {
		return "", invalidRealm(x.challenge.realm)
	}
	var scopes []string
	if x.scope != "" {
		scopes = []string{x.scope}
	}
	sender := &tokenSender{endpoint: e, plain: x.from.Scheme == "http"}
	token, err := remote.Exchange(ctx, service, x.who, sender, scopes, &remote.Challenge{
		Scheme: "bearer", Insecure: sender.plain,
		Parameters: map[string]string{"realm": realm.String(), "service": cmp.Or(x.challenge.service, realm.Query().Get("service"))},
	})
	switch {
	case sender.err != nil:
		return "", sender.err
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil:
		return "", noToken(realm.Host, errors.New("it is not usable")) // the library's words repeat the answer
	}
	return token.Token, nil
}

// tokenSender is the http.RoundTripper of one exchange. It keeps the reason why there
// is no token: the library's error contains the URL, with its query.
type tokenSender struct {
	endpoint *endpoint
	plain    bool
	err      error
}

// RoundTrip implements http.RoundTripper. Every answer without a token is an error.
func (s *tokenSender) RoundTrip(r *http.Request) (*http.Response, error) {
	if query := r.URL.Query(); query.Has("service") && query.Get("service") == "" {
		// The challenge names no service.
		query.Del("service")
		r = r.Clone(r.Context())
		r.URL.RawQuery = query.Encode()
	}
	ask := transport.Request{
		Method: r.Method, URL: r.URL, Header: r.Header,
		Limit: tokenLimit, Slow: true, PlainHTTP: s.plain, Hasty: queryOf(r.Context()).hasty,
	}
	if r.Body != nil {
		defer r.Body.Close()
		if ask.Body, s.err = io.ReadAll(r.Body); s.err != nil {
			return nil, s.err
		}
	}
	var resp *transport.Response
	if resp, s.err = s.endpoint.client.transport.Do(r.Context(), ask); s.err != nil {
		return nil, s.err
	}
	defer resp.Release()
	if resp.Status != http.StatusOK {
		s.err = newStatusError(resp, "token service "+r.URL.Host)
		return nil, s.err
	}
	var only []byte
	if only, s.err = tokenOnly(r.URL.Host, resp.Body); s.err != nil {
		return nil, s.err
	}
	return &http.Response{StatusCode: resp.Status, Header: resp.Header, Body: io.NopCloser(bytes.NewReader(only)), Request: r}, nil
}

// tokenOnly returns the answer of a token service without the fields that the library
// would refuse, such as an expires_in that is a text. The token is "token" or, as in
// OAuth 2, "access_token".
func tokenOnly(host string, body []byte) ([]byte, error) {
	if err := foreign(body); err != nil {
		return nil, noToken(host, err)
	}
	var answer struct {
		Token       string `json:"token"`
		AccessToken string `json:"access_token"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, noToken(host, errors.New("not the JSON expected"))
	}
	token := cmp.Or(answer.Token, answer.AccessToken)
	if token == "" || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, noToken(host, errors.New("it is empty or not printable"))
	}
	only, err := json.Marshal(map[string]string{"token": token})
	if err == nil && len(only) > longestToken {
		err = noToken(host, fmt.Errorf("it is longer than %d KiB", longestToken>>10))
	}
	return only, err
}

func noToken(host string, err error) error {
	return badContent(ErrContent, "", "the token service %s answered without a token: %v", host, err)
}

// serviceVerdict returns what the answer of a token service says about the login. 401
// is about the login. 403 may be about the repository, as with GitLab. Then the service
// issues a token without a repository, which is how docker and podman log in.
func (e *endpoint) serviceVerdict(ctx context.Context, realm *url.URL, x exchange, err error) verdict {
	status, answered := errors.AsType[*statusError](err)
	switch {
	case err == nil:
		return right
	case !answered:
		return unclear
	case status.status == http.StatusUnauthorized:
		return wrong
	case status.status != http.StatusForbidden:
		return unclear
	}
	x.scope = ""
	_, err = e.fetchToken(ctx, realm, x)
	if status, answered := errors.AsType[*statusError](err); answered && (status.status == http.StatusUnauthorized || status.status == http.StatusForbidden) {
		return wrong
	}
	return right
}
