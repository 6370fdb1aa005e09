package workload

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/manifest/wrapper"
	"github.com/goldenarch/goldenarch/internal/workload/affinity"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// RecordAnnotation records what goldenarch wrote into the pods of an object. It is on the
// object and never in the pod template, where a change would restart the pods.
const RecordAnnotation = "goldenarch.dev/node-affinity"

// Objects returns the objects of an item as those that can have pods, each with the object
// that it is, in the same order. A wrapper itself has no pods: the objects in it follow it.
func Objects(all []object.Object) (list []podspec.Object, of []object.Object) {
	for _, o := range all {
		if o.Node.YNode().Kind != yaml.MappingNode || wrapper.Is(o.At.APIVersion, o.At.Kind) {
			continue
		}
		of = append(of, o)
		list = append(list, podspec.Object{
			Node: o.Node.YNode(), APIVersion: o.At.APIVersion, Kind: o.At.Kind, Namespace: o.At.Namespace, Name: o.At.Name, Path: o.Path,
		})
	}
	return list, of
}

// Outcome says what a run did with an object.
type Outcome struct {
	Changed bool
	// Decided says that the run wrote all that it has to write into the object. Otherwise
	// what an earlier run wrote counts.
	Decided bool
	// Support says what an operator supports; nil of another object.
	Support *Support
}

// Treat processes the pods of an object. It writes their node affinity into the object,
// unless the run only checks. If a finding is an error, the caller discards the object that
// it passed.
func (r Run) Treat(o podspec.Object) (Outcome, finding.List) {
	if !r.Selects(o) {
		return Outcome{}, nil
	}
	mode, wrong := r.mode(o)
	if mode == v1alpha1.WorkloadsNone {
		return Outcome{}, wrong
	}
	r.Spec.Mode = mode
	had := affinity.ParseRecords(o.Annotation(RecordAnnotation))
	wrote := affinity.Records{}
	out := Outcome{Decided: true}
	var found finding.List
	places := podspec.Places(o, r.Options())
	of := recordsOf(o, places, had, r.Options())
	for i, place := range places {
		p := &pod{Run: r, Place: place}
		record, did := p.treat(had[of[i]])
		wrote[of[i]] = record
		out.Changed, out.Decided = out.Changed || did, out.Decided && p.decided
		found = append(found, p.found...)
	}
	if r.writes() && wrote.String() != o.Annotation(RecordAnnotation) {
		record(o.Node, wrote.String())
		out.Changed = true
	}
	return out, found
}

// Options returns where to look for PodSpecs.
func (r Run) Options() podspec.Options {
	options := podspec.Options{Discover: r.Spec.Discover}
	for _, p := range r.Spec.AdditionalPaths {
		options.Additional = append(options.Additional, podspec.Path{Group: p.Group, Kind: p.Kind, Path: p.Path, Shape: podspec.Shape(p.Shape)})
	}
	return options
}

// recordsOf returns the key of the record of each place. The key of a place depends on
// spec.additionalPaths, so a record may have the key that the place had without them.
func recordsOf(o podspec.Object, places []podspec.Place, had affinity.Records, options podspec.Options) []string {
	without := map[*yaml.Node]string{}
	if len(options.Additional) > 0 {
		for _, place := range podspec.Places(o, podspec.Options{Discover: true}) {
			without[place.Node] = place.Key
		}
	}
	out := make([]string, len(places))
	for i, place := range places {
		out[i] = place.Key
		if _, ok := had[place.Key]; ok {
			continue
		}
		key, ok := without[place.Node]
		if _, has := had[key]; ok && has {
			out[i] = key
		} else if _, has := had[place.Path]; has {
			out[i] = place.Path
		}
	}
	return out
}

// record writes the annotation, or removes it.
func record(on *yaml.Node, text string) {
	if text != "" {
		yamlnode.SetString(yamlnode.Mapping(on, "metadata", "annotations"), RecordAnnotation, text, 0)
		return
	}
	metadata := yamlnode.Get(on, "metadata")
	annotations := yamlnode.Get(metadata, "annotations")
	if yamlnode.Field(annotations, RecordAnnotation) < 0 {
		return // a map that a person left empty stays
	}
	yamlnode.Remove(annotations, RecordAnnotation)
	if len(annotations.Content) == 0 {
		yamlnode.Remove(metadata, "annotations")
	}
}

