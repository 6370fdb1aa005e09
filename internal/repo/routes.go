package repo

import (
	"cmp"
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
	"github.com/goldenarch/goldenarch/internal/regular"
)

// Route is a way on which a directory gets to a cluster.
type Route struct {
	// By names what applies the directory: "apps/prod.yaml: Application/prod".
	By string
	// Plugin is set if a plugin of Argo CD makes the manifests.
	Plugin *Plugin
	// Unbuilt says that Argo CD applies the files of a directory as they are, although it has a
	// kustomization.
	Unbuilt bool
	// Flux says that Flux applies the directory, and not Argo CD.
	Flux bool
	// Variables says that Flux fills in variables of the manifests (spec.postBuild).
	Variables bool
	// OnServer says that the API server merges what it applies, and so refuses unknown fields:
	// Flux (fluxcd/pkg ssa), and Argo CD with ServerSideApply=true. Else Argo CD asks the API
	// server for no strict validation, which then drops them (argo-cd gitops-engine
	// pkg/utils/kube/resource_ops.go: newApplyOptions sets no ValidationDirective).
	OnServer bool

	// OfBase says that it is a route of the commit that the checked one is a change of.
	OfBase bool

	// changes are the fields of what applies the directory that can change each HyperConverged CR,
	// and overrides those that can change some.
	changes   []string
	overrides overrides
	// ignores are the differences that Argo CD ignores, and respects says that a sync does so, too.
	ignores  []ignored
	respects bool

	// application is the name of an Application; "" for those of an ApplicationSet, and for Flux.
	application string

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
	if err != nil || wrong != nil || r.Plugin != nil || kustomization.In(r.dir) {
		return false
	}
	if _, err := os.Stat(filepath.Join(r.dir, manifest.ChartFile)); err == nil {
		return false
	}
	data, err := regular.Read(target)
	return err == nil && !isSkipped(data) && r.view.applies(filepath.ToSlash(below))
}

// ChangesOf returns the fields of what applies the directory that can change one CR.
func (r Route) ChangesOf(cr finding.Object) []string {
	prefix := "kustomize."
	if r.Flux {
		prefix = "spec."
	}
	out := slices.Clone(r.changes)
	for _, field := range r.overrides.fields(cr) {
		out = append(out, prefix+field)
	}
	return out
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

// target says which objects a patch is for. Nothing is known of labels and annotations, which may
// select any.
type target struct {
	Group     string `json:"group"`
	Version   string `json:"version"`
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
}

// fields returns the fields that can change a CR. To add the namespace that it has, or to name one
// for a CR without, changes nothing.
func (o overrides) fields(cr finding.Object) []string {
	other := func(namespace string) bool { return namespace != "" && cr.Namespace != "" && namespace != cr.Namespace }
	var out []string
	for _, field := range []struct {
		name    string
		changes bool
	}{
		{"patches", slices.ContainsFunc(o.Patches, func(p override) bool { return p.mayChange(cr) })},
		{"patchesStrategicMerge", slices.ContainsFunc(o.PatchesStrategicMerge, func(patch json.RawMessage) bool {
			return strings.Contains(string(patch), hyperconverged.Kind)
		})},
		{"patchesJson6902", slices.ContainsFunc(o.PatchesJSON6902, func(p jsonPatch) bool { return p.Target.selects(cr) })},
		{"components", len(o.Components) > 0},
		{"namePrefix", o.NamePrefix != ""},
		{"nameSuffix", o.NameSuffix != ""},
		{"namespace", other(o.Namespace)},
		{"targetNamespace", other(o.TargetNamespace)},
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

// mayChange reports whether a patch may be for a CR. A patch without a target names its object; one
// in a file that nobody has read may name any.
func (p override) mayChange(cr finding.Object) bool {
	if p.Target == nil {
		return p.Path != "" || strings.Contains(p.Patch, hyperconverged.Kind)
	}
	return p.Target.selects(cr)
}

// selects reports whether a target may select a CR. Each of its texts is an expression for the whole
// of a value (kustomize api/types/selector.go: NewSelectorRegex), and an object without a namespace
// is in "default" (kyaml resid/resid.go: EffectiveNamespace). What Argo CD fills in may be any text.
func (t target) selects(cr finding.Object) bool {
	group, version, _ := strings.Cut(cr.APIVersion, "/")
	for _, one := range [][2]string{
		{t.Group, group}, {t.Version, version}, {t.Kind, cr.Kind}, {t.Name, cr.Name}, {t.Namespace, cmp.Or(cr.Namespace, "default")},
	} {
		if one[0] == "" {
			continue
		}
		if is, err := regexp.MatchString("^(?:"+one[0]+")$", one[1]); err == nil && !is && !strings.Contains(one[0], "{{") {
			return false
		}
	}
	return true
}
