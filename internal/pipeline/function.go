package pipeline

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/configuration"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/input"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/livecr"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/olm/catalog"
	"github.com/goldenarch/goldenarch/internal/operators/admission"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/prediction"
	"github.com/goldenarch/goldenarch/internal/subject"
	"github.com/goldenarch/goldenarch/internal/verdict"
)

// Function is goldenarch with its dependencies.
type Function struct {
	// Options take precedence over the configuration.
	Options configuration.Options
	// Registry has the caller's options for registries. The other options come from the
	// configuration and the items.
	Registry registry.Options
	// Open returns the resolver for images. Default: registry.Open.
	Open func(registry.Options) (registry.Resolver, error)
	// Policy says that the caller does not trust the items, and what counts in their place;
	// nil trusts them.
	Policy *configuration.Policy
	// Nodes are additional Nodes that are not among the items, for their facts only;
	// nil for none.
	Nodes []*yaml.RNode
	// Live is the live CR, if it is not among the items; nil otherwise.
	Live []*yaml.RNode
	// Named returns the objects of a kind and a name that an item represents: nil for
	// an item that is an object itself. An item without fields represents objects that
	// are not [Needed], and keeps their place in the output. Named is nil if no item
	// does.
	Named func(item *yaml.RNode, kind, name string) []*yaml.RNode
	// Reader reads the files of spec.inputs. Named finds the documents of which it keeps
	// only the text. If it is nil, a reader that keeps all nodes reads them.
	Reader *manifest.Reader
	// Dir is the directory that contains the files of spec.inputs.
	Dir string
	// WorkDir is the working directory, from which the user opens the files that
	// findings name; "" if only the host knows the files of the items.
	WorkDir string
	// Files are the files that the user named one by one. The run also reads the lock
	// beside a CR in one of them.
	Files []string
	// KustomizeVersion is the version of the kustomize that runs the function, such as
	// v5.8.2; "" if it is unknown.
	KustomizeVersion string
	// Strict turns warnings about what goldenarch does not know into errors: a release
	// newer than the newest verified one, and in a check an unknown field.
	Strict bool
	// OutcomesOnly omits from the forecasts of a check the objects that operators make.
	OutcomesOnly bool
	// As says which form of the files with CRs gets to the cluster. A check calls it at most once,
	// and only if the two forms differ. Nil is the committed one. FixCommand is the command that writes what a check misses, "" for none.
	As         func(files []string) verdict.As
	FixCommand string
	// OnServer names what applies the files with CRs on the server side; "" if nothing is known to.
	// A check calls it if a CR has an unknown field, without Argo CD if the CR forbids Argo CD to.
	OnServer func(files []string, argoCD bool) string
	// Variables reports whether Flux fills in variables of the items (spec.postBuild) before it
	// applies them; nil if nobody knows. The run calls it if a CR has one.
	Variables func() bool
	// ArgoCD reports that Argo CD compares the output with the cluster.
	ArgoCD bool
	// Machines says whether a check looks at virtual machines; "" is the same as Check.
	Machines MachineMode
	// Facts has the facts about the cluster that the user passes; nil for none.
	Facts []*yaml.RNode
	// Bundle reports that the items are a bundle of the Operator Lifecycle Manager. The
	// run checks its pods and labels unless the configuration says otherwise.
	Bundle bool
	// Catalogs are catalogs of the Operator Lifecycle Manager to check, besides the items.
	Catalogs []catalog.Catalog
	// PackageOf returns the package of the bundle that a file is in, "" if the file is in
	// none. A nil PackageOf knows no bundles.
	PackageOf func(file string) string

	pods pods
	// exceptions are those of all configurations of the run and of its items.
	exceptions finding.Exceptions
	// config is the configuration of the run; nil if the caller trusts the items.
	config *configuration.Config
	// crs has the CRs that the run has parsed.
	crs *hyperconverged.Parsed
}

// source returns the sources of the configuration.
func (f Function) source() configuration.Source {
	return configuration.Source{Options: f.Options, Strict: f.Strict, Dir: f.Dir, WorkDir: f.WorkDir, Files: f.Files, Reader: f.Reader, Policy: f.Policy}
}