// treat processes one pod and returns what goldenarch wrote into it, now or in an earlier
// run.
func (p *pod) treat(had affinity.Record) (affinity.Record, bool) {
	if why := p.skipped(); why != "" {
		p.add(finding.PodSkipped, finding.Info, "", why, "")
		return had, false
	}
	before, faults := affinity.Read(p.Node)
	for _, f := range faults {
		text := f.Text
		if strings.HasPrefix(text, "is ") {
			text = "it " + text
		}
		p.add(finding.PodUnreadable, finding.Error, f.Path, "Kubernetes does not accept this constraint: "+text, "correct the field")
	}
	if len(faults) > 0 {
		return had, false
	}
	before = p.asOLMReads(before)
	p.prove()
	p.checkRequired()
	p.checkTerms(before)
	p.writable = p.isWritable(before)
	if !p.writes() || !p.writable {
		p.check(before)
		return had, false
	}
	p.decided = true
	text := p.text()
	want := p.want(p.wanted, p.Object)
	wrote, replaced := affinity.Write(p.Node, want, had)
	changed := p.text() != text
	if changed {
		p.Attach()
	}
	if after, faults := affinity.Read(p.Node); len(faults) == 0 {
		p.check(p.asOLMReads(after))
	}
	if !p.found.Failed() {
		p.reportPlacement(changed, replaced)
	}
	return wrote, changed
}

// isWritable reports whether the mode Affinity writes into the pod. Where an object brings no node affinity for an operator, there is
// nothing to add to: the operator's own counts.
func (p *pod) isWritable(c affinity.Constraints) bool {
	return p.resolved && !p.found.Failed() && c.NodeName == "" && (p.Package == "" || p.replacesAffinity() || p.Spec.Enforce)
}

// text returns what the PodSpec says about its node, to compare it with what it says after
// an edit.
func (p *pod) text() string {
	var b strings.Builder
	for _, key := range []string{"nodeSelector", "affinity"} {
		writeTree(&b, yamlnode.Get(p.Node, key))
	}
	return b.String()
}

// writeTree writes the values of a tree, so that two trees with other values have other
// texts.
func writeTree(b *strings.Builder, n *yaml.Node) {
	if n == nil {
		b.WriteString("-")
		return
	}
	fmt.Fprintf(b, "%d%q%q(", n.Kind, n.Tag, n.Value)
	for _, child := range n.Content {
		writeTree(b, child)
	}
	b.WriteString(")")
}

// reportPlacement reports what goldenarch wrote.
func (p *pod) reportPlacement(changed bool, replaced []string) {
	for _, one := range replaced {
		p.add(finding.ConstraintReplaced, finding.Warning, "", fmt.Sprintf("goldenarch replaces %q, because overwrite is true", one), "").Unchanged = finding.Advice{
			Text: fmt.Sprintf("this pod has %q, which goldenarch replaces because overwrite is true", one), Do: "remove it",
		}
	}
	if !changed {
		return
	}
	f := p.add(finding.AffinityWritten, finding.Info, affinity.RequiredPath,
		fmt.Sprintf("goldenarch restricts this pod to nodes with %s: %s", listed(p.wanted), p.proofs()), "")
	f.Proposed = p.wanted.String()
	f.Unchanged = finding.Advice{
		Text: fmt.Sprintf("the node affinity of this pod is not what its images need, which is nodes with %s: %s", listed(p.wanted), p.proofs()),
		Do:   fmt.Sprintf("restrict it to nodes with %s", listed(p.wanted)),
	}
	if p.Object.Group() == "serving.knative.dev" {
		p.add(finding.FeatureNeeded, finding.Info, affinity.RequiredPath,
			"Knative refuses an affinity unless its feature kubernetes.podspec-affinity is enabled",
			"enable kubernetes.podspec-affinity in the ConfigMap config-features of Knative")
	}
	if p.Fixed && !p.Object.IsRecreated() {
		p.add(finding.PodFixed, finding.Info, affinity.RequiredPath,
			fmt.Sprintf("the API server refuses a change of the node affinity of a %s that exists", p.Object.Kind),
			"delete the object in the cluster before you apply it again")
	}
}

// Run is what the objects of a run share.
type Run struct {
	Spec v1alpha1.WorkloadArchitecturesSpec
	// Nodes is what is known of the cluster's nodes.
	Nodes Nodes
	// Answers has what is known of each image, by the text that names it.
	Answers map[string]Answer
	// Bundle says that the objects are a bundle that somebody publishes, and Operator that they are of the repository of an
	// operator: their environment names what the operator runs.
	Bundle, Operator bool
	// Required are the architectures that all of the pods must support.
	Required arch.Set
	// Deployments are those of an operator, of which the deployments of a base are made.
	Deployments []podspec.Object
	// Operators is what the lock has of operators.
	Operators []v1alpha1.LockedOperator
	// Selectors are the node selectors of namespaces, by name. The cluster adds them to
	// each pod.
	Selectors map[string]NodeSelector
}

