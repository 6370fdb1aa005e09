package livecr

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/utils/ptr"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/engine/settings"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// CR is the cluster's own HyperConverged, with its place in the input. The zero CR is none.
type CR struct {
	object.Object
	*hyperconverged.Live
	// nodes has the node facts of its status.
	nodes cluster.Facts
	// HCO is the release of the HCO that wrote the status, or the zero value if it is unknown.
	HCO v1alpha1.Release
}

// IsGateOn reports whether the live CR has the multi-arch gate on.
func (l CR) IsGateOn() bool {
	return l.Live != nil && ptr.Deref(l.CR.GateAt(l.HCO), false)
}

// For returns the live CR if it describes the given CR of the input. If it describes
// another CR, For returns none and a warning. A missing name or namespace matches any.
func (l CR) For(cr *hyperconverged.CR) (CR, finding.List) {
	if l.Live == nil || l.matches(cr.Name, cr.Namespace) {
		return l, nil
	}
	return CR{}, finding.List{{
		ID: finding.LiveOther, Severity: finding.Warning,
		Text: fmt.Sprintf("the live CR is %q in namespace %q, but this CR is %q in namespace %q: goldenarch does not use the live CR for it",
			l.CR.Name, l.CR.Namespace, cr.Name, cr.Namespace),
		Do: "pass the live CR of the cluster that this CR is for",
	}}
}

// matches reports whether the live CR may be the CR with that name and namespace.
func (l CR) matches(name, namespace string) bool {
	same := func(a, b string) bool { return a == "" || b == "" || a == b }
	return l.Live != nil && same(l.CR.Name, name) && same(l.CR.Namespace, namespace)
}

// ForAny returns the live CR if it shows one of the CRs, or none if it shows another
// cluster.
func (l CR) ForAny(crs []object.Object) CR {
	if slices.ContainsFunc(crs, func(o object.Object) bool { return l.matches(o.At.Name, o.At.Namespace) }) {
		return l
	}
	return CR{}
}

// WithNamespace returns a CR with the namespace of the live CR that shows it, if the CR
// itself has none: an overlay or the host adds the namespace before the CR reaches the
// cluster.
func (l CR) WithNamespace(cr *hyperconverged.CR) *hyperconverged.CR {
	if l.Live == nil || cr.Namespace != "" {
		return cr
	}
	return cr.In(l.CR.Namespace)
}

// releaseOf returns the release of an HCO that states its version, or the zero value if
// goldenarch does not know the version.
func releaseOf(version string) v1alpha1.Release {
	if i := strings.IndexAny(version, "-+"); i >= 0 { // a build suffix, as in 1.18.0-unstable
		version = version[:i]
	}
	release, _ := v1alpha1.ParseRelease(version) // the zero value with an error
	return release
}

// WithRelease returns the configuration with the release of the live CR, unless the
// configuration itself states a release. The release that the user states takes
// precedence.
func (l CR) WithRelease(spec *settings.Settings) (*settings.Settings, finding.List) {
	if l.Live == nil || l.Release == "" {
		return spec, nil
	}
	live := l.HCO
	f := finding.Finding{ID: finding.ReleaseDiffers, Severity: finding.Warning, Object: l.At, Field: "status.versions", Current: l.Release}
	switch {
	case !live.Declared() && !spec.Release.Declared():
		f.Text = fmt.Sprintf("the live CR has the release %q, which goldenarch does not know", l.Release)
		f.Do = `state the release: --release 1.19 (or the release of OpenShift Virtualization, 5.0)`
		return spec, finding.List{f}
	case !live.Declared() || spec.Release.Same(live):
		return spec, nil
	case spec.Release.Declared():
		f.Text = fmt.Sprintf("spec.release is %q, but the live CR has HCO %q: goldenarch uses spec.release", spec.GoldenImagesSpec.Release, l.Release)
		f.Do = "correct spec.release, unless you are upgrading to it"
		return spec, finding.List{f}
	}
	return spec.WithRelease(live), nil
}

// MarkLocal adds the local-config annotation to the dumps of HyperConverged among the
// items: they show the cluster, and goldenarch never writes them.
func MarkLocal(items []*yaml.RNode) error {
	for _, o := range object.All(items) {
		if !kinds.IsCR(o) || !object.IsDump(o.Node.YNode()) || object.NodeAt(o.Node, "status") == nil {
			continue
		}
		if err := o.Node.PipeE(yaml.SetAnnotation(object.LocalConfig, "true")); err != nil {
			return fmt.Errorf("annotate the live CR: %w", err)
		}
	}
	return nil
}

// AddDumped adds the node facts in the status of a dumped CR.
func AddDumped(o object.Object, facts []cluster.Facts) []cluster.Facts {
	if object.NodeAt(o.Node, "status") == nil {
		return facts
	}
	if dumped, says, _ := kinds.Facts(o); says {
		return append(slices.Clone(facts), dumped)
	}
	return facts
}

// ScheduleFor returns the schedule that HCO picked for the predefined templates, as the live CR or else
// the CR itself has it; "" if neither is a dump with that schedule.
func (l CR) ScheduleFor(data []byte) string {
	const key = "dataImportSchedule"
	if l.Live != nil && l.Schedule != "" {
		return l.Schedule
	}
	if !bytes.Contains(data, []byte(key)) {
		return "" // as in Git
	}
	var live struct {
		Status struct {
			Schedule string `json:"dataImportSchedule"`
		} `json:"status"`
	}
	if err := json.Unmarshal(data, &live); err != nil {
		return ""
	}
	return live.Status.Schedule
}

