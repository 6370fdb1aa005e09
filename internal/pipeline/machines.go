package pipeline

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/check"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/livecr"
	"github.com/goldenarch/goldenarch/internal/machine"
	"github.com/goldenarch/goldenarch/internal/machine/facts"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/prediction"
	"github.com/goldenarch/goldenarch/internal/settings"
)

// MachineMode says what a check does about virtual machines.
type MachineMode string

// The values of --machines.
const (
	MachinesCheck MachineMode = "Check"
	MachinesNone  MachineMode = "None"
)

// checkMachines adds to a check what it says about the machines of the items.
func (f Function) checkMachines(ctx context.Context, c *check.Result, items []*yaml.RNode, ran result, spec *settings.Settings) {
	if f.Machines == MachinesNone {
		return
	}
	objects := object.All(items)
	list, unread := machine.Find(objects)
	copiers := machine.Copiers(objects)
	given, found := f.givenFacts(objects)
	known, more := f.knownOf(c, given, len(list)+len(copiers) > 0)
	c.Findings = append(c.Findings, append(found, more...)...)
	check.FailOnDuplicateKeys(unread)
	c.Findings = append(c.Findings, unread...)
	if len(list)+len(copiers) == 0 {
		return
	}
	known.Nodes = nodesOf(ran.in, spec, v1alpha1.WorkloadArchitecturesSpec{})
	if known.Facts == nil && len(c.CRs) == 0 {
		c.Findings = append(c.Findings, f.addStated(&known, ran.in, spec)...)
	}
	if s := ran.all.Subjects; len(s) == 1 { // of several CRs, nothing says which one is that of the machines
		known.Placement = cluster.Placement(s[0].CR.Workloads)
	}
	known.Streams = ran.in.Streams
	known.Images, found = f.machineImages(ctx, machine.ImagesOf(list, objects, ran.in.Streams), ran, spec)
	c.Findings = addDistinct(c.Findings, found)
	c.Findings = append(c.Findings, known.Learn(objects)...)
	c.Machines = known.Judge(list)
	c.MachinesKnown = known.KnowsAny(c.Machines)
	for _, one := range c.Machines {
		c.Findings = append(c.Findings, one.Findings...)
	}
	c.Findings = append(c.Findings, known.Summary(list, c.Machines, copiers)...)
	c.Findings = explainMissingCR(c.Findings, known.Facts != nil, c.MachinesKnown)
}

// explainMissingCR says why a check of machines without a CR knows nothing about them. Where
// something states the cluster, a missing CR is no finding.
func explainMissingCR(found finding.List, stated, known bool) finding.List {
	const write = "write its facts with 'goldenarch forecast -o facts' where its HyperConverged CR is, and pass them with --facts"
	i := slices.IndexFunc(found, func(f finding.Finding) bool { return f.ID == finding.NoCR })
	switch {
	case i < 0:
	case known:
		return slices.Delete(found, i, i+1)
	case stated:
		found[i].Text = "the input has virtual machines, and what is stated about their cluster does not decide the architecture of any"
		found[i].Do = "state what the warnings name, or " + write
	default:
		found[i].Text = "the input has virtual machines, and nothing states the cluster that runs them"
		found[i].Do = "state it with --release, --workload-architectures and --control-plane-architectures. Or " + write
	}
	return found
}

// addStated adds what the user states about the cluster without a CR and without facts: flags,
// the configuration, objects with node facts, or a live CR. It reports what contradicts itself.
// Nothing states DataSources, so they stay unknown.
func (f Function) addStated(known *machine.Known, in input.Input, spec *settings.Settings) finding.List {
	live, _ := livecr.Read(f.Live, f.source().MayBeLive(in.Objects)) // the run reports a wrong one
	spec, _ = live.WithRelease(spec)
	nodes := in.Facts
	if stated, says := cluster.FromConfig(spec.Cluster); says {
		nodes = slices.Concat([]cluster.Facts{stated}, nodes)
	}
	var placement cluster.Placement
	if live != nil {
		shown, _ := live.NodeFacts(live.CR) // they count for the placement of their own CR
		nodes = slices.Concat(nodes, shown)
		placement = cluster.Placement(live.CR.Workloads)
	}
	architectures, found := cluster.Decide(nodes, placement, arch.NamedOne(spec.SingleArchitecture))
	found = slices.DeleteFunc(found, func(f finding.Finding) bool {
		return f.Severity != finding.Error || f.ID == finding.NoNodeFacts && len(nodes) == 0
	})
	for i := range found {
		found[i].Severity = finding.Warning
	}
	if !spec.Release.Declared() && len(architectures.Workload)+len(architectures.ControlPlane) == 0 {
		return found
	}
	stated := facts.Stated(spec.Release, architectures)
	if live != nil {
		stated.Source = v1alpha1.FactsSource{Kind: live.At.Kind, Namespace: live.At.Namespace, Name: live.At.Name}
		stated.KubeVirt.MultiArchitecture = live.CR.Gate.On()
	}
	known.Facts, known.Stated, known.Placement = &stated, true, placement
	return found
}

// givenFacts returns the facts that the user passes, or else those that objects of the input
// have, each once. Those that the user passes are of one cluster.
func (f Function) givenFacts(objects []object.Object) ([]*v1alpha1.ClusterFacts, finding.List) {
	if len(f.Facts) == 0 {
		return factsAmong(objects)
	}
	return factsPassed(f.Facts)
}

