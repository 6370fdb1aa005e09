package forecast

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// dataSources has DataSources by namespace and name.
type dataSources map[objectKey]dataSource

type objectKey struct{ namespace, name string }

// afterCDI returns the DataSources after CDI has reconciled the crons that it admits,
// before it imports anything (cdi dataimportcron-controller.go, lines 585 to 588 and 801 to
// 830). A cron takes over a DataSource whose label names another cron. SSP deletes the
// crons that it made before, and goldenarch does not know the crons of other owners.
func (s ssp) afterCDI(m made) dataSources {
	all := s.existingDataSources(m)
	for _, c := range m.crons.Sorted() {
		if m.refused[c.Key()].what != "" {
			continue
		}
		at := objectKey{c.Namespace, c.Spec.ManagedDataSource}
		d, exists := all[at]
		if exists && d.filledBy() == "" {
			continue // a cron cannot fill this one
		}
		if !exists && cdi.Invalid(KindDataSource, metav1.ObjectMeta{Name: at.name, Namespace: at.namespace}) != "" {
			continue
		}
		if !exists {
			d = dataSource{name: at.name, namespace: at.namespace, labels: map[string]string{}, owner: OwnerCDI}
		}
		maps.Copy(d.labels, cdi.DataSourceLabels(c.Name, c.Labels, c.Spec))
		all[at] = d
	}
	return all
}

// existingDataSources returns the DataSources that exist before CDI reconciles. They are
// the ones that SSP makes, and those in the cluster that SSP does not delete.
func (s ssp) existingDataSources(m made) dataSources {
	all := dataSources{}
	for _, e := range s.existing {
		if e.Kind != KindDataSource || e.Owned && e.Namespace == s.Namespace {
			continue
		}
		all[objectKey{e.Namespace, e.Name}] = dataSource{
			name: e.Name, namespace: e.Namespace, labels: merged(e.Labels, nil), kept: e.Source, owner: e.owner(),
		}
	}
	for name, d := range m.sources {
		d.labels = maps.Clone(d.labels)
		all[objectKey{d.namespace, name}] = d
	}
	return all
}

// objects returns the DataSources that have one of these names.
func (d dataSources) objects(names map[string]bool) []expansion.Object {
	out := []expansion.Object{}
	for at, one := range d {
		if names[at.name] && len(one.possible) == 0 {
			out = append(out, one.object())
		}
	}
	return expansion.SortObjects(out)
}

// verdicts returns the answer of CDI's webhook to each cron.
func (m made) verdicts() map[string]string {
	spaces := map[string]map[string]bool{} // by name
	for _, c := range m.crons {
		if spaces[c.Name] == nil {
			spaces[c.Name] = map[string]bool{}
		}
		spaces[c.Name][c.Namespace] = true
	}
	out := map[string]string{}
	for key, c := range m.crons {
		name := c.Name
		if len(spaces[name]) > 1 {
			name = c.Namespace + "/" + c.Name
		}
		// Also where the API server refuses the cron before: the webhook is then not asked.
		out[name] = ""
		if refused := cmp.Or(cdi.Refused(c.Name, c.Spec), m.refused[key].what); refused != "" {
			out[name] = " " + refused // as CDI's webhook handler writes it
		}
	}
	return out
}

// CronOutcome is what happens to a DataImportCron that a template requests.
type CronOutcome struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Template is the template that requests it.
	Template string `json:"template"`
	// Architecture is the architecture that it imports. It is "" for the only cron of a
	// template without declared architectures.
	Architecture arch.Arch `json:"architecture"`
	// ManagedDataSource is the DataSource that the cron fills.
	ManagedDataSource string `json:"managedDataSource"`
	// KnownFrom says where the template is known from.
	KnownFrom hyperconverged.Origin `json:"knownFrom"`
	Outcome   Outcome               `json:"outcome"`
	Why       string                `json:"why"`
	// Image is what is known about the image that it imports.
	Image Image `json:"-"`
	// Broken says that its import fails because of what its template states, whatever the image
	// is ([cdi.Broken]).
	Broken bool `json:"-"`
	// refusedBy is who refuses it; "" if nobody does.
	refusedBy string
}

// What happens to a cron. Created and refused crons are in dataImportCrons, because SSP
// wants them.
const (
	Created     Outcome = "created"     // and admitted by CDI
	Refused     Outcome = "refused"     // by the API server or CDI's webhook; also of a template, by SSP's, with the whole SSP CR
	Overwritten Outcome = "overwritten" // by another template's of the same DataSource
	Removed     Outcome = "removed"     // because a reference has the name of its DataSource
	NotCreated  Outcome = "notCreated"  // because of an object that already exists in the cluster
	ImportFails Outcome = "importFails" // the cron exists, but its image lacks the architecture
)