// NodeSelector is the node selector that the pods of a namespace get.
type NodeSelector struct {
	Labels map[string]string
	// FromScheduler says that it is the default of the cluster, because the namespace has
	// none of its own.
	FromScheduler bool
	// Annotation is the annotation of the namespace that has it.
	Annotation string
}

// Answer is what is known of an image.
type Answer struct {
	// Architectures is what the image has for Linux.
	Architectures arch.Set
	// Digest is that of the manifest or index, "" if nobody asked for it.
	Digest string
	// Single says that the reference names the manifest of one image, and no index.
	Single bool
	// Artifact says that the reference names no image, but an artifact: it has no architecture.
	Artifact bool
	// Ignored says that the image does not count.
	Ignored bool
	// Stated says that the configuration states the architectures, and no registry.
	Stated bool
	// Neutral says that the image is an operator bundle image. No node runs what is in it,
	// so it does not count either (multiarch-tuning-operator pkg/image/inspector.go).
	Neutral bool
	// Others has the architectures for other systems than Linux, by system, if Systems says
	// that they are known.
	Others  map[string]arch.Set
	Systems bool
	// Err says why nothing is known.
	Err error
	// Do says what to do about Err; "" for the usual.
	Do string
	// Missing has the architectures whose manifests the index lists and the registry does
	// not have. Then Err says the same in other words.
	Missing arch.Set
	// Host is the registry of the image, and Cause says in a few words why Err happened,
	// where other images of the host have the same cause; "" otherwise.
	Host, Cause string
	// LogIn is the registry that denies access, "" if none does.
	LogIn string
}

// Counts reports whether the architectures of the image matter to the pod or the operator
// that names it.
func (a Answer) Counts() bool { return !a.Ignored && (a.Err != nil || !a.Neutral) }

// IsOperator reports whether an object is an operator: a ClusterServiceVersion, or a Deployment of which one is made.
func (r Run) IsOperator(o podspec.Object) bool {
	return o.IsCSV() || r.Operator && o.Group() == "apps" && o.Kind == "Deployment"
}

// IsBase reports whether an object is the base of a ClusterServiceVersion, which has no deployments. operator-sdk makes them of the
// Deployments that the same kustomization has (operator-sdk internal/generate/clusterserviceversion: apply).
func (r Run) IsBase(o podspec.Object) bool {
	return r.Operator && o.IsCSV() && len(podspec.Places(o, r.Options())) == 0
}

// PlacesOf returns the PodSpecs of an object; of a base, those of the Deployments beside it.
func (r Run) PlacesOf(o podspec.Object) []podspec.Place {
	if !r.IsBase(o) {
		return podspec.Places(o, r.Options())
	}
	var out []podspec.Place
	for _, beside := range r.Deployments {
		out = append(out, podspec.Places(beside, r.Options())...)
	}
	return out
}

// FieldOf returns a field of a PodSpec of an object; of a base, the field that is to have the PodSpecs.
func FieldOf(o podspec.Object, place podspec.Place, path string) string {
	if place.Object.Kind != o.Kind {
		return "spec.install.spec.deployments"
	}
	return place.Path + "." + path
}

// IsForAnyNode reports whether a node pulls the image as a volume whatever its architecture. CRI-O only logs that the image is of
// another one (containers/image copy/single.go: prepareImageConfigForDest), and has artifacts for this. Of an index, each node pulls
// its own entry, and fails without one (internal/manifest: chooseInstance; containerd core/images/image.go: Manifest).
func (a Answer) IsForAnyNode() bool { return a.Artifact || a.Err == nil && a.Single }

// writes reports whether node affinities are written.
func (r Run) writes() bool { return r.Spec.Mode == v1alpha1.WorkloadsAffinity }

// Writes reports whether something is written into an object.
func (r Run) Writes(o podspec.Object) bool {
	mode, _ := r.mode(o)
	return mode == v1alpha1.WorkloadsAffinity
}

// MayWrite reports whether the mode Affinity writes into an object.
func (r Run) MayWrite(o podspec.Object) bool {
	r.Spec.Mode = v1alpha1.WorkloadsAffinity
	return !o.Merged && r.Writes(o)
}

