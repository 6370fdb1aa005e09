package forecast

import (
	"fmt"

	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// TemplateOutcome is what becomes of a template of the CR or of HCO's table.
type TemplateOutcome struct {
	Name string `json:"name"`
	// Index is the place in the CR's list; -1 for a template of the table only.
	Index int `json:"index"`
	// Class is what HCO takes the template for.
	Class hyperconverged.Class `json:"class"`
	// KnownFrom is where the built-in template is known from, if HCO goes by it;
	// else "".
	KnownFrom hyperconverged.Origin `json:"knownFrom"`
	Outcome   Outcome               `json:"outcome"`
	Why       string                `json:"why"`
	// Claim is the claim that counts, as HCO reads it before it filters; nil if
	// there is none.
	Claim *string `json:"declaredArchitectures"`
	// EffectiveClaim is what SSP gets of it; nil if SSP gets none.
	EffectiveClaim *string `json:"effectiveArchitectures"`
	// Architectures are those for which SSP makes a cron each. None, of a
	// template that SSP gets: one cron, which imports for whatever architecture
	// the importer's node has. nil where SSP gets nothing.
	Architectures []string `json:"architectures"`
	// ManagedDataSource is the name that the crons' DataSources begin with.
	ManagedDataSource string `json:"managedDataSource"`
	// DefaultArchitecture is the one to which the reference of that name points;
	// "" if there is no reference.
	DefaultArchitecture string `json:"defaultArchitecture"`
	// DisabledBecause is why goldenarch disabled it; "" if it did not.
	DisabledBecause string `json:"-"`
}

// Outcome says what becomes of something.
type Outcome string

// What becomes of a template.
const (
	Deployed    Outcome = "deployed"    // to SSP
	NotDeployed Outcome = "notDeployed" // from SSP: no workload node has an architecture of the claim
	Disabled    Outcome = "disabled"    // by its annotation
	InError     Outcome = "error"       // nothing is foretold of it, because of an error
	Dropped     Outcome = "dropped"     // without a word
)

// templateOutcomes reports the templates of the CR, in its order, then of those
// of the table. sources are what SSP makes, nil where it refuses them all.
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

// commonImportOff says that the predefined templates are switched off, with the
// CR's field.
func (in Input) commonImportOff() string {
	return fmt.Sprintf("%s is false", in.CR.Version.Paths().CommonImport)
}

// notImported reports the templates of the table that are switched off all
// together.
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

// follow tells what HCO makes of the template.
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
	if m.Withheld {
		t.Outcome, t.EffectiveClaim = NotDeployed, nil
		t.Why = fmt.Sprintf("the declared architectures %[2]q contain none of the workload architectures (%[1]s)", orNone(in), m.Original)
	}
}

// knownFrom returns where the built-in template is known from that HCO goes by. A
// customized one keeps nothing of it that matters while the gate is off.
func (in Input) knownFrom(c hyperconverged.Classified) hyperconverged.Origin {
	if c.Class != hyperconverged.ClassPredefined && !in.CR.Gate.On() {
		return ""
	}
	return c.KnownFrom()
}

func orNone(in Input) string {
	if len(in.Cluster.Workload) == 0 {
		return "none"
	}
	return in.Cluster.Workload.String()
}

// expand tells for which architectures SSP makes crons of the template.
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
}
