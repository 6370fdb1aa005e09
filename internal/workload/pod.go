package workload

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workload/affinity"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// pod is a PodSpec with what its images prove.
type pod struct {
	Run
	podspec.Place
	// proven has the architectures that all images have of which something is known. The
	// others can only narrow it: the pod fails on every other architecture. It runs on these
	// only if resolved. wanted are those of them that goldenarch may write, if resolved.
	proven, wanted arch.Set
	resolved       bool
	// sure has the architectures that all images have of which something is proven. It
	// differs from proven if assumed: the configuration says what to assume of the others.
	sure    arch.Set
	assumed bool
	// writable says that the mode Affinity writes into the pod.
	writable bool
	// decided says that the node affinity is what the images need now.
	decided bool
	// images describes the architectures of each image.
	images []string
	// counted are the images whose architectures count, with these.
	counted []countedImage
	found   finding.List
}

// countedImage is an image with its architectures, and the field that names it.
type countedImage struct {
	path     string
	has      arch.Set
	isVolume bool
	says     string // what is said of it
}

// causedBy makes a finding show the line of the first image that lacks one of the
// architectures: a patch may set it, and the pod is elsewhere.
func (p *pod) causedBy(f *finding.Finding, lacking arch.Set) {
	for _, image := range p.counted {
		if len(lacking.Minus(image.has)) > 0 {
			f.Cause = image.path
			return
		}
	}
}

// add adds a finding about a field of the PodSpec.
func (p *pod) add(id finding.ID, severity finding.Severity, field, text, do string) *finding.Finding {
	p.found = append(p.found, finding.Finding{
		ID: id, Severity: severity, Field: joined(p.Object.Path, p.Path, field), Text: text, Do: do,
		Object: finding.Object{APIVersion: p.Object.APIVersion, Kind: p.Object.Kind, Namespace: p.Object.Namespace, Name: p.Object.Name},
	})
	return &p.found[len(p.found)-1]
}

// prove computes the architectures that all images have, or that the operator has.
func (p *pod) prove() {
	if p.Package != "" {
		p.proveOperator()
		return
	}
	var counted, sure []arch.Set
	complete := true
	first := len(p.found)
	for _, image := range p.Place.Images() {
		if image.Omitted != "" {
			p.add(finding.ImageOmitted, finding.Info, image.Path, fmt.Sprintf("the image %q does not count: %s", image.Reference, image.Omitted), "")
			continue
		}
		set, known := p.architecturesOf(image)
		if known == proven || known == assumed {
			path := joined(p.Object.Path, p.Path, image.Path)
			if image.OfObject {
				path = joined(p.Object.Path, image.Path)
			}
			says := fmt.Sprintf("%s has %s", image.Reference, listed(set))
			if known == assumed {
				says = fmt.Sprintf("%s is taken to have %s", image.Reference, listed(set))
			}
			p.counted, p.images = append(p.counted, countedImage{path, set, image.IsVolume(), says}), append(p.images, says)
		}
		switch known {
		case proven:
			counted, sure = append(counted, set), append(sure, set)
		case assumed:
			counted, p.assumed = append(counted, set), true
		case unknown:
			complete = false
		case ignored:
		}
	}
	if len(sure) == 0 && !p.assumed {
		p.failCheck(p.found[first:])
	}
	p.sure = common(sure)
	p.intersect(counted, complete)
}

// common returns the architectures that all sets have.
func common(sets []arch.Set) arch.Set {
	if len(sets) == 0 {
		return nil
	}
	out := sets[0]
	for _, set := range sets[1:] {
		out = out.Intersect(set)
	}
	return out
}

// failCheck makes a check fail because of images of which nothing is proven, unless the
// configuration says to skip such pods.
func (p *pod) failCheck(found finding.List) {
	if p.Spec.Unresolved != "" {
		return
	}
	for i, f := range found {
		if f.ID == finding.PodUnresolved {
			found[i].Unchanged.Severity = finding.Error
		}
	}
}

// allKnown says that the architectures of all images are known.
const allKnown = true

