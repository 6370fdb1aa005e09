package forecast

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// Input is what a prediction is based on.
type Input struct {
	CR      *hyperconverged.CR
	Table   hyperconverged.Table
	Cluster cluster.Architectures
	// Schedule is status.dataImportSchedule of the live CR; "" if it is unknown. HCO picks
	// a random schedule and gives it to all predefined templates.
	Schedule string
	// Bundle has the common templates of the cluster's SSP; nil for those that SSP ships.
	Bundle expansion.Bundle
	// Namespace is where SSP keeps golden images, a constant of its build; "" for
	// upstream's namespace.
	Namespace string
	// Release is the release of HCO on the cluster; the zero value is the newest. The
	// forecast is exact for 1.19 and newer.
	Release v1alpha1.Release
	// Platform is the kind of cluster; "" is OpenShift.
	Platform v1alpha1.Platform
	// Existing has the objects that already exist in the cluster; nil is a cluster without
	// golden images.
	Existing []Existing
	// Images has the known image architectures of templates, by the template's name. If it
	// is nil, the forecast trusts the declared architectures.
	Images map[string]Image
	// Live is the cluster's own CR, for comparison; nil if it is unknown. LiveRelease is
	// the release of the HCO that wrote its status.
	Live        *hyperconverged.Live
	LiveRelease v1alpha1.Release
	// OutcomesOnly omits the data that is only for display: the objects, and CDI's verdicts
	// by name, which the crons' outcomes also contain. They take most of the time.
	OutcomesOnly bool
}

// withDefaults fills in upstream's defaults.
func (in Input) withDefaults() Input {
	if in.Bundle == nil {
		in.Bundle = expansion.Shipped()
	}
	in.Namespace = cmp.Or(in.Namespace, expansion.UpstreamNamespace)
	in.Table = in.Table.At(in.Release).WithSchedule(in.Schedule)
	in.CR = in.CR.At(in.Release)
	return in
}

// noImagesBecause returns why no operator makes anything from the CR; "" if one does.
func (in Input) noImagesBecause() string {
	switch {
	case in.CR.Name != "" && in.CR.IgnoredBecause() != "": // a CR without a name is a part of one
		return in.CR.IgnoredBecause()
	case !in.CR.Version.Serves(in.Release):
		return fmt.Sprintf("HCO %s does not serve %s/%s: the API server does not know the object", in.Release, hyperconverged.Group, in.CR.Version)
	case in.Platform == v1alpha1.Kubernetes:
		return "HCO makes golden images only on OpenShift: SSP, which imports them, does not run on plain Kubernetes (hco operandHandler.go)"
	default:
		return ""
	}
}

// sspUnknownBecause returns why nobody knows what SSP gets; "" if it gets what HCO makes of the CR.
func (in Input) sspUnknownBecause() string {
	patch, ok := in.CR.Patched(hyperconverged.PatchedSSP)
	switch {
	case !ok:
		return ""
	case patch.Operation == "":
		return fmt.Sprintf("HCO refuses the JSON patch of the annotation %s", patch.Annotation)
	}
	return fmt.Sprintf("HCO patches the SSP CR with the annotation %s (%s)", patch.Annotation, patch.Operation)
}

// ssp returns the state of SSP before the templates.
func (in Input) ssp() ssp {
	return ssp{
		SSP: expansion.SSP{
			Order: in.Cluster.SSP(), ControlPlaneUnknown: in.Cluster.ControlPlaneUnknown, Bundle: in.Bundle, Namespace: in.Namespace,
		},
		cluster: in.Cluster, existing: in.Existing, images: in.Images,
		multiArch: hyperconverged.HasGate.In(in.Release), cleanup: hyperconverged.FreesDataSources.In(in.Release),
		account: hyperconverged.PassesAccount.In(in.Release),
	}
}

