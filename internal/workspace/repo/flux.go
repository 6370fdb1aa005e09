package repo

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/pattern"
)

const (
	// fluxGroups is a part of each API group of Flux.
	fluxGroups    = "toolkit.fluxcd.io"
	fluxKustomize = "kustomize." + fluxGroups
	fluxSource    = "source." + fluxGroups
	fluxHelm      = "helm." + fluxGroups
	fluxGit       = "GitRepository"
)

// fluxObject is what objects of Flux have in common.
type fluxObject struct {
	file string

	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
}

// name returns the name of an object with its file, for messages.
func (o fluxObject) name(kind string) string {
	return console.Escape(o.file + ": " + kind + "/" + o.Metadata.Name)
}

// fluxKustomization is a Kustomization of Flux, as far as it says which directory it applies, and what it changes.
type fluxKustomization struct {
	fluxObject

	Spec kustomizationSpec `json:"spec"`
}

// kustomizationSpec is the spec of a Kustomization of Flux (fluxcd/kustomize-controller
// api/v1/kustomization_types.go: KustomizationSpec; patchesStrategicMerge and patchesJson6902 are those of v1beta2).
type kustomizationSpec struct {
	Path      string       `json:"path"`
	SourceRef fluxRef      `json:"sourceRef"`
	PostBuild substitution `json:"postBuild"`

	overrides

	PatchesStrategicMerge []json.RawMessage `json:"patchesStrategicMerge"`
	PatchesJSON6902       []jsonPatch       `json:"patchesJson6902"`
	TargetNamespace       string            `json:"targetNamespace"`
	CommonMetadata        commonMetadata    `json:"commonMetadata"`
}

// commonMetadata is what Flux adds to each object.
type commonMetadata struct {
	Annotations map[string]any `json:"annotations"`
}

// substitution is spec.postBuild of a Kustomization of Flux.
type substitution struct {
	Substitute         map[string]any `json:"substitute"`
	SubstituteFrom     []any          `json:"substituteFrom"`
	SubstituteStrategy string         `json:"substituteStrategy"`
}

// fillsIn reports whether Flux may replace a variable. Without a value for any it leaves the manifests as
// they are, unless the strategy says otherwise (fluxcd/pkg kustomize/kustomize_varsub.go: SubstituteVariables).
func (s substitution) fillsIn() bool {
	return len(s.Substitute)+len(s.SubstituteFrom) > 0 || s.SubstituteStrategy == "Always"
}

// fluxRef names a source of Flux.
type fluxRef struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}

// fluxRelease is a HelmRelease of Flux.
type fluxRelease struct {
	fluxObject

	Spec helmReleaseSpec `json:"spec"`
}

// fluxRepository is a GitRepository of Flux.
type fluxRepository struct {
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		URL string `json:"url"`
	} `json:"spec"`
}

// unfollowed is a source of an ApplicationSet whose path only Argo CD knows, or a file that may
// apply anything.
type unfollowed struct{ path, by string }

// fluxVariable matches what Flux fills in.
var fluxVariable = pattern.Of(`\$\{[^}]*\}`)

// anyPath is the path of what may apply each directory.
const anyPath = "{{path}}"

// fluxScan are the objects of Flux in a tree that is scanned: its Kustomizations and HelmReleases, and the addresses
// of its GitRepositories by their names. Several of one name are in different namespaces.
type fluxScan struct {
	*scan

	kustomizations []fluxKustomization
	releases       []fluxRelease
	sources        map[string][]string
}

// apply notes what a Kustomization of Flux applies: a directory with a kustomization, or
// else each directory below that has one (fluxcd/pkg kustomize/kustomize_generator.go:
// generateKustomization). A source that the tree does not have may be the repository itself.
func (s fluxScan) apply(one fluxKustomization) {
	path := strings.TrimPrefix(one.Spec.Path, "/")
	if s.isElsewhere(one.Spec.SourceRef) || path != "" && !filepath.IsLocal(filepath.FromSlash(path)) {
		return
	}
	by := one.name("Kustomization")
	if known := fluxVariable().ReplaceAllString(path, anyPath); known != path { // of another Kustomization, which applies this one
		s.notFollowed(known, by)
		return
	}
	top := s.directoryAt(filepath.Join(s.repository.top, filepath.FromSlash(path)))
	namedDirectories{s.scan}.check(filepath.Join(s.repository.top, filepath.FromSlash(path)), by)
	if _, ok := s.refs[top]; ok {
		s.note(top, by, one)
		return
	}
	if s.byPath[top] == nil {
		return
	}
	skipped := ""
	for _, dir := range s.dirs { // each before those in it
		target := s.real[dir.Path]
		switch {
		case !files.Within(target, top), skipped != "" && files.Within(target, skipped):
		case dir.Kustomized:
			skipped = target
			s.note(target, by, one)
		case len(dir.Files) > 0:
			s.note(target, by, one)
		}
	}
}

// isElsewhere reports whether a source is known to be another repository.
func (s fluxScan) isElsewhere(r fluxRef) bool {
	urls := s.sources[r.Name]
	return r.Kind == fluxGit && len(urls) > 0 && !slices.ContainsFunc(urls, s.repository.is)
}

// releaseChart notes how a HelmRelease renders a chart of the tree. The chart and its value files are
// relative to the root of the repository (fluxcd/source-controller api/v1/helmchart_types.go:
// HelmChartSpec).
func (s fluxScan) releaseChart(one fluxRelease) {
	of := one.Spec.Chart.Spec
	if of.SourceRef.Kind != fluxGit || s.isElsewhere(of.SourceRef) || !filepath.IsLocal(filepath.FromSlash(of.Chart)) {
		return
	}
	chart := s.directoryAt(filepath.Join(s.repository.top, filepath.FromSlash(of.Chart)))
	for _, file := range of.ValuesFiles {
		if at := filepath.Join(s.repository.top, filepath.FromSlash(file)); files.Within(at, s.repository.top) {
			one.Spec.files = append(one.Spec.files, at)
		}
	}
	use := ChartUse{By: one.name("HelmRelease"), Replaces: len(of.ValuesFiles) > 0, Values: s.shownFiles(one.Spec.files)}
	if len(one.Spec.Values) > 0 {
		use.Fields = append(use.Fields, "spec.values")
	}
	if len(one.Spec.ValuesFrom) > 0 {
		use.Fields = append(use.Fields, "spec.valuesFrom")
	}
	s.uses[chart] = append(s.uses[chart], use)
	s.out.Routes = append(s.out.Routes, Route{By: use.By, dir: chart, release: &one.Spec})
}

// note notes that a Kustomization applies a directory. Only one of a Git repository
// applies what is in the tree: an artifact has what somebody put there.
func (s fluxScan) note(target, by string, one fluxKustomization) {
	s.flux[target] = append(s.flux[target], by)
	if kind := one.Spec.SourceRef.Kind; kind == fluxGit || kind == "" {
		s.out.Routes = append(s.out.Routes, Route{
			By: by, Flux: true, OnServer: true, Variables: one.Spec.PostBuild.fillsIn(), flux: &one.Spec, dir: target,
			kustomized: s.byPath[target].Kustomized,
		})
	}
}