// intersect combines what is known about the images.
func (p *pod) intersect(counted []arch.Set, complete bool) {
	if len(counted) == 0 {
		return
	}
	p.proven = common(counted)
	if !complete && len(p.proven) > 0 {
		return
	}
	p.wanted = p.limited(p.proven)
	// If images have no architecture in common, further images do not change that.
	p.resolved = true
	switch {
	case len(p.proven) == 0 && len(p.sure) > 0:
		p.resolved, p.proven = false, p.sure // the assumption cannot be true
		p.add(finding.NoCommonArch, finding.Warning, "",
			"the images of this pod have no architecture in common, if those of which nothing is proven have what spec.use says: "+
				p.proofs(), "correct spec.use, or state the architectures with imageArchitectures")
	case len(p.proven) == 0:
		f := p.add(finding.NoCommonArch, finding.Error, "",
			"no node can run this pod, because its images have no architecture in common: "+p.proofs(),
			"use images that have an architecture in common")
		if len(p.counted) > 0 {
			p.causedBy(f, p.counted[0].has)
		}
	case len(p.wanted) == 0:
		p.add(finding.NoCommonArch, finding.Error, "",
			fmt.Sprintf("the images have %s in common, and limitTo or restrictToCluster excludes all of it: %s", listed(p.proven), p.proofs()),
			"correct the configuration, or use other images")
	}
}

// listed returns architectures as a list for a sentence.
func listed(set arch.Set) string {
	if len(set) == 0 {
		return "no known architecture"
	}
	return strings.Join(set.Strings(), ", ")
}

// distinct returns the texts in their order, without duplicates.
func distinct(list []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, one := range list {
		if !seen[one] {
			seen[one] = true
			out = append(out, one)
		}
	}
	return out
}

func (p *pod) knowsNodes() bool { return len(p.Nodes.Known)+len(p.Nodes.Incomplete) > 0 }

// check reports problems with the constraints of a pod, given the architectures of its
// images.
func (p *pod) check(c affinity.Constraints) {
	if c.Required != nil && len(c.Required.NodeSelectorTerms) == 0 {
		return // reported
	}
	options := alternatives(c, p.namespaceSelector().Labels)
	if p.unmet(c, options) || p.Package != "" && p.checkOverride() {
		return
	}
	if len(p.proven) == 0 {
		return
	}
	for _, w := range options {
		p.checkAlternative(w, c.NodeName)
	}
	if p.resolved && len(options) > 0 && !p.found.Failed() {
		p.checkNarrow(options)
	}
}

// checkAlternative reports architectures that an alternative admits and the images lack. nodeName is the node
// that the pod names, "" for none.
func (p *pod) checkAlternative(w alternative, nodeName string) {
	admitted := p.admitted(w)
	lacking, severity := p.lacking(admitted)
	switch {
	case len(lacking) > 0 && nodeName != "":
		p.add(finding.ConstraintTooWide, severity, w.field,
			fmt.Sprintf("the node %q has %s, which the images of this pod lack: %s", nodeName, listed(lacking), p.proofs()),
			"name another node, or use other images")
	case len(lacking) > 0 && w.ofNamespace:
		p.add(finding.ConstraintTooWide, severity, w.field,
			fmt.Sprintf("%s admits nodes with %s, where %s: %s", p.namespaceSelector().in(p.Object.Namespace), listed(lacking), p.fails("this pod", lacking, severity), p.proofs()),
			p.namespaceSelector().advice(p.Object.Namespace)+", or use images that have "+listed(lacking))
	case len(lacking) > 0 && w.pinned:
		p.add(finding.ConstraintTooWide, severity, w.field,
			fmt.Sprintf("the term names a node with %s, where %s: %s", listed(lacking), p.fails("this pod", lacking, severity), p.proofs()),
			"name another node, or use images that have "+listed(lacking))
	case len(lacking) > 0 && w.constrained:
		f := p.add(finding.ConstraintTooWide, severity, w.field,
			fmt.Sprintf("the constraint admits nodes with %s, where %s: %s", listed(lacking), p.fails("this pod", lacking, severity), p.proofs()),
			fmt.Sprintf("remove %s from the constraint, or use images that have it", listed(lacking)))
		f.Proposed = p.proven.String()
	case len(lacking) > 0:
		f := p.add(finding.PodUnconstrained, severity, w.field,
			fmt.Sprintf("nothing keeps this pod from nodes with %s, where %s: %s", listed(lacking), p.fails("it", lacking, severity), p.proofs()),
			p.requiring())
		f.Proposed = p.proven.String()
		p.causedBy(f, lacking)
	case p.knowsNodes() || p.found.Failed() || !p.resolved:
	case w.constrained:
	case w.term != nil && affinity.NamesArch(*w.term) && len(w.lacking(p.proven)) == 0:
		// NotIn excludes all architectures that the images lack.
	default:
		p.add(finding.PodUnconstrained, finding.Info, w.field, p.unconstrained(w)+": "+p.proofs(),
			"state the architectures of the nodes to check it: --workload-architectures or spec.clusterArchitectures")
	}
}