// sspOf returns the state of SSP with HCO's templates, and with those that HCO does not deploy
// because no architecture remains (hco golden_images.go: hcoDictToSSP).
func (in Input) sspOf(merged []hyperconverged.Merged) ssp {
	s := in.ssp()
	s.gate = in.CR.Gate.On()
	for _, m := range merged {
		if in.withheldUnknown(m) {
			continue // nobody knows what SSP gets of it
		}
		t := expansion.Template{}
		if m.Metadata != nil {
			t.Metadata = *m.Metadata
		}
		t.Metadata.Annotations = maps.Clone(t.Metadata.Annotations)
		if t.Metadata.Annotations == nil {
			t.Metadata.Annotations = map[string]string{}
		}
		if m.Spec != nil {
			t.Spec = *m.Spec // code that changes the spec copies it first
		}
		if m.Withheld {
			s.withheld = append(s.withheld, t)
			continue
		}
		if _, ok := t.Metadata.Annotations[hyperconverged.BindAnnotation]; !ok && hyperconverged.BindsAtOnce.In(in.Release) {
			t.Metadata.Annotations[hyperconverged.BindAnnotation] = "true"
		}
		if !s.gate && hyperconverged.HasGate.In(in.Release) {
			delete(t.Metadata.Annotations, hyperconverged.ClaimAnnotation)
		}
		s.templates = append(s.templates, t)
	}
	return s
}

// sspCluster returns spec.cluster of the SSP CR. HCO sets it if any architecture is known,
// whether the gate is on or off (hco controllers/handlers/ssp.go).
func sspCluster(a cluster.Architectures) *SSPCluster {
	if len(a.Workload)+len(a.ControlPlane) == 0 {
		return nil
	}
	return &SSPCluster{ControlPlaneArchitectures: a.ControlPlane.Strings(), WorkloadArchitectures: a.Workload.Strings()}
}

func objectsOf(templates []expansion.Template) []expansion.Object {
	out := make([]expansion.Object, 0, len(templates))
	for _, t := range templates {
		out = append(out, expansion.NewObject(map[string]any{"metadata": t.Metadata, "spec": t.Spec}))
	}
	return out
}

// The caveats: what the forecast does not cover.
const (
	// neverReset applies to all releases with the gauges (hco metrics: only tests call
	// Reset).
	neverReset = "HCO never resets the metrics behind its two alerts on single templates: a firing alert continues after you disable, " +
		"remove or rename the template, or turn off the gate, until the HCO pod restarts"
	// notWritten applies if SSP's webhook refuses the CR.
	notWritten = "SSP refuses its CR, so HCO updates neither status.dataImportCronTemplates nor its metrics; " +
		"the earlier values, their alerts and SSP's objects stay"
)

// caveats returns what the forecast cannot know of this input.
func (in Input) caveats() []string {
	out := []string{}
	if why := in.sspUnknownBecause(); why != "" {
		out = append(out, why+": nothing is known of what SSP and CDI do")
	}
	if hyperconverged.HasGate.In(in.Release) {
		out = append(out, neverReset)
	}
	if !hyperconverged.IsExact.In(in.Release) {
		out = append(out, fmt.Sprintf("the prediction is exact for HCO 1.19 and newer; for HCO %s, the common templates of SSP "+
			"and the content of the predefined templates can differ", in.Release))
	}
	if in.Schedule == "" && in.CR.CommonImport && len(in.Table.Templates) > 0 {
		out = append(out, "HCO picks a random schedule for predefined templates (status.dataImportSchedule); "+
			"this prediction shows the default")
	}
	if len(in.Cluster.SSP()) == 0 && !in.CR.Gate.On() {
		out = append(out, "goldenarch knows no architecture of the cluster: SSP uses the one that it runs on, here amd64")
	}
	return out
}

// importOfFails says why nothing fills a DataSource.
func importOfFails(cron, target, why string) string {
	return fmt.Sprintf("the import of DataImportCron %q, which would fill %q, fails: %s", cron, target, why)
}

// builtInImages returns what spec.overrides says about the images of templates that have
// the built-in source, by the template's name.
func (in Input) builtInImages() map[string]arch.Set {
	out := map[string]arch.Set{}
	if !slices.ContainsFunc(in.Table.Templates, func(p hyperconverged.Predefined) bool { return p.Image != nil }) {
		return out
	}
	for _, c := range hyperconverged.Classify(in.CR, in.Table) {
		own := c.Class == hyperconverged.ClassPredefined || c.IgnoresClaim() && c.Registry() != nil
		if own && c.Base.Image != nil {
			out[c.Name()] = c.Base.Image
		}
	}
	return out
}

