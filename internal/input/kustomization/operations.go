package kustomization

import (
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamledit"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// change is an operation of a JSON patch (RFC 6902) that sets a value.
type change struct {
	at    []string   // the path in the object
	value *yaml.Node // a mapping with the value, below the key "value"
}

// jsonIn returns the operations of a JSON patch for the object, from last to first. The
// text is that of a file, or of an entry in the kustomization.
func (s *sources) jsonIn(dir string, patch types.Patch, inline inlinePatch) []carrier {
	key, at := inline.file+"\x00"+inline.String()+"\x00json", &inline
	if patch.Path != "" {
		path, err := filepath.EvalSymlinks(filepath.Join(dir, patch.Path))
		if err != nil || isRemote(patch.Path) {
			return nil
		}
		key, at = path+"\x00json", nil
	}
	if s.files[key] == nil {
		file := &sourceFile{path: inline.file, inline: at, data: []byte(patch.Patch)}
		if at == nil {
			file.path = key[:len(key)-len("\x00json")]
			file.data = readText(file.path)
		}
		file.json = yamlNode(file.data)
		s.files[key] = file
	}
	file := s.files[key]
	if file.json == nil || file.json.Kind != yaml.SequenceNode || !s.isTarget(patch.Target) {
		return nil
	}
	var out []carrier
	for _, operation := range slices.Backward(file.json.Content) {
		for _, x := range operationFragments(file.path, ownLine, operation) {
			out = append(out, carrier{sourceFile: file, change: &change{at: x.at, value: operation}})
		}
	}
	return out
}

// isTarget reports whether a patch may be for the object: the build shows whether it is.
func (s *sources) isTarget(target *types.Selector) bool {
	if target == nil {
		return false
	}
	selector, err := types.NewSelectorRegex(target)
	return err == nil && selector.MatchGvk(resid.Gvk{Group: s.group, Version: s.version, Kind: s.kind})
}

// covers reports whether an operation sets the value at a path, or one around it. It
// returns the rest of the path inside of that value.
func (c *change) covers(path []step) ([]step, bool) {
	if len(c.at) > len(path) {
		return nil, false
	}
	for i, key := range c.at {
		step := path[i]
		switch {
		case step.element && i == len(c.at)-1 && step.name != "":
			// The index may be "-", or be another one after later operations.
			if nodeName(yamlnode.Get(c.value, "value")) != step.name {
				return nil, false
			}
		case key != step.key:
			return nil, false
		}
	}
	return path[len(c.at):], true
}

// isBelow reports whether an operation sets a value below a path.
func (c *change) isBelow(path []step) bool {
	if len(c.at) <= len(path) {
		return false
	}
	for i, step := range path {
		if c.at[i] != step.key {
			return false
		}
	}
	return true
}

// jsonText returns the text of a JSON patch after its changes.
func (f *sourceFile) jsonText() (string, error) {
	out, err := yamledit.Update(f.data, f.json)
	return string(out), err
}
