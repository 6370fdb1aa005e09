package cluster

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// Class is the precedence of a source of node facts: the lowest counts most.
type Class int

// The classes, in order of precedence.
const (
	Stated   Class = iota // spec.cluster of the configuration
	Declared              // a ClusterArchitectures
	Observed              // Nodes
	Dumped                // the status of a CR dumped from a cluster
	Pooled                // worker pools
)

// Facts is what one object of the input says about the nodes.
type Facts struct {
	Class  Class
	Object finding.Object
	// Workload and ControlPlane are architectures that the object states directly. An
	// empty set states nothing.
	Workload     arch.Set
	ControlPlane arch.Set
	// NoControlPlane says that the object states that HCO sees no control-plane node, as in
	// a cluster with a hosted control plane.
	NoControlPlane bool
	// NoWorkload says the same of the workload nodes. It does not count beside facts that
	// state some.
	NoWorkload bool
	// Placed says that HCO computed Workload with the CR's own placement, so that it
	// needs no further narrowing.
	Placed bool
	// Default is the default workload architecture that the object states directly.
	Default arch.Arch
	// Nodes are nodes with all of their labels. AllNodes says that the facts of this class
	// are all nodes of the cluster, so that a role that none of them has is no role of the
	// cluster.
	Nodes    []Node
	AllNodes bool
	// Pools are groups of nodes that are only partly known.
	Pools []Pool
	// Cluster names the cluster that the pools belong to, or "" if they do not name
	// one.
	Cluster string
}

// source names the source of the facts.
func (f Facts) source() string {
	if f.Class == Stated {
		return statedInConfig
	}
	return f.Object.String()
}

// FromConfig returns what the configuration says about the nodes, and whether it says
// anything.
func FromConfig(spec v1alpha1.ClusterSpec) (Facts, bool) {
	f := Facts{
		Class: Stated, Workload: arch.Named(spec.WorkloadArchitectures...), ControlPlane: arch.Named(spec.ControlPlaneArchitectures...),
		NoControlPlane: statesNone(spec.ControlPlaneArchitectures),
	}
	return f, f.says()
}

// says reports whether the facts state architectures directly, or that there is no
// control-plane node.
func (f Facts) says() bool { return len(f.Workload)+len(f.ControlPlane) > 0 || f.NoControlPlane }

// statesNone reports whether a list of architectures states that there are none: it is
// there and has no element.
func statesNone(list []string) bool {
	return list != nil && len(list) == 0
}

// kind identifies the objects that a reader reads.
type kind struct{ group, kind string }

// readers has the reader of each kind that has node facts. A reader returns false for
// an object that has none.
var readers = map[kind]func(tree) (Facts, bool, error){
	{v1alpha1.Group, v1alpha1.ClusterArchitecturesKind}: readClusterArchitectures,
	{"", "Node"}:                                                 readNode,
	{"hco.kubevirt.io", "HyperConverged"}:                        readStatus,
	{"machine.openshift.io", "MachineSet"}:                       readMachineSet,
	{"cluster.x-k8s.io", "MachineDeployment"}:                    readMachineDeployment,
	{"hypershift.openshift.io", "NodePool"}:                      readNodePool,
	{"siteconfig.open-cluster-management.io", "ClusterInstance"}: readClusterInstance,
	{"cluster.x-k8s.io", "MachineSet"}:                           readClusterAPIMachineSet,
	{"cluster.x-k8s.io", "MachinePool"}:                          readClusterAPIMachinePool,
	{"hive.openshift.io", "MachinePool"}:                         readHiveMachinePool,
	{"karpenter.sh", "NodePool"}:                                 readKarpenter,
}

// Reads reports whether objects of this kind have node facts.
func Reads(at finding.Object) bool {
	_, ok := readers[kind{at.Group(), at.Kind}]
	return ok
}

// IsPool reports whether objects of this kind describe worker pools, which count least
// of all sources.
func IsPool(at finding.Object) bool {
	switch at.Kind {
	case v1alpha1.ClusterArchitecturesKind, "Node", "HyperConverged":
		return false
	}
	return Reads(at)
}

// StatesWorkload reports whether facts of a class, or of one that takes precedence over it,
// describe the workload nodes. Then no source of a later class counts.
func StatesWorkload(facts []Facts, upTo Class) bool {
	return slices.ContainsFunc(facts, func(f Facts) bool { return f.Class <= upTo && len(f.Workload)+len(f.Nodes) > 0 })
}

