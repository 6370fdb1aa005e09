package registrytest

import (
	"net/http"
	"strings"
)

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
