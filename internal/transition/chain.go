package transition

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// Chain puts changes in an order: each begins where the one before ends.
type Chain struct {
	now     forecast.Input
	arrived arch.Set // of what Git states, after the commit
	begun   bool
	changes []Change
	unknown []string
}

// Changes returns the changes in order.
func (c *Chain) Changes() []Change { return c.changes }

// Unknown says what the changes do not know.
func (c *Chain) Unknown() []string { return c.unknown }

// Now is what the operators work on before the first change.
func (c *Chain) Now(in forecast.Input) {
	c.now, c.begun = in, true
	for _, t := range in.Table.Templates {
		if t.From == hyperconverged.Documentation && in.CR.CommonImport {
			c.unknown = append(c.unknown, "the predefined templates of the cluster: the status of the live CR does not list them, "+
				"and the plan takes what is documented")
			return
		}
	}
}

func (c *Chain) add(change Change) {
	c.now, c.begun = change.Input, true
	c.changes = append(c.changes, change)
}

// Upgrade changes the release of the operators. Nobody writes the CR.
func (c *Chain) Upgrade(to v1alpha1.Release) {
	if !c.begun {
		c.unknown = append(c.unknown, "what the upgrade to "+to.Text()+" changes: the dump has no HyperConverged")
		return
	}
	in := c.now
	in.Release, in.Table = to, in.Table.UpgradedTo(to)
	c.unknown = append(c.unknown, fmt.Sprintf("which predefined templates %s has: the plan takes those that the cluster has", to.Text()))
	c.add(Change{
		Title: "Upgrade the operators to " + to.Text(), Input: in, Final: "the operators cannot be downgraded",
		Commands: []string{"# upgrade OpenShift Virtualization"},
	})
}

// Commit applies the CR of Git. Nodes that Git states and the cluster has not arrive later, and others leave then.
func (c *Chain) Commit(in forecast.Input) {
	var arrive, leave arch.Set
	switch now := c.now.Cluster; {
	case !c.begun || in.Cluster.WorkloadUnknown || in.Cluster.Workload.Equal(now.Workload):
	case now.WorkloadUnknown || !reflect.DeepEqual(in.CR.Workloads, c.now.CR.Workloads): // the commit may change which nodes count
		c.unknown = append(c.unknown, fmt.Sprintf("when the nodes change: the workload architectures are %s with the dump and %s with the commit; "+
			"the plan changes both in one step", cmp.Or(now.Workload.String(), "not known"), cmp.Or(in.Cluster.Workload.String(), "none")))
	default:
		arrive, leave = in.Cluster.Workload.Minus(now.Workload), now.Workload.Minus(in.Cluster.Workload)
		in.Cluster.Workload = now.Workload
	}
	undo := []string{"git revert <commit>", "# let Argo CD or Flux apply it"}
	if c.begun && in.CR.GateOn(in.Release) && !c.now.CR.GateOn(c.now.Release) {
		undo = append(undo, "# a later run of goldenarch turns the gate on again, unless Git says no: goldenarch fix --set gate=Disable")
	}
	c.add(Change{
		Title: "Apply the commit", Input: in, Commands: []string{"# merge the commit, and let Argo CD or Flux apply it"}, Undo: undo,
	})
	c.AddArchitectures(arrive)
	c.RemoveArchitectures(leave)
	c.arrived = arrive
}

// AddArchitectures adds workload nodes.
func (c *Chain) AddArchitectures(add arch.Set) {
	for _, a := range add {
		in := c.now
		if c.arrived.Contains(a) {
			continue
		}
		if in.Cluster.Workload.Contains(a) {
			c.unknown = append(c.unknown, fmt.Sprintf("when %s arrives: a workload node has it already", a))
			continue
		}
		in.Cluster.Workload = in.Cluster.Workload.Union(arch.NewSet(a))
		c.add(Change{
			Title: fmt.Sprintf("The first workload node with %s arrives", a), Input: in,
			Commands: []string{fmt.Sprintf("# add workload nodes with %s", a)},
			Undo:     []string{fmt.Sprintf("# remove the workload nodes with %s", a)},
		})
	}
}

