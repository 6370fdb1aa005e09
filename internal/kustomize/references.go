package kustomize

import (
	"cmp"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/types"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/pattern"
)

// In reports whether a path is a directory that has a kustomization.
func In(path string) bool { return FileIn(path) != "" }

// FileIn returns the file of a directory's kustomization, the first one of several; "" if it has none.
func FileIn(dir string) string {
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return path
		}
	}
	return ""
}

// kustomizationFile returns the file of a directory's kustomization, or "" unless the
// directory has exactly one.
func kustomizationFile(dir string) string {
	out := ""
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err != nil || info.IsDir() {
			continue // most names are missing, and to resolve the links takes longer
		}
		path, err := filepath.EvalSymlinks(path)
		switch {
		case err != nil:
		case out != "":
			return ""
		default:
			out = path
		}
	}
	return out
}

// Read reads the kustomization of a directory, and returns its file.
func Read(dir string) (string, types.Kustomization, bool) {
	file, _, k, err := read(dir)
	return file, k, err == nil
}

func read(dir string) (file string, data []byte, k types.Kustomization, err error) {
	if file = kustomizationFile(dir); file == "" {
		return "", nil, k, errNotOne
	}
	if data, err = files.Read(file); err == nil {
		err = k.Unmarshal(data)
	}
	return file, data, k, err
}

var errNotOne = errors.New("the directory has two kustomizations, or its kustomization is a link to nowhere")

// References is what a kustomization refers to. Nothing is built to find it.
type References struct {
	// Data is the text of its file.
	Data []byte
	// Broken says that kustomize cannot read it, or that the directory has two, and Why says
	// what is wrong with it.
	Broken bool
	Why    string
	// Local are the files and directories that it names and objects come from, absolute and
	// without links.
	Local []string
	// Missing are the files and directories that it names and that are not there.
	Missing []string
	// Remote is the first entry that kustomize would fetch, or "".
	Remote string
	// Component says that it is a component, which is a part of other kustomizations.
	Component bool
	// Charts says that it inflates Helm charts.
	Charts bool
	// Inline are the texts of generators, transformers and validators that are in the file itself.
	Inline []string
	// Generators are the files of its generators, absolute and without links.
	Generators []string
	// Plugins are the files and directories of its generators, transformers and validators, likewise.
	Plugins []string
	// Others are the files that it names and no object comes from. An edit of one changes what
	// it builds.
	Others []string
}

// ReferencesOf reads the kustomization of a directory.
func ReferencesOf(dir string) References {
	var out References
	var k types.Kustomization
	dir, err := files.Real(dir)
	if err == nil {
		_, out.Data, k, err = read(dir)
	}
	if err != nil {
		out.Broken, out.Why = true, err.Error()
		return out
	}
	out.Component = k.Kind == types.ComponentKind
	out.Charts = len(k.HelmCharts) > 0 || len(k.HelmChartInflationGenerator) > 0
	out.Remote = remoteEntry(dir, k)
	sources, others := entriesOf(k)
	out.Local, out.Others = Located(dir, sources), Located(dir, others) // the file may be a link
	for _, entry := range sources {
		if path := filepath.Join(dir, entry); entry != "" && !IsInline(entry) && !isRemote(dir, entry) && !files.Exists(path) {
			out.Missing = append(out.Missing, path)
		}
	}
	plugins := slices.Concat(k.Generators, k.Transformers, k.Validators)
	out.Generators, out.Plugins = Located(dir, k.Generators), Located(dir, plugins)
	out.Inline = slices.DeleteFunc(plugins, func(entry string) bool { return !IsInline(entry) })
	return out
}

// Located returns the files and directories of entries. An entry that names none is left
// out.
func Located(dir string, entries []string) []string {
	var out []string
	for _, entry := range entries {
		if entry == "" || IsInline(entry) || isRemote(dir, entry) {
			continue
		}
		if path, err := filepath.EvalSymlinks(filepath.Join(dir, entry)); err == nil {
			out = append(out, path)
		}
	}
	return out
}

