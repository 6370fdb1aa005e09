package admission

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// notSubstituted is the annotation, or label, with which an object keeps its variables, with the value
// "disabled" (fluxcd/kustomize-controller: spec.postBuild).
const notSubstituted = "kustomize.toolkit.fluxcd.io/substitute"

// schedule stands for a schedule that is not known.
const schedule = "0 0 * * *"

// Assume returns a CR in which each variable of Flux (${NAME}) that is the value of a field of
// another type has a value of that type: 1, 1Gi, true. Flux puts the real one there before it
// applies the CR. Assume also returns these variables, and those in texts on which goldenarch
// or the operators decide, such as the name of a template. Other texts are left as they are. It
// returns data itself if there is nothing to fill in, and for an object that is not a
// HyperConverged of a known version.
func Assume(data []byte) ([]byte, []hyperconverged.Variable) {
	if !strings.Contains(string(data), "${") {
		return data, nil
	}
	object, version, err := read(data)
	said := func(field string) bool { return lookup(object, "metadata", field, notSubstituted) == "disabled" }
	if err != nil || said("annotations") || said("labels") {
		return data, nil
	}
	crd, err := structureOf(version, v1alpha1.Release{})
	if err != nil {
		return data, nil
	}
	var typed []string
	crd.assume("", object, &typed)
	var out []hyperconverged.Variable
	for _, path := range typed {
		out = append(out, hyperconverged.Variable{Path: path, Decides: strings.HasSuffix(path, "."+hyperconverged.GateName)})
	}
	out = append(out, texts(object, version.Paths())...)
	if len(out) == 0 {
		return data, nil
	}
	filled, err := json.Marshal(object)
	if err != nil {
		return data, nil
	}
	return filled, out
}

// texts returns the variables in texts that matter to a prediction, and sets schedules, whose
// value changes nothing if it is valid.
func texts(object map[string]any, at hyperconverged.Paths) []hyperconverged.Variable {
	var out []hyperconverged.Variable
	decides := func(path string, value any) { out = append(out, variables(path, value)...) }
	for _, path := range []hyperconverged.Path{{"metadata", "name"}, {"metadata", "namespace"}, at.BootNamespace, at.FeatureGates, at.Workloads, at.Infra} {
		decides(path.String(), lookup(object, path...))
	}
	templates, _ := lookup(object, at.Templates...).([]any)
	for i, template := range templates {
		path := at.Templates.At(i)
		for _, below := range []hyperconverged.Path{
			{"metadata", "name"},
			{"spec", "managedDataSource"},
			{"spec", "template", "spec", "source"},
		} {
			decides(path+"."+below.String(), lookup(template, below...))
		}
		for _, key := range []string{hyperconverged.ClaimAnnotation, hyperconverged.EnableAnnotation} {
			decides(path+".metadata.annotations["+key+"]", lookup(template, "metadata", "annotations", key))
		}
		spec, _ := lookup(template, "spec").(map[string]any)
		if text, ok := spec["schedule"].(string); ok && hasVariable(text) {
			spec["schedule"] = schedule
			out = append(out, hyperconverged.Variable{Path: path + ".spec.schedule"})
		}
	}
	return out
}

// variables returns the texts of a value that have variables. The value depends on them.
func variables(path string, value any) []hyperconverged.Variable {
	var out []hyperconverged.Variable
	switch value := value.(type) {
	case string:
		if hasVariable(value) {
			out = append(out, hyperconverged.Variable{Path: path, Decides: true})
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			out = append(out, variables(path+"."+key, value[key])...)
		}
	case []any:
		for i, v := range value {
			out = append(out, variables(fieldpath.Element(path, i), v)...)
		}
	}
	return out
}

// hasVariable reports whether Flux replaces a variable of a text. $${NAME} is the text ${NAME},
// and $$${NAME} a dollar before a variable (fluxcd/pkg/envsubst).
func hasVariable(text string) bool {
	return strings.Contains(strings.ReplaceAll(text, "$$", ""), "${")
}

// assume sets the values of variables, and adds their paths.
func (s *structure) assume(path string, value any, paths *[]string) {
	if s == nil || s.keep {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			at := strings.TrimPrefix(path+"."+key, ".")
			below := s.child(key)
			if text, ok := value[key].(string); ok && hasVariable(text) && below != nil && !below.takes(text) {
				value[key] = below.assumed()
				if value[key] == nil {
					delete(value, key)
				}
				*paths = append(*paths, at)
				continue
			}
			below.assume(at, value[key], paths)
		}
	case []any:
		for i, v := range value {
			s.element().assume(fieldpath.Element(path, i), v, paths)
		}
	}
}

// takes reports whether a text is a valid value, as far as its type says.
func (s *structure) takes(text string) bool {
	return s.is(text) && len(s.Enum) == 0 && (s.Pattern == "" || s.pattern().MatchString(text))
}

// assumed returns a value of the type; nil if there is none.
func (s *structure) assumed() any {
	switch {
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.IntOrString:
		return "1Gi"
	case s.Type == "integer", s.Type == "number":
		least := 1.0
		if s.Minimum != nil {
			least = max(least, *s.Minimum)
		}
		return json.Number(fmt.Sprint(least))
	case s.Type == "boolean":
		return true
	}
	return nil
}
