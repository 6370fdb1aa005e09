package lock

import (
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Shared keeps the locks that the clusters of a run read: overlays of one base have the same one.
// Several goroutines may use it. A nil Shared keeps nothing.
type Shared struct {
	mu    sync.Mutex
	known map[sharedKey]sharedLock
}

// sharedKey is all that [Shared.Read] reads.
type sharedKey struct {
	text             uint64 // the hash of the node
	apiVersion, kind string
	references       string
}

// sharedLock is what a lock says, which nobody changes.
type sharedLock struct {
	part Part
	lock *v1alpha1.ArchitectureLock
	err  error
}

// Read returns a lock with the entries of references, as nodes and decoded. It decodes locks of the
// same text once, unless they have lines or aliases, which a built one has not. The error is [v1alpha1.Errors].
func (s *Shared) Read(node *yaml.Node, apiVersion, kind string, references []imageref.Reference) (Part, *v1alpha1.ArchitectureLock, error) {
	if s == nil || node.Line != 0 || yamlnode.HasAlias(node) {
		return readPart(node, apiVersion, kind, references)
	}
	key := sharedKey{text: yamlnode.Hash(node), apiVersion: apiVersion, kind: kind}
	var list strings.Builder
	for _, ref := range references {
		list.WriteString(ref.String() + "\n")
	}
	key.references = list.String()
	s.mu.Lock()
	defer s.mu.Unlock()
	out, ok := s.known[key]
	if !ok {
		if s.known == nil {
			s.known = map[sharedKey]sharedLock{}
		}
		out.part, out.lock, out.err = readPart(node, apiVersion, kind, references)
		s.known[key] = out
	}
	return out.part, out.lock, out.err
}

// Len returns how many locks were decoded.
func (s *Shared) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.known)
}

func readPart(node *yaml.Node, apiVersion, kind string, references []imageref.Reference) (Part, *v1alpha1.ArchitectureLock, error) {
	part, err := PartOf(node, references)
	if err != nil {
		return Part{}, nil, v1alpha1.Errors{{Text: err.Error()}}
	}
	decoded, err := Decode(part.Node, apiVersion, kind, 0)
	return part, decoded, err
}
