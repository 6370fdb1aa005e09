package registry

import (
	"context"
	"slices"
	"sync"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/mirror/registriesconf"
)

// Resolver finds out which platforms an image has.
//
// The error of Resolve names the reference, the registry, the server's answer, and what
// the user can try. It never holds a credential.
type Resolver interface {
	Resolve(ctx context.Context, ref imageref.Reference) (Image, error)
}

// Image is what goldenarch knows about the image that a reference names.
type Image struct {
	// Reference is the requested reference, normalized.
	Reference string
	// Digest is the digest of the manifest or index that the reference names.
	Digest string
	// MediaType is the type of the manifest or index, from its body.
	MediaType string
	// Size is the number of bytes of the manifest or index; 0 if it is unknown.
	Size int
	// Mirror is the place that answered, as a reference names it, if it is not the
	// registry of the reference.
	Mirror string
	// Passed are the mirrors that the resolver queried before, without success.
	Passed []MirrorError
	// Platforms are the platforms that the image proves: sorted, each once, without
	// attestations and without unknown architectures. Never empty. What CDI's importer
	// finds for an architecture is [arch.Platforms.Linux].
	Platforms arch.Platforms
	// Absent are the platforms that the index lists and whose manifests the registry does not
	// have: they are not among Platforms. A sparse mirror is made so (oc-mirror:
	// platform.platforms). Only a resolver that verifies, and a lock, know them.
	Absent arch.Platforms
	// AbsentError is what the registry answered for them, and what their import would say; nil
	// if a lock says that they are absent.
	AbsentError error
	// Login is where the login is from that the registry got; "" for none, and for the answer of a lock.
	Login string
	// Plain says that the registry answered over plain HTTP.
	Plain bool
	// Verified says that the resolver looked for the manifest of each platform.
	Verified bool
	// Bundle says that the image is an operator bundle image: a package of manifests that
	// runs on no node. Its platforms are those of the machines that built it.
	Bundle bool
	// Bootc says that the image is one for bootc, where its configuration was read: it is no container disk.
	Bootc bool
	// Others has the architectures for other systems than Linux, by system; nil if they are
	// not known, because the answer is that of a lock.
	Others map[string]arch.Set
	// RejectedEntries lists the entries of an index that name an architecture and that CDI's
	// importer does not accept for it, and why.
	RejectedEntries []string
}

// Result is the answer for one reference: an image, or the error.
type Result struct {
	Reference imageref.Reference
	Image     Image
	Err       error
}

// ResolveAll resolves all references at once, each of them once, and returns the
// results in the order of the references. A failure does not stop the others: each
// result has its own error. A [Client] itself limits how many requests one registry
// gets at once.
func ResolveAll(ctx context.Context, r Resolver, refs []imageref.Reference) []Result {
	results := make([]Result, len(refs))
	var all sync.WaitGroup
	first := map[imageref.Reference]int{}
	for i, ref := range refs {
		if _, asked := first[ref]; asked {
			continue
		}
		first[ref] = i
		all.Go(func() {
			image, err := r.Resolve(ctx, ref)
			results[i] = Result{Reference: ref, Image: image, Err: err}
		})
	}
	all.Wait()
	for i, ref := range refs {
		results[i] = results[first[ref]]
	}
	return results
}

// Open returns the Resolver that the options select: registries and their mirrors.
func Open(o Options) (Resolver, error) {
	if o.RegistriesConf != "" {
		// The user who runs goldenarch knows which hosts this machine can reach.
		machine, err := registriesconf.Read(o.RegistriesConf)
		if err != nil {
			return nil, err
		}
		o.Mirrors = machine.Over(o.Mirrors)
	}
	strict := New(o).Verified(o.Verify)
	if o.Mirrors.Empty() {
		return strict, nil
	}
	// A place may be insecure while its host is secure elsewhere. The policy grants it
	// no credentials: only AllowInsecureCredentials does that.
	o.Insecure = slices.Concat(o.Insecure, o.Mirrors.Insecure())
	return Mirrored(strict, New(o).Verified(o.Verify), o.Mirrors), nil
}

// query is what the places that may have an image must know about the query.
type query struct {
	// shortTimeout reports that another place can also answer.
	shortTimeout bool
	// requested is the reference that the user named. The name of a mirror may be another.
	requested imageref.Reference
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

// fetched is a part as the registry sent it.
type fetched struct {
	body []byte
	// mediaType is the type that the registry names; "" if it names none.
	mediaType string
	// decoded says that the caller no longer needs the body.
	decoded func()
}
