package kustomization

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/provenance"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"

	"github.com/goldenarch/goldenarch/internal/pathname"
)

// built is a resource with the file it came from.
type built struct {
	*resource.Resource

	file string
}

const (
	transformations = "alpha.config.kubernetes.io/transformations"
	// kustomizeRelease is the kustomize release that contains the version of the library
	// in go.mod. The library does not know that release. It writes "(devel)", or
	// goldenarch's version, into the label that buildMetadata: [managedByLabel] asks for.
	kustomizeRelease = "v5.8.2"
)

// traced returns resources with the files they came from. It removes the annotations that
// kustomize adds only because goldenarch needs them. Where another build has noted the
// origins, known has them by id.
func (b *build) traced(all resmap.ResMap, known map[string]*resource.Origin) ([]built, error) {
	var out []built
	root := cmp.Or(b.root, b.given)
	files := map[string]string{"": filepath.ToSlash(b.given)} // by their origins
	for _, r := range all.Resources() {
		origin, err := r.GetOrigin()
		if err != nil {
			return nil, fmt.Errorf("read the origin of %s: %w", r.CurId(), err)
		}
		if known != nil {
			origin = known[r.CurId().String()]
		}
		if step, is := b.generatedBy(origin); is {
			if origin, err = step.origin(); err == nil {
				err = r.SetOrigin(origin)
			}
			if err != nil {
				return nil, fmt.Errorf("note the origin of %s: %w", r.CurId(), err)
			}
		}
		if err := untrace(r); err != nil {
			return nil, fmt.Errorf("clean %s: %w", r.CurId(), err)
		}
		from := ""
		if origin != nil && origin.Repo == "" {
			from = origin.Path + origin.ConfiguredIn // only one of them is set
		}
		if _, known := files[from]; !known {
			files[from] = filepath.ToSlash(pathname.Named(b.given, root, filepath.Join(root, from)))
		}
		out = append(out, built{Resource: r, file: files[from]})
	}
	if b.tracked {
		return out, nil
	}
	return out, all.RemoveOriginAnnotations()
}

func untrace(r *resource.Resource) error {
	labels := r.GetLabels()
	if labels[konfig.ManagedbyLabelKey] == "kustomize-"+provenance.GetProvenance().Semver() {
		labels[konfig.ManagedbyLabelKey] = "kustomize-" + kustomizeRelease
		if err := r.SetLabels(labels); err != nil {
			return err
		}
	}
	steps, err := r.GetTransformations()
	if err != nil || steps == nil {
		return err
	}
	steps = slices.DeleteFunc(steps, func(step *resource.Origin) bool { return step.ConfiguredBy.Name == keepLocalName })
	if len(steps) == 0 {
		return r.ClearTransformations()
	}
	text, err := steps.String()
	if err != nil {
		return err
	}
	annotations := r.GetAnnotations()
	annotations[transformations] = text
	return r.SetAnnotations(annotations)
}

// originsFrom says which build of a directory notes the origin of each object.
//
// kustomize notes it in an annotation. Then it also notes each transformer in another
// annotation of each object, which it decodes and encodes each time (kustomize api
// resmap/reswrangler.go: AddTransformerAnnotation). Each patch is a transformer, so the
// time grows with the square of the patches.
type originsFrom int

const (
	fromBuild originsFrom = iota // from this build
	fromOther                    // from another build: this one notes none
	fromBare                     // from this build, which has no patches
)

// fewPatches is the number of patches up to which one build is faster than two.
const fewPatches = 20

// patchesIn returns how many patches a kustomization has.
func patchesIn(k types.Kustomization) int {
	return len(k.Patches) + len(k.PatchesStrategicMerge) + len(k.PatchesJson6902) //nolint:staticcheck // older kustomizations have them
}

// bare returns a kustomization without what changes objects and is not their names.
func bare(k types.Kustomization) types.Kustomization {
	k.Patches, k.PatchesStrategicMerge, k.PatchesJson6902 = nil, nil, nil                         //nolint:staticcheck // as above
	k.Replacements, k.Vars = nil, nil                                                             //nolint:staticcheck // they may read what a patch sets
	k.Images, k.Replicas, k.Labels, k.CommonLabels, k.CommonAnnotations = nil, nil, nil, nil, nil //nolint:staticcheck // as above
	return k
}

// otherOrigins returns the origin of each object by its id, from a build without patches, or
// nil if this build notes them. Then exact says that this build must not note them, because
// it would differ.
func (b *build) otherOrigins() (known map[string]*resource.Origin, exact bool) {
	k, ok := b.load(b.root)
	if !ok || b.ofList || slices.Contains(k.BuildMetadata, types.OriginAnnotations) {
		return nil, false
	}
	patches := 0
	for _, l := range b.layer(b.root, nil).all(nil) {
		patches += l.patches
		exact = exact || l.seesOrigins
	}
	if exact || patches > fewPatches && len(k.BuildMetadata) == 0 {
		known = b.originsOf(fromBare)
	}
	if exact && known == nil {
		known = map[string]*resource.Origin{}
	}
	return known, exact
}

// originsOf builds the directory only for its origins. It returns nil if that build fails,
// or is bare and has a generator of goldenarch.
func (b *build) originsOf(from originsFrom) map[string]*resource.Origin {
	other, err := newBuild(b.notes, b.given)
	if err != nil {
		return nil
	}
	defer b.notes.library.forget()() // the build itself says it again
	defer b.notes.countAnew()()
	other.origins = from
	resources, err := other.kustomize()
	if err != nil || from == fromBare && len(other.generators)+len(b.notes.missing) > 0 {
		return nil
	}
	out := map[string]*resource.Origin{}
	for _, r := range resources.Resources() {
		if origin, err := r.GetOrigin(); err == nil && origin != nil {
			out[r.CurId().String()] = origin
		}
	}
	return out
}

// seesOrigins reports whether a kustomization may build otherwise where each object has the
// annotation with its origin. An older JSON patch fails on an object without annotations. A
// copy of all annotations has the origin, too.
func (b *build) seesOrigins(dir string, k types.Kustomization) bool {
	if bytes.Contains(b.read(dir), []byte(origin)) || copySees(b.replacements(dir, k.Replacements)) {
		return true
	}
	sees := func(patch types.Patch, older bool) bool {
		text := []byte(patch.Patch)
		if patch.Path != "" {
			text = b.read(filepath.Join(dir, patch.Path))
		}
		return patchSees(text, older)
	}
	return slices.ContainsFunc(k.Patches, func(p types.Patch) bool { return sees(p, false) }) ||
		slices.ContainsFunc(k.PatchesJson6902, func(p types.Patch) bool { return sees(p, true) }) //nolint:staticcheck // older kustomizations have them
}

// patchSees reports whether a patch may see the annotations of an object as a whole. Only
// a JSON patch does, and only of the older form it fails where there are none.
func patchSees(text []byte, older bool) bool {
	has := func(word string) bool { return bytes.Contains(text, []byte(word)) }
	return has(origin) || has("/metadata") && (has("from") || has("test") || older)
}

// copySees reports whether replacements copy all annotations.
func copySees(all []types.Replacement) bool {
	return slices.ContainsFunc(all, func(r types.Replacement) bool {
		return r.Source != nil && (r.Source.FieldPath == "metadata" || r.Source.FieldPath == "metadata.annotations")
	})
}

// haveAll reports whether there is an origin of each object.
func haveAll(origins map[string]*resource.Origin, all resmap.ResMap) bool {
	for _, r := range all.Resources() {
		if origins[r.CurId().String()] == nil {
			return false // a patch has renamed it
		}
	}
	return true
}