// requiring says how to restrict the pod to the architectures of its images.
func (p *pod) requiring() string {
	do := fmt.Sprintf("require %s In [%s]", affinity.ArchLabel, listed(p.proven))
	if p.writable && p.MayWrite(p.Object) {
		do += ", or let goldenarch write it: --workloads Affinity"
	}
	return do
}

// maySatisfy reports whether a node may satisfy an alternative. Without node facts, it
// may be a node of any architecture.
func (p *pod) maySatisfy(w alternative) bool {
	if p.knowsNodes() {
		return p.Nodes.maySatisfy(w)
	}
	return eachArch().maySatisfy(w)
}

// admitted returns the architectures of the nodes that an alternative admits. If no nodes are known,
// it returns the architectures that it names.
func (p *pod) admitted(w alternative) arch.Set {
	placement := placementOf(w.selector, w.term)
	switch {
	case w.conflict:
		return nil
	case w.pinned:
		return p.Nodes.named().admitted(placement)
	case p.knowsNodes():
		return p.Nodes.admitted(placement)
	case w.constrained:
		return NodesOf(w.names()).admitted(placement)
	}
	return nil
}

// unconstrained says that a pod may run on nodes of any architecture.
func (p *pod) unconstrained(w alternative) string {
	if w.term != nil && affinity.NamesArch(*w.term) {
		return fmt.Sprintf("Exists and NotIn list no architectures, so the term admits others too, and the pod runs on nodes with %s only", listed(p.proven))
	}
	return fmt.Sprintf("the pod has no architecture constraint and runs on nodes with %s only", listed(p.proven))
}

// lacking returns the admitted architectures that the images lack, and how bad that is: what
// is proven comes first.
func (p *pod) lacking(admitted arch.Set) (arch.Set, finding.Severity) {
	if len(p.sure) > 0 {
		if lacking := admitted.Minus(p.sure); len(lacking) > 0 {
			return lacking, finding.Error
		}
	}
	return admitted.Minus(p.proven), p.severity(false)
}

// checkRequired reports the required architectures that an image lacks. [olm.Treat] does so for all images of an operator.
func (p *pod) checkRequired() {
	lacking := p.Required.Minus(p.proven)
	if len(lacking) == 0 || p.IsOperator(p.Object) {
		return
	}
	images := p.counted
	if p.Package != "" && p.resolved { // it names an operator in place of images
		images = []countedImage{{path: joined(p.Object.Path, p.Path), has: p.proven, says: p.proofs()}}
	}
	for _, image := range images {
		if missing := lacking.Minus(image.has); len(missing) > 0 {
			f := p.Lacks("this pod", missing, image.says)
			p.add(f.ID, f.Severity, "", f.Text, f.Do).Field = image.path
		}
	}
}

