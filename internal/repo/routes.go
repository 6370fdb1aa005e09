package repo

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
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
	// Namespace is the namespace that each object gets, "" for its own.
	Namespace string

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

// ChangesOf returns the fields of what applies the directory that can change one CR. To add the
// namespace that it has, or to name one for a CR without, changes nothing.
func (r Route) ChangesOf(cr finding.Object) []string {
	if r.Namespace == "" || cr.Namespace == "" || r.Namespace == cr.Namespace {
		return r.Changes
	}
	field := "kustomize.namespace"
	if r.Flux {
		field = "spec.targetNamespace"
	}
	return append(slices.Clip(r.Changes), field)
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
// api/v1/kustomization_types.go: KustomizationSpec; patchesStrategicMerge and patchesJson6902 are
// those of v1beta2) adds to the kustomization that it builds. Images, replicas and labels are no
// part of a CR that an operator reads.
type overrides struct {
	Patches               []override        `json:"patches"`
	PatchesStrategicMerge []json.RawMessage `json:"patchesStrategicMerge"`
	PatchesJSON6902       []jsonPatch       `json:"patchesJson6902"`
	Components            []string          `json:"components"`
	NamePrefix            string            `json:"namePrefix"`
	NameSuffix            string            `json:"nameSuffix"`
	// Namespace is Argo CD's, and TargetNamespace Flux's.
	Namespace         string         `json:"namespace"`
	TargetNamespace   string         `json:"targetNamespace"`
	CommonAnnotations map[string]any `json:"commonAnnotations"` // of Argo CD
	CommonMetadata    struct {
		Annotations map[string]any `json:"annotations"`
	} `json:"commonMetadata"` // of Flux
}

// override is a patch.
type override struct {
	// Path is a file with the patch, which only Argo CD reads.
	Path   string  `json:"path"`
	Patch  string  `json:"patch"`
	Target *target `json:"target"`
}

// jsonPatch is a patch whose operations are a list.
type jsonPatch struct {
	Target target `json:"target"`
}

// target says which objects a patch is for.
type target struct {
	Kind string `json:"kind"`
}

// fields returns the fields that can change a HyperConverged CR.
func (o overrides) fields() []string {
	var out []string
	for _, field := range []struct {
		name    string
		changes bool
	}{
		{"patches", slices.ContainsFunc(o.Patches, override.mayChangeCR)},
		{"patchesStrategicMerge", slices.ContainsFunc(o.PatchesStrategicMerge, func(patch json.RawMessage) bool {
			return strings.Contains(string(patch), hyperconverged.Kind)
		})},
		{"patchesJson6902", slices.ContainsFunc(o.PatchesJSON6902, func(p jsonPatch) bool { return p.Target.selectsCR() })},
		{"components", len(o.Components) > 0},
		{"namePrefix", o.NamePrefix != ""},
		{"nameSuffix", o.NameSuffix != ""},
		{"commonAnnotations", changesCR(o.CommonAnnotations)},
		{"commonMetadata.annotations", changesCR(o.CommonMetadata.Annotations)},
	} {
		if field.changes {
			out = append(out, field.name)
		}
	}
	return out
}

// changesCR reports whether an annotation for all objects means something on a CR.
func changesCR(annotations map[string]any) bool {
	for key := range annotations {
		if hyperconverged.ReadsAnnotation(key) {
			return true
		}
	}
	return false
}

// mayChangeCR reports whether a patch selects HyperConverged CRs. A patch without a target names
// its object; one in a file that nobody has read may name any.
func (p override) mayChangeCR() bool {
	if p.Target == nil {
		return p.Path != "" || strings.Contains(p.Patch, hyperconverged.Kind)
	}
	return p.Target.selectsCR()
}

// selectsCR reports whether a target selects HyperConverged CRs. Its kind is an expression for
// the whole kind (kustomize api/types/selector.go: NewSelectorRegex).
func (t target) selectsCR() bool {
	if t.Kind == "" {
		return true
	}
	kind, err := regexp.Compile("^(?:" + t.Kind + ")$")
	return err != nil || kind.MatchString(hyperconverged.Kind)
}
