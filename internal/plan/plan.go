package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/engine/settings"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/transformers"
)

// Known is all that goldenarch knows about one CR before it queries any image.
type Known struct {
	CR      *hyperconverged.CR
	Table   hyperconverged.Table
	Cluster cluster.Architectures
	// Others are the workload architectures of the other clusters of the run that read the file
	// of the CR.
	Others  arch.Set
	Streams imagestream.Streams
	// References has the references of the templates.
	References *imageref.Parsed
	Spec       *settings.Settings
	// ServerFields are the fields of the CR that only a cluster sets. StatusNeeded says that
	// only the CR's own status states the nodes, so that it must stay.
	ServerFields []string
	StatusNeeded bool
	// LiveGateOn reports whether the multi-arch gate is on in the live CR.
	LiveGateOn bool
	// Live is the live CR; nil if it is unknown.
	Live *hyperconverged.Live
}

// Plan is what to write into a CR, and beside it.
type Plan struct {
	transformers.Edits

	// Expansion is what to emit beside the CR; nil emits nothing.
	Expansion *Expansion
	// Proofs are the architectures of the images of the CR's templates, as far as a source
	// other than the template itself states them.
	Proofs []Proof
	// Undecided says that a template stays as it is, because nothing is known about its image
	// and the configuration accepts that.
	Undecided bool
}

// Proof is what the registry, the lock or an override says about the image of one template.
type Proof struct {
	// Index is the place of the template in the CR's list.
	Index int
	Name  string
	// Image is the name of the image in messages.
	Image         string
	Architectures arch.Set
	// Digest is that of its manifest or index, "" if it is unknown.
	Digest string
	// Single says that the image is a manifest, and no index. A stated one may be either.
	Single bool
	// Ignored says that HCO ignores what the template declares.
	Ignored bool
	// Declared is what the template declares before goldenarch applies the plan; nil if it
	// declares nothing.
	Declared *arch.Claim
}

// Empty reports whether there is nothing to write.
func (p Plan) Empty() bool {
	return p.EditsOnlyGate() && p.Gate == nil && len(p.ServerFields) == 0 && !p.DropRetired
}

// EditsOnlyGate reports whether a plan changes only the multi-arch gate, and no list in the
// CR: neither the templates nor the placement.
func (p Plan) EditsOnlyGate() bool {
	return len(p.Templates) == 0 && p.SingleArchitecture == "" && p.Defaults == transformers.Defaults{}
}

// decision is what goldenarch does with one template.
type decision struct {
	transformers.Template

	// expanded are the architectures to expand the template for; empty for none.
	expanded arch.Set
	// undecided says that nothing is known about the image, and that HCO uses the value.
	undecided bool
}

// Decide makes the plan of a CR from what is known about it and from the answers to its
// [Questions]. If a finding is an error, the caller must not apply the plan.
func Decide(s Known, questions []Question, answers Answers) (Plan, finding.List) {
	gate, found := decideGate(s)
	plan := Plan{Edits: transformers.Edits{
		Gate: gate.edit, SingleArchitecture: string(arch.NamedOne(s.Spec.SingleArchitecture)), DropRetired: s.CR.HasRetired(),
	}}
	var fields finding.List
	plan.ServerFields, fields = decideServerFields(s)
	found = append(found, fields...)
	if len(s.Cluster.Workload) == 0 {
		plan.Undecided = true
		return plan, found // package cluster has reported why; there is nothing to decide
	}
	expanded := map[string]arch.Set{}
	for _, q := range questions {
		d, proof, list := decideTemplate(s, gate.on, q, answers)
		found = append(found, list...)
		if proof != nil {
			plan.Proofs = append(plan.Proofs, *proof)
		}
		plan.Undecided = plan.Undecided || d.undecided
		expanded[d.Name] = d.expanded
		if d.Claim != nil || d.Switch != transformers.Leave {
			plan.Templates = append(plan.Templates, d.Template)
		}
	}
	stubs, list := decidePredefined(s)
	found = append(found, list...)
	if s.Spec.Platform == v1alpha1.OpenShift {
		found = append(found, Documented(s.CR, s.Table, gate.on, s.Live)...)
	}
	for _, d := range stubs {
		expanded[d.Name] = d.expanded
		if d.Switch != transformers.Leave {
			plan.Templates = append(plan.Templates, d.Template)
		}
	}
	plan.Defaults, list = decideDefaults(s.Spec)
	found = append(found, list...)
	plan.Expansion = expand(s, expanded, plan.Defaults)
	return plan, append(found, checkExpansion(s, plan.Expansion)...)
}

// HasOpenShiftTemplates reports whether the CR's HCO has the built-in templates of
// OpenShift Virtualization. spec.predefined decides, then the namespace of the CR. If the
// CR has no namespace, a CNV release decides.
func HasOpenShiftTemplates(cr *hyperconverged.CR, spec *settings.Settings) bool {
	switch spec.Predefined {
	case v1alpha1.PredefinedOpenShift:
		return true
	case v1alpha1.PredefinedUpstream, v1alpha1.PredefinedNone:
		return false
	case v1alpha1.PredefinedAuto:
	}
	if cr.Namespace == "" {
		return spec.Release.OfCNV()
	}
	return cr.Namespace == hyperconverged.DownstreamNamespace
}

