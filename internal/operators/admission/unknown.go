package admission

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
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

// Nearest returns the release whose CRD goldenarch uses for a release, such as "1.19". If
// the CRD is known, that is the release itself.
func Nearest(release v1alpha1.Release) string { return fmt.Sprintf("1.%d", nearest(release)) }

// UnknownFields returns the fields of a CR, decoded from JSON, that the CRD of a release
// does not have, sorted by name. It does not list the fields below an unknown field. It
// ignores metadata and status, which belong to the API server and the operator.
func UnknownFields(object map[string]any, version hyperconverged.Version, release v1alpha1.Release) ([]UnknownField, error) {
	root, err := structureOf(version, release)
	if err != nil {
		return nil, err
	}
	known, err := load()
	if err != nil {
		return nil, err
	}
	w := walk{known: known, version: version}
	w.visit(level{structure: root}, nil, object)
	return w.found, nil
}

// walk looks for unknown fields.
type walk struct {
	known   *crd
	version hyperconverged.Version
	found   []UnknownField
}

// level is an object or a list on the path from the root.
type level struct {
	structure *structure
	path      string   // as in findings
	keys      []string // without the indexes of lists
}

func (l level) below(key string, s *structure) level {
	return level{structure: s, path: join(l.path, bracketed(key)), keys: slices.Concat(l.keys, []string{key})}
}

// bracketed returns a key as findings write it in a path.
func bracketed(key string) string {
	if strings.ContainsAny(key, "./[]") {
		return "[" + key + "]"
	}
	return key
}

func (w *walk) visit(at level, above []level, value any) {
	s := at.structure
	if s == nil || s.keep {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		if s.Type != "object" {
			return // the CRD refuses the whole value
		}
		inside := slices.Concat(above, []level{at})
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if below := s.child(key); below != nil {
				w.visit(at.below(key, below), inside, value[key])
				continue
			}
			w.found = append(w.found, w.explain(at, above, key))
		}
	case []any:
		for i, item := range value {
			w.visit(level{structure: s.Items, path: fmt.Sprintf("%s[%d]", at.path, i), keys: at.keys}, above, item)
		}
	}
}