// Read returns the live CR: the one that the user passes in addition to the items, or else
// the one among the items. It returns none if there is no live CR, and an error for two.
func Read(given []*yaml.RNode, among []object.Object) (CR, finding.List) {
	list := slices.DeleteFunc(slices.Clone(among), func(o object.Object) bool { return !kinds.IsLive(o) })
	dump := hyperconverged.DumpCommand(namespaceOf(among))
	if given != nil {
		list = slices.DeleteFunc(object.All(given), func(o object.Object) bool { return !hyperconverged.Is(o.At.APIVersion, o.At.Kind) })
		if len(list) == 0 {
			return CR{}, finding.List{invalid(finding.Object{}, "the file of --live has no HyperConverged", dump)}
		}
	}
	if len(list) == 0 {
		return CR{}, nil
	}
	if len(list) > 1 {
		return CR{}, finding.List{invalid(list[1].At, fmt.Sprintf("the input has two live CRs, %s and %s: goldenarch does not know which one is this cluster's",
			list[0].NameAndLocation(), list[1].NameAndLocation()), dump)}
	}
	o := list[0]
	if status := object.NodeAt(o.Node, "status"); status == nil || len(status.Content) == 0 {
		return CR{}, finding.List{invalid(o.At, "the HyperConverged of --live has no status, so it does not describe the cluster",
			hyperconverged.DumpCommand(cmp.Or(o.At.Namespace, namespaceOf(among))))}
	}
	if twice := object.DuplicateKeys(o); twice.Failed() {
		return CR{}, twice
	}
	return parse(o)
}

func parse(o object.Object) (CR, finding.List) {
	data, err := o.JSON()
	if err != nil {
		return CR{}, finding.List{o.Unreadable(err)}
	}
	live, found := hyperconverged.ParseLive(data)
	if live == nil {
		return CR{}, o.Locate(found)
	}
	nodes, _, failed := kinds.Facts(o)
	if failed != nil {
		return CR{}, failed
	}
	return CR{Object: o, Live: live, nodes: nodes, HCO: releaseOf(live.Release)}, o.Locate(found)
}

// namespaceOf returns the namespace of the first HyperConverged that has one; "" for none.
func namespaceOf(objects []object.Object) string {
	for _, o := range objects {
		if hyperconverged.Is(o.At.APIVersion, o.At.Kind) && o.At.Namespace != "" {
			return o.At.Namespace
		}
	}
	return ""
}

func invalid(at finding.Object, text, dump string) finding.Finding {
	return finding.Finding{
		ID: finding.LiveInvalid, Severity: finding.Error, Object: at, Text: text,
		Do: "pass the output of: " + dump,
	}
}

// NodeFacts returns what the live CR says of the nodes that count for a CR. HCO applied
// the workload placement of the live CR before it wrote status.nodeInfo. So its workload
// architectures count only for an equal or a narrower placement. The control plane does
// not depend on the placement.
//
// The finding says why the workload architectures do not count, or what remains unknown
// with the narrower placement; otherwise it is nil.
func (l CR) NodeFacts(cr *hyperconverged.CR) ([]cluster.Facts, *finding.Finding) {
	if l.Live == nil || len(l.nodes.Workload)+len(l.nodes.ControlPlane) == 0 && !l.nodes.NoWorkload { // it has no status.nodeInfo
		return nil, nil
	}
	facts, wants, had := l.nodes, cluster.Placement(cr.Workloads), cluster.Placement(l.CR.Workloads)
	f := finding.Finding{
		ID: finding.LivePlacement, Severity: finding.Error, Field: cr.Version.Paths().Workloads.String(),
		Do: "pass the Nodes: kubectl get nodes -o yaml > nodes.yaml, then --nodes nodes.yaml",
	}
	switch {
	case wants.SameNodes(had):
		facts.Placed = true
		return []cluster.Facts{facts}, nil
	case !wants.Narrows(had, facts.Workload, arch.NewSet(slices.Concat(facts.Workload, facts.ControlPlane)...)):
		facts.Workload, facts.Default, facts.NoWorkload = nil, "", false
		f.Text = "the live CR has another workload placement, so its status.nodeInfo may describe other nodes: goldenarch does not use its workload architectures"
		return []cluster.Facts{facts}, &f
	}
	if left, _ := wants.Matchable(facts.Workload); len(left) > 0 {
		facts.Workload = left
	}
	if others := wants.OtherLabels(); len(others) > 0 && !slices.Equal(others, had.OtherLabels()) && len(facts.Workload) > 1 {
		f.Severity = finding.Warning
		f.Text = fmt.Sprintf("the workload placement is narrower than that of the live CR (%s), so it may select fewer architectures than %s",
			strings.Join(others, ", "), facts.Workload)
		return []cluster.Facts{facts}, &f
	}
	return []cluster.Facts{facts}, nil
}

// AddNodeFinding adds the finding about the node facts of the live CR. It adds nothing if
// the facts, which take precedence, state the workload architectures.
func AddNodeFinding(found finding.List, about *finding.Finding, facts []cluster.Facts) finding.List {
	if about == nil || cluster.StatesWorkload(facts, cluster.Observed) {
		return found
	}
	if about.Severity == finding.Error {
		found = slices.DeleteFunc(found, func(f finding.Finding) bool { return f.ID == finding.NoNodeFacts })
	}
	return append(found, *about)
}
