package kustomization

import (
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"
)

// layer is a directory with a kustomization, as far as replacements go.
type layer struct {
	bases      []*layer // each with objects of its own
	components []*layer // one after the other, for the objects of the bases
	copies     []copying
	vars       []types.Var
	files      []source // that objects come from, and the directory itself
	checked    bool     // it is known not to grow too much
}

// source is a file or a directory, and the key that its whole text is a value of.
type source struct{ path, key string }

// check notes that a layer, and all that it is built from, does not grow too much.
func (l *layer) check() {
	if l == nil || l.checked {
		return
	}
	l.checked = true
	for _, inner := range slices.Concat(l.bases, l.components) {
		inner.check()
	}
}

// refuseGrowth fails if the replacements of a kustomization, and of those that it is
// built from, may make much more of what is read. What copies a text into itself
// doubles it with each line, and nothing ends what the library has begun.
func (b *build) refuseGrowth(dir string) error {
	top := b.layer(dir, nil)
	if top == nil || top.checked {
		return nil
	}
	e := newEvaluation(func([]string) float64 { return 1 })
	if e.of(top); e.fields > maxFields {
		return errFields
	}
	if e.most > maxTimes {
		e = newEvaluation(b.measured(top))
		if e.of(top); e.most > maxGrown {
			return errGrows
		}
	}
	if err := b.refuseVars(top); err != nil {
		return err
	}
	top.check()
	return nil
}

// layer returns what a directory is built from. above are the directories on the way
// to it: of one that is built from itself kustomize says so.
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
	out := &layer{files: []source{{path: dir}}, vars: k.Vars} //nolint:staticcheck // kustomize takes them
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
			out.copies = append(out.copies, copyings(b.replacementsIn(dir, item))...)
		}
	}
	b.notes.layers[dir] = out
	return out
}

// generated returns the files that a kustomization makes ConfigMaps and Secrets of.
func (b *build) generated(dir string, k types.Kustomization) []source {
	var out []source
	for _, generator := range slices.Concat(k.ConfigMapGenerator, secretsAsMaps(k.SecretGenerator)) {
		for _, file := range slices.Concat(generator.FileSources, generator.EnvSources, []string{generator.EnvSource}) {
			key, path, has := strings.Cut(file, "=")
			if !has {
				key, path = filepath.Base(file), file
			}
			if at, isDir := b.placeOf(dir, path); !isDir && at != "" {
				out = append(out, source{path: at, key: key})
			}
		}
	}
	return out
}

// placeOf returns the file or directory that an entry names, "" if it is none.
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

// replacements returns those of a list, also where an entry names a file.
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

// replacementsIn returns the replacements of a transformer, and of those in a List of them.
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
