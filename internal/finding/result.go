package finding

import (
	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/yaml"
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
			TypeMeta: yaml.TypeMeta{APIVersion: Shown(f.Object.APIVersion), Kind: Shown(f.Object.Kind)},
			NameMeta: yaml.NameMeta{Name: Shown(f.Object.Name), Namespace: Shown(f.Object.Namespace)},
		}
	}
	if f.Field != "" {
		r.Field = &framework.Field{Path: Shown(f.Field), CurrentValue: redactAny(f.Current), ProposedValue: redactAny(f.Proposed)}
	}
	if f.Object.File != "" {
		r.File = &framework.File{Path: Shown(f.Object.File), Index: f.Object.Index}
	}
	return r
}

// Results returns the findings as results of a KRM function.
func (l List) Results() framework.Results {
	out := make(framework.Results, 0, len(l))
	for _, f := range l {
		out = append(out, f.Result())
	}
	return out
}
