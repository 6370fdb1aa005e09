package registry

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/goldenarch/goldenarch/internal/images/credential"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/transport"
)

// endpoint is one registry: its address, the authentication that it requires, and a
// token for each repository.
type endpoint struct {
	client *Client
	// host is the registry as references write it. address is where requests go.
	host    string
	address string
	// first lets one request through until the registry answers, so that the registry
	// challenges once and not for every request.
	first *gate
	// pings does the same for requests of /v2/.
	pings *gate

	mu        sync.Mutex
	challenge *challenge
	scheme    string // the one that it last answered over
	pinged    bool
	logins    map[credential.Credential]*loginCheck
	sessions  map[string]*session
}

// The first request to a registry is alone for a fifteenth of RequestTimeout, which is
// 1 s, and so are the next two. If a registry answers later, every request meets its
// challenge.
const (
	gateShare    = 15
	gateFailures = 3
)

func newEndpoint(c *Client, host string) *endpoint {
	address := host
	if host == imageref.DockerHub {
		address = "registry-1.docker.io"
	}
	return &endpoint{
		client: c, host: host, address: address, scheme: "https",
		first: newGate(c.options.RequestTimeout/gateShare, gateFailures), pings: newGate(c.options.RequestTimeout, 1),
		logins: map[credential.Credential]*loginCheck{}, sessions: map[string]*session{},
	}
}

// sent reports whether an answer came from the registry itself, and not from the host of
// a redirect.
func (e *endpoint) sent(resp *transport.Response) bool {
	own := &url.URL{Scheme: resp.URL.Scheme, Host: e.address}
	return own.Host == resp.URL.Host || transport.Origin(own) == transport.Origin(resp.URL)
}

// request returns a request for a path of the registry.
func (e *endpoint) request(path string, limit int64) transport.Request {
	u := &url.URL{Scheme: "https", Host: e.address, Path: "/v2/" + path}
	return transport.Request{Method: http.MethodGet, URL: u, Header: http.Header{}, Limit: limit}
}

// get sends a request about a repository, with the authentication that the registry
// requires. Any status but 200 is an error.
func (e *endpoint) get(ctx context.Context, repository string, r transport.Request) (*transport.Response, error) {
	open, leave, err := e.first.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()

	s := e.session(repository)
	proof, err := s.proof(ctx, "", "")
	if err != nil {
		return nil, err
	}
	// A success has no challenge: the other requests need not wait for its body.
	r.Headed = open
	resp, err := s.send(ctx, r, proof)
	if err != nil {
		return nil, err
	}
	scope, challenged := e.learnChallenge(ctx, repository, resp, proof)
	open()
	if challenged {
		again, err := s.proof(ctx, proof, scope)
		if err != nil {
			return nil, err
		}
		if again != proof || s.repeated(again) {
			if resp, err = s.send(ctx, r, again); err != nil {
				return nil, err
			}
		}
	}
	e.note(resp)
	if resp.Status != http.StatusOK {
		return nil, s.refusal(ctx, resp)
	}
	return resp, nil
}

// note passes on what the registry reports in addition to its answer.
func (e *endpoint) note(resp *transport.Response) {
	if n, ok := noteOf(e.host, resp.Header); ok && e.client.options.Note != nil && e.sent(resp) {
		e.client.options.Note(n)
	}
}

// send sends a request with an authorization; "" sends none.
func (e *endpoint) send(ctx context.Context, r transport.Request, proof string) (*transport.Response, error) {
	if proof != "" {
		r.Header = r.Header.Clone()
		r.Header.Set("Authorization", proof)
		_, secret, _ := strings.Cut(proof, " ")
		e.client.addSecrets(ctx, secret)
	}
	r.Hasty = queryOf(ctx).hasty
	return e.client.transport.Do(ctx, r)
}

// root requests /v2/. It returns nil if the registry itself does not answer.
func (e *endpoint) root(ctx context.Context, proof string) *transport.Response {
	resp, err := e.send(ctx, e.request("", tokenLimit), proof)
	if err != nil {
		return nil
	}
	resp.Release()
	if !e.sent(resp) {
		return nil
	}
	return resp
}