// Read returns the node facts of an object, given as decoded JSON. It returns false if
// the object has none. The error names the invalid field: a value of another type, an
// unknown architecture, or two fields that contradict each other.
func Read(object map[string]any, at finding.Object) (Facts, bool, error) {
	read, ok := readers[kind{at.Group(), at.Kind}]
	if !ok {
		return Facts{}, false, nil
	}
	t := newTree(object)
	f, says, err := read(t)
	if wrong := t.err(); wrong != nil {
		err = wrong // the reader's own error is only a consequence of this one
	}
	if err != nil {
		return Facts{}, false, err
	}
	f.Object = at
	return f, says, nil
}

// workloadAnswers returns what the facts say about the workload nodes.
func workloadAnswers(facts []Facts, p Placement, single arch.Arch) []answer {
	return answers(facts,
		func(f Facts) answer {
			if f.Placed {
				return f.direct(f.Workload, false)
			}
			return f.direct(f.Workload, false).narrowedTo(p, single)
		},
		func(list []Facts) answer { return workloadOf(list, p, single) })
}

// workloadOf applies the placement to nodes and pools. It reports something unknown as
// an error only if it could change the answer.
func workloadOf(list []Facts, p Placement, single arch.Arch) answer {
	var sure []Node
	var uncertain []uncertainPool
	var by []string
	for _, f := range list {
		nodes, more := f.split(p)
		sure, uncertain = append(sure, nodes...), append(uncertain, more...)
		if len(f.Nodes)+len(f.Pools) > 0 {
			by = append(by, f.source())
		}
	}
	a := answer{set: architectures(sure, func(Node) bool { return true }), source: shortened(by), partial: len(uncertain) > 0}
	if pools := slices.ContainsFunc(list, func(f Facts) bool { return len(f.Pools) > 0 }); !pools && len(uncertain) == 0 {
		a.fallback = commonest(sure, a.set)
	}
	if names := clusters(list); len(names) > 1 {
		a.partial, a.problems = true, finding.List{multipleClusters(names)}
		return a
	}
	for _, f := range list {
		a.problems = append(a.problems, f.contradictedHints()...)
	}
	reported := map[finding.Object]bool{}
	for _, d := range uncertain {
		if d.matters(a.set, single) && !reported[d.object] {
			reported[d.object] = true
			a.problems = append(a.problems, d.finding())
		}
	}
	return a
}

// split applies the placement to nodes and pools. It returns the workload nodes, and
// the pools that may be workload nodes or may have any architecture.
func (f Facts) split(p Placement) (sure []Node, uncertain []uncertainPool) {
	for _, n := range f.Nodes {
		if n.Count == 0 {
			continue
		}
		// If the name of a node is not known, the value of its hostname label is not
		// known either.
		unknown := func(label string) bool { return n.Name == "" && label == hostnameLabel }
		switch v := p.judge(glimpse{n, unknown}); v.certainty {
		case yes:
			sure = append(sure, n)
		case maybe:
			uncertain = append(uncertain, uncertainPool{object: f.Object, what: "a node group of", pool: Pool{Node: n}, unknownField: v.unknownField})
		case no:
		}
	}
	for _, pool := range f.Pools {
		unknown := func(label string) bool { return !slices.Contains(pool.Lacks, label) }
		switch v := p.judge(glimpse{pool.Node, unknown}); {
		case v.certainty == yes && pool.Architecture != "":
			sure = append(sure, pool.Node)
		case v.certainty != no:
			uncertain = append(uncertain, uncertainPool{object: f.Object, what: "the worker pool", pool: pool, unknownField: v.unknownField})
		}
	}
	return sure, uncertain
}

