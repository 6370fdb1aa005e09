package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
)

// onePuller is one Puller for all repositories.
type onePuller struct{ one *remote.Puller }

func (p onePuller) puller(context.Context, name.Repository) (*remote.Puller, error) {
	return p.one, nil
}

// shared asks the registry for its challenge once, and for a token once for a
// repository. The images of the bench are in repositories of one registry, each in
// one of its own.
type shared struct {
	inner     http.RoundTripper
	width     int
	once      sync.Once
	challenge *transport.Challenge
	err       error
}

func (s *shared) puller(ctx context.Context, repository name.Repository) (*remote.Puller, error) {
	s.once.Do(func() { s.challenge, s.err = transport.Ping(ctx, repository.Registry, s.inner) })
	if s.err != nil {
		return nil, fmt.Errorf("ask for the challenge: %w", s.err)
	}
	token := &transport.Token{}
	if strings.EqualFold(s.challenge.Scheme, "bearer") {
		var err error
		scopes := []string{repository.Scope(transport.PullScope)}
		token, err = transport.Exchange(ctx, repository.Registry, authn.Anonymous, s.inner, scopes, s.challenge)
		if err != nil {
			return nil, fmt.Errorf("ask for a token: %w", err)
		}
	}
	wrapped, err := transport.FromToken(repository.Registry, authn.Anonymous, s.inner, s.challenge, token)
	if err != nil {
		return nil, fmt.Errorf("use the token: %w", err)
	}
	return remote.NewPuller(remote.WithTransport(wrapped), remote.WithJobs(s.width))
}

// https sends each request over HTTPS. The library takes plain HTTP for an address
// of this machine, and what corrects that is not exported.
type https struct{ inner http.RoundTripper }

// RoundTrip sends a request.
func (s https) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme == "https" {
		return s.inner.RoundTrip(r)
	}
	r = r.Clone(r.Context())
	r.URL.Scheme = "https"
	return s.inner.RoundTrip(r)
}
