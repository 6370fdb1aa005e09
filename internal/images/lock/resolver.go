package lock

import (
	"context"
	"fmt"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// Prefer wraps a Resolver so that the lock answers for its images, and next for all others.
func Prefer(l Lock, next registry.Resolver) registry.Resolver {
	return locked{lock: l, next: next}
}

// Require returns a Resolver that uses only the lock. It returns a [*MissingError] for an
// image without an entry, and never uses the network: why says why not.
func Require(l Lock, why string) registry.Resolver {
	return locked{lock: l, next: missing{why}}
}

type locked struct {
	lock Lock
	next registry.Resolver
}

var _ registry.Resolver = locked{}

// Resolve implements registry.Resolver.
func (l locked) Resolve(ctx context.Context, ref imageref.Reference) (registry.Image, error) {
	if image, ok := l.lock.Find(ref); ok {
		return image, nil
	}
	return l.next.Resolve(ctx, ref)
}

// MissingError says that a required lock has no entry for a reference.
type MissingError struct {
	Reference string
	// Why says why goldenarch queries no registry.
	Why string
}

// Error implements error.
func (e *MissingError) Error() string {
	return fmt.Sprintf("image %q is not in the lock, and goldenarch queries no registry (%s)", e.Reference, e.Why)
}

type missing struct{ why string }

func (m missing) Resolve(_ context.Context, ref imageref.Reference) (registry.Image, error) {
	return registry.Image{}, &MissingError{Reference: ref.String(), Why: m.why}
}
