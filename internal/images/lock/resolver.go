package lock

import (
	"context"
	"fmt"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// Prefer wraps a Resolver so that the lock answers for what it has.
func Prefer(l Lock, next registry.Resolver) registry.Resolver {
	return locked{lock: l, next: next}
}

// Require returns a Resolver that has nothing but the lock. What the lock lacks
// is a [*MissingError]; there is no way from here to a network.
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
	return fmt.Sprintf("image %q is not in the lock, and with lock.mode Require goldenarch queries no registry", e.Reference)
}

type missing struct{}

func (missing) Resolve(_ context.Context, ref imageref.Reference) (registry.Image, error) {
	return registry.Image{}, &MissingError{Reference: ref.String()}
}
