package forecast

import (
	"fmt"
	"slices"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// CronOutcome is what becomes of a DataImportCron that a template asks for.
type CronOutcome struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Template asks for it.
	Template string `json:"template"`
	// Architecture is what it imports for; "" for the one cron of a template
	// without a claim.
	Architecture arch.Arch `json:"architecture"`
	// ManagedDataSource is the DataSource that it fills.
	ManagedDataSource string `json:"managedDataSource"`
	// KnownFrom is that of the template.
	KnownFrom hyperconverged.Origin `json:"knownFrom"`
	Outcome   Outcome               `json:"outcome"`
	Why       string                `json:"why"`
}

// What becomes of a cron. Those that are created or refused are in
// dataImportCrons: SSP wants them.
const (
	Created     Outcome = "created"     // and admitted by CDI
	Refused     Outcome = "refused"     // by CDI's webhook
	Overwritten Outcome = "overwritten" // by another template's of the same DataSource
	Removed     Outcome = "removed"     // because a reference has the name of its DataSource
	NotCreated  Outcome = "notCreated"  // because of what stands in the cluster already
	ImportFails Outcome = "importFails" // it is created, and its image has no such architecture
)

// Blocked is why SSP's reconcile stops for all templates.
type Blocked struct {
	Why string `json:"why"`
	// Crons are those that CDI refuses, as "namespace/name".
	Crons []string `json:"crons"`
}

// stopped is what follows when SSP's operand fails (ssp common/resource.go:
// CollectResourceStatus stops at the first error; ssp_controller.go).
const stopped = "SSP's reconcile stops there each time: other new crons appear only by chance over the retries, " +
	"SSP never deletes obsolete ones, and does not reconcile what follows (templates, template validator, console proxy)"

// cronOutcomes reports each cron, by namespace and name, and of equal ones in the
// order of the templates.
func (s ssp) cronOutcomes(m made) []CronOutcome {
	out := make([]CronOutcome, 0, len(m.wanted))
	for i, w := range m.wanted {
		f := CronOutcome{
			Namespace: w.cron.Namespace, Name: w.cron.Name, Template: w.template,
			Architecture: w.cron.Architecture, ManagedDataSource: w.cron.Spec.ManagedDataSource, Outcome: Created,
		}
		_, left := m.crons[w.key()]
		refused := m.refused[w.key()]
		switch winner := m.kept[w.key()]; {
		case winner != i:
			f.Outcome = Overwritten
			f.Why = fmt.Sprintf("template %q has the same DataSource %q and a later name: SSP keeps its cron", m.wanted[winner].template, f.ManagedDataSource)
		case !left:
			f.Outcome, f.Why = m.missingOutcome(w)
		case refused != "":
			f.Outcome, f.Why = Refused, "CDI refuses it: "+refused
		default:
			if why := s.importFails(w); why != "" {
				f.Outcome, f.Why = ImportFails, why
			}
		}
		out = append(out, f)
	}
	slices.SortStableFunc(out, func(a, b CronOutcome) int {
		return compareNames(a.Namespace, a.Name, b.Namespace, b.Name)
	})
	return out
}

// missingOutcome tells why SSP does not make a cron that a template asks for.
func (m made) missingOutcome(w wanted) (Outcome, string) {
	d := m.sources[w.cron.Spec.ManagedDataSource]
	if d.reference != "" {
		return Removed, fmt.Sprintf("SSP makes a default DataSource with the name %q, which points at %q, and removes the cron of that name", d.name, d.reference)
	}
	return NotCreated, d.idle
}

// blockedBy tells that CDI refuses a cron, nil if it does not.
func blockedBy(outcomes []CronOutcome) *Blocked {
	var crons []string
	for _, f := range outcomes {
		if f.Outcome == Refused {
			crons = append(crons, f.Namespace+"/"+f.Name)
		}
	}
	if len(crons) == 0 {
		return nil
	}
	return &Blocked{Why: "CDI refuses a DataImportCron. " + stopped, Crons: crons}
}