// AboutPods reports whether the options, or the given configuration, make a run be about
// pods too.
func (f Function) AboutPods(given *yaml.RNode) bool { return f.source().AboutPods(given) }

// newParsed returns a cache for the CRs of a run.
func (f Function) newParsed() *hyperconverged.Parsed {
	out := &hyperconverged.Parsed{}
	if f.Variables != nil {
		substituted := sync.OnceValue(f.Variables)
		out.Assume = func(data []byte) ([]byte, []hyperconverged.Variable) {
			if !bytes.Contains(data, []byte("${")) || !substituted() {
				return data, nil
			}
			return admission.Assume(data)
		}
	}
	return out
}

// predictor returns the predictor with the options of the run.
func (f Function) predictor() prediction.Predictor {
	return prediction.Predictor{Source: f.source(), Config: f.config, Nodes: f.Nodes, Live: f.Live, Parsed: f.crs, OutcomesOnly: f.OutcomesOnly}
}

// Predict predicts what the operators do with each CR of the items, unchanged, with what the
// configuration of the step about golden images says of the cluster. It
// queries no registry and decides nothing. [prediction.ThroughAdmission] first passes
// the CR through admission, as the cluster does. The findings are about the input; one
// of them is an error only if goldenarch cannot predict anything.
func (f Function) Predict(items []*yaml.RNode, steps []Step, how prediction.Admission) ([]forecast.Prediction, finding.List) {
	all, found := f.load(steps, items, notListed)
	if found.Failed() {
		return nil, found
	}
	step := deciding(all)
	items = step.input(items)
	out, list := step.predictor().All(items, step.config.Settings, how, nil)
	partly := step.predictor().Partly(items, step.config.Settings, how, nil)
	for i, one := range out {
		out[i].Warnings = step.exceptions.Apply(prediction.Fold(one.Warnings)).List
		if wrong := partly.RefusedTemplates(one); len(wrong) > 0 {
			out[i].Partial = partly.Without(nil, one.Object, wrong)
		}
	}
	if found = append(found, list...); len(out) == 0 {
		f := noCR(found, object.All(items))
		f.Severity, f.Text = finding.Error, "the input has no HyperConverged or SSP CR, so there is nothing to predict"
		return nil, append(step.exceptions.Apply(found).List, f)
	}
	return out, step.exceptions.Apply(found).List
}

// Prepare returns what predictions of the CRs of the items are based on.
func (f Function) Prepare(items []*yaml.RNode, steps []Step, how prediction.Admission) ([]prediction.Prepared, finding.List) {
	all, found := f.load(steps, items, notListed)
	if found.Failed() {
		return nil, found
	}
	step := deciding(all)
	out, list := step.predictor().Prepare(step.input(items), step.config.Settings, how)
	return out, step.exceptions.Apply(append(found, list...)).List
}

// Host is a program that runs the function.
type Host string

// The hosts that the items of a ResourceList reveal.
const (
	Kpt       Host = "kpt"
	Kustomize Host = "kustomize"
)

// HostOf returns the host that passes items to the function; "" if the items do not reveal
// it.
func HostOf(items []*yaml.RNode) Host {
	switch {
	case slices.ContainsFunc(items, object.IsFromKustomize):
		return Kustomize
	case slices.ContainsFunc(items, object.IsFromKpt):
		return Kpt
	}
	return ""
}

