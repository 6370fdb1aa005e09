package forecast

import (
	"fmt"

	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

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
	// [TemplateOutcome.Claim] has the declared architectures that count, as HCO reads them
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

// The outcomes of a template.
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
	byName := map[string]hyperconverged.Merged{}
	for _, m := range merged {
		byName[m.Name()] = m
	}
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
			t.follow(byName[c.Name()], in, s)
			if sources != nil && t.Outcome == Deployed {
				t.expand(byName[c.Name()], s, sources)
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
	inCR := map[string]bool{}
	for _, t := range in.CR.Templates {
		inCR[t.Name()] = true
	}
	var out []TemplateOutcome
	for _, p := range in.Table.Templates {
		if !inCR[p.Name()] {
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
	switch {
	case in.withheldUnknown(m):
		t.Outcome, t.EffectiveClaim, t.Why = Unknown, nil, "nothing states the workload architectures"
	case m.Withheld:
		t.Outcome, t.EffectiveClaim = NotDeployed, nil
		t.Why = fmt.Sprintf("the declared architectures %[2]q contain none of the workload architectures (%[1]s)", orNone(in), m.Original)
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

func orNone(in Input) string {
	if len(in.Cluster.Workload) == 0 {
		return "none"
	}
	return in.Cluster.Workload.String()
}

// expand predicts for which architectures SSP makes crons of the template.
func (t *TemplateOutcome) expand(m hyperconverged.Merged, s ssp, sources map[string]dataSource) {
	t.Architectures = []string{}
	if !s.gate {
		return
	}
	if t.EffectiveClaim != nil {
		own := expansion.Template{Metadata: *m.Metadata}
		t.Architectures = s.Architectures(own).Strings()
	}
	t.DefaultArchitecture = sources[t.ManagedDataSource].defaultArchitecture()
	if possible := sources[t.ManagedDataSource].possible; len(possible) > 0 {
		t.PossibleDefaults = possible.Strings()
	}
}
