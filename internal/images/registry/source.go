package registry

import (
	"context"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
)

// source supplies the manifests and configurations of images: the endpoint of a
// registry, or a layout. It does not check the content. The caller checks its type and
// its digest.
type source interface {
	fetch(ctx context.Context, p part) (fetched, error)
}

// asker is a Resolver that gives access to the parts of its images.
type asker interface {
	Resolver
	source(ref imageref.Reference) source
	// explain returns an error as an Error that goldenarch can show.
	explain(ref imageref.Reference, err error) *Error
}

// query is what the places that may have an image must know about the query.
type query struct {
	// hasty reports that another place can also answer.
	hasty bool
	// requested is the reference that the user named. The name of a mirror may be another.
	requested imageref.Reference
	recorder  *recorder
}

type queryKey struct{}

func queryOf(ctx context.Context) query {
	q, _ := ctx.Value(queryKey{}).(query)
	return q
}

// in returns a context for the query.
func (q query) in(ctx context.Context) context.Context { return context.WithValue(ctx, queryKey{}, q) }

// part is a manifest or a configuration of an image.
type part struct {
	ref imageref.Reference
	// name is the tag or the digest in the request.
	name   string
	config bool
}

// root reports whether a part is what the reference itself names.
func (p part) root() bool { return !p.config && p.name == p.ref.Selector() }

// fetched is a part as the source sent it.
type fetched struct {
	body []byte
	// mediaType is the type that the source names; "" if it names none.
	mediaType string
	// decoded says that the caller no longer needs the body.
	decoded func()
}

// fetch implements source.
func (e *endpoint) fetch(ctx context.Context, p part) (fetched, error) {
	r := e.request(p.ref.Repository()+"/manifests/"+p.name, manifestLimit)
	if p.config {
		r = e.request(p.ref.Repository()+"/blobs/"+p.name, configLimit)
	} else {
		r.Header.Set("Accept", accept)
	}
	resp, err := e.get(ctx, p.ref.Repository(), r)
	if err != nil {
		return fetched{}, err
	}
	return fetched{body: resp.Body, mediaType: resp.Header.Get("Content-Type"), decoded: resp.Release}, nil
}