// oldKustomize reports a kustomize before 5.0, which removes the objects of a base that are
// local configuration before it runs functions (kustomize api/internal/target: IgnoreLocal).
// Where nobody knows the version, a run that lacks such objects says what may be wrong.
func (f Function) oldKustomize(items []*yaml.RNode, found finding.List) finding.List {
	const fix = "run kustomize 5.0 or newer, or list these objects in the kustomization that lists goldenarch"
	if HostOf(items) != Kustomize {
		return nil
	}
	out := finding.Finding{ID: finding.KustomizeOld}
	switch major := majorOf(f.KustomizeVersion); {
	case major > 0 && major < 5:
		out.Severity = finding.Warning
		out.Text = "kustomize " + f.KustomizeVersion + " is older than 5.0: from the resources of a base it removes what has the annotation " +
			object.LocalConfig + " (node facts, locks) before it runs goldenarch"
		out.Do = fix
	case major == 0 && found.Failed() && (hasID(found, finding.NoNodeFacts) || hasID(found, finding.LockMissing)):
		out.Severity = finding.Info
		out.Text = "a kustomize older than 5.0 removes from a base what has the annotation " + object.LocalConfig +
			" (node facts, locks) before it runs goldenarch"
		out.Do = "check with kustomize version; if it is older than 5.0, " + fix
	default:
		return nil
	}
	return finding.List{out}
}

// majorOf returns the major version, 0 if it is not known.
func majorOf(version string) int {
	first, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	major, err := strconv.Atoi(first)
	if err != nil {
		return 0
	}
	return major
}

// onlySSP reports that an input without a HyperConverged has an SSP CR, which the
// function does not change.
func onlySSP() finding.Finding {
	return finding.Finding{
		ID: finding.NoCR, Severity: finding.Info,
		Text: "the input has an SSP CR and no HyperConverged CR: render changes nothing, and check predicts what SSP and CDI do",
		Do:   "if the cluster runs HCO, pass the HyperConverged: HCO writes the SSP CR",
	}
}

// Known is what the items, the live CR and the options say about the cluster of a CR.
type Known struct {
	// Workload and ControlPlane are the architectures of the nodes, as a configuration
	// states them: those that the workload placement selects are computed from them.
	Workload, ControlPlane arch.Set
	// ControlPlaneUnknown says that nothing states the control plane.
	ControlPlaneUnknown bool
	// Release is the release of HCO or CNV.
	Release v1alpha1.Release
	// HasNodeFacts and HasConfig say that the items themselves have them.
	HasNodeFacts, HasConfig bool
	// CRs are the HyperConverged CRs.
	CRs []finding.Object
}

// Known reads what is known about the cluster of the CR among the items. It decides
// nothing and queries no registry.
func (f Function) Known(items []*yaml.RNode, steps []Step) (Known, finding.List) {
	all, found := f.load(steps, items, notListed)
	if found.Failed() {
		return Known{}, found
	}
	step := deciding(all)
	config := step.config
	nodes, wrong := input.ReadNodes(f.Nodes)
	in, list := input.Read(step.input(items), input.Nodes{}, config.Spec.Lock.Mode, step.crs)
	live, more := livecr.Read(f.Live, in.Objects)
	found = append(slices.Concat(found, wrong, list), more...)
	out := Known{ControlPlaneUnknown: true, HasNodeFacts: len(in.Facts) > 0, HasConfig: config.Name != ""}
	for _, o := range in.Objects {
		out.HasConfig = out.HasConfig || kinds.IsGoldenarch(o.At, v1alpha1.GoldenImagesKind)
	}
	for _, cr := range in.CRs {
		out.CRs = append(out.CRs, cr.At)
	}
	if len(in.CRs) != 1 || found.Failed() {
		return out, found
	}
	in.Facts = append(in.Facts, nodes.Facts...)
	in.Live = live
	spec, more := step.source().WithReleaseOf(live.ForAny(in.CRObjects()), config.Settings)
	found = append(found, more...)
	out.Release = spec.Release
	images, _ := subject.NewImages(in.Streams, spec)
	joined, list := subject.Join(in, images, spec)
	for _, f := range list {
		if f.ID == finding.LivePlacement || f.ID == finding.LiveOther || f.ID == finding.NodeFactsDisagree || f.ID == finding.StatedUnmatchable {
			found = append(found, f)
		}
	}
	for _, s := range joined {
		out.Workload, out.ControlPlane = s.Cluster.Workload, s.Cluster.ControlPlane
		out.ControlPlaneUnknown = s.Cluster.ControlPlaneUnknown
	}
	return out, found
}
