package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/engine/input"
	"github.com/goldenarch/goldenarch/internal/engine/join"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/access"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/plan"
)

// lookup is how a step learns what images have: from the locks of its input, and then from
// the registries, with the mirrors and the credentials of the input.
type lookup struct {
	lock.Lock // of the input
	step      *loadedStep
	objects   []object.Object
	mirrors   access.Mirrors
	// paths are those that the advised command names: the ones of the run, because its other objects
	// may say where an image is, or else the file to which a missing entry belongs.
	paths []string
	// notRead is a lock beside a CR that the input does not include; "" if there is no
	// such lock.
	notRead string
	// hasLock reports that the input has a lock.
	hasLock bool
	// isUntrusted reports whether only an untrusted input says what an image has; nil if the
	// caller trusts the input.
	isUntrusted func(imageref.Reference) bool
}

// newLookup returns the lookup of references for an input, with its mirrors, and with the entries of its locks for
// these. A problem in one of the entries is an error: otherwise a run would silently query the registries for its image again.
func newLookup(s *loadedStep, in input.Input, refs []imageref.Reference) (*lookup, finding.List) {
	out := &lookup{step: s, objects: in.Objects, paths: s.function.Paths, hasLock: len(in.Locks) > 0}
	if s.function.WorkDir != "" { // else, only the host knows the files beside the items
		out.notRead = lockNotRead(in)
	}
	if len(out.paths) == 0 && !slices.Contains(s.function.LockFlags, "--cr-path") {
		out.paths = []string{fileOf(in)}
	}
	var found, wrong finding.List
	out.Lock, found = newLock(in.Locks, refs, s.function.Locks)
	if s.function.Policy != nil {
		found = append(found, out.distrust(s.function.Policy, refs)...)
	}
	out.mirrors, wrong = readMirrors(s, in.Objects)
	return out, append(found, wrong...)
}

// readMirrors reads the mirrors that count for a step. A mirror set of an untrusted input could let any
// repository answer for an image, so that only those of the policy count.
func readMirrors(s *loadedStep, objects []object.Object) (access.Mirrors, finding.List) {
	if policy := s.function.Policy; policy != nil {
		objects = object.All(policy.Items)
	}
	return access.ReadMirrors(objects, s.config.Settings.GoldenImagesSpec)
}

// newAccess returns what the input provides for access to registries. byCDI are images that pods of CDI pull, beside those
// of templates.
func newAccess(
	s *loadedStep, objects []object.Object, mirrors access.Mirrors, list []join.Joined, byCDI []imageref.Reference,
) *access.Access {
	items := access.Lookup{Objects: objects, Named: s.function.Named}
	if policy := s.function.Policy; policy != nil {
		items.Untrusted, items.Trusted = true, object.All(policy.Items)
	}
	out := access.Collect(items, mirrors, list, s.config.Settings.GoldenImagesSpec)
	for _, ref := range byCDI {
		out.PulledByPods(ref)
	}
	return out
}

// open returns a resolver that uses the locks before the registries, and the access that has
// the findings about the registries. With Require it does not open the registries at all. byCDI are images
// that pods of CDI pull, beside those of templates.
func (l *lookup) open(list []join.Joined, byCDI []imageref.Reference) (registry.Resolver, *access.Access, finding.List) {
	opened := newAccess(l.step, l.objects, l.mirrors, list, byCDI)
	if l.step.config.Settings.Lock.Mode == v1alpha1.LockRequire {
		return lock.Require(l.Lock, l.noQuery()), opened, nil
	}
	next, err := opened.Open(l.step.open, l.step.function.Registry)
	if err != nil {
		return nil, nil, finding.List{unreachable(err)}
	}
	return lock.Prefer(l.Lock, next), opened, nil
}

// resolve resolves images, all at once.
func (l *lookup) resolve(ctx context.Context, r registry.Resolver, refs []imageref.Reference) []registry.Result {
	if len(refs) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, l.step.config.Settings.Registry.RunTimeout())
	defer cancel()
	return registry.ResolveAll(ctx, r, refs)
}

// answersForCRs looks up the images of all CRs at once, each image once. It does not query an
// image whose architectures a person states. Without workload architectures there are
// no questions.
func (l *lookup) answersForCRs(ctx context.Context, list []join.Joined) (plan.Answers, finding.List) {
	var resolver registry.Resolver // nil without a question that names an image: then there is nothing to resolve
	var opened *access.Access
	if asks(list) {
		var found finding.List
		if resolver, opened, found = l.open(list, nil); found.Failed() {
			return nil, found
		}
	}
	answers := plan.Answers{}
	var refs []imageref.Reference
	for _, image := range imagesOf(list) {
		if architectures, ok := l.step.config.Settings.Images.Find(image); ok {
			answers[image] = plan.Answer{Platforms: platforms(architectures)}
			continue
		}
		refs = append(refs, image)
	}
	for _, r := range l.resolve(ctx, resolver, refs) {
		answers[r.Reference] = plan.Answer{
			Platforms: r.Image.Platforms, Digest: r.Image.Digest, Single: cdi.IsManifest(r.Image.MediaType), Err: r.Err, Lock: l.commandFor(r.Err), Hint: hintOf(r.Err),
			ForOneRun: l.step.function.forOneRun(r.Reference, r.Err),
			Absent:    r.Image.Absent.Linux().Minus(r.Image.Platforms.Linux()), AbsentError: r.Image.AbsentError, Host: registry.SilentHost(r.Err),
		}
	}
	found := append(l.unlocked(refs), l.untrusted(refs)...)
	if opened == nil {
		return answers, found
	}
	return answers, append(found, opened.Findings()...)
}

