package cluster

import (
	"fmt"

	"github.com/goldenarch/goldenarch/arch"
	"github.com/goldenarch/goldenarch/finding"
)

// stateThem is how to say the architectures where nothing else does.
const stateThem = "state the architectures: spec.cluster: {workloadArchitectures: [<architecture>, ...]}, or spec.workload of a ClusterArchitectures"

// doubt is a pool, or a group of nodes, of which it is not known whether
// workloads run on it, or on which architecture.
type doubt struct {
	object finding.Object
	what   string
	pool   Pool
	asks   string // the label or field that is not known
}

// matters reports whether the doubt could change the workload architectures
// that are sure, narrowed to a single one if that is not "".
func (d doubt) matters(sure arch.Set, single arch.Arch) bool {
	switch a := d.pool.Architecture; {
	case single == "":
		return a == "" || !sure.Contains(a)
	case sure.Contains(single):
		return false
	default:
		return a == "" || a == single
	}
}

func (d doubt) finding() finding.Finding {
	f := finding.Finding{ID: finding.PoolUndeclared, Severity: finding.Error, Object: d.object}
	switch {
	case d.pool.Architecture == "":
		f.Text = fmt.Sprintf("%s %s does not declare its architecture", d.what, d.object)
		f.Do = d.pool.Declare
	case d.asks == workerLabel:
		f.Text = fmt.Sprintf("%s %s does not say that its nodes get the label %s, by which HCO tells workload nodes", d.what, d.object, workerLabel)
		f.Do = "add the label to the template of the pool's nodes if they have it; else " + stateThem
	case d.asks == nameField:
		f.Text = fmt.Sprintf("%s %s have no known names, which the workload placement asks for", d.what, d.object)
		f.Do = stateThem
	default:
		f.Text = fmt.Sprintf("%s %s does not declare the label %q, which the workload placement asks for", d.what, d.object, d.asks)
		f.Do = stateThem
	}
	return f
}