// checkNarrow reports architectures that the images have and the constraints omit.
// It ignores the other constraints on nodes.
func (p *pod) checkNarrow(options []alternative) {
	counts := p.wanted
	if p.knowsNodes() {
		counts = counts.Intersect(p.Nodes.All())
	}
	var admitted arch.Set
	for _, w := range options {
		if w.pinned {
			return
		}
		admitted = admitted.Union(NodesOf(counts).admitted(placementOf(w.selector, w.term)))
	}
	omitted := counts.Minus(admitted)
	switch required := omitted.Intersect(p.Required); {
	case len(required) > 0 && p.IsOperator(p.Object): // [olm.Treat] reports it
	case len(required) > 0:
		p.add(finding.ConstraintNarrow, finding.Error, options[0].field,
			fmt.Sprintf("the constraints omit %s, which all images of this pod have, and which --require names", listed(omitted)),
			fmt.Sprintf("add %s to the constraints%s", listed(required), p.Updating(p.Object)))
	case len(omitted) > 0:
		p.add(finding.ConstraintNarrow, finding.Info, options[0].field, fmt.Sprintf("the constraints omit %s, which all images of this pod have", listed(omitted)), "")
	}
}

// This file handles Subscriptions and ClusterExtensions. They have no images. What they say
// about nodes replaces the operator's own settings, as package override says.

// proveOperator uses the architectures that the configuration states for the operator, or
// else those that the lock has.
func (p *pod) proveOperator() {
	stated := arch.Named(p.Spec.Operators[p.Package]...)
	locked, versions := p.lockedOperator()
	set := stated
	switch {
	case len(stated) == 0 && len(locked) == 0:
		return
	case len(stated) == 0:
		set = locked
	case len(locked) > 0 && !slices.Equal(stated, locked):
		f := p.add(finding.OperatorDisagrees, finding.Warning, "",
			fmt.Sprintf("spec.operators of the configuration says that the operator %q has %s, but the lock proves %s (%s); goldenarch uses the configuration",
				p.Package, listed(stated), listed(locked), versions),
			"correct spec.operators, or remove its entry to use the lock")
		f.Current, f.Proposed = stated.String(), locked.String()
	}
	p.images = []string{fmt.Sprintf("the operator %s has %s", p.Package, listed(set))}
	p.sure = set
	p.intersect([]arch.Set{set}, allKnown)
}

// lockedOperator returns the architectures that the lock has for the operator, and the names
// of the versions that count.
func (p *pod) lockedOperator() (set arch.Set, versions string) {
	var names []string
	for i, o := range p.lockedVersions() {
		names = append(names, o.CSV)
		if has := arch.Named(o.Architectures...); i == 0 {
			set = has
		} else {
			set = set.Intersect(has)
		}
	}
	return set, strings.Join(names, ", ")
}

// lockedVersions returns the versions of the operator in the lock that count. A Subscription
// that keeps its version has that one. Any other may get each version.
func (p *pod) lockedVersions() []v1alpha1.LockedOperator {
	list := slices.DeleteFunc(slices.Clone(p.Operators), func(o v1alpha1.LockedOperator) bool { return o.Package != p.Package })
	if yamlnode.Text(p.Object.Node, "spec", "installPlanApproval") == "Manual" {
		starting := yamlnode.Text(p.Object.Node, "spec", "startingCSV")
		if i := slices.IndexFunc(list, func(o v1alpha1.LockedOperator) bool { return o.CSV == starting }); i >= 0 {
			return list[i : i+1]
		}
	}
	return list
}

// replacesAffinity reports whether the object replaces the operator's node affinity. A null
// field replaces nothing.
func (p *pod) replacesAffinity() bool {
	return yamlnode.Get(p.Node, "affinity", "nodeAffinity") != nil
}

// proofs describes the architectures of each image.
func (p *pod) proofs() string { return strings.Join(distinct(p.images), "; ") }

