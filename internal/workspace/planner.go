package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/engine/prediction"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/machine"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/transition"
)

// Planner finds the steps from what a cluster has to what Git says.
type Planner struct {
	Options

	Leftovers bool
	DumpFile  string // the file or directory of --live

	dump      transition.Dump
	liveCRs   []object.Object // of the dump
	live      []*yaml.RNode   // their nodes
	dumpNodes []*yaml.RNode
	// statesGate says that the CR of the paths says something about the multi-arch gate.
	statesGate bool
}

// Run plans changes to the cluster of paths and of the dump. After an error among the findings there is no plan.
func (p *Planner) Run(args []string, function engine.Function, changes Changes) (*transition.Plan, finding.List, error) {
	if err := p.readDump(); err != nil {
		return nil, nil, err
	}
	request, found, err := p.request(args, function, changes)
	if err != nil || found.Failed() {
		return nil, found, err
	}
	made := transition.Make(request)
	found = append(found, p.dump.Findings(made, changes.Budget)...)
	for i := range found {
		if found[i].Object == (finding.Object{}) {
			found[i].Object = finding.Object{Kind: made.CR.Kind, Namespace: made.CR.Namespace, Name: made.CR.Name}
		}
	}
	return &made, found, nil
}

// Changes are the changes that the flags ask for.
type Changes struct {
	Release     v1alpha1.Release
	ToRelease   string // as the user states it
	Add, Remove arch.Set
	Gate        string // Enable, Disable or ""
	Single      arch.Arch
	Budget      int64
}

// addTo puts the changes in their order, with the CR of Git if there is one.
func (c Changes) addTo(chain *transition.Chain, now, git *forecast.Input) {
	switch {
	case c.Release.Declared():
		chain.Upgrade(c.Release)
	case now != nil && git != nil && git.Release.Declared() && now.Release.Declared() && git.Release.Minor() > now.Release.Minor():
		chain.Upgrade(git.Release)
	}
	if git != nil {
		chain.Commit(*git)
	}
	chain.AddArchitectures(c.Add)
	if c.Gate != "" {
		chain.Gate(c.Gate == string(v1alpha1.GateEnable))
	}
	if c.Single != "" {
		chain.Single(c.Single)
	}
	chain.RemoveArchitectures(c.Remove)
}

// checkUpgrade returns an error if the flag names the release of the dump, or an older one: nobody can
// downgrade the operators.
func (c Changes) checkUpgrade(now *forecast.Input) error {
	if now == nil || !c.Release.Declared() || !now.Release.Declared() || c.Release.Minor() > now.Release.Minor() {
		return nil
	}
	return Misuse{Err: fmt.Errorf("flag --to-release: %s is not an upgrade: the dump is of %s", c.Release.Text(), now.Release.Text())}
}

// takeReleaseOfDump gives the CR of Git the release of the dump where Git states none, or an older one,
// and says so.
func (c Changes) takeReleaseOfDump(now, git *forecast.Input) []string {
	if git == nil || now == nil || c.Release.Declared() || !now.Release.Declared() || git.Release.Minor() >= now.Release.Minor() {
		return nil
	}
	stated := git.Release
	git.Release = now.Release
	if !stated.Declared() {
		return nil
	}
	return []string{fmt.Sprintf("why Git states release %s: the dump is of %s, and the plan takes that", stated.Text(), now.Release.Text())}
}

// keepGateOfDump turns on the multi-arch gate in the CR of Git where that does not state it and the dump has it on, and says so: an
// apply leaves a field that it does not have. It replaces a list that Git has, also where the list lacks the gate.
func (p *Planner) keepGateOfDump(now, git *forecast.Input) []string {
	if now == nil || git == nil || p.statesGate || !now.CR.GateOn(now.Release) || git.CR.GateOn(git.Release) ||
		git.CR.FeatureGates != nil && !hyperconverged.GateIsField.In(git.Release) {
		return nil
	}
	git.CR = transition.WithGate(git.CR, git.Release, true)
	return []string{"why Git does not state the multi-arch gate: the dump has it on, an apply leaves it on, and the plan takes that"}
}

// unknownNodes reports a change that depends on the workload architectures, which nothing
// states; nil if there is none.
func (c Changes) unknownNodes(chain *transition.Chain, now, git *forecast.Input) finding.List {
	start := cmp.Or(git, now)
	depends := len(c.Add)+len(c.Remove) > 0 || c.Single != "" || start.CR.GateOn(start.Release)
	for _, one := range chain.Changes() {
		depends = depends || one.Input.CR.GateOn(one.Input.Release)
	}
	if !depends || !start.Cluster.WorkloadUnknown {
		return nil
	}
	return finding.List{{
		ID: finding.NoNodeFacts, Severity: finding.Error,
		Text: "nothing says which architectures the workload nodes have, and the plan depends on them",
		Do:   "pass a dump with the nodes (--live), or state --workload-architectures",
	}}
}

