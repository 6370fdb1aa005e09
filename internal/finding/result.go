package finding

import (
	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/sanitize"
)

// idTag is the key of a result's tags that holds the finding's id.
const idTag = "goldenarch.dev/finding"

// Result returns the finding as a result of a KRM function. It always sets the
// severity: kyaml reads a missing one as info, the specification as error (kustomize
// cmd/config/docs/api-conventions/functions-spec.md). kpt prints names and paths
// unchanged, so Result quotes those that contain terminal control characters. No object
// of a cluster has such a name.
func (f Finding) Result() *framework.Result {
	r := &framework.Result{
		Message:  string(f.ID) + ": " + f.Message(),
		Severity: framework.Severity(f.Severity),
		Tags:     map[string]string{idTag: string(f.ID)},
	}
	if f.Object.Kind != "" {
		r.ResourceRef = &yaml.ResourceIdentifier{
			TypeMeta: yaml.TypeMeta{APIVersion: sanitize.Escape(f.Object.APIVersion), Kind: sanitize.Escape(f.Object.Kind)},
			NameMeta: yaml.NameMeta{Name: sanitize.Escape(f.Object.Name), Namespace: sanitize.Escape(f.Object.Namespace)},
		}
	}
	if f.Field != "" {
		r.Field = &framework.Field{Path: sanitize.Escape(f.Field), CurrentValue: redacted(f.Current), ProposedValue: redacted(f.Proposed)}
	}
	if f.Object.File != "" {
		r.File = &framework.File{Path: sanitize.Escape(f.Object.File), Index: f.Object.Index}
	}
	return r
}

// redacted hides credentials in a value if it is a string.
func redacted(value any) any {
	if text, ok := value.(string); ok {
		return sanitize.Redact(text)
	}
	return value
}

// Results returns the findings as results of a KRM function.
func (l List) Results() framework.Results {
	out := make(framework.Results, 0, len(l))
	for _, f := range l {
		out = append(out, f.Result())
	}
	return out
}
