package cluster

import (
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
func Reads(apiVersion, name string) bool {
	_, ok := readers[kind{group(apiVersion), name}]
	return ok
}

// IsPool reports whether objects of this kind describe worker pools, which count least
// of all sources.
func IsPool(apiVersion, name string) bool {
	switch name {
	case v1alpha1.ClusterArchitecturesKind, "Node", "HyperConverged":
		return false
	}
	return Reads(apiVersion, name)
}

// StatesWorkload reports whether a user states the workload architectures. Then no
// other source of them counts.
func StatesWorkload(facts []Facts) bool {
	return slices.ContainsFunc(facts, func(f Facts) bool { return f.Class <= Declared && len(f.Workload)+len(f.Nodes) > 0 })
}

// Read returns the node facts of an object, given as decoded JSON. It returns false if
// the object has none. The error names the invalid field: a value of another type, an
// unknown architecture, or two fields that contradict each other.
func Read(object map[string]any, at finding.Object) (Facts, bool, error) {
	read, ok := readers[kind{group(at.APIVersion), at.Kind}]
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
