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
// image without an entry, and never uses the network.
func Require(l Lock) registry.Resolver {
	return locked{lock: l, next: missing{}}
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
}

// Error implements error.
func (e *MissingError) Error() string {
	return fmt.Sprintf("image %q is not in the lock, and goldenarch queries no registry (--offline, or lock mode Require)", e.Reference)
}

type missing struct{}

func (missing) Resolve(_ context.Context, ref imageref.Reference) (registry.Image, error) {
	return registry.Image{}, &MissingError{Reference: ref.String()}
}