// unmet reports constraints that no node meets, and returns whether there are any. options are
// those of the pod with the node selector of its namespace.
func (p *pod) unmet(c affinity.Constraints, options []alternative) bool {
	if p.found.Failed() {
		return false // other findings report why no node fits: a name is wrong
	}
	all := p.Nodes.All()
	switch {
	case len(options) == 0:
		p.add(finding.NoNodeFits, finding.Error, affinity.RequiredPath,
			"no node meets the constraints of this pod: each term is empty, and an empty term selects no node", "remove the terms, or say what they are to select")
	case p.getsNone(c):
		p.add(finding.NoNodeFits, finding.Info, options[0].field,
			fmt.Sprintf("no node meets the constraints of this pod, so the %s has no pods: the nodes have %s", p.Object.Kind, listed(all)), "")
	case c.NodeName == "" && len(p.proven) > 0 && p.knowsNodes() && len(p.proven.Intersect(all)) == 0:
		severity := p.severity(len(p.sure) > 0 && len(p.sure.Intersect(all)) == 0)
		f := p.add(finding.NoNodeFits, severity, options[0].field,
			fmt.Sprintf("no node can run this pod: the nodes have %s, and on each of them %s: %s", listed(all), p.fails("it", all, severity), p.proofs()),
			"use images that have an architecture of the cluster")
		p.causedBy(f, all)
	case !slices.ContainsFunc(options, p.maySatisfy):
		p.addUnmet(c, options[0].field)
	default:
		return false
	}
	return true
}

// getsNone reports whether the object has no pods, because a node of another cluster may meet the constraints of its pod, and none of
// this one does. The controller of a DaemonSet makes a pod for each node that meets them (kubernetes pkg/controller/daemon:
// NodeShouldRunDaemonPod). Others make pods that stay Pending. The node selector of the namespace does not count, because only the
// controller of OpenShift reads it (openshift/kubernetes pkg/controller/daemon/patch_nodeselector.go).
func (p *pod) getsNone(c affinity.Constraints) bool {
	options := alternatives(c, nil)
	return p.Object.Kind == "DaemonSet" && c.NodeName == "" && !slices.ContainsFunc(options, p.maySatisfy) &&
		slices.ContainsFunc(options, eachArch().maySatisfy)
}

// addUnmet reports that no node meets the constraints. It names what causes that: the node
// selector of the namespace, the node that the pod names, or the constraints of the pod.
func (p *pod) addUnmet(c affinity.Constraints, field string) {
	nodes, do := "", "correct one of them"
	why := "no node can meet the constraints of this pod: they contradict each other"
	if p.knowsNodes() {
		nodes = ": the nodes have " + listed(p.Nodes.All())
		why, do = "no node meets the constraints of this pod"+nodes, "correct the constraints, or what is stated of the nodes"
	}
	switch selector := p.namespaceSelector(); {
	case len(selector.Labels) > 0 && slices.ContainsFunc(alternatives(c, nil), p.maySatisfy):
		why = fmt.Sprintf("no node meets the constraints of this pod together with %s%s", selector.in(p.Object.Namespace), nodes)
		do = selector.advice(p.Object.Namespace)
	case c.NodeName == "":
	case p.Nodes.isOther(c.NodeName):
		why, do = fmt.Sprintf("the node %q does not run Linux", c.NodeName), "name another node, or require its operating system: spec.os"
	case !p.Nodes.has(c.NodeName):
		why = fmt.Sprintf("the pod names the node %q, which the Nodes of the input lack, so no kubelet runs it", c.NodeName)
		do = "name a node of the cluster, or remove nodeName"
	default:
		why = fmt.Sprintf("the pod names the node %q, which does not meet its constraints, so the kubelet rejects the pod", c.NodeName)
		do = "correct the constraints, or name another node"
	}
	p.add(finding.NoNodeFits, finding.Error, field, why, do)
}

// namespaceSelector returns the node selector that the cluster adds to the pod.
func (p *pod) namespaceSelector() NodeSelector { return p.Selectors[p.Object.Namespace] }

// in describes the node selector of a namespace.
func (s NodeSelector) in(namespace string) string {
	var labels []string
	for _, key := range slices.Sorted(maps.Keys(s.Labels)) {
		labels = append(labels, key+"="+s.Labels[key])
	}
	text := strings.Join(labels, ",")
	if s.FromScheduler {
		return fmt.Sprintf("spec.defaultNodeSelector of the Scheduler %q (%s), which the namespace %q does not override", "cluster", text, namespace)
	}
	return fmt.Sprintf("the node selector of the namespace %q (%s)", namespace, text)
}

