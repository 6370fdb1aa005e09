package engine

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/engine/output"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
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

// host is what the items of a ResourceList reveal about the host that passes them.
type host struct {
	items []*yaml.RNode
	// configs are those of [ConfigPaths].
	configs []string
}

// newHost returns the host that passes items to the function.
func newHost(items []*yaml.RNode) host { return host{items: items, configs: ConfigPaths(items)} }

// lists reports the configurations of other functions among the items. A function of kpt sees
// those of the whole package, and the Kptfile names them. kustomize shows a function no list.
func (h host) lists(o object.Object) bool {
	file, _ := object.Place(o.Item)
	return slices.Contains(h.configs, path.Join(object.PackageOf(o.Item), file))
}

// unusedSeverity says how bad a configuration without an effect is. Where nothing lists the
// functions, it may be that of another function.
func (h host) unusedSeverity() finding.Severity {
	if h.configs == nil {
		return finding.Info
	}
	return finding.Warning
}

// oldKustomize reports a kustomize before 5.0, which removes the objects of a base that are
// local configuration before it runs functions (kustomize api/internal/target: IgnoreLocal).
// Where nobody knows the version, a run that lacks such objects, as found says, says what may
// be wrong.
func (h host) oldKustomize(ofKustomize func() string, found finding.List) finding.List {
	const fix = "run kustomize 5.0 or newer, or list these objects in the kustomization that lists goldenarch"
	if HostOf(h.items) != Kustomize {
		return nil
	}
	version := ""
	if ofKustomize != nil {
		version = ofKustomize()
	}
	out := finding.Finding{ID: finding.KustomizeOld}
	switch major := majorOf(version); {
	case major > 0 && major < 5:
		out.Severity = finding.Warning
		out.Text = "kustomize " + version + " is older than 5.0: from the resources of a base it removes what has the annotation " +
			object.LocalConfig + " (node facts, locks) before it runs goldenarch"
		out.Do = fix
	case major == 0 && found.Failed() && (found.Has(finding.NoNodeFacts) || found.Has(finding.LockMissing)):
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

// process runs the only step of a session on the items of a host, and returns those for the
// host.
func (h host) process(ctx context.Context, s *session) ([]*yaml.RNode, finding.List) {
	step := s.steps[0]
	if s.Add(output.PrepareForHost(step.extra)...); s.Failed() {
		return nil, s.List
	}
	items := withoutConfig(s.items, step.Config)
	if len(s.items) == 1 && len(items) == 0 && len(step.config.Spec.Inputs) == 0 {
		s.Add(generatesNothing(step.Config))
		return nil, s.List
	}
	s.addUnused(h.unusedSeverity())
	version := step.function.KustomizeVersion
	aboutHost := append(output.NodesInPackage(items), h.oldKustomize(version, nil)...)
	if s.exceptions.Adjusted(slices.Concat(s.List, aboutHost)).Failed() { // the run decides, and nothing of it may stay
		items = copied(items)
	}
	out, found, exceptions := step.runPackages(ctx, items)
	s.Add(found...)
	s.Add(aboutHost...)
	if !aboutHost.Has(finding.KustomizeOld) {
		s.Add(h.oldKustomize(version, s.List)...)
	}
	return withoutInputs(out, step.extra), exceptions.Apply(s.List).List
}

// generatesNothing reports a generator of kustomize that names no files: kustomize passes a generator nothing but its
// configuration.
func generatesNothing(config *yaml.RNode) finding.Finding {
	at := object.New(config).At
	return finding.Finding{
		ID: finding.NoCR, Severity: finding.Error, Object: at,
		Text: fmt.Sprintf("%s is listed under generators, and kustomize passes the resources to no generator, so goldenarch sees no HyperConverged CR", at),
		Do:   "list it under transformers, or name the file of the CR in spec.inputs",
	}
}

// withoutConfig omits the configuration that kustomize passes to a generator as its
// only item: otherwise it would stay among the resources. Under kpt the same item has a
// path and is the user's file, so omitting it would delete the file.
func withoutConfig(items []*yaml.RNode, config *yaml.RNode) []*yaml.RNode {
	if config.IsNilOrEmpty() {
		return items
	}
	return slices.DeleteFunc(slices.Clone(items), func(item *yaml.RNode) bool {
		file, _ := object.Place(item)
		return file == "" && !object.IsFromKpt(item) && object.Ref(item) == object.Ref(config)
	})
}

// ConfigPaths returns the files that the Kptfiles among the items name as configurations of
// functions, in the order in which these run; nil if there is no Kptfile.
func ConfigPaths(items []*yaml.RNode) []string {
	var out []string
	for _, item := range items {
		if object.TextAt(item, "kind") != "Kptfile" {
			continue
		}
		if out == nil {
			out = []string{}
		}
		for _, field := range []string{"mutators", "validators"} {
			for _, function := range yamlnode.Elements(item.YNode(), "pipeline", field) {
				if file := yamlnode.Text(function, "configPath"); file != "" {
					out = append(out, path.Join(object.PackageOf(item), file))
				}
			}
		}
	}
	return out
}
