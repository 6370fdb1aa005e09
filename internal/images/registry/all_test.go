package registry

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
)

type resolverFunc func(ctx context.Context, ref imageref.Reference) (Image, error)

func (f resolverFunc) Resolve(ctx context.Context, ref imageref.Reference) (Image, error) {
	return f(ctx, ref)
}

func refTo(tag string) imageref.Reference {
	ref, err := imageref.Parse("quay.io/a/b:" + tag)
	if err != nil {
		panic(err)
	}
	return ref
}

func TestResolveAllAsksOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		failure := errors.New("gone")
		r := resolverFunc(func(_ context.Context, ref imageref.Reference) (Image, error) {
			asked.Add(1)
			time.Sleep(time.Second)
			if ref.Selector() == "bad" {
				return Image{}, failure
			}
			return Image{Reference: ref.String()}, nil
		})
		var refs []imageref.Reference
		for range 50 {
			refs = append(refs, refTo("1"), refTo("bad"))
		}
		for i, result := range ResolveAll(t.Context(), r, refs) {
			bad := result.Reference.Selector() == "bad"
			if result.Reference != refs[i] || bad != (result.Err == failure) || !bad && result.Image.Reference != result.Reference.String() {
				t.Fatalf("%s: %v, %v", result.Reference, result.Image, result.Err)
			}
		}
		if asked.Load() != 2 {
			t.Errorf("want two questions, got %d", asked.Load())
		}
	})
}

func TestResolveAllKeepsOrder(t *testing.T) {
	t.Parallel()
	var refs []imageref.Reference
	for i := range 100 {
		refs = append(refs, refTo(fmt.Sprint(i)))
	}
	r := resolverFunc(func(_ context.Context, ref imageref.Reference) (Image, error) {
		if len(ref.Selector()) == 1 {
			return Image{}, errors.New(ref.Selector())
		}
		return Image{Reference: ref.String()}, nil
	})
	for i, result := range ResolveAll(t.Context(), r, refs) {
		if result.Reference != refs[i] || (result.Err != nil) != (i < 10) || result.Err == nil && result.Image.Reference != refs[i].String() {
			t.Errorf("result %d is %+v", i, result)
		}
	}
}
