package kustomization

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"

	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
)

// A generator gets no objects of the build: kustomize passes it only its configuration. So
// goldenarch runs it before the build, and the build gets what it emits where kustomize puts
// the output of a generator: behind the resources and the built-in generators, before the
// components (kustomize target/kusttarget.go: accumulateTarget). A component that comes first
// does that, because its resources go into those of the kustomization above it.

// generatorsIn returns the generators of goldenarch that a kustomization lists, and the
// other entries. It fails where the output of goldenarch has no such place.
func (b *build) generatorsIn(dir string, k types.Kustomization) ([]Step, []string, error) {
	var out []Step
	var others []string
	for _, entry := range inKustomizeOrder(k.Generators) {
		steps, err := b.stepsIn(dir, Generators, entry)
		switch {
		case err != nil:
			return nil, nil, err
		case len(steps) > 0 && !b.readable(dir, k.Generators):
			return nil, k.Generators, nil // kustomize reports the error
		case len(steps) > 0 && (b.ofList || !b.notes.generates):
			return nil, nil, b.misplaced(dir, Generators, entry)
		case len(steps) == 0 && len(out) > 0:
			return nil, nil, fmt.Errorf("%s lists goldenarch under generators before %q: %w",
				b.shown(kustomizationIn(dir)), entry, errGeneratesFirst)
		case len(steps) == 0:
			others = append(others, entry)
		}
		for i := range steps {
			steps[i].Key = dir + "\n" + entry + "\n" + strconv.Itoa(i)
		}
		out = append(out, steps...)
	}
	return out, others, b.refuseTwice(dir, out)
}

var errGeneratesFirst = errors.New("goldenarch runs only as the last generator of a kustomization: list it after the others, inline ones included")

// generate puts what the generators of a kustomization emit into it. A generator that has
// not run yet is noted: the build starts again with its output.
func (b *build) generate(dir string, k *types.Kustomization) (bool, error) {
	steps, others, err := b.generatorsIn(dir, *k)
	if err != nil || len(steps) == 0 {
		return false, err
	}
	k.Generators = others
	part := types.Kustomization{TypeMeta: types.TypeMeta{APIVersion: types.ComponentVersion, Kind: types.ComponentKind}}
	at := b.freeName(dir)
	for i, step := range steps {
		text, ok := b.notes.generated[step.Key]
		if !ok {
			if !slices.ContainsFunc(b.notes.missing, isKey(step.Key)) {
				b.notes.missing = append(b.notes.missing, step)
			}
			continue
		}
		if !slices.ContainsFunc(b.generators, isKey(step.Key)) {
			b.generators = append(b.generators, step)
		}
		text, err := step.asGenerated(text)
		if err != nil {
			return false, fmt.Errorf("%s: %w", step.File, err)
		}
		if len(text) > 0 { // kustomize refuses a file without an object
			name := strconv.Itoa(i) + ".yaml"
			b.virtual[filepath.Join(dir, at, name)], b.emitted[filepath.Join(dir, at, name)] = text, step
			b.notes.read[filepath.Join(dir, at, name)] = text // an error shows none of it
			part.Resources = append(part.Resources, name)
		}
	}
	if len(part.Resources) == 0 {
		return true, nil
	}
	text, err := json.Marshal(part)
	if err != nil {
		return false, fmt.Errorf("encode what %s generates: %w", b.shown(dir), err)
	}
	b.virtual[filepath.Join(dir, at, konfig.DefaultKustomizationFileName())] = text
	k.Components = append([]string{at}, k.Components...)
	return true, nil
}

func isKey(key string) func(Step) bool { return func(s Step) bool { return s.Key == key } }

// freeName returns a name for the component that no file of a directory has.
func (b *build) freeName(dir string) string {
	const name = "goldenarch-generates"
	out := name
	for i := 1; b.FileSystem.Exists(filepath.Join(dir, out)); i++ {
		out = name + "-" + strconv.Itoa(i)
	}
	return out
}

// asGenerated returns the objects that a generator emits as kustomize gets them.
func (s Step) asGenerated(text []byte) ([]byte, error) {
	items, err := manifest.Parse(s.File, text)
	if err != nil {
		return nil, err
	}
	for _, item := range items {
		for _, key := range []string{"kustomize.config.k8s.io/behavior", "kustomize.config.k8s.io/needs-hash"} {
			if of := object.Ref(item); object.NodeAt(item, "metadata", "annotations", key) != nil {
				return nil, fmt.Errorf("%s %q has the annotation %s, which only kustomize itself follows: remove it from the file of spec.inputs",
					of.Kind, of.Name, key)
			}
		}
	}
	var out bytes.Buffer
	err = manifest.Write(&out, items)
	return out.Bytes(), err
}

// renameGenerated names the generator in the origin of an object that it emits, if the user has
// kustomize note the origins: kustomize knows a file that is not on the disk.
func (b *build) renameGenerated(r *resource.Resource) error {
	from, err := r.GetOrigin()
	if err != nil || from == nil || from.Path == "" || len(b.emitted) == 0 {
		return err
	}
	file := filepath.Join(b.root, from.Path)
	if dir, err := filepath.EvalSymlinks(filepath.Dir(filepath.Dir(file))); err == nil {
		file = filepath.Join(dir, filepath.Base(filepath.Dir(file)), filepath.Base(file))
	}
	step, ok := b.emitted[file]
	if !ok {
		return nil
	}
	origin, err := step.origin()
	if err != nil {
		return err
	}
	return r.SetOrigin(origin)
}