// advice says where to correct the node selector of a namespace.
func (s NodeSelector) advice(namespace string) string {
	if s.FromScheduler {
		return fmt.Sprintf("give the Namespace %q the annotation openshift.io/node-selector, which may be empty, or correct the pod", namespace)
	}
	return fmt.Sprintf("correct the annotation %s of the Namespace %q, or the constraints of the pod", s.Annotation, namespace)
}

// isOther reports whether a node of this name runs another system than Linux.
func (n Nodes) isOther(name string) bool { return slices.Contains(n.Others, name) }

// has reports whether a node of this name may exist. Nodes without a name may have it.
func (n Nodes) has(name string) bool {
	return len(n.Incomplete) > 0 || slices.ContainsFunc(n.named().Known, func(node cluster.Node) bool { return node.Name == name })
}

// checkTerms reports problems with the terms that do not depend on the images.
func (p *pod) checkTerms(c affinity.Constraints) {
	p.checkLabels(c)
	if c.Required == nil {
		return
	}
	if len(c.Required.NodeSelectorTerms) == 0 {
		p.add(finding.TermsMissing, finding.Error, strings.TrimSuffix(affinity.RequiredPath, ".nodeSelectorTerms"),
			"the required node affinity has no nodeSelectorTerms, and the API server refuses it", "add a term, or remove the field")
		return
	}
	for i, term := range c.Required.NodeSelectorTerms {
		if affinity.IsEmpty(term) {
			p.add(finding.TermEmpty, finding.Warning, fieldpath.Element(affinity.RequiredPath, i),
				"the term is empty and selects no node; goldenarch does not add to it, because it would then select some", "remove the term, or say what it is to select")
		}
	}
}

// severity returns how bad a problem with the images is: an error if it is proven, and a
// warning if it follows only from what the configuration assumes of unresolved images.
func (p *pod) severity(proven bool) finding.Severity {
	if proven || !p.assumed {
		return finding.Error
	}
	return finding.Warning
}

// fails says what becomes of a pod where its images lack one of the architectures, as far as that is proven.
func (p *pod) fails(who string, lacking arch.Set, severity finding.Severity) string {
	isProgram := func(i countedImage) bool { return !i.isVolume && len(lacking.Minus(i.has)) > 0 }
	switch {
	case severity != finding.Error:
		return "an image may lack the architecture"
	case len(p.counted) > 0 && !slices.ContainsFunc(p.counted, isProgram):
		return who + " does not start, because the index of an image volume has nothing for the node to pull"
	}
	return who + " fails with \"exec format error\""
}

// checkLabels reports deprecated labels, and values that no node has.
func (p *pod) checkLabels(c affinity.Constraints) {
	for _, key := range slices.Sorted(maps.Keys(c.NodeSelector)) {
		p.checkLabel("nodeSelector", key, c.NodeSelector[key])
	}
	if c.Required != nil {
		for i, term := range c.Required.NodeSelectorTerms {
			p.checkExpressions(fieldpath.Element(affinity.RequiredPath, i), term)
		}
	}
	for i, one := range c.Preferred {
		p.checkExpressions(fieldpath.Element(affinity.PreferredPath, i)+".preference", one.Preference)
	}
}

func (p *pod) checkExpressions(at string, term corev1.NodeSelectorTerm) {
	for i, e := range term.MatchExpressions {
		p.checkLabel(fmt.Sprintf("%s.matchExpressions[%d]", at, i), e.Key, e.Values...)
	}
}

