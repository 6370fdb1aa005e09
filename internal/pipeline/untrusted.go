package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/access"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/input"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/object"
)

// readNodes returns the nodes that the caller states. If the caller does not trust the items,
// those of the policy count as well, or in their place.
func (f Function) readNodes() (input.Nodes, finding.List) {
	nodes, found := input.ReadNodes(f.Nodes)
	if f.config == nil {
		return nodes, found
	}
	nodes, more := nodes.With(f.config.PolicyFacts, f.config.StatesNodes)
	nodes.NoStatus = true
	return nodes, append(found, more...)
}

// mirrorSets returns the objects whose mirror sets count. A mirror set of an untrusted input
// could let any repository answer for an image.
func (f Function) mirrorSets(objects []object.Object) []object.Object {
	if f.Policy == nil {
		return objects
	}
	return object.All(f.Policy.Items)
}

// lookup returns the objects that hold settings for access to registries.
func (f Function) lookup(objects []object.Object) access.Lookup {
	out := access.Lookup{Objects: objects, Named: f.Named}
	if f.Policy != nil {
		out.Untrusted, out.Trusted = true, object.All(f.Policy.Items)
	}
	return out
}

// distrust leaves out of the locks of an untrusted input the images that goldenarch may ask
// a registry for, and notes which of the others the policy has as well.
func (f Function) distrust(l *locks) finding.List {
	if f.Policy == nil {
		return nil
	}
	var sources []lock.Source
	var found finding.List
	for _, o := range object.All(f.Policy.Items) {
		if !kinds.IsGoldenarch(o.At, v1alpha1.ArchitectureLockKind) {
			continue
		}
		decoded, list := decodeLock(o)
		found = append(found, list...)
		if decoded != nil {
			sources = append(sources, lock.Source{At: o.At, Lock: decoded})
		}
	}
	trusted, more := lock.New(sources...)
	l.isUntrusted = func(ref imageref.Reference) bool {
		own, has := l.Find(ref)
		other, is := trusted.Find(ref)
		return has && !(is && lock.Same(own, other))
	}
	l.Lock = l.WithOperatorsOf(trusted) // nobody can ask a registry for operators
	if asks := f.Policy.Asks; asks != nil {
		l.Lock = l.Without(func(ref imageref.Reference) bool { return asks(ref.Host()) })
	}
	return append(found, more...)
}

// untrusted reports the images of which only a lock of the untrusted input says what they
// have.
func (l locks) untrusted(refs []imageref.Reference) finding.List {
	if l.isUntrusted == nil {
		return nil
	}
	var names []string
	for _, ref := range refs {
		if l.isUntrusted(ref) {
			names = append(names, ref.String())
		}
	}
	if len(names) == 0 {
		return nil
	}
	const most = 5
	shown := slices.Clone(names[:min(len(names), most)])
	if more := len(names) - len(shown); more > 0 {
		shown = append(shown, fmt.Sprintf("and %d more", more))
	}
	return finding.List{{
		ID: finding.LockUntrusted, Severity: finding.Warning,
		Text: fmt.Sprintf("the answers for %s come from the lock in the checked commit, which may have changed them: %s",
			finding.Count(len(names), "image"), strings.Join(shown, ", ")),
		Do: "let goldenarch query the registry: --registry-allow " + refs[slices.IndexFunc(refs, l.isUntrusted)].Host(),
	}}
}
