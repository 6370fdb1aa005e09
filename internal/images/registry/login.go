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
	"sync"

	"github.com/google/go-containerregistry/pkg/name"
	remote "github.com/google/go-containerregistry/pkg/v1/remote/transport"

	"github.com/goldenarch/goldenarch/internal/images/credential"
	"github.com/goldenarch/goldenarch/internal/images/transport"
)

// userProof is the user's own authorization, and not a token from a service.
type userProof struct {
	proof string
	who   credential.Found
}

// send sends a request with an authorization. The client tries the user's own
// authorization with care. If a redirect leads to another host, the client meets its
// challenge without credentials.
func (s *session) send(ctx context.Context, r transport.Request, proof string) (resp *transport.Response, err error) {
	e := s.endpoint
	user := s.userProof.Load()
	if user == nil || user.proof != proof || proof == "" {
		resp, err = e.send(ctx, r, proof)
	} else {
		err = e.loginCheck(user.who.Credential).try(ctx, func(worked func()) (v verdict, err error) {
			headed := r
			headed.OnHeader = func() { worked(); r.OnHeader() }
			if resp, err = e.send(ctx, headed, proof); err != nil {
				return unclear, err
			}
			if v = e.loginVerdict(ctx, resp, proof); v == wrong {
				return wrong, s.refusal(ctx, resp)
			}
			return v, nil
		})
		err = withNotes(err, user.who)
	}
	if err == nil && !e.sent(resp) && resp.Status == http.StatusUnauthorized {
		return s.sendAnonymously(ctx, r, resp)
	}
	return resp, err
}

// loginVerdict returns what an answer says about the login that the client sent. 401
// and 403 may be about the repository alone. Then the login is valid if /v2/ accepts
// it, and does not accept a request without one.
func (e *endpoint) loginVerdict(ctx context.Context, resp *transport.Response, proof string) verdict {
	if !e.sent(resp) || !refuses(resp) {
		return right
	}
	scheme, _, _ := strings.Cut(proof, " ")
	if c, ok := challengeOf(resp.Header); ok && !strings.EqualFold(c.scheme, scheme) {
		return unclear // this repository requires another form of authentication
	}
	with, without := e.root(ctx, proof), e.root(ctx, "")
	switch {
	case refuses(with):
		return wrong
	case with != nil && with.Status == http.StatusOK && refuses(without), resp.Status == http.StatusForbidden:
		return right
	}
	return wrong
}

// refuses reports whether an answer denies access.
func refuses(resp *transport.Response) bool {
	return resp != nil && (resp.Status == http.StatusUnauthorized || resp.Status == http.StatusForbidden)
}

// sendAnonymously meets the challenge of another host that a redirect leads to. That
// host gets no credentials: the user did not choose it.
func (s *session) sendAnonymously(ctx context.Context, r transport.Request, challenged *transport.Response) (*transport.Response, error) {
	c, ok := challengeOf(challenged.Header)
	if !ok || c.scheme != "bearer" {
		return nil, s.refusal(ctx, challenged)
	}
	token, err := s.endpoint.exchange(ctx, exchange{challenge: c, scope: c.scope, from: challenged.URL, who: credential.Credential{}})
	if err != nil {
		return nil, err
	}
	r.URL = challenged.URL
	resp, err := s.endpoint.send(ctx, r, "Bearer "+token)
	if err == nil && resp.Status != http.StatusOK {
		err = s.refusal(ctx, resp)
	}
	return resp, err
}

// unclearLimit is how many answers without a verdict end the waiting. If a token
// service is down, images must not wait for each other.
const unclearLimit = 3

// loginCheck is what a registry says about a login. A wrong password for 200 images
// locks the user out. So one request at a time carries a login until the login works,
// and no request carries it after a refusal. A request without an answer delays the
// others for a third of RequestTimeout.
type loginCheck struct {
	gate *gate

	mu      sync.Mutex
	worked  bool
	refused error
	unclear int
}

// verdict is what an answer says about a login.
type verdict int

const (
	unclear verdict = iota
	right
	wrong
)

// loginCheck returns the one check of a login. The same login from another source has
// the same check.
func (e *endpoint) loginCheck(who credential.Credential) *loginCheck {
	who.Source = ""
	e.mu.Lock()
	defer e.mu.Unlock()
	t := e.logins[who]
	if t == nil {
		t = &loginCheck{gate: newGate(e.client.options.RequestTimeout/shortTimeoutShare, 0)}
		e.logins[who] = t
	}
	return t
}

// try calls send when it may use the login. It returns the error of send, or of the
// earlier request if the registry refused the login before. send calls worked as soon
// as it knows that the login works, and returns the verdict of the answer.
func (c *loginCheck) try(ctx context.Context, send func(worked func()) (verdict, error)) error {
	open, leave, err := c.gate.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if err := c.refusal(); err != nil {
		return err
	}
	v, err := send(func() {
		c.judge(right, nil)
		open()
	})
	// A canceled request has no verdict.
	if ctx.Err() == nil && c.judge(v, err) {
		open()
	}
	return err
}

func (c *loginCheck) refusal() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.refused
}

// judge stores a verdict, and with wrong also the error for all others. It reports
// whether the others can stop waiting. A login that worked is valid: a later refusal is
// about the repository.
func (c *loginCheck) judge(v verdict, err error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case v == right:
		c.worked = true
	case v == wrong && !c.worked:
		c.refused = err
	case v == unclear:
		c.unclear++
	}
	return c.worked || c.refused != nil || c.unclear >= unclearLimit
}

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
		Limit: tokenLimit, Slow: true, PlainHTTP: s.plain, ShortTimeout: queryOf(r.Context()).shortTimeout,
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
	if err := errorPage(body); err != nil {
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
	return badContent(ErrContent, "the token service %s answered without a token: %v", host, err)
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