// entriesOf is the only list of the fields of a kustomization that name files. The sources are
// the files and directories that objects, or parts of them, come from. The others are files with
// no object of the build. An edit of one changes what the kustomization builds.
func entriesOf(k types.Kustomization) (sources, others []string) {
	//nolint:staticcheck // older kustomizations have bases
	sources = slices.Concat(k.Resources, k.Bases, k.Components, k.Generators, k.Transformers, k.Validators)
	sources = append(sources, patchFilesOf(k)...)
	for _, replacement := range k.Replacements {
		sources = append(sources, replacement.Path)
	}
	others = append(slices.Concat(k.Crds, k.Configurations), k.OpenAPI["path"])
	others = append(others, generatedFrom(k)...)
	home := ""
	if k.HelmGlobals != nil {
		home = k.HelmGlobals.ChartHome
	}
	for _, chart := range k.HelmCharts {
		others = append(append(others, chart.AdditionalValuesFiles...), chart.ValuesFile, chartIn(home, chart.Name))
	}
	for _, chart := range k.HelmChartInflationGenerator {
		others = append(others, chart.Values, chartIn(chart.ChartHome, chart.ChartName))
	}
	return sources, others
}

// patchFilesOf returns the entries of a kustomization that name patches.
func patchFilesOf(k types.Kustomization) []string {
	var out []string
	for _, patch := range slices.Concat(k.Patches, k.PatchesJson6902) { //nolint:staticcheck // older kustomizations have such patches
		out = append(out, patch.Path)
	}
	for _, patch := range k.PatchesStrategicMerge { //nolint:staticcheck // as above
		out = append(out, string(patch))
	}
	return out
}

// chartIn returns the directory of a chart that is not pulled (kustomize
// api/types/helmchartargs.go: HelmDefaultHome).
func chartIn(home, name string) string {
	return filepath.Join(cmp.Or(home, types.HelmDefaultHome), name)
}

// generatedFrom returns the files from which a kustomization generates ConfigMaps and
// Secrets, as it names them.
func generatedFrom(k types.Kustomization) []string {
	var out []string
	add := func(from types.KvPairSources) {
		for _, file := range from.FileSources {
			out = append(out, file[strings.LastIndexByte(file, '=')+1:]) // without the key
		}
		out = append(append(out, from.EnvSources...), from.EnvSource)
	}
	for _, generator := range k.ConfigMapGenerator {
		add(generator.KvPairSources)
	}
	for _, generator := range k.SecretGenerator {
		add(generator.KvPairSources)
	}
	return out
}

// IsInline reports whether an entry of a list is an inline object.
func IsInline(entry string) bool { return strings.ContainsAny(entry, "\n{") }

// remoteEntry returns the first file or directory that a kustomization in a directory names if
// kustomize would fetch it. Otherwise it returns "". Of what configurations of plugins name,
// the confinement of the process says that it is remote.
func remoteEntry(dir string, k types.Kustomization) string {
	sources, others := entriesOf(k)
	for _, entry := range slices.Concat(sources, others) {
		if isRemote(dir, entry) {
			return entry
		}
	}
	return ""
}

// userAt is the beginning of "git@host:org/repo".
var userAt = pattern.Of(`^[a-zA-Z][a-zA-Z0-9-]*@[^\s]*[:/]`)

// isRemote reports whether kustomize would fetch an entry of a directory over HTTP or with
// git. It looks for a file before it looks for a repository (kustomize target/kusttarget.go:
// accumulateResources), so "github.com/org/repo/a.yaml" can be a file.
func isRemote(dir, entry string) bool {
	if isURL(entry) || !isRepository(entry) {
		return isURL(entry) || isRepository(entry)
	}
	info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(entry)))
	return err != nil || info.IsDir()
}

// isURL reports whether an entry is what kustomize fetches over HTTP (kustomize
// loader/fileloader.go).
func isURL(entry string) bool {
	u, err := url.Parse(entry)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https")
}

// isRepository reports whether an entry has the form of what kustomize fetches with git
// (kustomize git/repospec.go).
func isRepository(entry string) bool {
	lower := strings.TrimPrefix(strings.ToLower(entry), "git::")
	for _, prefix := range []string{"ssh://", "https://", "http://", "file://", "github.com/", "github.com:"} {
		if strings.HasPrefix(lower, prefix) {
			return true
		}
	}
	return userAt().MatchString(lower)
}