// RemoveArchitectures removes workload nodes.
func (c *Chain) RemoveArchitectures(remove arch.Set) {
	for _, a := range remove {
		in := c.now
		if !in.Cluster.Workload.Contains(a) {
			c.unknown = append(c.unknown, fmt.Sprintf("when %s leaves: no workload node has it in that step", a))
			continue
		}
		in.Cluster.Workload = in.Cluster.Workload.Minus(arch.NewSet(a))
		c.add(Change{
			Title: fmt.Sprintf("The last workload node with %s leaves", a), Input: in,
			Commands: []string{fmt.Sprintf("# remove the workload nodes with %s", a)},
			Undo:     []string{fmt.Sprintf("# add a workload node with %s again", a)},
		})
	}
}

// Gate turns the multi-arch gate on or off.
func (c *Chain) Gate(on bool) {
	in, word := c.now, "off"
	if on {
		word = "on"
	}
	was := in.CR.GateOn(in.Release)
	switch {
	case !hyperconverged.HasGate.In(in.Release):
		c.unknown = append(c.unknown, fmt.Sprintf("when the multi-arch gate goes %s: HCO %s does not have it", word, in.Release))
		return
	case was == on:
		c.unknown = append(c.unknown, fmt.Sprintf("when the multi-arch gate goes %s: it is %s already", word, word))
		return
	}
	do := gateCommand(in.CR, in.Release, on)
	in.CR = WithGate(in.CR, in.Release, on)
	c.add(Change{
		Title: "Turn the multi-arch gate " + word, Input: in, Commands: []string{do}, Undo: []string{gateCommand(in.CR, in.Release, was)},
	})
}

// WithGate returns a CR with the multi-arch gate on or off, where the API version and the release keep it.
func WithGate(cr *hyperconverged.CR, release v1alpha1.Release, on bool) *hyperconverged.CR {
	out := *cr
	out.Gate = hyperconverged.Gate{Field: &on}
	if keepsGateInList(cr, release) {
		state := hyperconverged.StateOf(on)
		out.Gate = hyperconverged.Gate{List: &hyperconverged.FeatureGate{Name: hyperconverged.GateName, State: &state}}
	}
	return written(&out, release)
}

// keepsGateInList reports whether the gate of a CR is an entry of spec.featureGates.
func keepsGateInList(cr *hyperconverged.CR, release v1alpha1.Release) bool {
	return cr.Version == hyperconverged.V1 && !hyperconverged.GateIsField.In(release)
}

// gateCommand is the line that sets the gate of a CR, where the API version and the release keep it. Beside the field of v1 an entry of
// spec.featureGates must go: HCO refuses the two if they differ, and else sets the field from the entry (hco hyperConvergedMutator.go).
func gateCommand(cr *hyperconverged.CR, release v1alpha1.Release, on bool) string {
	if keepsGateInList(cr, release) {
		return fmt.Sprintf("# in Git: the entry %s of spec.featureGates, state: %s", hyperconverged.GateName, hyperconverged.StateOf(on))
	}
	line := fmt.Sprintf("# in Git: %s: %t", cr.Version.GatePath(), on)
	if cr.Gate.List != nil {
		line += fmt.Sprintf(", and remove the entry %s of spec.featureGates", cr.Gate.List.Name)
	}
	return line
}

// written returns a CR as HCO's webhook stores it when somebody writes it.
func written(cr *hyperconverged.CR, release v1alpha1.Release) *hyperconverged.CR {
	out := *cr
	out.Templates = slices.Clone(cr.Templates)
	for i, t := range out.Templates {
		out.Templates[i].Spec = hyperconverged.Completed(t.Spec, release)
	}
	return &out
}

// Single restricts machines to the nodes of one architecture.
func (c *Chain) Single(a arch.Arch) {
	in := c.now
	switch {
	case !in.Cluster.Workload.Contains(a):
		c.unknown = append(c.unknown, fmt.Sprintf("how machines run on %s alone: no workload node has it", a))
		return
	case len(in.Cluster.Workload) == 1:
		c.unknown = append(c.unknown, fmt.Sprintf("how machines run on %s alone: they do already, since no other workload node counts", a))
		return
	}
	in.Cluster.Workload = arch.NewSet(a)
	in.CR = written(in.CR, in.Release)
	line := "# in Git: spec.singleArchitecture: " + string(a) + " of the GoldenImages, or the node placement of workloads"
	c.add(Change{
		Title: fmt.Sprintf("Place machines on nodes with %s only", a), Input: in, Commands: []string{line},
		Undo: []string{"# in Git: remove that placement"},
	})
}
