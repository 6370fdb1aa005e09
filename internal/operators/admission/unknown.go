package admission

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/spelling"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// Origin says where a field comes from that the CRD does not have.
type Origin string

// The origins of an unknown field.
const (
	// Misspelled is a field whose name is similar to an existing one.
	Misspelled Origin = "misspelled"
	// Misplaced is a field that is written above or below its place.
	Misplaced Origin = "misplaced"
	// OtherVersion is a field of the other API version.
	OtherVersion Origin = "other version"
	// OtherRelease is a field of another release of HCO.
	OtherRelease Origin = "other release"
	// Nowhere is a field that no known release has.
	Nowhere Origin = "nowhere"
)

// UnknownField is a field of a CR that the CRD of the release does not have. The API server
// refuses it in a server-side or strict apply, and otherwise drops it.
type UnknownField struct {
	// Path is where the field is written: "spec.dataImportCronTemplates[0].name".
	Path   string
	Origin Origin
	// Meant is the path of the field that the author probably meant; "" if goldenarch finds
	// none.
	Meant string
	// Releases says which releases have a field of another release: "from 1.19 on".
	Releases string
}

// Knows reports whether goldenarch knows the CRD of a release. For any other release, it
// uses the nearest known one.
func Knows(release v1alpha1.Release) bool {
	return release.Minor() >= oldestKnown && release.Minor() <= newestKnown
}

// Named returns the release that a text about an unknown field names, such as "1.19": the declared
// one, and the newest known one if none is declared or the declared one is newer. An older
// release than the known ones has no field that they all lack.
func Named(release v1alpha1.Release) string {
	if release.Declared() && release.Minor() < oldestKnown {
		return release.String()
	}
	return fmt.Sprintf("1.%d", nearest(release))
}

// UnknownFields returns the fields of a CR, decoded from JSON, that the CRD of a release
// does not have, sorted by name. It does not list the fields below an unknown field. It
// ignores metadata and status, which belong to the API server and the operator.
func UnknownFields(object map[string]any, version hyperconverged.Version, release v1alpha1.Release) ([]UnknownField, error) {
	root, err := structureOf(version, release)
	if err != nil {
		return nil, err
	}
	w := walk{known: root.crd, version: version, at: []step{{structure: root}}}
	w.visit(root, object)
	return w.found, nil
}

// walk looks for unknown fields.
type walk struct {
	known   *crd
	version hyperconverged.Version
	found   []UnknownField
	at      []step // from the root to the value that is visited
}

// step is a part of a path: a key, or an index in brackets.
type step struct {
	structure *structure
	name      string
	isIndex   bool
}

func (w *walk) visit(s *structure, value any) {
	if s == nil || s.keep {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		if s.Type != "object" {
			return // the CRD refuses the whole value
		}
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if below := s.child(key); below != nil {
				w.below(step{structure: below, name: key}, value[key])
				continue
			}
			w.found = append(w.found, w.explain(key))
		}
	case []any:
		for i, item := range value {
			w.below(step{structure: s.element(), name: fieldpath.Element("", i), isIndex: true}, item)
		}
	}
}

// below visits a value below the present one.
func (w *walk) below(to step, value any) {
	w.at = append(w.at, to)
	w.visit(to.structure, value)
	w.at = w.at[:len(w.at)-1]
}

// level is an object on the path from the root.
type level struct {
	structure *structure
	path      string   // as in findings
	keys      []string // without the indexes of lists
}

func (l level) below(key string, s *structure) level {
	return level{structure: s, path: fieldpath.Join(l.path, key), keys: slices.Concat(l.keys, []string{key})}
}

// levels returns the objects from the root to the one that is visited. An element takes the place of its list.
func (w *walk) levels() []level {
	out := []level{{structure: w.at[0].structure}}
	for _, to := range w.at[1:] {
		last := &out[len(out)-1]
		if to.isIndex {
			last.structure, last.path = to.structure, last.path+to.name
		} else {
			out = append(out, last.below(to.name, to.structure))
		}
	}
	return out
}

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
func (w *walk) explain(key string) UnknownField {
	levels := w.levels()
	above, at := levels[:len(levels)-1], levels[len(levels)-1]
	field := at.below(key, nil)
	unknown := UnknownField{Path: field.path, Origin: Nowhere}
	if releases := w.releasesWith(field.keys); releases != "" {
		unknown.Origin, unknown.Releases = OtherRelease, releases
		return unknown
	}
	if w.otherHas(field.keys) {
		unknown.Origin = OtherVersion
		unknown.Meant = levels[0].lower(key)
		return unknown
	}
	if meant := spelling.Word(key, slices.Collect(maps.Keys(at.structure.Properties))); meant != "" {
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
		for _, version := range []hyperconverged.Version{hyperconverged.V1beta1, hyperconverged.V1} {
			if version != w.version && w.known.at(minor, version).find(keys...) != nil {
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
	if path := at.lower(key); path != "" {
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
func (l level) lower(key string) string {
	levels := []level{l}
	for range deepest {
		var next []level
		var paths []string
		for _, outer := range levels {
			for _, name := range slices.Sorted(maps.Keys(outer.structure.Properties)) {
				inner := outer.below(name, outer.structure.child(name))
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

func kindOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	default:
		return "a number"
	}
}

// quoted writes values as JSON does.
func quoted(values ...any) string {
	parts := make([]string, len(values))
	for i, value := range values {
		parts[i] = string(encode(value))
	}
	return strings.Join(parts, ", ")
}
