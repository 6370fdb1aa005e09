package pipeline

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/access"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/input"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/machine"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/sanitize"
)

// locks has the contents of the locks of the input, and how the run uses them.
type locks struct {
	lock.Lock
	mode v1alpha1.LockMode
	// file is the file to which a missing entry belongs.
	file string
	// notRead is a lock beside a CR that the input does not include; "" if there is no
	// such lock.
	notRead string
	// given reports that the input has a lock.
	given bool
	// isUntrusted reports whether only an untrusted input says what an image has; nil if the
	// caller trusts the input.
	isUntrusted func(imageref.Reference) bool
}

// readLocks reads the locks of the input. A problem in a lock is an error: otherwise a
// run would silently query the registries for its images again.
func (f Function) readLocks(in input.Input, mode v1alpha1.LockMode) (locks, finding.List) {
	out := locks{mode: mode, file: "PATH", given: len(in.Locks) > 0, notRead: f.lockNotRead(in)}
	var sources []lock.Source
	var found finding.List
	for _, o := range in.Locks {
		decoded, list := decodeLock(o)
		found = append(found, list...)
		if decoded != nil {
			sources = append(sources, lock.Source{At: o.At, Lock: decoded})
		}
	}
	for _, at := range places(in) {
		if at.File != "" && at.File != stream {
			out.file = at.File
			break
		}
	}
	var list finding.List
	out.Lock, list = lock.New(sources...)
	for i, f := range list {
		for _, o := range in.Locks {
			if o.At == f.Object {
				list[i].Line = o.Line(f.Field)
				list[i].Field = strings.Trim(o.Path+"."+f.Field, ".")
			}
		}
	}
	found = append(found, list...)
	return out, append(found, f.distrust(&out)...)
}

// lockNotRead returns a lock beside a CR, where "goldenarch lock" writes it, that the
// run did not read. Most often no kustomization lists it. Without a working directory
// only the host knows the files beside the items.
func (f Function) lockNotRead(in input.Input) string {
	if f.WorkDir == "" {
		return ""
	}
	for _, cr := range in.CRs {
		if cr.At.File == "" || cr.At.File == stream {
			continue
		}
		beside := path.Join(path.Dir(cr.At.File), lock.FileName)
		if info, err := os.Stat(filepath.FromSlash(beside)); err != nil || info.IsDir() {
			continue
		}
		if !slices.ContainsFunc(in.Locks, func(o object.Object) bool {
			return lock.Target(filepath.FromSlash(o.At.File)) == lock.Target(filepath.FromSlash(beside))
		}) {
			return beside
		}
	}
	return ""
}

// stream replaces the file name of an item from standard input.
const stream = "stdin"

// places returns the places of the locks, and then of the CRs.
func places(in input.Input) []finding.Object {
	var out []finding.Object
	for _, o := range in.Locks {
		out = append(out, o.At)
	}
	for _, cr := range in.CRs {
		out = append(out, cr.At)
	}
	return out
}

func decodeLock(o object.Object) (*v1alpha1.ArchitectureLock, finding.List) {
	var tree map[string]any
	if err := o.Node.YNode().Decode(&tree); err != nil {
		text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "yaml: "), "unmarshal errors:\n  ")
		return nil, o.Locate(lock.Invalid(finding.Object{}, v1alpha1.Errors{{Text: text}}))
	}
	tree["kind"], tree["apiVersion"] = o.At.Kind, o.At.APIVersion // an element of a list may omit them
	decoded, err := v1alpha1.DecodeArchitectureLock(tree)
	if wrong, ok := errors.AsType[v1alpha1.Errors](err); ok {
		return nil, o.Locate(lock.Invalid(finding.Object{}, wrong))
	}
	return decoded, nil
}

// locked returns a resolver that uses the locks before the registries. With Require it
// does not open the registries at all.
func (f Function) locked(l locks, g *access.Access) (registry.Resolver, error) {
	if l.mode == v1alpha1.LockRequire {
		return lock.Require(l.Lock), nil
	}
	next, err := g.Open(f.Open, f.Registry)
	if err != nil {
		return nil, err
	}
	return lock.Prefer(l.Lock, next), nil
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
	return "run: " + sanitize.Command("goldenarch", "lock", l.file, "--only", reference)
}

// podImages adds the images of pods to those of the CRs.
func (f Function) podImages(images *Images, items []*yaml.RNode, in input.Input) finding.List {
	list, run, found := f.pods.find(items, nil, in, images.spec)
	if found.Failed() {
		return found
	}
	q := questionsOf(list.Images(), run.Spec, f.Options.Images)
	found = append(found, f.pods.locate(q.found)...)
	severity := finding.Warning // a run also leaves such a pod unchanged
	if run.Spec.Unresolved == v1alpha1.UnresolvedError {
		severity = finding.Error
	}
	add := func(into *[]imageref.Reference, ref imageref.Reference) {
		if _, known := images.at[ref]; known {
			return
		}
		images.at[ref] = finding.Finding{ID: finding.PodUnresolved, Severity: severity, Current: ref.String()}
		*into = append(*into, ref)
	}
	for _, ref := range q.stated {
		add(&images.Stated, ref)
	}
	for _, ref := range q.refs {
		add(&images.ToQuery, ref)
	}
	images.Pods = list.Places()
	operators, installed := list.Operators()
	images.operators = f.newOperators(operators, installed, q)
	return found
}

// addMachines adds the images of machines: container disks, kernels and registry sources. An
// image that cannot be looked up is a warning, as in a check, which then does not know its disk.
func (f Function) addMachines(images *Images, objects []object.Object, streams imagestream.Streams) {
	list, _ := machine.Find(objects) // a check reports what it cannot read
	for _, m := range list {
		if len(machine.ImagesOf([]machine.Found{m}, nil, streams)) > 0 && !slices.Contains(images.Machines, m.At) {
			images.Machines = append(images.Machines, m.At)
		}
	}
	q := questionsOf(machine.ImagesOf(list, objects, streams), v1alpha1.WorkloadArchitecturesSpec{}, f.Options.Images)
	images.Stated = append(images.Stated, q.stated...)
	for _, ref := range q.refs {
		if _, known := images.at[ref]; !known {
			images.at[ref] = finding.Finding{ID: finding.MachineUnknown, Severity: finding.Warning, Current: ref.String()}
			images.ToQuery = append(images.ToQuery, ref)
		}
	}
}

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
	const maxListed = 5
	shown := slices.Clone(names[:min(len(names), maxListed)])
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