// clusters returns the names of the clusters of the facts, sorted.
func clusters(list []Facts) []string {
	var names []string
	for _, f := range list {
		if f.Cluster != "" {
			names = append(names, f.Cluster)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// answer is what a source of node facts says about a field. An answer without a source
// says nothing.
type answer struct {
	set    arch.Set
	source string
	// fallback is the most frequent architecture, if the nodes can be counted.
	fallback arch.Arch
	// partial says that the set may be incomplete.
	partial bool
	// problems say why the answer is not reliable.
	problems finding.List
}

// highest returns the first answer that says something, and reports the later ones that
// contradict it.
func highest(field string, answers []answer) (answer, finding.List) {
	answers = slices.DeleteFunc(answers, func(a answer) bool { return a.source == "" })
	if len(answers) == 0 {
		return answer{}, nil
	}
	best := answers[0]
	found := best.problems
	for _, a := range answers[1:] {
		if !best.partial && !a.partial && !a.set.Equal(best.set) {
			found = append(found, disagree(field, best, a))
		}
	}
	return best, found
}

// answers returns the answers of each class of facts, the highest first. Within a
// class, what the facts state directly comes before what their nodes and pools give
// together.
func answers(facts []Facts, direct func(Facts) answer, together func([]Facts) answer) []answer {
	var out []answer
	for class := Stated; class <= Pooled; class++ {
		var list []Facts
		for _, f := range facts {
			if f.Class == class {
				list = append(list, f)
				out = append(out, direct(f))
			}
		}
		if len(list) > 0 {
			out = append(out, together(list))
		}
	}
	return out
}

// direct returns what facts state explicitly about a field. none says that they state an
// empty set.
func (f Facts) direct(set arch.Set, none bool) answer {
	if len(set) == 0 && !none {
		return answer{}
	}
	return answer{set: set, source: f.source(), fallback: f.Default}
}

func disagree(field string, a, b answer) finding.Finding {
	for _, one := range []*answer{&a, &b} {
		if one.source == statedInConfig { // options have no other place in a configuration
			one.source += ", a flag or a parameter of the Application"
		}
	}
	return finding.Finding{
		ID: finding.NodeFactsDisagree, Severity: finding.Warning,
		Text: fmt.Sprintf("%s states that %s nodes have %s, but %s states %s. goldenarch uses the first", a.source, field,
			cmp.Or(a.set.String(), "none"), b.source, cmp.Or(b.set.String(), "none")),
		Do: "correct one of them",
	}
}

// noWorkload returns the finding that says why the cluster has no workload
// architecture.
func noWorkload(facts []Facts, p Placement) finding.Finding {
	f := finding.Finding{
		ID: finding.NoNodeFacts, Severity: finding.Error,
		Text: "nothing in the input says which architectures the workload nodes have",
		Do:   stateNodes,
	}
	switch nodes := slices.ContainsFunc(facts, func(f Facts) bool { return len(f.Nodes)+len(f.Pools) > 0 }); {
	case nodes && p.selects():
		f.Text = "no node of the input matches the workload placement of the CR, so HCO sees no workload architecture"
		f.Do = "correct the placement, or the labels of the nodes"
	case nodes:
		f.Text = "no node of the input has the label " + workerLabel + ": HCO counts only these nodes and those that the workload placement selects"
		f.Do = "label the nodes, or " + stateArchitectures
	}
	return f
}

func multipleClusters(names []string) finding.Finding {
	return finding.Finding{
		ID: finding.NoNodeFacts, Severity: finding.Error,
		Text: fmt.Sprintf("the worker pools of the input belong to %d clusters (%s), and goldenarch does not know which of them the CR is for",
			len(names), shortened(names)),
		Do: stateArchitectures,
	}
}

// contradictedHints reports pools that declare one architecture and look like another.
// The declared one counts.
func (f Facts) contradictedHints() finding.List {
	var found finding.List
	for _, p := range f.Pools {
		if p.Architecture != "" && p.Hint.Why != "" && p.Hint.Architecture != p.Architecture {
			found = append(found, finding.Finding{
				ID: finding.NodeHint, Severity: finding.Info, Object: f.Object,
				Text: fmt.Sprintf("%s declares %s, but %s. goldenarch uses the declared value", f.Object, p.Architecture, p.Hint.Why),
			})
		}
	}
	return found
}

func notSingle(single arch.Arch, workload answer) finding.Finding {
	return finding.Finding{
		ID: finding.SingleArchitecture, Severity: finding.Error,
		Text: fmt.Sprintf("spec.singleArchitecture is %s, but workload nodes have %s (%s)", single, workload.set, workload.source),
		Do:   "set it to an architecture that workload nodes have",
	}
}

// shortened lists names in a message.
func shortened(names []string) string {
	const shown = 3
	return finding.Shortened(names, shown)
}

// KnownToSSP are the only architectures that SSP knows (ssp-operator
// internal/architecture/architecture.go). It refuses a cluster with any other.
var KnownToSSP = arch.NewSet(arch.AMD64, arch.ARM64, arch.S390X)

// Refused reports architectures that make SSP refuse the whole SSP CR, so that SSP
// creates and updates no golden image. Call it for OpenShift only, where SSP runs.
func Refused(a Architectures) finding.List {
	var found finding.List
	refuse := func(list arch.Set, do string) {
		if refused := list.Minus(KnownToSSP); len(refused) > 0 {
			found = append(found, finding.Finding{
				ID: finding.ArchitectureRefused, Severity: finding.Warning, Do: do,
				Text: fmt.Sprintf("SSP supports only %s and refuses a cluster with %s nodes: it creates and updates no golden image",
					KnownToSSP, shortened(refused.Strings())),
			})
		}
	}
	refuse(a.ControlPlane, "move the control plane to other nodes: a placement does not exclude it")
	refuse(a.Workload.Minus(a.ControlPlane), "exclude these nodes from the workload placement")
	return found
}
