package engine

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/engine/configuration"
	"github.com/goldenarch/goldenarch/internal/engine/input"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

// newLock merges the entries of references in some locks.
func newLock(objects []object.Object, refs []imageref.Reference, shared *lock.Shared) (lock.Lock, finding.List) {
	var parts []lockPart
	var sources []lock.Source
	var found finding.List
	for _, o := range objects {
		text, decoded, err := shared.Read(o.Node.YNode(), o.At.APIVersion, o.At.Kind, refs)
		part := lockPart{o, text}
		if text.Node != nil {
			part.Node = yaml.NewRNode(text.Node)
		}
		if wrong, ok := errors.AsType[v1alpha1.Errors](err); ok {
			found = append(found, part.locate(lock.Invalid(finding.Object{}, wrong))...)
			continue
		}
		parts, sources = append(parts, part), append(sources, lock.Source{At: o.At, Lock: decoded})
	}
	out, list := lock.New(sources...)
	for _, f := range list {
		at := slices.IndexFunc(parts, func(p lockPart) bool { return p.At == f.Object })
		f.Object = finding.Object{}
		found = append(found, parts[at].locate(finding.List{f})...)
	}
	return out, found
}

// lockPart is a lock of the input as an object that has the entries of some references.
type lockPart struct {
	object.Object

	part lock.Part
}

// locate adds the lock and the line to findings, and names the fields as the whole lock has them.
func (p lockPart) locate(found finding.List) finding.List {
	for i, f := range found {
		found[i].Line, found[i].Field = p.Line(f.Field), p.part.Whole(f.Field)
	}
	return p.Locate(found)
}

// lockNotRead returns a lock beside a CR, where "goldenarch lock" writes it, that the
// run did not read; "" if there is none. Most often no kustomization lists it.
func lockNotRead(in input.Input) string {
	for _, cr := range in.CRs {
		if cr.At.File == "" || cr.At.File == manifest.StdinFile {
			continue
		}
		ownLock := path.Join(path.Dir(cr.At.File), lock.FileName)
		if slices.ContainsFunc(in.Locks, func(o object.Object) bool {
			return o.At.File == ownLock || lock.Target(filepath.FromSlash(o.At.File)) == lock.Target(filepath.FromSlash(ownLock))
		}) {
			continue
		}
		text, err := files.Read(filepath.FromSlash(ownLock))
		if err != nil {
			continue
		}
		if _, _, err := lock.ReadFile(ownLock, text); !errors.Is(err, lock.ErrNone) { // else there is no lock to list
			return ownLock
		}
	}
	return ""
}

// fileOf returns the file of the first lock, or else of the first CR; PATH if there is none.
func fileOf(in input.Input) string {
	for _, o := range slices.Concat(in.Locks, in.CRObjects()) {
		if o.At.File != "" && o.At.File != manifest.StdinFile {
			return o.At.File
		}
	}
	return "PATH"
}

// commandFor returns how to let the run know an image, if the error is that the lock
// does not have it.
func (l *lookup) commandFor(err error) string {
	missing, ok := errors.AsType[*lock.MissingError](err)
	if !ok {
		return ""
	}
	if ref, err := imageref.Parse(missing.Reference); err == nil && l.step.function.isUnlisted() {
		return "let goldenarch query the registry: --registry-allow " + ref.Host() + ". Or give the commit of --base a lock that has the image: goldenarch lock"
	}
	return l.command(missing.Reference)
}

// noQuery says why the run queries no registry.
func (l *lookup) noQuery() string {
	if l.step.function.isUnlisted() {
		return "--untrusted without --registry-allow"
	}
	return "--offline, or lock mode Require"
}

// unlocked reports the images that the run queries at a registry although there is a
// lock.
func (l *lookup) unlocked(refs []imageref.Reference) finding.List {
	if l.isUntrusted != nil || l.step.config.Settings.Lock.Mode != v1alpha1.LockPrefer || !l.hasLock && l.notRead == "" {
		return nil
	}
	var found finding.List
	for _, ref := range refs {
		if _, ok := l.Find(ref); !ok {
			found = append(found, finding.Finding{
				ID: finding.LockMissing, Severity: finding.Info,
				Text: fmt.Sprintf("image %q is not in the lock: goldenarch queried the registry, whose answer can change", ref),
				Do:   l.command(ref.String()),
			})
		}
	}
	return found
}

// command returns how to add an image to the lock.
func (l *lookup) command(reference string) string {
	if l.notRead != "" && !l.hasLock {
		return fmt.Sprintf("list %s under resources of its kustomization, or pass it as another PATH: goldenarch did not read it", l.notRead)
	}
	return "run: " + console.Command(slices.Concat([]string{"goldenarch", "lock"}, console.CommandPaths(l.paths), []string{"--only", reference}, l.step.function.LockFlags)...)
}

// distrust leaves out of the locks of an untrusted input the images that goldenarch may ask
// a registry for, and notes which of the others the policy has as well.
func (l *lookup) distrust(policy *configuration.Policy, refs []imageref.Reference) finding.List {
	trusted, found := newLock(slices.DeleteFunc(object.All(policy.Items), func(o object.Object) bool {
		return !kinds.IsGoldenarch(o.At, v1alpha1.ArchitectureLockKind)
	}), refs, nil)
	l.isUntrusted = func(ref imageref.Reference) bool {
		own, has := l.Find(ref)
		other, ok := trusted.Find(ref)
		return has && !(ok && lock.Same(own, other))
	}
	l.Lock = l.WithOperatorsOf(trusted) // nobody can ask a registry for operators
	if asks := policy.Asks; asks != nil {
		l.Lock = l.Without(func(ref imageref.Reference) bool { return asks(ref.Host()) })
	}
	return found
}

// untrusted reports the images of which only a lock of the untrusted input says what they
// have: its author can write there what makes the check pass.
func (l *lookup) untrusted(refs []imageref.Reference) finding.List {
	if l.isUntrusted == nil {
		return nil
	}
	var names, hosts []string
	for _, ref := range refs {
		if l.isUntrusted(ref) {
			names, hosts = append(names, ref.String()), append(hosts, ref.Host())
		}
	}
	if len(names) == 0 {
		return nil
	}
	return finding.List{{
		ID: finding.LockUntrusted, Severity: finding.Warning, // until the rest has been judged with these answers
		Text: fmt.Sprintf("only the lock of the checked commit says what is in %s, and no registry was queried: %s",
			finding.Count(len(names), "image"), finding.Shortened(names, 5)),
		Do: "let goldenarch query the registry: --registry-allow " + strings.Join(slices.Compact(slices.Sorted(slices.Values(hosts))), ",") +
			". Or have somebody whom you trust run the check without --untrusted",
	}}
}
