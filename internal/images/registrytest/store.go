package registrytest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// Store is a registry's content. It serves what was pushed, whatever it is,
// and checks nothing.
type Store struct {
	mu        sync.RWMutex
	manifests map[string]Artifact // by repository + " " + tag or digest
	blobs     map[string][]byte   // by repository + " " + digest
}

// NewStore returns an empty store.
func NewStore() *Store {
	return &Store{manifests: map[string]Artifact{}, blobs: map[string][]byte{}}
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
	s.mu.Lock()
	defer s.mu.Unlock()
	s.manifests[repository+" "+reference] = a
	s.pushContent(repository, a)
	return s
}

// pushContent puts a in by its own digest, and its children and blobs.
func (s *Store) pushContent(repository string, a Artifact) {
	if own := repository + " " + a.Digest(); s.manifests[own].Body == nil {
		s.manifests[own] = a
	}
	for digest, blob := range a.Blobs {
		s.blobs[repository+" "+digest] = blob
	}
	for _, child := range a.Children {
		s.pushContent(repository, child)
	}
}

// ServeHTTP answers pings, manifests and blobs, as the OCI distribution
// specification says.
func (s *Store) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	asked := parse(r)
	key := asked.repository + " " + asked.reference
	s.mu.RLock()
	manifest, isManifest := s.manifests[key]
	blob, isBlob := s.blobs[key]
	s.mu.RUnlock()
	switch {
	case asked.kind == Ping:
		rw.Header().Set("Docker-Distribution-Api-Version", "registry/2.0")
		rw.WriteHeader(http.StatusOK)
	case asked.kind == Manifest && isManifest:
		digest := manifest.Digest()
		if manifest.ClaimedDigest != "" {
			digest = manifest.ClaimedDigest
		}
		send(rw, r, manifest.ContentType, digest, manifest.Body)
	case asked.kind == Blob && isBlob:
		send(rw, r, "application/octet-stream", asked.reference, blob)
	default:
		notFound(rw, asked)
	}
}

func send(rw http.ResponseWriter, r *http.Request, contentType, digest string, body []byte) {
	rw.Header().Set("Content-Type", contentType)
	if contentType == "" {
		rw.Header()["Content-Type"] = nil // nil stops net/http from guessing one
	}
	rw.Header().Set("Docker-Content-Digest", digest)
	rw.Header().Set("Content-Length", strconv.Itoa(len(body)))
	rw.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = rw.Write(body)
	}
}

func notFound(rw http.ResponseWriter, asked request) {
	code, message := "MANIFEST_UNKNOWN", "manifest unknown"
	if asked.kind == Blob {
		code, message = "BLOB_UNKNOWN", "blob unknown to registry"
	}
	rw.Header().Set("Content-Type", "application/json")
	rw.WriteHeader(http.StatusNotFound)
	_, _ = fmt.Fprintf(rw, `{"errors":[{"code":%q,"message":%q}]}`, code, message)
}