// Blocked is why SSP's reconcile stops for all templates.
type Blocked struct {
	Why string `json:"why"`
	// Crons are the crons that the API server or CDI refuses, as "namespace/name".
	Crons []string `json:"crons"`
}

// aCron is what [Blocked.Why] says of one or several crons.
const aCron = "a DataImportCron"

// String says why SSP stops, with the crons that are refused.
func (b Blocked) String() string {
	if len(b.Crons) == 0 {
		return b.Why
	}
	return strings.Replace(b.Why, aCron, "the DataImportCron "+strings.Join(b.Crons, ", "), 1)
}

// stopped describes the consequences if SSP's operand fails (ssp common/resource.go:
// CollectResourceStatus stops at the first error; ssp_controller.go).
const stopped = "SSP stops there on each reconcile. It may not create the other new DataImportCrons, never deletes obsolete ones, " +
	"and does not reconcile what follows (templates, template validator, console proxy)"

// cronOutcomes reports each cron, sorted by namespace and name. Crons with the same name
// have the order of the templates.
func (s ssp) cronOutcomes(m made) []CronOutcome {
	out := make([]CronOutcome, 0, len(m.wanted))
	for i, w := range m.wanted {
		f := CronOutcome{
			Namespace: w.cron.Namespace, Name: w.cron.Name, Template: w.template,
			Architecture: w.cron.Architecture, ManagedDataSource: w.cron.Spec.ManagedDataSource, Outcome: Created, Image: s.images[w.template],
		}
		_, left := m.crons[w.key()]
		refused := m.refused[w.key()]
		switch winner := m.kept[w.key()]; {
		case winner != i:
			f.Outcome = Overwritten
			f.Why = fmt.Sprintf("template %q has the same DataSource %q and a later name: SSP keeps its cron", m.wanted[winner].template, f.ManagedDataSource)
		case !left:
			f.Outcome, f.Why = m.missingOutcome(w)
		case refused.what != "":
			f.Outcome, f.Why, f.refusedBy = Refused, refused.by+" refuses it: "+refused.what, refused.by
		default:
			if why := s.importFails(w); why != "" {
				f.Outcome, f.Why, f.Broken = ImportFails, why, len(cdi.Broken(w.cron.Name, w.cron.Spec)) > 0
			}
		}
		out = append(out, f)
	}
	slices.SortStableFunc(out, func(a, b CronOutcome) int {
		return expansion.CompareNames(a.Namespace, a.Name, b.Namespace, b.Name)
	})
	return out
}

// missingOutcome returns why SSP does not make a cron that a template requests.
func (m made) missingOutcome(w wanted) (Outcome, string) {
	d := m.sources[w.cron.Spec.ManagedDataSource]
	if d.reference != "" {
		return Removed, fmt.Sprintf("SSP makes a default DataSource with the name %q, which points at %q, and removes the cron of that name", d.name, d.reference)
	}
	return NotCreated, d.idle
}

// blockedBy returns the crons that are refused; nil if none is.
func blockedBy(outcomes []CronOutcome) *Blocked {
	var crons, by []string
	for _, f := range outcomes {
		if f.Outcome == Refused {
			crons, by = append(crons, f.Namespace+"/"+f.Name), append(by, f.refusedBy)
		}
	}
	if len(crons) == 0 {
		return nil
	}
	return &Blocked{Why: refuse(by) + aCron + ". " + stopped, Crons: crons}
}

// refuse says who refuses crons, as the beginning of a sentence.
func refuse(by []string) string {
	names := slices.Compact(slices.Sorted(slices.Values(by)))
	if len(names) > 1 {
		return "CDI and the API server refuse "
	}
	return strings.Replace(names[0], "the", "The", 1) + " refuses "
}

// refusedCrons says which crons are refused; "" if none is.
func (m made) refusedCrons() string {
	var refused, by []string
	for _, c := range m.crons.Sorted() {
		if why := m.refused[c.Key()]; why.what != "" {
			refused, by = append(refused, c.Namespace+"/"+c.Name+": "+why.what), append(by, why.by)
		}
	}
	if len(refused) == 0 {
		return ""
	}
	return refuse(by) + aCron + ", and SSP stops there: " + strings.Join(refused, "; ")
}
