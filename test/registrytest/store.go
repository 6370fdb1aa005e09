package registrytest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	ggcr "github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// Store is go-containerregistry's registry. It serves what was pushed, whatever it is, and
// checks nothing.
type Store struct {
	registry http.Handler
	pushed   sync.Map // Artifact by repository + " " + tag or digest
	blobs    *blobs
}

// NewStore returns an empty store.
func NewStore() *Store {
	s := &Store{blobs: &blobs{}}
	s.registry = ggcr.New(ggcr.Logger(log.New(io.Discard, "", 0)), ggcr.WithBlobHandler(s.blobs))
	return s
}

// Push puts an artifact and all that it needs into a repository. name is
// "org/app:1", or "org/app@sha256:…" to serve it under a digest that need not
// be its own. It returns the store, so that pushes chain.
func (s *Store) Push(name string, a Artifact) *Store {
	repository, reference, ok := strings.Cut(name, "@")
	if !ok {
		repository, reference, ok = strings.Cut(name, ":")
	}
	if !ok {
		panic(fmt.Sprintf("registrytest: Push(%q): want repository:tag or repository@digest", name))
	}
	s.pushed.Store(repository+" "+reference, a)
	s.put(repository, reference, a)
	s.pushContent(repository, a)
	return s
}

// pushContent puts a in by its own digest, and its children and blobs.
func (s *Store) pushContent(repository string, a Artifact) {
	if _, known := s.pushed.LoadOrStore(repository+" "+a.Digest(), a); !known {
		s.put(repository, a.Digest(), a)
	}
	for digest, blob := range a.Blobs {
		s.blobs.Store(repository+" "+digest, blob)
	}
	for _, child := range a.Children {
		s.pushContent(repository, child)
	}
}

// put uploads a manifest. An index of its own media type would need valid JSON and all that
// it names, so ServeHTTP sets the type.
func (s *Store) put(repository, reference string, a Artifact) {
	r := httptest.NewRequestWithContext(context.Background(), http.MethodPut, "/v2/"+repository+"/manifests/"+reference, bytes.NewReader(a.Body))
	answer := httptest.NewRecorder()
	if s.registry.ServeHTTP(answer, r); answer.Code != http.StatusCreated {
		panic(fmt.Sprintf("registrytest: push %s %s: %d %s", repository, reference, answer.Code, answer.Body))
	}
}

// ServeHTTP answers as go-containerregistry does, with the headers that other registries
// send, and those of the artifact.
func (s *Store) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	asked := parse(r)
	label := Artifact{}
	switch a, ok := s.pushed.Load(asked.repository + " " + asked.reference); {
	case asked.kind == Manifest && ok:
		label = a.(Artifact) // the map has nothing else
	case asked.kind == Blob:
		label.ContentType = "application/octet-stream"
	}
	s.registry.ServeHTTP(labelled{rw, label}, r)
}

// labelled answers with the headers of an artifact.
type labelled struct {
	http.ResponseWriter
	artifact Artifact
}

func (l labelled) WriteHeader(status int) {
	if status >= http.StatusBadRequest {
		l.artifact.ContentType = "application/json"
	}
	l.Header()["Content-Type"] = nil // nil stops net/http from guessing one
	if l.artifact.ContentType != "" {
		l.Header().Set("Content-Type", l.artifact.ContentType)
	}
	if l.artifact.ClaimedDigest != "" {
		l.Header().Set("Docker-Content-Digest", l.artifact.ClaimedDigest)
	}
	l.ResponseWriter.WriteHeader(status)
}

// blobs are those of each repository, which need not have the digest that they have as key.
type blobs struct{ sync.Map }

// Get implements [ggcr.BlobHandler].
func (b *blobs) Get(_ context.Context, repository string, digest v1.Hash) (io.ReadCloser, error) {
	content, ok := b.Load(repository + " " + digest.String())
	if !ok {
		return nil, ggcr.ErrNotFound
	}
	return io.NopCloser(bytes.NewReader(content.([]byte))), nil // the map has nothing else
}

// Kind is what a request asks for.
type Kind int

// The kinds of request. [Other] is all that a registry need not know.
const (
	Other Kind = iota
	Ping
	Token
	Manifest
	Blob
)

// TokenPath is where a token service is asked for tokens.
const TokenPath = "/token"

// request is a request as its path says it.
type request struct {
	kind       Kind
	repository string
	reference  string // a tag or a digest
}

// parse reads the path of a request (OCI distribution specification,
// "Endpoints").
func parse(r *http.Request) request {
	path := r.URL.Path
	switch path {
	case TokenPath:
		return request{kind: Token}
	case "/v2", "/v2/":
		return request{kind: Ping}
	}
	name, ok := strings.CutPrefix(path, "/v2/")
	if !ok {
		return request{}
	}
	for part, kind := range map[string]Kind{"/manifests/": Manifest, "/blobs/": Blob} {
		if i := strings.LastIndex(name, part); i > 0 {
			return request{kind: kind, repository: name[:i], reference: name[i+len(part):]}
		}
	}
	return request{}
}