// isOpenShift reports whether the CR is for OpenShift Virtualization, judging by its
// namespace, its built-in templates, or a CNV release.
func (s Known) isOpenShift() bool {
	return s.CR.Namespace == hyperconverged.DownstreamNamespace || HasOpenShiftTemplates(s.CR, s.Spec) || s.Spec.Release.OfCNV()
}

// releaseName returns the name that the CR's product uses for a release of HCO: OpenShift
// Virtualization has its own version numbers.
func (s Known) releaseName(minor int) string {
	if s.isOpenShift() {
		return fmt.Sprintf("4.%d", minor+4)
	}
	return fmt.Sprintf("1.%d", minor)
}

// lastPreview returns the last release in which the feature is a preview.
func (s Known) lastPreview() int {
	if s.isOpenShift() {
		return lastPreviewOpenShift
	}
	return lastPreviewUpstream
}

// Unserved reports an API version that the release does not serve.
func Unserved(s Known) finding.List {
	if s.CR.Version.Serves(s.Spec.Release) {
		return nil
	}
	return finding.List{{
		ID: finding.ReleaseUnserved, Severity: finding.Error, Field: "apiVersion", Current: hyperconverged.Group + "/v1",
		Text: fmt.Sprintf("HCO %s does not serve %s/v1", s.Spec.Release, hyperconverged.Group),
		Do:   "use apiVersion " + hyperconverged.Group + "/v1beta1, or correct spec.release",
	}}
}

// checkKeptGate reports what HCO's mutating webhook refuses about a gate that goldenarch
// leaves as it is (hco hyperConvergedMutator.go, from 1.19 on).
func checkKeptGate(s Known) finding.List {
	gate := s.CR.Gate
	if s.CR.Version != hyperconverged.V1 || hyperconverged.ServesV1.In(s.Spec.Release) && !hyperconverged.GateIsField.In(s.Spec.Release) {
		return nil
	}
	field := s.CR.Version.Paths().FeatureGates.String()
	switch {
	case gate.Contradicts():
		return finding.List{{
			ID: finding.GateContradicts, Severity: finding.Error, Field: field,
			Text: fmt.Sprintf("the deprecated feature gate %s and the field spec.workloadSources.%s contradict each other: HCO refuses the CR",
				hyperconverged.GateName, hyperconverged.GateName),
			Do: "remove the feature gate",
		}}
	case gate.List != nil && gate.Field == nil && !s.CR.HasWorkloadSources && hyperconverged.GateIsField.Surely(s.Spec.Release):
		return finding.List{{
			ID: finding.GateUnpatchable, Severity: finding.Error, Field: field,
			Text: "HCO moves the feature gate to spec.workloadSources, which the CR does not have: HCO's patch fails, and the API server rejects the CR",
			Do:   fmt.Sprintf("set spec.workloadSources.%s instead of the feature gate", hyperconverged.GateName),
		}}
	default:
		return nil
	}
}

// decideDefaults decides which of the webhook's defaults to write.
func decideDefaults(spec *settings.Settings) (transformers.Defaults, finding.List) {
	if spec.Defaults != v1alpha1.DefaultsWrite {
		return transformers.Defaults{}, nil
	}
	release := spec.Release
	if !release.Declared() {
		return transformers.Defaults{}, finding.List{{
			ID: finding.ReleaseNeeded, Severity: finding.Error,
			Text: "spec.defaults is Write, and the release is not declared: HCO's webhook adds retentionPolicy and importsToKeep only in 1.18 and later",
			Do:   `declare it: spec.release: "1.19" (or the release of OpenShift Virtualization, "5.0")`,
		}}
	}
	return transformers.Defaults{Bind: true, Retention: hyperconverged.SetsRetention.In(release)}, nil
}

// harms says what the API server does with a field that only it sets, if that is more than
// ignoring it (k8s apimachinery: rest.BeforeUpdate, the field manager, Preconditions).
var harms = []struct{ field, does string }{
	{"metadata.managedFields", "the API server refuses a server-side apply with managedFields"},
	{"metadata.resourceVersion", "the API server refuses a resourceVersion that is not the present one"},
	{"metadata.uid", "the API server refuses the uid of another object, such as one of another cluster"},
}

// decideServerFields decides which fields to remove because only a cluster sets them.
func decideServerFields(s Known) ([]string, finding.List) {
	fields := slices.Clone(s.ServerFields)
	var found finding.List
	if s.StatusNeeded && slices.Contains(fields, statusField) {
		fields = slices.DeleteFunc(fields, func(field string) bool { return field == statusField })
		found = append(found, finding.Finding{
			ID: finding.StatusKept, Severity: finding.Warning, Field: statusField,
			Text: "only status.nodeInfo of this CR states the nodes, so goldenarch does not remove the status. In Git it is as old as the dump",
			Do:   "state the nodes in the configuration or a ClusterArchitectures, or pass the dump with --live. Then goldenarch removes the status",
		})
	}
	if len(fields) == 0 {
		return nil, found
	}
	list, why := strings.Join(fields, ", "), ""
	for _, harm := range harms {
		if why == "" && slices.Contains(fields, harm.field) {
			why = ", and " + harm.does
		}
	}
	return fields, append(found, finding.Finding{
		ID: finding.ServerFields, Severity: finding.Warning, Field: fields[0],
		Text: "goldenarch removes " + list + " from the CR: only a cluster sets these" + why,
		Unchanged: finding.Advice{
			Text: "the CR has fields that only a cluster sets" + why + ": " + list,
			Do:   "remove them, or run goldenarch fix",
		},
	})
}

const statusField = "status"
