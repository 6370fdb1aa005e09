package engine

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/engine/configuration"
	"github.com/goldenarch/goldenarch/internal/engine/prediction"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/machine"
	"github.com/goldenarch/goldenarch/internal/machine/facts"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
)

// machineCheck is what a check says about the machines of its items.
type machineCheck struct {
	*run // what it judges

	result *check.Result
	known  machine.Known
	// guessed says that nobody states that the known cluster is the one of the machines.
	guessed bool
}

// checkMachines adds what the check says about the machines of the items.
func (j *judgement) checkMachines(ctx context.Context, items []*yaml.RNode) {
	if j.step.function.Machines != MachinesNone {
		m := machineCheck{run: j.run, result: &j.Result}
		m.check(ctx, object.All(items))
	}
}

// add adds findings to those of the check.
func (m *machineCheck) add(found finding.List) {
	m.result.Findings = append(m.result.Findings, found...)
}

// check judges the machines among the objects by what is known about their cluster.
func (m *machineCheck) check(ctx context.Context, objects []object.Object) {
	list, unread := machine.Find(objects)
	copiers := machine.Copiers(objects)
	crons := slices.DeleteFunc(machine.Crons(objects), func(o object.Object) bool { return isEmittedFile(o.At.File) })
	m.readFacts(objects, len(list)+len(copiers) > 0)
	m.add(unread)
	if len(list)+len(copiers)+len(crons) == 0 {
		return
	}
	m.known.Nodes = nodesOf(m.in, m.config.Settings, v1alpha1.WorkloadArchitecturesSpec{})
	if m.known.Facts == nil && len(m.result.CRs) == 0 {
		m.addStated()
	}
	if s := m.decided.Joined; len(s) == 1 { // of several CRs, nothing says which one is that of the machines
		m.known.Placement = cluster.Placement(s[0].CR.Workloads)
	}
	m.known.Streams = m.in.Streams
	ofCrons := machine.ImagesOfCrons(crons, m.in.Streams)
	m.lookUpImages(ctx, append(machine.ImagesOf(list, objects, m.in.Streams), ofCrons...), machine.ImagesOfPods(list, crons))
	m.add(m.known.ReadObjects(objects))
	m.checkCrons(crons, ofCrons, len(list)+len(copiers) == 0)
	m.result.Machines = m.known.Judge(list)
	if m.guessed {
		m.lowerGuesses(list, objects)
	}
	m.result.MachinesKnown = m.known.KnowsAny(m.result.Machines)
	for _, one := range m.result.Machines {
		m.add(one.Findings)
	}
	m.add(m.known.Missing(m.result.Machines, copiers))
	m.add(object.NotApplied(machine.Objects(list), m.function.Carriers, "machine"))
	m.result.Findings = explainMissingCR(m.result.Findings, m.known.Facts != nil, m.result.MachinesKnown || len(list)+len(copiers) == 0)
}

// checkCrons checks the DataImportCrons that somebody has written, with the images that they import. alone says that there are no
// machines: then an unknown image leaves nothing that the check says.
func (m *machineCheck) checkCrons(crons []object.Object, images []string, alone bool) {
	m.add(m.known.CheckCrons(crons, m.madeCrons()))
	for _, o := range crons {
		m.result.Crons = append(m.result.Crons, o.At)
	}
	if !alone || len(m.result.CRs) > 0 {
		return
	}
	for _, text := range images {
		if _, ok := m.known.Images[text]; !ok {
			m.add(finding.List{{
				ID: finding.Unresolved, Severity: finding.Error, Object: m.result.Crons[0],
				Text: fmt.Sprintf("goldenarch could not look up the image %q of a DataImportCron, so it does not know what the import brings", text),
				Do:   "correct the reference, log in where goldenarch runs, or state what the image has: --image " + text + "=ARCH",
			}})
		}
	}
}

