package cluster

import (
	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/arch"
	"github.com/goldenarch/goldenarch/finding"
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
	// Nodes are nodes, to which the placement is applied.
	Nodes []Node
	// Pool says that the nodes are those of a worker pool: they may have more
	// labels than are known.
	Pool bool
	// Undeclared says why the architecture of a worker pool is not known; "" if
	// it is.
	Undeclared string
}

// source names where the facts come from.
func (f Facts) source() string {
	if f.Class == Stated {
		return "spec.cluster"
	}
	return f.Object.String()
}

// FromConfig returns what the configuration says of the nodes, and whether it
// says anything.
func FromConfig(spec v1alpha1.ClusterSpec) (Facts, bool) {
	f := Facts{Class: Stated, Workload: spec.Workload(), ControlPlane: spec.ControlPlane()}
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
}

// Reads reports whether objects of this kind tell something of nodes.
func Reads(apiVersion, name string) bool {
	_, ok := readers[kind{group(apiVersion), name}]
	return ok
}

// Read takes the node facts out of an object, given as decoded JSON. It reports
// false where the object tells nothing. The error says which field is wrong.
func Read(object map[string]any, at finding.Object) (Facts, bool, error) {
	read, ok := readers[kind{group(at.APIVersion), at.Kind}]
	if !ok {
		return Facts{}, false, nil
	}
	f, says, err := read(object)
	f.Object = at
	return f, says, err
}