func (p *pod) checkLabel(field, key string, values ...string) {
	switch key {
	case affinity.BetaArchLabel, affinity.BetaOSLabel:
		p.add(finding.BetaLabel, finding.Warning, field,
			fmt.Sprintf("the label %s is deprecated since Kubernetes 1.14, and a node may lack it", key),
			"use "+strings.TrimPrefix(key, "beta."))
	}
	if !affinity.IsArch(key) {
		return
	}
	for _, value := range values {
		if arch.Known(arch.Arch(value)) {
			continue
		}
		severity, do := finding.Warning, "correct the name, unless a virtual kubelet gives its node this label"
		text := fmt.Sprintf("%s is %q, which is not an architecture that Kubernetes is built for", key, value)
		if meant, err := arch.Parse(value); err == nil {
			severity, do = finding.Error, "write "+string(meant)
			text = fmt.Sprintf("%s is %q, which no node has: Kubernetes uses the names of Go", key, value)
		}
		f := p.add(finding.ArchLabelValue, severity, field, text, do)
		f.Current = value
	}
}

// knowledge says what is known of the architectures of an image.
type knowledge int

const (
	unknown knowledge = iota // nothing, so goldenarch leaves the pod as it is
	proven                   // what a registry or the configuration says of this image
	assumed                  // what the configuration says of all unresolved images
	ignored                  // the image does not count
)

// architecturesOf returns the architectures of an image, and how they are known. It reports
// an unresolved image.
func (p *pod) architecturesOf(image podspec.Image) (arch.Set, knowledge) {
	answer, asked := p.Answers[image.Reference]
	switch {
	case image.Unknown != "":
		answer = Answer{}
	case asked && !answer.Counts():
		return nil, ignored
	case asked && image.IsVolume() && answer.IsForAnyNode():
		p.add(finding.ImageOmitted, finding.Info, image.Path, fmt.Sprintf("the image volume %q does not count: it is not an index, and CRI-O mounts it on any node. "+
			"containerd does not pull it on nodes of another architecture than the image names", image.Reference), "")
		return nil, ignored
	case asked && answer.Err == nil:
		return answer.Architectures, proven
	}
	severity, consequence := finding.Warning, "goldenarch leaves this pod as it is"
	if len(p.Required) > 0 && p.Spec.Unresolved == "" {
		severity, consequence = finding.Error, "nothing proves what --require names"
	}
	var set arch.Set
	known := unknown
	switch p.Spec.Unresolved {
	case v1alpha1.UnresolvedError:
		severity, consequence = finding.Error, "goldenarch does not know where this pod can run"
	case v1alpha1.UnresolvedUse:
		set, known = arch.Named(p.Spec.Use...), assumed
		consequence = fmt.Sprintf("the image is taken to have %s, as the configuration says", listed(set))
	case v1alpha1.UnresolvedSkip:
	}
	id, why, do := answer.Unresolved(image, p.PullSecrets())
	f := p.add(id, severity, image.Path, why+"; "+consequence, do)
	f.Current = image.Reference
	if image.OfObject {
		f.Field = joined(p.Object.Path, image.Path)
	}
	return set, known
}

// Unresolved returns the finding about an image whose architectures are unknown: its id,
// the cause, and a fix. secrets are the pull secrets of the pod.
func (a Answer) Unresolved(image podspec.Image, secrets []string) (id finding.ID, why, do string) {
	id, do = finding.PodUnresolved, "state its architectures with imageArchitectures, or skip it with ignoreImages"
	switch {
	case image.Unknown != "":
		return id, image.Unknown, do
	case a.Err == nil:
		return id, fmt.Sprintf("nothing is known of the image %q", image.Reference), do
	case len(a.Missing) > 0:
		return finding.ManifestMissing,
			fmt.Sprintf("the index of %q lists %s, and the registry lacks the manifest: a node with this architecture cannot pull the image",
				image.Reference, listed(a.Missing)),
			"push or mirror the image again, with all its architectures"
	case a.LogIn != "" && len(secrets) > 0:
		do = fmt.Sprintf("log in where goldenarch runs: podman login %s. Or add the pull secret of the pod (%s) to the input, "+
			"and name it in spec.registry.pullSecrets",
			a.LogIn, strings.Join(secrets, ", "))
	}
	if a.Do != "" {
		do = a.Do
	}
	return id, a.Err.Error(), do
}