// None reports whether the flags ask for no change.
func (c Changes) None() bool {
	return !c.Release.Declared() && len(c.Add)+len(c.Remove) == 0 && c.Gate == "" && c.Single == ""
}

// ErrNothingAsked is the error of a plan without a change.
var ErrNothingAsked = Misuse{Err: errors.New("nothing to plan: name a path with the new CR, or a change such as --add-architecture arm64, or --leftovers")}

// readDump reads the objects of --live that a plan needs. It keeps no other document, and of
// a list no other element.
func (p *Planner) readDump() error {
	if p.DumpFile == "" {
		return nil
	}
	var failed error
	err := p.eachFact(p.DumpFile, func(at finding.Object) bool {
		return transition.Reads(at.Kind) || kinds.IsNode(at) || hyperconverged.Is(at.APIVersion, at.Kind)
	}, func(item *yaml.RNode) {
		for _, o := range object.All([]*yaml.RNode{item}) {
			if failed == nil {
				failed = p.readDumped(o)
			}
		}
	})
	if err = cmp.Or(err, failed); err != nil {
		return fmt.Errorf("--live: %w", err)
	}
	if len(p.liveCRs) > 1 {
		return fmt.Errorf("--live: the dump has %d HyperConverged CRs: pass the dump of one cluster", len(p.liveCRs))
	}
	return nil
}

// readDumped reads an object of a dump. It keeps the nodes of the CR and of the cluster's nodes.
func (p *Planner) readDumped(o object.Object) error {
	switch {
	case hyperconverged.Is(o.At.APIVersion, o.At.Kind):
		p.liveCRs, p.live = append(p.liveCRs, o), append(p.live, o.Node)
	case kinds.IsNode(o.At):
		p.dumpNodes = append(p.dumpNodes, o.Node)
	case transition.Reads(o.At.Kind):
		tree, err := o.Tree()
		if err != nil {
			return fmt.Errorf("%s: %w", o.NameAndLocation(), err)
		}
		p.dump.Read(expansion.Object(tree))
		list, _ := machine.Find([]object.Object{o}) // the API server has read it
		for _, m := range list {
			p.dump.Use(m, "")
		}
	}
	return nil
}

// request prepares the states before and after each change.
func (p *Planner) request(args []string, function engine.Function, changes Changes) (transition.Request, finding.List, error) {
	out := transition.Request{Dump: &p.dump, Leftovers: p.Leftovers, Unknown: p.unknown()}
	if function.Nodes == nil {
		function.Nodes = p.dumpNodes
	}
	function.Live = p.live
	hasPaths := len(args) > 0 || len(p.CRPaths) > 0
	now, found, err := p.now(function, hasPaths)
	if err != nil || found.Failed() {
		return out, found, err
	}
	out.Now = now
	var chain transition.Chain
	if now != nil {
		chain.Now(*now)
		out.CR = transition.Object{Kind: "HyperConverged", Namespace: now.CR.Namespace, Name: now.CR.Name, Reason: "the CR of the dump"}
	}
	var git *forecast.Input
	if hasPaths {
		if changes.Release.Declared() {
			function.Options.Flags["release"] = changes.ToRelease
		}
		prepared, list, err := p.committed(args, function)
		found = append(found, list...)
		if err != nil || found.Failed() {
			return out, found, err
		}
		switch {
		case prepared == nil && now == nil:
			return out, nil, fmt.Errorf("%w: the paths have machines alone", transition.ErrNoCR)
		case prepared == nil && changes.None() && !p.Leftovers:
			return out, nil, ErrNothingAsked
		case prepared != nil && prepared.Input == nil:
			return out, append(found, refused(*prepared)...), nil
		case prepared != nil:
			git = prepared.Input
			out.CR = transition.Object{Kind: "HyperConverged", Namespace: git.CR.Namespace, Name: git.CR.Name, Reason: prepared.Object.File}
		}
	}
	if now == nil && git == nil {
		return out, nil, fmt.Errorf("%w: pass a path with the CR, or a dump with it (--live)", transition.ErrNoCR)
	}
	if err := changes.checkUpgrade(now); err != nil {
		return out, nil, err
	}
	out.Unknown = append(out.Unknown, changes.takeReleaseOfDump(now, git)...)
	out.Unknown = append(out.Unknown, p.keepGateOfDump(now, git)...)
	if start := cmp.Or(git, now); !start.Release.Declared() && !changes.Release.Declared() {
		out.Unknown = append(out.Unknown, fmt.Sprintf(
			"the release: nothing declares it (--release), so the plan is for HCO %s, the newest that goldenarch knows", v1alpha1.NewestVerified()))
	}
	if newest := cmp.Or(changes.Release, cmp.Or(git, now).Release); !slices.ContainsFunc(found, func(f finding.Finding) bool { return f.ID == finding.ReleaseNewer }) {
		found = append(found, function.Unverified(newest, finding.Object{}, "")...)
	}
	changes.addTo(&chain, now, git)
	if wrong := changes.unknownNodes(&chain, now, git); wrong != nil {
		return out, append(found, wrong...), nil
	}
	out.Changes = chain.Changes()
	out.Unknown = append(out.Unknown, chain.Unknown()...)
	return out, found, nil
}