// Updating says, as the end of an advice, that the mode Affinity updates the constraints of an object; "" if goldenarch wrote none.
func (r Run) Updating(o podspec.Object) string {
	wrote := func(p podspec.Place) bool { return p.Object.Annotation(RecordAnnotation) != "" && r.MayWrite(p.Object) }
	if !slices.ContainsFunc(r.PlacesOf(o), wrote) {
		return ""
	}
	return "; what goldenarch wrote of them, goldenarch fix --workloads Affinity updates"
}

// want returns what the PodSpec of an object is to say.
func (r Run) want(architectures arch.Set, o podspec.Object) affinity.Want {
	w := affinity.Want{Architectures: architectures, Overwrite: r.Spec.Overwrite}
	switch r.Spec.OS {
	case v1alpha1.OSAlways:
		w.OS = true
	case v1alpha1.OSNever:
	default:
		w.OS = r.IsOperator(o)
	}
	for _, p := range r.Spec.Preferred {
		w.Preferred = append(w.Preferred, affinity.Preference{Architecture: arch.NamedOne(p.Architecture), Weight: p.Weight})
	}
	return w
}

// limited returns the architectures that may be written.
func (r Run) limited(proven arch.Set) arch.Set {
	if limit := arch.Named(r.Spec.LimitTo...); len(limit) > 0 {
		proven = proven.Intersect(limit)
	}
	if all := r.Nodes.All(); r.Spec.RestrictToCluster && len(all) > 0 {
		proven = proven.Intersect(all)
	}
	return slices.Clone(proven)
}

// Images returns the texts that name images of an object's pods and count.
func (r Run) Images(o podspec.Object) []string {
	if mode, _ := r.mode(o); mode == v1alpha1.WorkloadsNone {
		return nil
	}
	var out []string
	for _, place := range podspec.Places(o, r.Options()) {
		p := &pod{Run: r, Place: place}
		if p.skipped() != "" {
			continue
		}
		for _, image := range place.Images() {
			if image.Unknown == "" && image.Omitted == "" {
				out = append(out, image.Reference)
			}
		}
	}
	return out
}

// modeAnnotation on an object says how to process its pods: None excludes it, and Check
// only checks it.
const modeAnnotation = "goldenarch.dev/workloads"

// Selects reports whether the configuration selects an object.
func (r Run) Selects(o podspec.Object) bool {
	s := r.Spec.Selectors
	one := func(list []string, value string) bool { return len(list) == 0 || slices.Contains(list, value) }
	if !one(s.Kinds, o.Kind) || !one(s.Names, o.Name) || !one(s.Namespaces, o.Namespace) {
		return false
	}
	labels := o.Labels()
	for key, value := range s.Labels {
		if got, ok := labels[key]; !ok || got != value {
			return false
		}
	}
	return true
}

// mode returns how to process the pods of an object: as the run says, or less.
func (r Run) mode(o podspec.Object) (v1alpha1.WorkloadMode, finding.List) {
	switch text := o.Annotation(modeAnnotation); v1alpha1.WorkloadMode(text) {
	case "", v1alpha1.WorkloadsAffinity:
		return r.Spec.Mode, nil
	case v1alpha1.WorkloadsNone, v1alpha1.WorkloadsCheck:
		return v1alpha1.WorkloadMode(text), nil
	default:
		return v1alpha1.WorkloadsNone, finding.List{{
			ID: finding.WorkloadsAnnotation, Severity: finding.Error, Field: joined(o.Path, "metadata.annotations["+modeAnnotation+"]"), Current: text,
			Object: finding.Object{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name},
			Text:   fmt.Sprintf("the annotation %s is %q, expected None, Check or Affinity", modeAnnotation, text), Do: "correct the annotation",
		}}
	}
}

// skipped says why goldenarch skips a pod; "" if it does not.
func (p *pod) skipped() string {
	selector := yamlnode.Get(p.Node, "nodeSelector")
	named := []string{yamlnode.Text(p.Node, "os", "name"), yamlnode.Text(selector, "kubernetes.io/os"), yamlnode.Text(selector, "beta.kubernetes.io/os")}
	for _, n := range named {
		if n != "" && n != "linux" {
			return fmt.Sprintf("goldenarch skips this pod, because it runs on %s and goldenarch asks for Linux images only", n)
		}
	}
	return ""
}

// joined joins the non-empty parts of a path.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ".")
}
