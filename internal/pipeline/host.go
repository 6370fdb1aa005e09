package pipeline

import (
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
)

// Host is a program that runs the function.
type Host string

// The hosts that the items of a ResourceList reveal.
const (
	Kpt       Host = "kpt"
	Kustomize Host = "kustomize"
)

// HostOf returns the host that passes items to the function; "" if the items do not reveal
// it.
func HostOf(items []*yaml.RNode) Host {
	switch {
	case slices.ContainsFunc(items, object.IsFromKustomize):
		return Kustomize
	case slices.ContainsFunc(items, object.IsFromKpt):
		return Kpt
	}
	return ""
}

// oldKustomize reports a kustomize before 5.0, which removes the objects of a base that are
// local configuration before it runs functions (kustomize api/internal/target: IgnoreLocal).
// Where nobody knows the version, a run that lacks such objects says what may be wrong.
func (f Function) oldKustomize(items []*yaml.RNode, found finding.List) finding.List {
	const fix = "run kustomize 5.0 or newer, or list these objects in the kustomization that lists goldenarch"
	if HostOf(items) != Kustomize {
		return nil
	}
	out := finding.Finding{ID: finding.KustomizeOld}
	switch major := majorOf(f.KustomizeVersion); {
	case major > 0 && major < 5:
		out.Severity = finding.Warning
		out.Text = "kustomize " + f.KustomizeVersion + " is older than 5.0: from the resources of a base it removes what has the annotation " +
			object.LocalConfig + " (node facts, locks) before it runs goldenarch"
		out.Do = fix
	case major == 0 && found.Failed() && (hasID(found, finding.NoNodeFacts) || hasID(found, finding.LockMissing)):
		out.Severity = finding.Info
		out.Text = "a kustomize older than 5.0 removes from a base what has the annotation " + object.LocalConfig +
			" (node facts, locks) before it runs goldenarch"
		out.Do = "check with kustomize version; if it is older than 5.0, " + fix
	default:
		return nil
	}
	return finding.List{out}
}

// majorOf returns the major version, 0 if it is not known.
func majorOf(version string) int {
	first, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	major, err := strconv.Atoi(first)
	if err != nil {
		return 0
	}
	return major
}