// refused reports why the operators get nothing of a CR.
func refused(one prediction.Prepared) finding.List {
	var found finding.List
	for _, r := range one.Refusals() {
		found = append(found, finding.Finding{ID: finding.PlanStopped, Severity: finding.Error, Object: one.Object, Text: r.String(), Do: "correct the CR"})
	}
	if len(found) == 0 {
		found = append(found, notPrepared(one.Object))
	}
	return append(found, one.Warnings...)
}

// notPrepared reports a CR that goldenarch cannot read as the operators do.
func notPrepared(at finding.Object) finding.Finding {
	return finding.Finding{
		ID: finding.PlanStopped, Severity: finding.Error, Object: at, Text: "goldenarch cannot read this CR as the operators do, so there is no plan",
		Do: "correct the CR",
	}
}

// now returns what the operators of the dump work on; nil if the dump has no CR. Without paths,
// flags and the file of --config state what the dump does not show.
func (p *Planner) now(function engine.Function, hasPaths bool) (*forecast.Input, finding.List, error) {
	if len(p.liveCRs) == 0 {
		return nil, nil, nil
	}
	var steps []engine.Step
	if hasPaths {
		function.Options.Flags = nil // they are about the cluster of the paths; the dump speaks for itself
	} else {
		var err error
		if steps, err = p.newReader().steps(nil); err != nil {
			return nil, nil, err
		}
	}
	list, found := function.Prepare(p.live, steps, prediction.AsWritten)
	if len(list) != 1 || list[0].Input == nil {
		found = append(found, notPrepared(p.liveCRs[0].At))
		for _, one := range list {
			found = append(found, one.Warnings...)
		}
		return nil, found, nil
	}
	in := list[0].Input
	if in.LiveRelease.Declared() {
		in.Release = in.LiveRelease
	}
	return in, slices.DeleteFunc(found, func(f finding.Finding) bool { return f.Severity != finding.Error }), nil
}

// committed returns what the operators work on with the CR of the paths; nil if the paths have
// machines and no CR. It notes which golden images the machines use.
func (p *Planner) committed(args []string, function engine.Function) (*prediction.Prepared, finding.List, error) {
	in, found, err := p.readOne(args, function)
	if err != nil || found.Failed() {
		return nil, found, err
	}
	machines, unread := machine.Find(object.All(in.items))
	for _, m := range machines {
		p.dump.Use(m, m.At.File)
	}
	list, more := in.function.Prepare(in.items, in.steps, prediction.ThroughAdmission)
	written, _ := in.function.Prepare(in.items, in.steps, prediction.AsWritten) // admission states the gate in each CR
	p.statesGate = !slices.ContainsFunc(written, func(one prediction.Prepared) bool { return one.Input != nil && !one.Input.CR.Gate.IsStated() })
	found = in.located(append(append(found, unread...), more...))
	switch {
	case len(list) == 1:
		return &list[0], found, nil
	case len(list) == 0 && len(machines) > 0:
		return nil, slices.DeleteFunc(found, func(f finding.Finding) bool { return f.ID == finding.NoCR }), nil
	case found.Failed():
		return nil, found, nil
	case len(list) == 0:
		return nil, found, fmt.Errorf("the input has no HyperConverged: name the file or the directory of one cluster")
	}
	names := make([]string, len(list))
	for i, one := range list {
		names[i] = one.Object.String()
		if one.Object.File != "" {
			names[i] += " (" + one.Object.File + ")"
		}
	}
	return nil, append(found, finding.Finding{
		ID: finding.CustomizeWhichCR, Severity: finding.Error,
		Text: fmt.Sprintf("the input has %d CRs, and a plan is for one cluster: %s", len(list), finding.FirstOf(names)),
		Do:   "name the file or the directory of one of them",
	}), nil
}

// unknown says what the dump does not show.
func (p *Planner) unknown() []string {
	if p.DumpFile == "" {
		return []string{"what is on the cluster: there is no dump (--live), and the plan begins with an empty cluster"}
	}
	out := []string{}
	if len(p.liveCRs) == 0 {
		out = append(out, "what the operators work on now: the dump has no HyperConverged, so nothing can be undone by this plan")
	}
	if len(p.dumpNodes) == 0 && len(p.Nodes) == 0 {
		out = append(out, "the nodes: the dump has none; the plan takes the architectures that the CR's status or the configuration states")
	}
	return append(out, p.dump.Lacks()...)
}
