package cluster

import (
	"slices"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// Class is how much a source of node facts counts: the lower, the more.
type Class int

// The classes, in order of precedence.
const (
	Stated   Class = iota // spec.cluster of the configuration
	Declared              // a ClusterArchitectures
	Observed              // Nodes
	Dumped                // the status of a CR dumped from a cluster
	Pooled                // worker pools
)

// Facts is what one object of the input says of the nodes.
type Facts struct {
	Class  Class
	Object finding.Object
	// Workload and ControlPlane are architectures said directly; empty says
	// nothing.
	Workload     arch.Set
	ControlPlane arch.Set
	// Placed says that HCO computed Workload with the very placement of the CR, so
	// that nothing is left to apply.
	Placed bool
	// Default is the default workload architecture said directly.
	Default arch.Arch
	// Nodes are nodes of which all labels are known.
	Nodes []Node
	// Pools are nodes of which some things are not known.
	Pools []Pool
	// Cluster names the cluster that the pools belong to; "" if they do not say.
	Cluster string
}

// source names where the facts come from.
func (f Facts) source() string {
	if f.Class == Stated {
		return statedInConfig
	}
	return f.Object.String()
}

// FromConfig returns what the configuration says of the nodes, and whether it
// says anything.
func FromConfig(spec v1alpha1.ClusterSpec) (Facts, bool) {
	f := Facts{Class: Stated, Workload: arch.Named(spec.WorkloadArchitectures...), ControlPlane: arch.Named(spec.ControlPlaneArchitectures...)}
	return f, len(f.Workload)+len(f.ControlPlane) > 0
}

// kind is what makes an object one that is read.
type kind struct{ group, kind string }

// readers says which kinds tell something of nodes. A reader reports false for
// an object that tells nothing.
var readers = map[kind]func(tree) (Facts, bool, error){
	{v1alpha1.Group, v1alpha1.ClusterArchitecturesKind}: readClusterArchitectures,
	{"", "Node"}:                                                 readNode,
	{"hco.kubevirt.io", "HyperConverged"}:                        readStatus,
	{"machine.openshift.io", "MachineSet"}:                       readMachineSet,
	{"cluster.x-k8s.io", "MachineDeployment"}:                    readMachineDeployment,
	{"hypershift.openshift.io", "NodePool"}:                      readNodePool,
	{"siteconfig.open-cluster-management.io", "ClusterInstance"}: readClusterInstance,
	{"cluster.x-k8s.io", "MachineSet"}:                           readUnsupported,
	{"cluster.x-k8s.io", "MachinePool"}:                          readUnsupported,
	{"hive.openshift.io", "MachinePool"}:                         readUnsupported,
	{"karpenter.sh", "NodePool"}:                                 readUnsupported,
}

// Reads reports whether objects of this kind tell something of nodes.
func Reads(apiVersion, name string) bool {
	_, ok := readers[kind{group(apiVersion), name}]
	return ok
}

// IsPool reports whether objects of this kind tell of worker pools, which count least of
// all sources.
func IsPool(apiVersion, name string) bool {
	switch name {
	case v1alpha1.ClusterArchitecturesKind, "Node", "HyperConverged":
		return false
	}
	return Reads(apiVersion, name)
}

// StatesWorkload reports whether a person states the workload architectures, so that no
// other source of them counts.
func StatesWorkload(facts []Facts) bool {
	return slices.ContainsFunc(facts, func(f Facts) bool { return f.Class <= Declared && len(f.Workload)+len(f.Nodes) > 0 })
}

// Read takes the node facts out of an object, given as decoded JSON. It reports
// false where the object tells nothing. The error says which field is wrong: a
// value of another type, an architecture that nobody knows, or two fields that
// contradict each other.
func Read(object map[string]any, at finding.Object) (Facts, bool, error) {
	read, ok := readers[kind{group(at.APIVersion), at.Kind}]
	if !ok {
		return Facts{}, false, nil
	}
	t := newTree(object)
	f, says, err := read(t)
	if wrong := t.err(); wrong != nil {
		err = wrong // what a reader makes of a misread field says less
	}
	if err != nil {
		return Facts{}, false, err
	}
	f.Object = at
	return f, says, nil
}