// madeCrons returns the DataImportCrons that SSP makes of the only CR; none if there are several, because nothing says which one is that
// of the cluster.
func (m *machineCheck) madeCrons() []machine.MadeCron {
	predicted := prediction.OfClusters(m.result.Forecast)
	if len(predicted) != 1 || predicted[0].Shown() == nil {
		return nil
	}
	var out []machine.MadeCron
	for _, c := range predicted[0].Shown().Crons {
		if c.Outcome == forecast.Created || c.Outcome == forecast.ImportFails {
			out = append(out, machine.MadeCron{Namespace: c.Namespace, Name: c.Name, DataSource: c.ManagedDataSource, Template: c.Template})
		}
	}
	return out
}

// lowerGuesses makes warnings of the errors of machines that depend on the DataSources of a cluster that is only probably theirs.
// An error without these DataSources, such as one about the nodes, stays.
func (m *machineCheck) lowerGuesses(list []machine.Found, objects []object.Object) {
	stated := *m.known.Facts
	stated.GoldenImages = v1alpha1.FactsImages{}
	sure := m.known
	sure.Facts = &stated
	_ = sure.ReadObjects(objects) // what it cannot read is reported already
	for i, one := range sure.Judge(list) {
		m.result.Machines[i].LowerUnless(one)
	}
}

// FactsOfOnly returns the facts about the cluster of the only CR among predictions; nil if there is none, or several.
func FactsOfOnly(list []forecast.Prediction) *v1alpha1.ClusterFactsSpec {
	if all := predictedFacts(prediction.OfClusters(list)); len(all) == 1 {
		return &all[0]
	}
	return nil
}

// explainMissingCR says why a check of machines without a CR knows nothing about them. Where
// something states the cluster, a missing CR is no finding.
func explainMissingCR(found finding.List, stated, known bool) finding.List {
	const write = "write its facts with 'goldenarch forecast -o facts' where its HyperConverged CR is, and pass them with --facts. " +
		"To pass nevertheless, use --allow-empty"
	i := slices.IndexFunc(found, func(f finding.Finding) bool { return f.ID == finding.NoCR })
	if i < 0 {
		return found
	}
	found[i].Unchanged = finding.Advice{} // it says what follows
	switch {
	case known:
		return slices.Delete(found, i, i+1)
	case stated:
		found[i].Text = "there is nothing to check: the input has virtual machines or their disks alone, and goldenarch cannot say of any whether it starts"
		found[i].Do = "do what the report says of the machines. To pass nevertheless, use --allow-empty"
	default:
		found[i].Text = "there is nothing to check: the input has virtual machines or their disks alone, and nothing states the cluster that runs them"
		found[i].Do = "state it with --release, --workload-architectures and --control-plane-architectures. Or " + write
	}
	return found
}

