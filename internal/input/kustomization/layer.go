package kustomization

import (
	"fmt"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/provenance"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"
)

// layer is what the replacements of a directory with a kustomization depend on.
type layer struct {
	bases      []*layer // each has its own objects
	components []*layer // applied in order to the objects of the bases
	copies     []copying
	vars       []types.Var
	files      []source // the sources of objects, and the directory itself
	patches    int
	// seesOrigins says that the layer may build otherwise where kustomize notes the origins.
	seesOrigins bool
	separate    bool // it changes each object by itself, and no name
	checked     bool // goldenarch has checked that it does not grow too much
}

// source is a file or a directory, and the key whose value is the whole text of the file.
type source struct{ path, key string }

// check records that a layer and all its sources do not grow too much.
func (l *layer) check() {
	if l == nil || l.checked {
		return
	}
	l.checked = true
	for _, inner := range slices.Concat(l.bases, l.components) {
		inner.check()
	}
}

// refuseGrowth fails if replacements, in a kustomization or its sources, may make the
// resources much larger than the files. A replacement that copies a text into itself
// doubles the text with each line, and goldenarch cannot stop the library.
func (b *build) refuseGrowth(dir string) error {
	top := b.layer(dir, nil)
	if top == nil || top.checked {
		return nil
	}
	e := newEvaluation(func([]string) float64 { return 1 })
	if e.of(top); e.fields > maxFields {
		return errFields
	}
	if e.growth > maxTimes {
		e = newEvaluation(b.measured(top))
		if e.of(top); e.growth > maxGrown {
			return errGrows
		}
	}
	if err := b.refuseVars(top); err != nil {
		return err
	}
	top.check()
	return nil
}

// layer returns the sources of a directory. above has the directories on the way to it. If
// a directory is built from itself, kustomize reports the error.
func (b *build) layer(dir string, above []string) *layer {
	if known := b.notes.layers[dir]; known != nil || slices.Contains(above, dir) {
		return known
	}
	k, ok := b.load(dir)
	if !ok {
		return nil
	}
	k.FixKustomization() // bases are resources
	above = append(slices.Clone(above), dir)
	out := &layer{files: []source{{path: dir}}, vars: k.Vars, patches: patchesIn(k)} //nolint:staticcheck // kustomize takes them
	for _, entry := range k.Resources {
		if at, isDir := b.placeOf(dir, entry); isDir {
			out.bases = append(out.bases, b.layer(at, above))
		} else if at != "" {
			out.files = append(out.files, source{path: at})
		}
	}
	for _, entry := range k.Components {
		if at, isDir := b.placeOf(dir, entry); isDir {
			out.components = append(out.components, b.layer(at, above))
		}
	}
	out.files = append(out.files, b.generated(dir, k)...)
	out.copies = copyings(b.replacements(dir, k.Replacements))
	for _, entry := range k.Transformers {
		items, err := b.entry(dir, entry)
		if err != nil {
			continue // kustomize says what is wrong
		}
		for _, item := range items {
			replacements := b.replacementsIn(dir, item)
			out.copies = append(out.copies, copyings(replacements)...)
			text, err := item.String()
			out.seesOrigins = out.seesOrigins || err != nil || patchSees([]byte(text), true) || copySees(replacements)
		}
	}
	out.seesOrigins = out.seesOrigins || b.seesOrigins(dir, k)
	out.separate = !has(k, func(field string) bool { return !slices.Contains(separate, field) })
	b.notes.layers[dir] = out
	return out
}

// generated returns the files from which a kustomization generates ConfigMaps and Secrets,
// those that exist.
func (b *build) generated(dir string, k types.Kustomization) []source {
	var out []source
	for _, file := range generatedFrom(k) {
		if at, isDir := b.placeOf(dir, file.path); !isDir && at != "" {
			out = append(out, source{path: at, key: file.key})
		}
	}
	return out
}

// placeOf returns the file or directory that an entry names, or "" if it does not name
// one.
func (b *build) placeOf(dir, entry string) (at string, isDir bool) {
	if entry == "" || isInline(entry) || isRemote(entry) || filepath.IsAbs(entry) {
		return "", false
	}
	place, file, err := b.FileSystem.CleanedAbs(filepath.Join(dir, entry))
	if err != nil {
		return "", false
	}
	return place.Join(file), file == ""
}

// replacements returns the replacements of a list, including those in files.
func (b *build) replacements(dir string, list []types.ReplacementField) []types.Replacement {
	var out []types.Replacement
	for _, r := range list {
		if r.Path == "" {
			out = append(out, r.Replacement)
			continue
		}
		at, isDir := b.placeOf(dir, r.Path)
		if at == "" || isDir {
			continue
		}
		data, err := b.FileSystem.ReadFile(at)
		if err != nil {
			continue
		}
		var several []types.Replacement
		var one types.Replacement
		if k8syaml.Unmarshal(data, &several) == nil {
			out = append(out, several...)
		} else if k8syaml.Unmarshal(data, &one) == nil {
			out = append(out, one)
		}
	}
	return out
}

// replacementsIn returns the replacements of a transformer, or of those in a List.
func (b *build) replacementsIn(dir string, item *yaml.RNode) []types.Replacement {
	text, err := item.String()
	if err != nil {
		return nil
	}
	var read struct {
		Kind         string                   `json:"kind"`
		Replacements []types.ReplacementField `json:"replacements"`
	}
	var out []types.Replacement
	if k8syaml.Unmarshal([]byte(text), &read) == nil && read.Kind == "ReplacementTransformer" {
		out = b.replacements(dir, read.Replacements)
	}
	elements, err := item.Pipe(yaml.Lookup("items"))
	if err != nil || elements == nil {
		return out
	}
	list, err := elements.Elements()
	if err != nil {
		return out
	}
	for _, element := range list {
		out = append(out, b.replacementsIn(dir, element)...)
	}
	return out
}

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
		file := b.given
		if origin != nil && origin.Repo == "" && origin.Path+origin.ConfiguredIn != "" {
			file = filepath.Join(file, origin.Path+origin.ConfiguredIn) // only one of them is set
		}
		out = append(out, built{Resource: r, file: filepath.ToSlash(file)})
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