// answersForPods looks up the images of pods, each once, and gives them their answers.
func (l *lookup) answersForPods(ctx context.Context, images podImages) finding.List {
	found := slices.Concat(l.step.locatePods(images.found), l.unlocked(images.refs), l.untrusted(images.refs))
	if found.Failed() || len(images.refs) == 0 {
		return found
	}
	resolver, held, wrong := l.open(nil, images.byCDI)
	if wrong.Failed() {
		return append(found, wrong...)
	}
	for _, r := range l.resolve(ctx, resolver, images.refs) {
		images.answer(r, l.commandFor(r.Err))
	}
	return append(found, held.Findings()...)
}

// unreachable reports that goldenarch cannot query the registries with this
// configuration.
func unreachable(err error) finding.Finding {
	return finding.Finding{
		ID: finding.ConfigInvalid, Severity: finding.Error, Field: "spec.registry", Text: err.Error(), Do: "correct the configuration",
	}
}

// asks reports whether a question names an image, even by a text that is not a valid
// reference.
func asks(list []join.Joined) bool {
	return slices.ContainsFunc(list, func(s join.Joined) bool {
		return slices.ContainsFunc(s.Questions, func(q plan.Question) bool { return q.Text != "" && q.Problem == nil })
	})
}

// imagesOf returns the images of all questions in the order of their texts, each once.
func imagesOf(list []join.Joined) []imageref.Reference {
	var questions []plan.Question
	for _, s := range list {
		for _, q := range s.Questions {
			if q.Image != (imageref.Reference{}) && q.Problem == nil {
				questions = append(questions, q)
			}
		}
	}
	slices.SortStableFunc(questions, func(a, b plan.Question) int { return strings.Compare(a.Text, b.Text) })
	var out []imageref.Reference
	seen := map[imageref.Reference]bool{}
	for _, q := range questions {
		if !seen[q.Image] {
			seen[q.Image] = true
			out = append(out, q.Image)
		}
	}
	return out
}

func platforms(set arch.Set) arch.Platforms {
	out := make(arch.Platforms, len(set))
	for i, a := range set {
		out[i] = arch.Platform{OS: "linux", Architecture: a}
	}
	return out
}

// hintOf returns the fix at the end of a registry's error.
func hintOf(err error) string {
	if failed, ok := errors.AsType[*registry.Error](err); ok {
		return failed.Hint
	}
	return ""
}

// isUnlisted reports whether the run does not trust its input, and no list allows a registry: then such a list is the fix.
func (f Function) isUnlisted() bool { return f.Policy != nil && f.Policy.Asks == nil }

// forOneRun begins the fix of an image of which no registry or lock says what it has, where the run has the flag that states it; else
// it is "".
func (f Function) forOneRun(ref imageref.Reference, err error) string {
	isUnanswered := slices.ContainsFunc([]error{registry.ErrUnreachable, registry.ErrBusy, registry.ErrServer}, func(kind error) bool { return errors.Is(err, kind) })
	if _, isMissing := errors.AsType[*lock.MissingError](err); !f.ImageFlag || f.isUnlisted() || !isUnanswered && !isMissing {
		return ""
	}
	return "pass --image " + ref.String() + "=ARCH,… for this run, or "
}

// remembering returns a function that opens registries as another one does, by default [registry.Open], and keeps their
// answers for all steps: a run queries each image once, of a CR and of pods alike, also where one of them brings credentials.
// A failure holds only for the same options.
func remembering(open func(registry.Options) (registry.Resolver, error)) func(registry.Options) (registry.Resolver, error) {
	if open == nil {
		open = registry.Open
	}
	shared, known := &registry.Shared{Next: open}, &sync.Map{}
	return func(o registry.Options) (registry.Resolver, error) {
		next, err := shared.Open(o)
		return rememberingResolver{next, o, known}, err
	}
}

// rememberingResolver keeps the images by their references, by the places that may have them, and by whether it may log in.
type rememberingResolver struct {
	next    registry.Resolver
	options registry.Options
	known   *sync.Map
}

// Resolve implements [registry.Resolver].
func (r rememberingResolver) Resolve(ctx context.Context, ref imageref.Reference) (registry.Image, error) {
	anonymous := r.options.NoLogins && len(r.options.Credentials) == 0
	key := fmt.Sprint(ref, r.options.Mirrors.Places(ref.Host()+"/"+ref.Repository(), ref.Pinned()), anonymous)
	if image, ok := r.known.Load(key); ok {
		return image.(registry.Image), nil //nolint:forcetypeassert // nothing else is stored
	}
	image, err := r.next.Resolve(ctx, ref)
	if err == nil {
		r.known.Store(key, image)
	}
	return image, err
}
