package kustomization

import (
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/types"

	"github.com/goldenarch/goldenarch/internal/regular"
)

// References is what a kustomization refers to. Nothing is built to find it.
type References struct {
	// Data is the text of its file.
	Data []byte
	// Broken says that kustomize cannot read it, or that the directory has two.
	Broken bool
	// Local are the files and directories that it names, absolute and without links.
	Local []string
	// Remote is the first entry that kustomize would fetch, or "".
	Remote string
	// Component says that it is a component, which is a part of other kustomizations.
	Component bool
	// Charts says that it inflates Helm charts.
	Charts bool
	// Generators are the files of its generators, absolute and without links.
	Generators []string
}

// ReferencesOf reads the kustomization of a directory.
func ReferencesOf(dir string) References {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return References{Broken: true}
	}
	file := kustomizationFile(dir)
	if file == "" {
		return References{Broken: true}
	}
	data, err := regular.Read(file)
	if err != nil {
		return References{Broken: true}
	}
	out := References{Data: data}
	k, ok := decode(data)
	if !ok {
		out.Broken = true
		return out
	}
	out.Component = k.Kind == types.ComponentKind
	out.Charts = len(k.HelmCharts) > 0 || len(k.HelmChartInflationGenerator) > 0
	if set, err := fields(k); err == nil {
		out.Remote = remoteEntry(set)
	}
	out.Local = located(filepath.Dir(file), entriesOf(k))
	out.Generators = located(filepath.Dir(file), k.Generators)
	return out
}

// located returns the files and directories of entries. An entry that names none is left
// out.
func located(dir string, entries []string) []string {
	var out []string
	for _, entry := range entries {
		if entry == "" || isInline(entry) || isRemote(entry) {
			continue
		}
		if path, err := filepath.EvalSymlinks(filepath.Join(dir, entry)); err == nil {
			out = append(out, path)
		}
	}
	return out
}

// entriesOf returns what a kustomization names that objects, or parts of them, come from.
func entriesOf(k types.Kustomization) []string {
	//nolint:staticcheck // older kustomizations have bases
	entries := slices.Concat(k.Resources, k.Bases, k.Components, k.Generators, k.Transformers, k.Validators)
	for _, patch := range slices.Concat(k.Patches, k.PatchesJson6902) { //nolint:staticcheck // and such patches
		entries = append(entries, patch.Path)
	}
	for _, patch := range k.PatchesStrategicMerge { //nolint:staticcheck // as above
		entries = append(entries, string(patch))
	}
	for _, replacement := range k.Replacements {
		entries = append(entries, replacement.Path)
	}
	return entries
}

// otherFilesOf returns the other files that a kustomization names: no object of the build
// is in them, but an edit of such a file changes what the kustomization builds.
func otherFilesOf(k types.Kustomization) []string {
	out := slices.Concat(k.Crds, k.Configurations)
	sources := func(from types.KvPairSources) {
		for _, file := range from.FileSources {
			if _, path, keyed := strings.Cut(file, "="); keyed {
				file = path
			}
			out = append(out, file)
		}
		out = append(append(out, from.EnvSources...), from.EnvSource)
	}
	for _, generated := range k.ConfigMapGenerator {
		sources(generated.KvPairSources)
	}
	for _, generated := range k.SecretGenerator {
		sources(generated.KvPairSources)
	}
	for _, chart := range k.HelmCharts {
		out = append(append(out, chart.AdditionalValuesFiles...), chart.ValuesFile)
	}
	for _, chart := range k.HelmChartInflationGenerator {
		out = append(out, chart.Values)
	}
	return append(out, k.OpenAPI["path"])
}