// TemplateOutcome is what happens to a template of the CR or of HCO's table.
type TemplateOutcome struct {
	Name string `json:"name"`
	// Index is the position in the CR's list; -1 for a template that is only in the table.
	Index int `json:"index"`
	// Class is HCO's class of the template.
	Class hyperconverged.Class `json:"class"`
	// KnownFrom is where the built-in template is known from, if HCO uses that template;
	// otherwise "".
	KnownFrom hyperconverged.Origin `json:"knownFrom"`
	Outcome   Outcome               `json:"outcome"`
	Why       string                `json:"why"`
	// Claim has the declared architectures that count, as HCO reads them
	// before it filters them; nil if the template declares none.
	Claim *string `json:"declaredArchitectures"`
	// EffectiveClaim has the declared architectures that HCO passes to SSP; nil if it
	// passes none.
	EffectiveClaim *string `json:"effectiveArchitectures"`
	// Architectures are those for which SSP makes a cron each. If the list is empty, SSP
	// makes one cron, which imports the architecture of the importer's node. The list is
	// nil if HCO does not pass the template to SSP.
	Architectures []string `json:"architectures"`
	// ManagedDataSource is the prefix of the names of the crons' DataSources.
	ManagedDataSource string `json:"managedDataSource"`
	// DefaultArchitecture is the architecture to which the reference of that name points;
	// "" if the reference does not exist, or if nothing states the control plane, on which
	// it depends. PossibleDefaults then has the architectures of which it is one.
	DefaultArchitecture string   `json:"defaultArchitecture"`
	PossibleDefaults    []string `json:"possibleDefaults,omitempty"`
	// DisabledBecause is why goldenarch disabled the template; "" if it did not.
	DisabledBecause string `json:"-"`
}

// Outcome says what happens to an object.
type Outcome string

// The outcomes of a template. [Refused] is one more.
const (
	Deployed    Outcome = "deployed"    // to SSP
	NotDeployed Outcome = "notDeployed" // to SSP: no workload node has a declared architecture
	Unknown     Outcome = "unknown"     // nothing states the workload architectures, of which HCO keeps the declared ones
	Disabled    Outcome = "disabled"    // by its annotation
	InError     Outcome = "error"       // an error prevents a prediction
	Dropped     Outcome = "dropped"     // silently, by HCO
)

// templateOutcomes reports the templates of the CR, in its order, then those of the table.
// sources are the DataSources that SSP makes; nil if SSP refuses all templates.
func (in Input) templateOutcomes(merged []hyperconverged.Merged, s ssp, sources map[string]dataSource) []TemplateOutcome {
	all := byName(merged)
	classified := hyperconverged.Classify(in.CR, in.Table)
	out := make([]TemplateOutcome, 0, len(classified))
	for _, c := range classified {
		t := TemplateOutcome{Name: c.Name(), Index: c.Index, Class: c.Class, ManagedDataSource: c.ManagedDataSource()}
		switch c.Class {
		case hyperconverged.ClassDisabled:
			t.DisabledBecause, _ = c.Annotation(hyperconverged.DisabledAnnotation)
			t.Outcome, t.Why = Disabled, "its annotation "+hyperconverged.EnableAnnotation+" is not \"true\""
		case hyperconverged.ClassDropped:
			t.Outcome, t.Why = Dropped, "it has the name of a predefined template, and "+in.commonImportOff()+": HCO silently drops it"
		case hyperconverged.ClassPredefined, hyperconverged.ClassCustomized, hyperconverged.ClassCustom:
			t.KnownFrom = in.knownFrom(c)
			t.follow(all[c.Name()], in, s)
			switch {
			case t.Outcome != Deployed:
			case sources == nil:
				t.Outcome = Refused
			default:
				t.expand(s, sources)
			}
		}
		out = append(out, t)
	}
	return append(out, in.notImported()...)
}

// commonImportOff says that the CR switches off the predefined templates, and names the
// field.
func (in Input) commonImportOff() string {
	return fmt.Sprintf("%s is false", in.CR.Version.Paths().CommonImport)
}

// notImported reports the templates of the table if the CR switches off all of them.
func (in Input) notImported() []TemplateOutcome {
	if in.CR.CommonImport {
		return nil
	}
	var out []TemplateOutcome
	for _, p := range in.Table.Templates {
		if _, stated := in.CR.Template(p.Name()); !stated {
			out = append(out, TemplateOutcome{
				Name: p.Name(), Index: -1, Class: hyperconverged.ClassPredefined, Outcome: Dropped, Why: in.commonImportOff(),
				ManagedDataSource: p.ManagedDataSource(), KnownFrom: p.From,
			})
		}
	}
	return out
}

