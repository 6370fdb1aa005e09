package repo

import (
	"regexp"
	"strings"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// overrides are the fields that an Application (argo-cd pkg/apis/application/v1alpha1/types.go:
// ApplicationSourceKustomize) or a Kustomization of Flux (fluxcd/kustomize-controller
// api/v1/kustomization_types.go: KustomizationSpec) adds to the kustomization that it builds.
type overrides struct {
	Patches    []override `json:"patches"`
	Components []string   `json:"components"`
	NamePrefix string     `json:"namePrefix"`
	NameSuffix string     `json:"nameSuffix"`
}

// override is a patch.
type override struct {
	Patch  string `json:"patch"`
	Target *struct {
		Kind string `json:"kind"`
	} `json:"target"`
}

// fields returns the fields that can change a HyperConverged CR.
func (o overrides) fields() []string {
	var out []string
	for _, p := range o.Patches {
		if p.mayChangeCR() {
			out = append(out, "patches")
			break
		}
	}
	if len(o.Components) > 0 {
		out = append(out, "components")
	}
	if o.NamePrefix != "" {
		out = append(out, "namePrefix")
	}
	if o.NameSuffix != "" {
		out = append(out, "nameSuffix")
	}
	return out
}

// mayChangeCR reports whether a patch selects HyperConverged CRs. The kind of a target is an
// expression for the whole kind (kustomize api/types/selector.go: NewSelectorRegex). A patch
// without a target names its object.
func (p override) mayChangeCR() bool {
	if p.Target == nil {
		return strings.Contains(p.Patch, hyperconverged.Kind)
	}
	if p.Target.Kind == "" {
		return true
	}
	kind, err := regexp.Compile("^(?:" + p.Target.Kind + ")$")
	return err != nil || kind.MatchString(hyperconverged.Kind)
}