// addStated adds what the user states about the cluster without a CR and without facts: flags,
// the configuration, objects with node facts, or a live CR. It reports what contradicts itself.
// Nothing states DataSources, so they stay unknown.
func (m *machineCheck) addStated() {
	spec := m.config.Settings
	live := m.in.Live
	spec, _ = live.WithRelease(spec)
	nodes := m.in.Facts
	if stated, says := cluster.FromConfig(spec.Cluster); says {
		nodes = slices.Concat([]cluster.Facts{stated}, nodes)
	}
	var placement cluster.Placement
	if live.Live != nil {
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
	m.add(found)
	if !spec.Release.Declared() && len(architectures.Workload)+len(architectures.ControlPlane) == 0 {
		return
	}
	stated := facts.Stated(spec.Release, architectures)
	if live.Live != nil {
		stated.Source = v1alpha1.FactsSource{Kind: live.At.Kind, Namespace: live.At.Namespace, Name: live.At.Name}
		stated.KubeVirt.MultiArchitecture = live.CR.Gate.On()
		stated.KubeVirt.CPUModel = live.CR.DefaultCPUModel
	}
	m.known.Facts, m.known.Stated, m.known.Placement = &stated, true, placement
}

// readFacts reads what is known about the cluster: what the prediction for the only CR says, or
// else the facts that the user passes, or else those of the objects. It reports facts that do
// not agree with their CR, and facts of several clusters if machines need one.
func (m *machineCheck) readFacts(objects []object.Object, needed bool) {
	var given []*v1alpha1.ClusterFacts
	var found finding.List
	isUntrusted := false
	if len(m.function.Facts) == 0 {
		given, isUntrusted, found = m.factsOfInput(objects)
	} else { // those that the user passes are of one cluster
		given, found = factsPassed(m.function.Facts)
	}
	m.add(found)
	predicted := predictedFacts(prediction.OfClusters(m.result.Forecast))
	used := usedFacts
	switch {
	case len(predicted) == 1:
		m.known.Facts, m.known.SameCommit, used = &predicted[0], m.function.Live == nil, usedCR
	case len(given) == 1:
		m.known.Facts = &given[0].Spec
		if isUntrusted && needed {
			m.add(finding.List{{
				ID: finding.FactsUntrusted, Severity: finding.Info,
				Text: "the facts of the cluster come from the checked commit, which may have changed them: " + v1alpha1.ClusterFactsKind + "/" + given[0].Name,
				Do:   "state them with --facts and a file outside of the tree, a Fleet outside of the tree, or --base",
			}})
		}
	case len(given) > 1 && needed:
		m.add(severalFacts(given))
	case m.function.Guess != nil:
		m.known.Facts, m.guessed = m.function.Guess, true
	}
	for _, one := range given {
		m.add(disagreement(predicted, one.Spec, used))
	}
}

// factsOfInput returns the facts that objects have. Of an untrusted input, those of the policy
// count in their place, if it has some. It reports whether only an untrusted input states them.
func (m *machineCheck) factsOfInput(objects []object.Object) (given []*v1alpha1.ClusterFacts, isUntrusted bool, found finding.List) {
	given, found = factsAmong(objects)
	policy := m.function.Policy
	if policy == nil {
		return given, false, found
	}
	trusted, wrong := factsAmong(object.All(policy.Items))
	if len(trusted) == 0 && !wrong.Failed() {
		return given, true, found
	}
	for _, one := range given {
		if !slices.ContainsFunc(trusted, func(other *v1alpha1.ClusterFacts) bool { return reflect.DeepEqual(other.Spec, one.Spec) }) {
			found = append(found, finding.Finding{
				ID: finding.PolicyDiffers, Severity: finding.Info,
				Object: finding.Object{APIVersion: one.APIVersion, Kind: one.Kind, Namespace: one.Namespace, Name: one.Name},
				Text:   fmt.Sprintf("this commit states facts that do not count, because those of %s count", policy.Place()),
				Do:     "review the difference: it has an effect once the commit is merged",
			})
		}
	}
	return trusted, false, append(found, wrong...)
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

// What machines are checked with if facts do not agree with their CR.
const (
	usedFacts = "Machines are checked with the old facts"
	usedCR    = "Machines of this input are checked with the CR, and those of other repositories with the old facts"
)

// predictedFacts returns the facts of each prediction for a HyperConverged or SSP CR.
func predictedFacts(list []forecast.Prediction) []v1alpha1.ClusterFactsSpec {
	var out []v1alpha1.ClusterFactsSpec
	for _, one := range list {
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
	return disagreement(predictedFacts(list), out[0].Spec, usedFacts)
}

// lookUpImages looks up the images of disks. An image that cannot be looked up is unknown, which
// the check says of its machines. It reports a lock, or mirrors, that cannot be read. ofPods are the images that pods of CDI pull.
func (m *machineCheck) lookUpImages(ctx context.Context, texts, ofPods []string) {
	if len(texts) == 0 {
		return
	}
	images := newPodImages(texts, nil, m.config.Settings.Images)
	lookup, wrong := newLookup(m.loadedStep, m.in, images.refs)
	if wrong.Failed() {
		all := finding.Collector{List: m.result.Findings}
		all.AddDistinct(configuration.Locate(wrong, m.config)...)
		m.result.Findings = all.List
		return
	}
	images.byCDI = references(ofPods)
	found := lookup.answersForPods(ctx, images)
	m.add(slices.DeleteFunc(found, func(f finding.Finding) bool { return f.ID != finding.BootcImage }))
	m.known.Images = map[string]machine.Image{}
	for text, a := range images.answers {
		if a.Err == nil {
			m.known.Images[text] = machine.Image{Architectures: a.Architectures, Single: a.Single, Digest: a.Digest}
		}
	}
}
