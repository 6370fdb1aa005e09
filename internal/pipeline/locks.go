package pipeline

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/configuration"
	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/fieldpath"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/input"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// locks has the contents of the locks of the input, and how the run uses them.
type locks struct {
	lock.Lock
	mode v1alpha1.LockMode
	// paths are those that the advised command names: the ones of the run, because its other objects
	// may say where an image is, or else the file to which a missing entry belongs.
	paths []string
	// notRead is a lock beside a CR that the input does not include; "" if there is no
	// such lock.
	notRead string
	// given reports that the input has a lock.
	given bool
	// flags say how the run reaches registries.
	flags []string
	// isUntrusted reports whether only an untrusted input says what an image has; nil if the
	// caller trusts the input.
	isUntrusted func(imageref.Reference) bool
}

// readLocks reads the locks of the input. A problem in a lock is an error: otherwise a
// run would silently query the registries for its images again.
func readLocks(s *loadedStep, in input.Input) (locks, finding.List) {
	out := locks{mode: s.config.Settings.Lock.Mode, paths: s.function.Paths, given: len(in.Locks) > 0, flags: s.function.LockFlags}
	if s.function.WorkDir != "" { // else, only the host knows the files beside the items
		out.notRead = lockNotRead(in)
	}
	sources, found := decodeLocks(in.Locks)
	if len(out.paths) == 0 && !slices.Contains(out.flags, "--cr-path") {
		out.paths = []string{fileOf(in)}
	}
	read, list := lock.New(sources...)
	for i, f := range list {
		for _, o := range in.Locks {
			if o.At == f.Object {
				list[i].Line = o.Line(f.Field)
				list[i].Field = fieldpath.Below(o.Path, f.Field)
			}
		}
	}
	out.Lock = read
	found = append(found, list...)
	if s.function.Policy != nil {
		found = append(found, out.distrust(s.function.Policy)...)
	}
	return out, found
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

// decodeLocks decodes those of some locks that are valid.
func decodeLocks(objects []object.Object) ([]lock.Source, finding.List) {
	var out []lock.Source
	var found finding.List
	for _, o := range objects {
		decoded, list := decodeLock(o)
		found = append(found, list...)
		if decoded != nil {
			out = append(out, lock.Source{At: o.At, Lock: decoded})
		}
	}
	return out, found
}

func decodeLock(o object.Object) (*v1alpha1.ArchitectureLock, finding.List) {
	var tree map[string]any
	if err := o.Node.YNode().Decode(&tree); err != nil {
		return nil, o.Locate(lock.Invalid(finding.Object{}, v1alpha1.Errors{{Text: yamlnode.ReadError(err, 0).Error()}}))
	}
	tree["kind"], tree["apiVersion"] = o.At.Kind, o.At.APIVersion // an element of a list may omit them
	decoded, err := v1alpha1.DecodeArchitectureLock(tree)
	if wrong, ok := errors.AsType[v1alpha1.Errors](err); ok {
		return nil, o.Locate(lock.Invalid(finding.Object{}, wrong))
	}
	return decoded, nil
}

// commandFor returns how to add an image to the lock, if the error is that the lock
// does not have it.
func (l locks) commandFor(err error) string {
	if missing, ok := errors.AsType[*lock.MissingError](err); ok {
		return l.command(missing.Reference)
	}
	return ""
}

// unlocked reports the images that the run queries at a registry although there is a
// lock.
func (l locks) unlocked(refs []imageref.Reference) finding.List {
	if l.isUntrusted != nil || l.mode != v1alpha1.LockPrefer || !l.given && l.notRead == "" {
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
func (l locks) command(reference string) string {
	if l.notRead != "" && !l.given {
		return fmt.Sprintf("list %s under resources of its kustomization, or pass it as another PATH: goldenarch did not read it", l.notRead)
	}
	return "run: " + console.Command(slices.Concat([]string{"goldenarch", "lock"}, console.CommandPaths(l.paths), []string{"--only", reference}, l.flags)...)
}

// distrust leaves out of the locks of an untrusted input the images that goldenarch may ask
// a registry for, and notes which of the others the policy has as well.
func (l *locks) distrust(policy *configuration.Policy) finding.List {
	sources, found := decodeLocks(slices.DeleteFunc(object.All(policy.Items), func(o object.Object) bool {
		return !kinds.IsGoldenarch(o.At, v1alpha1.ArchitectureLockKind)
	}))
	trusted, more := lock.New(sources...)
	l.isUntrusted = func(ref imageref.Reference) bool {
		own, has := l.Find(ref)
		other, ok := trusted.Find(ref)
		return has && !(ok && lock.Same(own, other))
	}
	l.Lock = l.WithOperatorsOf(trusted) // nobody can ask a registry for operators
	if asks := policy.Asks; asks != nil {
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
	var names, hosts []string
	for _, ref := range refs {
		if l.isUntrusted(ref) {
			names, hosts = append(names, ref.String()), append(hosts, ref.Host())
		}
	}
	if len(names) == 0 {
		return nil
	}
	const maxListed = 5
	shown := slices.Clone(names[:min(len(names), maxListed)])
	if more := len(names) - len(shown); more > 0 {
		shown = append(shown, fmt.Sprintf("and %d more", more))
	}
	return finding.List{{
		ID: finding.LockUntrusted, Severity: finding.Warning,
		Text: fmt.Sprintf("the answers for %s come from the lock in the checked commit, which may have changed them: %s",
			finding.Count(len(names), "image"), strings.Join(shown, ", ")),
		Do: "let goldenarch query the registry: --registry-allow " + strings.Join(slices.Compact(slices.Sorted(slices.Values(hosts))), ","),
	}}
}