// follow predicts what HCO does with the template.
func (t *TemplateOutcome) follow(m hyperconverged.Merged, in Input, s ssp) {
	claim, has := m.Annotation(hyperconverged.ClaimAnnotation)
	t.Outcome = Deployed
	switch {
	case !s.multiArch:
		t.Why = fmt.Sprintf("HCO %s does not read declared architectures: SSP makes one cron", in.Release)
	case !s.gate && has:
		t.Claim = &claim
		t.Why = "the multi-arch gate is off: SSP does not get the declared architectures and makes one cron"
	case !s.gate:
		t.Why = "the multi-arch gate is off: SSP makes one cron"
	case !has:
		t.Why = "it declares no architectures: SSP makes one cron, which imports for the architecture of the importer's node"
	default:
		t.Claim, t.EffectiveClaim = &m.Original, &claim
		t.Why = fmt.Sprintf("workload nodes have %s of the declared architectures %q", claim, m.Original)
	}
	switch why := in.sspUnknownBecause(); {
	case why != "":
		t.Outcome, t.EffectiveClaim, t.Why = Unknown, nil, why
	case in.withheldUnknown(m):
		t.Outcome, t.EffectiveClaim, t.Why = Unknown, nil, "nothing states the workload architectures"
	case m.Withheld:
		t.Outcome, t.EffectiveClaim = NotDeployed, nil
		t.Why = fmt.Sprintf("the declared architectures %q contain none of the workload architectures (%s)",
			m.Original, cmp.Or(in.Cluster.Workload.String(), "none"))
	}
}

// knownFrom returns where the built-in template is known from that HCO uses. While the gate
// is off, a customized template keeps nothing relevant of its built-in one.
func (in Input) knownFrom(c hyperconverged.Classified) hyperconverged.Origin {
	if c.Class != hyperconverged.ClassPredefined && !in.CR.Gate.On() {
		return ""
	}
	return c.KnownFrom()
}

// withheldUnknown reports whether a template has no architecture left only because the
// workload architectures are unknown.
func (in Input) withheldUnknown(m hyperconverged.Merged) bool {
	return m.Withheld && m.Original != "" && in.Cluster.WorkloadUnknown
}

// expand predicts for which architectures SSP makes crons of the template.
func (t *TemplateOutcome) expand(s ssp, sources map[string]dataSource) {
	t.Architectures = []string{}
	if !s.gate {
		return
	}
	if t.EffectiveClaim != nil {
		t.Architectures = s.Architectures(*t.EffectiveClaim).Strings()
	}
	source := sources[t.ManagedDataSource]
	t.DefaultArchitecture = source.defaultArchitecture()
	if len(source.possible) > 0 {
		t.PossibleDefaults = source.possible.Strings()
	}
}

func (in Input) statusOf(merged []hyperconverged.Merged) []Status {
	out := make([]Status, 0, len(merged))
	for _, m := range merged {
		s := Status{
			Name: m.Name(), OriginalSupportedArchitectures: m.Original, CommonTemplate: m.Common, Modified: m.Modified,
		}
		if m.Metadata != nil {
			s.Namespace = m.Metadata.Namespace
		}
		if claim, ok := m.Annotation(hyperconverged.ClaimAnnotation); ok && !in.withheldUnknown(m) {
			s.Architectures = &claim
		}
		if m.Withheld && !in.withheldUnknown(m) {
			no := "False"
			s.Deployed = &no
		}
		out = append(out, s)
	}
	return out
}

// alerts returns the alerts that fire after SSP has accepted the SSP CR. HCO writes status
// and gauges only then (hco controllers/handlers/ssp.go, lines 40 to 48).
func (in Input) alerts(merged []hyperconverged.Merged) []Alert {
	out := []Alert{}
	if !hyperconverged.HasGate.In(in.Release) {
		return out
	}
	gate := in.CR.Gate.On()
	for _, g := range metrics(merged, gate) {
		if g.supported != nil && !*g.supported && !in.Cluster.WorkloadUnknown {
			out = append(out, g.alert(NoSupportedArchitecture,
				fmt.Sprintf("no workload node has one of the declared architectures %q, so HCO does not deploy the template", g.claim)))
		}
		if !g.annotated {
			out = append(out, g.alert(NoArchitectureAnnotation,
				"the multi-arch gate is on and the template has no annotation "+hyperconverged.ClaimAnnotation+", or an empty one"))
		}
	}
	if !gate && len(in.Cluster.Workload) > 1 && len(merged) > 0 {
		out = append(out, Alert{
			Name: MultiArchDisabled, Labels: severity(),
			Why: fmt.Sprintf("workload nodes have %s, but the multi-arch gate %s is off", in.Cluster.Workload, hyperconverged.GateName),
		})
	}
	return out
}
