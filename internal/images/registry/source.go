package registry

import (
	"context"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
)

// source is where the manifests and configurations of images are had: the
// endpoint of a registry, or a layout. It judges nothing, and proves nothing: what
// the content is, and whether it has its digest, is seen by who asks.
type source interface {
	fetch(ctx context.Context, p part) (fetched, error)
}

// asker is a Resolver that lets its images be looked into.
type asker interface {
	Resolver
	source(ctx context.Context, ref imageref.Reference) source
	// explain returns what went wrong as an Error that can be shown.
	explain(ref imageref.Reference, err error) *Error
}

// part is a manifest or a configuration of an image.
type part struct {
	ref imageref.Reference
	// name is the tag or the digest that it is asked for by.
	name   string
	config bool
}

// root reports whether a part is what the reference itself names.
func (p part) root() bool { return !p.config && p.name == p.ref.Selector() }

// fetched is a part as it was sent.
type fetched struct {
	body []byte
	// mediaType is what the sender calls it, "" if it does not say.
	mediaType string
	// done gives back what is held for a large body; nil is nothing.
	done func()
}

// decoded says that the body is not needed any more.
func (f fetched) decoded() {
	if f.done != nil {
		f.done()
	}
}

// fetch implements source.
func (e *endpoint) fetch(ctx context.Context, p part) (fetched, error) {
	h := &hold{slots: e.client.large}
	r := e.request(p.ref.Repository()+"/manifests/"+p.name, manifestLimit)
	if p.config {
		r = e.request(p.ref.Repository()+"/blobs/"+p.name, configLimit)
	} else {
		r.Header.Set("Accept", accept)
	}
	r.Large = h.acquire
	resp, err := e.get(ctx, p.ref.Repository(), r)
	if err != nil {
		h.release()
		return fetched{}, err
	}
	return fetched{body: resp.Body, mediaType: resp.Header.Get("Content-Type"), done: h.release}, nil
}