// factsPassed returns the facts of the items that the user passes: one, or none with an error.
func factsPassed(items []*yaml.RNode) ([]*v1alpha1.ClusterFacts, finding.List) {
	out, found := factsAmong(object.All(items))
	switch {
	case found.Failed():
		return nil, found
	case len(out) == 0:
		return nil, finding.List{{
			ID: finding.FactsInvalid, Severity: finding.Error, Text: "the file of --facts has no " + v1alpha1.ClusterFactsKind,
			Do: "write one with 'goldenarch forecast -o facts'",
		}}
	case len(out) > 1:
		return nil, severalFacts(out)
	}
	return out, nil
}

// factsAmong returns the facts that objects have, each once.
func factsAmong(objects []object.Object) ([]*v1alpha1.ClusterFacts, finding.List) {
	var out []*v1alpha1.ClusterFacts
	for _, o := range objects {
		if !kinds.IsGoldenarch(o.At, v1alpha1.ClusterFactsKind) {
			continue
		}
		tree, err := o.Tree()
		var one *v1alpha1.ClusterFacts
		if err == nil {
			one, err = v1alpha1.DecodeClusterFacts(tree)
		}
		if err != nil {
			return nil, finding.List{{
				ID: finding.FactsInvalid, Severity: finding.Error, Object: o.At, Text: err.Error(), Do: "write the facts again with 'goldenarch forecast -o facts'",
			}}
		}
		if !slices.ContainsFunc(out, func(other *v1alpha1.ClusterFacts) bool { return reflect.DeepEqual(other.Spec, one.Spec) }) {
			out = append(out, one)
		}
	}
	return out, nil
}

// severalFacts reports facts of which nothing says which ones are those of the machines.
func severalFacts(list []*v1alpha1.ClusterFacts) finding.List {
	names := make([]string, len(list))
	for i, one := range list {
		names[i] = fmt.Sprintf("%s (of %s %s/%s)", one.Name, one.Spec.Source.Kind, one.Spec.Source.Namespace, one.Spec.Source.Name)
	}
	slices.Sort(names)
	return finding.List{{
		ID: finding.FactsInvalid, Severity: finding.Error,
		Text: fmt.Sprintf("there are %d different %s, and machines run on one cluster: %s", len(list), v1alpha1.ClusterFactsKind, finding.FirstOf(names)),
		Do:   "pass a file with one of them: --facts FILE",
	}}
}

// knownOf returns what is known about the cluster: what the prediction for the only CR says, or
// else the facts that the user passes. It reports facts that do not agree with their CR, and
// facts of several clusters if machines need one.
func (f Function) knownOf(c *check.Result, given []*v1alpha1.ClusterFacts, needed bool) (machine.Known, finding.List) {
	var known machine.Known
	predicted := predictedFacts(c.Forecast)
	var found finding.List
	used := usedFacts
	switch {
	case len(predicted) == 1:
		known.Facts, known.SameCommit, used = &predicted[0], f.Live == nil, usedCR
	case len(given) == 1:
		known.Facts = &given[0].Spec
	case len(given) > 1 && needed:
		found = severalFacts(given)
	}
	for _, one := range given {
		found = append(found, disagreement(predicted, one.Spec, used)...)
	}
	return known, found
}

// What machines are checked with if facts do not agree with their CR.
const (
	usedFacts = "Machines are checked with the old facts"
	usedCR    = "Machines of this input are checked with the CR, and those of other repositories with the old facts"
)

// predictedFacts returns the facts of each prediction for a HyperConverged or SSP CR.
func predictedFacts(list []forecast.Prediction) []v1alpha1.ClusterFactsSpec {
	var out []v1alpha1.ClusterFactsSpec
	for _, one := range prediction.OfClusters(list) {
		out = append(out, facts.Of(one))
	}
	return out
}

// disagreement reports facts that are those of none of the predictions for their CR. used says
// what machines are checked with.
func disagreement(predicted []v1alpha1.ClusterFactsSpec, given v1alpha1.ClusterFactsSpec, used string) finding.List {
	var differ []string
	for _, one := range predicted {
		if one.Source != given.Source {
			continue
		}
		if differ = facts.Differences(one, given); len(differ) == 0 {
			return nil
		}
	}
	if len(differ) == 0 {
		return nil
	}
	return finding.List{{
		ID: finding.FactsDisagree, Severity: finding.Warning,
		Text: fmt.Sprintf("the facts about %s/%s no longer agree with the CR: %s. %s",
			given.Source.Kind, given.Source.Name, finding.FirstOf(differ), used),
		Do: "write them again with 'goldenarch forecast -o facts'",
	}}
}

// StaleFacts reports facts that no longer agree with the CR that they came from, if that CR is
// among the predictions.
func StaleFacts(list []forecast.Prediction, given []*yaml.RNode) finding.List {
	out, found := factsPassed(given)
	if len(out) == 0 || found.Failed() {
		return nil // the check of the machines reports it
	}
	var predicted []v1alpha1.ClusterFactsSpec
	for _, one := range list {
		predicted = append(predicted, facts.Of(one))
	}
	return disagreement(predicted, out[0].Spec, usedFacts)
}

// machineImages looks up the images of disks. An image that cannot be looked up is unknown, which
// the check says of its machines. It reports a lock that cannot be read.
func (f Function) machineImages(ctx context.Context, texts []string, ran result, spec *settings.Settings) (map[string]machine.Image, finding.List) {
	if len(texts) == 0 {
		return nil, nil
	}
	locks, wrong := f.readLocks(ran.in, spec.Lock.Mode)
	if wrong.Failed() {
		return nil, wrong
	}
	answers, _ := f.askForPods(ctx, texts, ran.in, locks, v1alpha1.WorkloadArchitecturesSpec{}, spec)
	out := map[string]machine.Image{}
	for text, a := range answers {
		if a.Err == nil {
			out[text] = machine.Image{Architectures: a.Architectures, Index: !a.Single, Digest: a.Digest}
		}
	}
	return out, nil
}
