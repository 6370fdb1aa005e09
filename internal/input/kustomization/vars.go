package kustomization

import (
	"bytes"
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/api/types"
)

// maxVars is how many bytes the vars of a build may add to the contents of one file.
// kustomize adds them in one step.
const maxVars = 16 << 20

var errVars = fmt.Errorf("the vars put more than %d MiB into what one file has: copy the value with replacements, or name it less often", maxVars>>20)

// refuseVars fails if the vars of a build add a long text to a file too often.
func (b *build) refuseVars(top *layer) error {
	all := top.all(nil)
	var vars []types.Var
	for _, l := range all {
		vars = append(vars, l.vars...)
	}
	if len(vars) == 0 {
		return nil
	}
	first := b.measured(top)
	for _, l := range all {
		for _, file := range l.files {
			data, put := b.read(file.path), 0.0
			for _, v := range vars {
				if times := bytes.Count(data, []byte("$("+v.Name+")")); times > 0 {
					put += float64(times) * first(pathOf(v.FieldRef.FieldPath))
				}
			}
			if put > maxVars {
				return errVars
			}
		}
	}
	return nil
}

// all returns a layer and all its sources, each once.
func (l *layer) all(before []*layer) []*layer {
	if l == nil || slices.Contains(before, l) {
		return before
	}
	before = append(before, l)
	for _, inner := range slices.Concat(l.bases, l.components) {
		before = inner.all(before)
	}
	return before
}
