package cluster

import (
	"cmp"
	"fmt"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// stateArchitectures says how a user can state the architectures if nothing else does.
const stateArchitectures = "state the architectures: --workload-architectures <architecture>,..., " +
	"or spec.cluster: {workloadArchitectures: [<architecture>, ...]}, or spec.workload of a ClusterArchitectures"

// StateControlPlane says how a user can state the architectures of the control plane.
const StateControlPlane = "state them: spec.cluster.controlPlaneArchitectures: [amd64] (--control-plane-architectures amd64), " +
	"or [] (none) if the cluster has no control-plane nodes"

// uncertainPool is a pool or a group of nodes with an unknown property: whether
// workloads run on it, or which architecture it has.
type uncertainPool struct {
	object       finding.Object
	what         string
	pool         Pool
	unknownField string // the label or field whose value is not known
}

// matters reports whether the uncertainty could change the workload architectures that
// are certain. single narrows these to one architecture, unless it is "".
func (d uncertainPool) matters(sure arch.Set, single arch.Arch) bool {
	switch a := d.pool.Architecture; {
	case single == "":
		return a == "" || !sure.Contains(a)
	case sure.Contains(single):
		return false
	default:
		return a == "" || a == single
	}
}

func (d uncertainPool) finding() finding.Finding {
	f := finding.Finding{ID: finding.PoolUndeclared, Severity: finding.Error, Object: d.object, Do: stateArchitectures}
	who := d.what + " " + d.object.String()
	switch {
	case d.pool.Architecture == "":
		f.Text = who + " does not declare its architecture"
		f.Do = d.pool.Declare + d.pool.Hint.aside()
	case d.unknownField == workerLabel:
		f.Text = fmt.Sprintf("%s does not give its nodes the label %s, which HCO uses to find workload nodes", who, workerLabel)
		f.Do = cmp.Or(d.pool.DeclareLabel, "add the label to the node template of the pool") + ", or " + stateArchitectures
	default:
		f.Text = fmt.Sprintf("%s does not declare %q, which the workload placement requires", who, d.unknownField)
	}
	return f
}
