package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/goldenarch/goldenarch/internal/images/confine"
	"github.com/goldenarch/goldenarch/internal/images/credential"
	"github.com/goldenarch/goldenarch/internal/images/transport"
)

// tokenLimit is the size of the largest answer of a token service.
const tokenLimit = 1 << 20

// longestToken is the size of the largest token that is kept and sent. Servers take
// no larger header.
const longestToken = 64 << 10

// exchange is a question to a token service (distribution spec/auth/token and
// spec/auth/oauth).
type exchange struct {
	challenge challenge
	scope     string
	// from is the URL that gave the challenge.
	from *url.URL
	who  credential.Credential
}

// exchange gets a bearer token.
//
// One scope is asked for at a time: some services honour only the first, some
// refuse several, and asking in parallel is as fast.
func (e *endpoint) exchange(ctx context.Context, x exchange) (string, error) {
	realm, err := parseRealm(x.challenge.realm)
	if err != nil {
		return "", err
	}
	if err := e.mayFollow(x.from, realm); err != nil {
		return "", err
	}
	if x.who.Anonymous() {
		return e.token(ctx, realm, x)
	}
	var t string
	err = e.trial(x.who).try(ctx, func(func()) (v verdict, err error) {
		t, err = e.token(ctx, realm, x)
		return e.judgedByService(ctx, realm, x, err), err
	})
	return t, err
}

// token asks the service once.
func (e *endpoint) token(ctx context.Context, realm *url.URL, x exchange) (string, error) {
	request := x.request(*realm, e.client.options.UserAgent)
	request.Hasty = isHasty(ctx)
	resp, err := e.client.transport.Do(ctx, request)
	if err != nil {
		return "", err
	}
	if resp.Status != http.StatusOK {
		return "", newStatusError(resp, "token service "+realm.Host)
	}
	return readToken(realm.Host, resp)
}

// judgedByService is what the answer of a token service says about the login.
// 401 is about the login. 403 may be about the repository, as GitLab's: then the
// service gives a token for none, which is how docker and podman log in.
func (e *endpoint) judgedByService(ctx context.Context, realm *url.URL, x exchange, err error) verdict {
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
	_, err = e.token(ctx, realm, x)
	if status, answered := errors.AsType[*statusError](err); answered && refuses(status.status) {
		return wrong
	}
	return right
}

// request asks with GET and basic authentication, or, with an identity token,
// with POST.
func (x exchange) request(realm url.URL, client string) transport.Request {
	r := transport.Request{
		Method: http.MethodGet, URL: &realm, Header: http.Header{}, Limit: tokenLimit,
		Slow: true, PlainHTTP: x.from.Scheme == "http",
	}
	query := realm.Query()
	if x.who.IdentityToken != "" {
		query = url.Values{
			"grant_type": {"refresh_token"}, "refresh_token": {x.who.IdentityToken}, "client_id": {client},
		}
	}
	if x.challenge.service != "" {
		query.Set("service", x.challenge.service)
	}
	if x.scope != "" {
		query.Set("scope", x.scope)
	}
	if x.who.IdentityToken != "" {
		r.Method, r.Body = http.MethodPost, []byte(query.Encode())
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		return r
	}
	realm.RawQuery = query.Encode()
	if basic := x.who.Basic(); basic != "" {
		r.Header.Set("Authorization", basic)
	}
	return r
}

func parseRealm(realm string) (*url.URL, error) {
	u, err := url.Parse(realm)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, &contentError{kind: ErrContent, text: fmt.Sprintf("names a token service that is not an http or https URL (%q)", redact(realm))}
	}
	u.User, u.Fragment = nil, ""
	return u, nil
}

// mayFollow refuses a token service that is less safe than the registry that
// names it, or that must not be contacted.
func (e *endpoint) mayFollow(from, realm *url.URL) error {
	if realm.Scheme == "http" && from.Scheme != "http" {
		return &contentError{
			kind: ErrContent,
			text: fmt.Sprintf("names a token service over plain HTTP (%s), although it is asked over TLS itself; that is refused", realm.Host),
		}
	}
	if err := e.client.confine.Host(realm.Host); err != nil {
		return &contentError{kind: errForbiddenRealm, text: fmt.Sprintf("names the token service %s: %v", realm.Host, err), hint: confine.Advice(err)}
	}
	return nil
}

// readToken takes the token out of an answer: "token", or, as OAuth 2 has it,
// "access_token".
func readToken(host string, resp *transport.Response) (string, error) {
	fail := func(err error) error {
		return &contentError{kind: ErrContent, text: fmt.Sprintf("the token service %s answered without a token: %v", host, err)}
	}
	if err := foreign(resp.Body); err != nil {
		return "", fail(err)
	}
	var said struct {
		Token       string `json:"token"`
		AccessToken string `json:"access_token"`
	}
	if err := json.Unmarshal(resp.Body, &said); err != nil {
		return "", fail(errors.New("not the JSON expected"))
	}
	if said.Token == "" {
		said.Token = said.AccessToken
	}
	if len(said.Token) > longestToken {
		return "", fail(fmt.Errorf("it is longer than %d KiB", longestToken>>10))
	}
	if said.Token == "" || strings.ContainsFunc(said.Token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fail(errors.New("it is empty or not printable"))
	}
	return said.Token, nil
}
