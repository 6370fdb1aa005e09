package admission

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/near"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// removed has the fields of v1beta1 that only releases before the oldest known one had. The
// value is the last release that had the field (hco branches release-1.2 to release-1.15).
var removed = map[string]string{
	"spec.version":                         "1.4",
	"spec.bareMetalPlatform":               "1.3",
	"spec.featureGates.hotplugVolumes":     "1.3",
	"spec.featureGates.sriovLiveMigration": "1.7",
	"spec.dataImportCronTemplates.spec.template.spec.pvc.resources.claims":     "1.11",
	"spec.dataImportCronTemplates.spec.template.spec.storage.resources.claims": "1.12",
}

// explain returns where an unknown field comes from. It tries the most certain explanation
// first.
func (w *walk) explain(at level, above []level, key string) UnknownField {
	field := at.below(key, nil)
	unknown := UnknownField{Path: field.path, Origin: Nowhere}
	if releases := w.releasesWith(field.keys); releases != "" {
		unknown.Origin, unknown.Releases = OtherRelease, releases
		return unknown
	}
	if w.otherHas(field.keys) {
		unknown.Origin = OtherVersion
		unknown.Meant = slices.Concat(above, []level{at})[0].lower(key, deepest)
		return unknown
	}
	if meant := near.Word(key, slices.Collect(maps.Keys(at.structure.Properties))); meant != "" {
		unknown.Origin, unknown.Meant = Misspelled, at.below(meant, nil).path
		return unknown
	}
	if unknown.Meant = misplaced(at, above, key); unknown.Meant != "" {
		unknown.Origin = Misplaced
	}
	return unknown
}

// releasesWith says which releases have a field of this version; "" if no release has it.
func (w *walk) releasesWith(keys []string) string {
	var with []int
	for minor := oldestKnown; minor <= newestKnown; minor++ {
		if root := w.known.at(minor, w.version); root != nil && root.find(keys...) != nil {
			with = append(with, minor)
		}
	}
	switch {
	case len(with) == 0 && w.version == hyperconverged.V1beta1 && removed[strings.Join(keys, ".")] != "":
		return "up to " + removed[strings.Join(keys, ".")]
	case len(with) == 0:
		return ""
	case with[len(with)-1] == newestKnown:
		return fmt.Sprintf("from 1.%d on", with[0])
	default:
		return fmt.Sprintf("up to 1.%d", with[len(with)-1])
	}
}

// otherHas reports whether the other API version has a field at this path.
func (w *walk) otherHas(keys []string) bool {
	for minor := oldestKnown; minor <= newestKnown; minor++ {
		for version, root := range w.known.Releases[fmt.Sprintf("1.%d", minor)] {
			if version != string(w.version) && root.find(keys...) != nil {
				return true
			}
		}
	}
	return false
}

// deepest is how many levels below its place goldenarch searches for a field.
const deepest = 3

// misplaced returns the path at which a field belongs that is indented too little or too
// far. It returns "" if there is no such path, or more than one.
func misplaced(at level, above []level, key string) string {
	if path := at.lower(key, deepest); path != "" {
		return path
	}
	for _, outer := range slices.Backward(above) {
		if outer.structure.Properties[key] != nil {
			return outer.below(key, nil).path
		}
	}
	return ""
}

// lower returns the path of the nearest field with a name below an object. It returns "" if
// no such field exists, or if several are equally near. It does not search lists.
func (l level) lower(key string, depth int) string {
	levels := []level{l}
	for range depth {
		var next []level
		var paths []string
		for _, outer := range levels {
			for _, name := range slices.Sorted(maps.Keys(outer.structure.Properties)) {
				inner := outer.below(name, outer.structure.Properties[name])
				if inner.structure.keep {
					continue
				}
				if inner.structure.Properties[key] != nil {
					paths = append(paths, inner.below(key, nil).path)
				}
				next = append(next, inner)
			}
		}
		if len(paths) > 0 {
			if len(paths) == 1 {
				return paths[0]
			}
			return ""
		}
		levels = next
	}
	return ""
}
