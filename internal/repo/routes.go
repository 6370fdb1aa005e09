package repo

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/pathname"
)

// Route is a way on which a directory gets to a cluster.
type Route struct {
	// By names what applies the directory: "apps/prod.yaml: Application/prod".
	By string
	// Plugin says that a plugin of Argo CD makes the manifests.
	Plugin bool
	// Flux says that Flux applies the directory, and not Argo CD.
	Flux bool
	// Variables says that Flux fills in variables of the manifests (spec.postBuild).
	Variables bool
	// OnServer says that the API server merges what it applies, and so refuses unknown fields:
	// Flux (fluxcd/pkg ssa), and Argo CD with ServerSideApply=true. Else Argo CD asks the API
	// server for no strict validation, which then drops them (argo-cd gitops-engine
	// pkg/utils/kube/resource_ops.go: newApplyOptions sets no ValidationDirective).
	OnServer bool

	// Changes are the fields of what applies the directory that can change a HyperConverged CR.
	Changes []string

	dir string // without links
	// view says which plain files of the directory Argo CD applies.
	view view
}

// Applies reports whether a plain file gets to the cluster as it is: Argo CD applies those of a
// directory without a kustomization and without a chart. Flux builds its directories with
// kustomize, which leaves out local configuration.
func (r Route) Applies(file string, local bool) bool {
	if r.Flux {
		return !local
	}
	target, err := pathname.Real(file)
	below, wrong := filepath.Rel(r.dir, target)
	if err != nil || wrong != nil || r.Plugin || kustomization.In(r.dir) {
		return false
	}
	if _, err := os.Stat(filepath.Join(r.dir, manifest.ChartFile)); err == nil {
		return false
	}
	return r.view.applies(filepath.ToSlash(below))
}

// Routes are the ways on which the directories of a repository get to clusters, as far as
// its Applications and its Kustomizations of Flux say.
type Routes []Route

// To returns the routes of a directory.
func (r Routes) To(dir string) Routes {
	target, err := pathname.Real(dir)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r), func(one Route) bool {
		return one.dir != target && !(one.view.recurse && pathname.Within(target, one.dir))
	})
}

// RoutesIn looks through a tree for what applies its directories, and for nothing else.
func RoutesIn(root string, from manifest.IgnoreFrom) (Routes, error) {
	if _, err := os.Stat(filepath.Clean(root)); err != nil {
		return nil, err
	}
	s := newScan(root, Options{IgnoreFrom: from})
	if err := s.read(); err != nil {
		return nil, err
	}
	s.follow()
	for i := range s.out.Routes { // the user knows the files by their paths in the repository
		s.out.Routes[i].By = strings.TrimPrefix(s.out.Routes[i].By, filepath.ToSlash(s.root)+"/")
	}
	return s.out.Routes, nil
}

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
	// Path is a file with the patch, which only Argo CD reads.
	Path   string `json:"path"`
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
// without a target names its object; one in a file that nobody has read may name any.
func (p override) mayChangeCR() bool {
	if p.Target == nil {
		return p.Path != "" || strings.Contains(p.Patch, hyperconverged.Kind)
	}
	if p.Target.Kind == "" {
		return true
	}
	kind, err := regexp.Compile("^(?:" + p.Target.Kind + ")$")
	return err != nil || kind.MatchString(hyperconverged.Kind)
}
