package kustomization

import (
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/fieldpath"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// StalePatches returns the names of the files that [Built.PatchEdits] would change, below
// the directory. The items are those of [WithoutPatch] with the same kept files, and
// committed is the build with the patches.
func (b Built) StalePatches(committed Built, kept ...string) ([]string, error) {
	b, _ = b.withoutRecord()
	edits, err := b.patchEdits(nil, kept)
	if err != nil {
		return nil, err
	}
	if other, err := b.otherIn(committed); err != nil || len(other)+len(edits) > 0 {
		// Of some objects goldenarch writes a JSON patch alone.
		if exact, err := b.PatchEdits(kept...); err == nil {
			edits = exact
		}
	}
	var out []string
	for _, e := range edits {
		out = append(out, filepath.Base(e.Name))
	}
	return out, nil
}

// AtField is a field of an object.
type AtField struct {
	Item  *yaml.RNode
	Field string
}

// HiddenIn returns the first field of each object that the patches of a directory hide: it
// has them without the patches, and goldenarch would keep them. The items are those of
// [WithoutPatch], and committed is the build with the patches.
func (b Built) HiddenIn(committed Built) ([]AtField, error) { return b.compared(committed, hidden) }

// UndecidedIn returns the first element of each object that lacks its decision in the
// committed build, while another element of its list, which has no names, has one. Earlier
// versions tested only the elements that they changed, so the base may have got others.
func (b Built) UndecidedIn(committed Built) ([]AtField, error) {
	return b.compared(committed, undecided)
}

// compared returns what a comparison finds in each object, without the patches, with the
// decisions, and with the patches.
func (b Built) compared(committed Built, find func(path string, before, after, with any) string) ([]AtField, error) {
	b, _ = b.withoutRecord()
	var out []AtField
	if len(b.Items) != len(committed.Items) {
		return nil, nil // a patch that removes objects is none of goldenarch
	}
	for i, item := range b.Items {
		before, after, err := b.Texts.Body(item)
		if err != nil {
			return nil, err
		}
		with, _, err := committed.Texts.Body(committed.Items[i])
		if err != nil {
			return nil, err
		}
		if before == with || after == with {
			continue
		}
		var trees [3]any
		for i, text := range []string{before, after, with} {
			if err := k8syaml.Unmarshal([]byte(text), &trees[i]); err != nil {
				return nil, fmt.Errorf("read what was built: %w", err)
			}
		}
		if field := find("", trees[0], trees[1], trees[2]); field != "" {
			out = append(out, AtField{Item: item, Field: strings.TrimPrefix(field, ".")})
		}
	}
	return out, nil
}

// undecided is the comparison of [Built.UndecidedIn].
func undecided(path string, before, after, with any) string {
	if reflect.DeepEqual(before, after) || reflect.DeepEqual(before, with) || reflect.DeepEqual(after, with) {
		return ""
	}
	if asMapping(before) != nil && asMapping(after) != nil && asMapping(with) != nil {
		for _, key := range slices.Sorted(maps.Keys(asMapping(before))) {
			if field := undecided(path+"."+key, asMapping(before)[key], asMapping(after)[key], asMapping(with)[key]); field != "" {
				return field
			}
		}
		return ""
	}
	b, a, w := asList(before), asList(after), asList(with)
	if len(b) != len(a) || len(b) != len(w) {
		return ""
	}
	_, named := namesOf(b)
	for i := range b {
		at := fieldpath.Element(path, i)
		if !named && reflect.DeepEqual(b[i], w[i]) && !reflect.DeepEqual(b[i], a[i]) {
			return at
		}
		if field := undecided(at, b[i], a[i], w[i]); field != "" {
			return field
		}
	}
	return ""
}

// hidden returns the first field that a value has before and after the decisions, and not
// with the patches; "" if there is none.
func hidden(path string, before, after, with any) string {
	switch {
	case before == nil || after == nil || reflect.DeepEqual(before, with) || reflect.DeepEqual(after, with):
		return ""
	case asMapping(before) != nil && asMapping(after) != nil && asMapping(with) != nil:
		for _, key := range slices.Sorted(maps.Keys(asMapping(before))) {
			if field := hidden(path+"."+key, asMapping(before)[key], asMapping(after)[key], asMapping(with)[key]); field != "" {
				return field
			}
		}
		return ""
	case isList(before) && isList(after) && isList(with):
		b, a, w := asList(before), asList(after), asList(with)
		if len(b) != len(a) {
			return ""
		}
		for i := range b {
			var element any
			if i < len(w) {
				element = w[i]
			}
			if field := hidden(fieldpath.Element(path, i), b[i], a[i], element); field != "" {
				return field
			}
		}
		return ""
	case isScalar(before) && isScalar(with) && isDecided(path), isScalar(before) && !reflect.DeepEqual(before, after):
		return "" // an earlier decision
	}
	return path
}

// isDecided reports whether goldenarch decides the value of a field.
func isDecided(path string) bool {
	return strings.Contains(path, ".annotations.goldenarch.dev/") || slices.ContainsFunc(
		[]string{hyperconverged.GateName, hyperconverged.ClaimAnnotation, hyperconverged.EnableAnnotation},
		func(name string) bool { return strings.HasSuffix(path, "."+name) })
}
