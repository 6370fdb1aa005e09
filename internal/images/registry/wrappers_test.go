package registry

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/google/go-containerregistry/pkg/name"

	"github.com/goldenarch/goldenarch/internal/arch"
)

type resolverFunc func(ctx context.Context, ref Reference) (Image, error)

func (f resolverFunc) Resolve(ctx context.Context, ref Reference) (Image, error) { return f(ctx, ref) }

func refTo(tag string) Reference {
	repository, err := name.NewRepository("quay.io/a/b")
	if err != nil {
		panic(err)
	}
	return Reference{repository: repository, tag: tag}
}

func TestSharedAsksOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		failure := errors.New("gone")
		r := Shared(resolverFunc(func(_ context.Context, ref Reference) (Image, error) {
			asked.Add(1)
			time.Sleep(time.Second)
			if ref.Tag() == "bad" {
				return Image{}, failure
			}
			return Image{Reference: ref.String()}, nil
		}))
		var refs []Reference
		for range 50 {
			refs = append(refs, refTo("1"), refTo("bad"))
		}
		for range 2 {
			for _, result := range ResolveAll(t.Context(), r, refs) {
				if want := result.Reference.Tag() == "bad"; want != (result.Err == failure) || !want && result.Image.Reference != result.Reference.String() {
					t.Fatalf("%s: %v, %v", result.Reference, result.Image, result.Err)
				}
			}
		}
		if asked.Load() != 2 {
			t.Errorf("want two questions, got %d", asked.Load())
		}
	})
}

func TestSharedForgetsWhoGaveUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		r := Shared(resolverFunc(func(ctx context.Context, ref Reference) (Image, error) {
			asked.Add(1)
			select {
			case <-time.After(2 * time.Second):
				return Image{Reference: ref.String()}, nil
			case <-ctx.Done():
				return Image{}, explain(ref, ctx.Err())
			}
		}))
		hasty, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var all sync.WaitGroup
		var hastyErr, patientErr error
		all.Go(func() { _, hastyErr = r.Resolve(hasty, refTo("1")) })
		synctest.Wait()
		all.Go(func() { _, patientErr = r.Resolve(t.Context(), refTo("1")) })
		all.Wait()
		if !errors.Is(hastyErr, context.DeadlineExceeded) || patientErr != nil || asked.Load() != 2 {
			t.Errorf("the patient asker must ask again: %v, %v, %d questions", hastyErr, patientErr, asked.Load())
		}
	})
}

func TestLimited(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int32
		r := Limited(resolverFunc(func(context.Context, Reference) (Image, error) {
			most.Store(max(most.Load(), now.Add(1)))
			time.Sleep(time.Second)
			now.Add(-1)
			return Image{}, nil
		}), 3)
		ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
		defer cancel()
		done, late := 0, 0
		for _, result := range ResolveAll(ctx, r, make([]Reference, 12)) {
			switch {
			case result.Err == nil:
				done++
			case errors.Is(result.Err, context.DeadlineExceeded):
				late++
			}
		}
		if most.Load() != 3 || done != 9 || late != 3 {
			t.Errorf("want 3 at once, 9 done and 3 late, got %d, %d, %d", most.Load(), done, late)
		}
	})
}

func TestOverridden(t *testing.T) {
	t.Parallel()
	asked := Image{Reference: "asked"}
	r := Overridden(resolverFunc(func(context.Context, Reference) (Image, error) { return asked, nil }), func(ref Reference) (arch.Set, bool) {
		switch ref.Tag() {
		case "known":
			return arch.NewSet("s390x", "amd64"), true
		case "empty":
			return nil, true
		}
		return nil, false
	})
	cases := map[string]struct {
		reason string
		want   Image
	}{
		"known": {"What is stated is believed.", Image{Reference: "quay.io/a/b:known", Platforms: arch.Platforms{
			{OS: "linux", Architecture: "amd64"}, {OS: "linux", Architecture: "s390x"},
		}}},
		"empty": {"An empty statement states nothing.", asked},
		"other": {"The registry is asked for the rest.", asked},
	}
	for tag, tc := range cases {
		got, err := r.Resolve(t.Context(), refTo(tag))
		if diff := cmp.Diff(tc.want, got); err != nil || diff != "" {
			t.Errorf("%s\n%v, -want, +got:\n%s", tc.reason, err, diff)
		}
	}
}

func TestResolveAllKeepsOrder(t *testing.T) {
	t.Parallel()
	var refs []Reference
	for i := range 100 {
		refs = append(refs, refTo(fmt.Sprint(i)))
	}
	r := resolverFunc(func(_ context.Context, ref Reference) (Image, error) {
		if len(ref.Tag()) == 1 {
			return Image{}, errors.New(ref.Tag())
		}
		return Image{Reference: ref.String()}, nil
	})
	for i, result := range ResolveAll(t.Context(), r, refs) {
		if result.Reference != refs[i] || (result.Err != nil) != (i < 10) || result.Err == nil && result.Image.Reference != refs[i].String() {
			t.Errorf("result %d is %+v", i, result)
		}
	}
}
