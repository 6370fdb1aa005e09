package transition

import (
	"fmt"
	"maps"
	"slices"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// Findings says what is wrong with a plan: operators that stop, machines that lose their
// source, storage above the budget (0 for no budget), unknown storage classes.
func (d *Dump) Findings(p Plan, budget int64) finding.List {
	var out finding.List
	missing := map[string]bool{}
	for i, s := range p.Steps {
		at := fmt.Sprintf("step %d (%s)", i+1, s.Title)
		if s.Stopped != "" {
			f := finding.Finding{ID: finding.PlanStopped, Severity: finding.Error, Text: fmt.Sprintf("%s: %s", at, s.Stopped), Do: "correct the CR"}
			if s.unsettled {
				f.Do = "see that one template alone makes each of these objects"
			}
			out = append(out, f)
		}
		for _, m := range s.Machines {
			if !m.Loses {
				continue
			}
			f := finding.Finding{
				ID: finding.PlanMachine, Severity: finding.Warning,
				Text: fmt.Sprintf("%s: %s %q in namespace %q: %s", at, m.Kind, m.Name, m.Namespace, m.Effect),
				Do:   "name a DataSource that stays, with the architecture in its name",
			}
			if m.file != "" {
				f.Object = finding.Object{Kind: m.Kind, Namespace: m.Namespace, Name: m.Name, File: m.file}
			}
			out = append(out, f)
		}
		var total int64
		for _, class := range slices.Sorted(maps.Keys(s.Storage)) {
			total += max(s.Storage[class].During, s.Storage[class].Full)
			if d.missingClass(class) {
				missing[class] = true
			}
		}
		if budget > 0 && total > budget {
			takes, allowed := sizesApart(total, budget)
			out = append(out, finding.Finding{
				ID: finding.PlanStorage, Severity: finding.Error,
				Text: fmt.Sprintf("%s: golden images take up to %s, and the budget is %s", at, takes, allowed),
				Do:   "lower importsToKeep, remove leftovers (goldenarch plan --leftovers), or raise --storage-budget",
			})
		}
	}
	for _, class := range slices.Sorted(maps.Keys(missing)) {
		out = append(out, finding.Finding{
			ID: finding.PlanClass, Severity: finding.Warning,
			Text: fmt.Sprintf("a template names the storage class %q, which nothing in the dump has", class),
			Do:   "correct the name, or add the StorageClass to the cluster",
		})
	}
	return out
}

// missingClass reports whether a storage class is one that nothing in the dump has. Without
// StorageClasses in the dump, nobody knows.
func (d *Dump) missingClass(name string) bool {
	return name != unknownClass && d.has(kindStorageClass) && !d.classes[name] && !d.snapshotClasses[name]
}
