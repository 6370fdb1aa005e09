package forecast

import (
	"fmt"
	"maps"
	"slices"

	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// Reference is a default DataSource: its name has no architecture, and it points at the
// DataSource of the default architecture. The forecast reports the references of the
// templates in the CR or the table.
type Reference struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// DefaultArchitecture is the architecture that the reference points at. Target is the
	// DataSource of that architecture, in the same namespace.
	// Both are "" if the default architecture is unknown; PossibleDefaults then has those
	// of which it is one.
	DefaultArchitecture string   `json:"defaultArchitecture"`
	PossibleDefaults    []string `json:"possibleDefaults,omitempty"`
	Target              string   `json:"target"`
	// State says what the target contains. Filled says that it gets an image, unless the
	// import fails.
	State  State  `json:"state"`
	Filled bool   `json:"filled"`
	Why    string `json:"why"`
}

// State is what the target of a reference contains.
type State string

// The states of a reference.
const (
	ByCron         State = "cron"           // a cron that CDI admits fills the target
	ByRefusedCron  State = "refusedCron"    // the API server or CDI refuses the cron that would
	ByFailedImport State = "failedImport"   // the import of the cron that would fails
	ByPVC          State = "pvc"            // the target reads a PVC, which no known cron fills
	Dangling       State = "dangling"       // the target does not exist
	CrossNamespace State = "crossNamespace" // the target of that name is in another namespace
	NoCron         State = "unmanaged"      // the target already exists, and no cron fills it
	TooDeep        State = "reference"      // the target is a reference itself
	UnknownTarget  State = "unknown"        // nothing states the control plane, whose architecture decides
)

// referencesOf reports the references, by name.
func (s ssp) referencesOf(m made, after dataSources) []Reference {
	concerned := map[string]bool{}
	for _, t := range slices.Concat(s.templates, s.withheld) {
		concerned[t.Spec.ManagedDataSource] = true
	}
	out := []Reference{}
	for _, name := range slices.Sorted(maps.Keys(m.sources)) {
		d := m.sources[name]
		if d.reference == "" || !concerned[name] {
			continue
		}
		r := Reference{Namespace: d.namespace, Name: name, Target: d.reference, DefaultArchitecture: d.defaultArchitecture()}
		if len(d.possible) > 0 {
			r.Target, r.PossibleDefaults, r.State = "", d.possible.Strings(), UnknownTarget
			r.Why = fmt.Sprintf("its default architecture is unknown, one of %s: SSP takes the first of the control plane, which nothing states", d.possible)
			out = append(out, r)
			continue
		}
		s.followReference(&r, m, after)
		out = append(out, r)
	}
	return out
}

// followReference finds the state of a reference. CDI follows one step, within the
// namespace (cdi pkg/controller/common/util.go).
func (s ssp) followReference(r *Reference, m made, after dataSources) {
	target, ok := after[objectKey{r.Namespace, r.Target}]
	elsewhere := ""
	if !ok || target.pvc != "" {
		elsewhere = other(r, after)
	}
	at := expansion.Key{Namespace: r.Namespace, DataSource: r.Target}
	cron, wanted := m.crons[at]
	failed := s.importOf(m, at)
	refused := refusal{}
	if wanted {
		refused = m.refused[at]
	}
	found, _ := s.existing.find(KindDataSource, r.Namespace, r.Target)
	switch {
	case refused.what != "":
		r.State, r.Why = ByRefusedCron, fmt.Sprintf("%s refuses DataImportCron %q, which would fill %q: %s", refused.by, cron.Name, r.Target, refused.what)
	case !ok && elsewhere != "":
		r.State, r.Why = CrossNamespace, fmt.Sprintf("a cron fills DataSource %q, but CDI refuses references to another namespace", elsewhere)
	case !ok:
		r.State, r.Why = Dangling, fmt.Sprintf("nothing makes DataSource %q", r.Target)
	case wanted && target.filledBy() == cron.Name && failed != "":
		r.State, r.Why = ByFailedImport, importOfFails(cron.Name, r.Target, failed)
	case wanted && target.filledBy() == cron.Name:
		r.State, r.Filled, r.Why = ByCron, true, fmt.Sprintf("DataImportCron %q fills %q", cron.Name, r.Target)
	case target.reference != "":
		r.State, r.Why = TooDeep, fmt.Sprintf("%q itself points at %q: CDI follows only one reference", r.Target, target.reference)
	case target.pvc != "":
		r.State, r.Filled = ByPVC, s.hasPVC(target.pvc)
		r.Why = unfilled(r, target.pvc, elsewhere, r.Filled)
	default:
		r.State, r.Filled = NoCron, found.Ready == "True"
		r.Why = fmt.Sprintf("DataSource %q exists already, and no cron of these templates fills it", r.Target)
	}
}

// unfilled says what is known about the PVC that a target reads.
func unfilled(r *Reference, pvc, elsewhere string, there bool) string {
	why := fmt.Sprintf("no DataImportCron fills %q, which reads PersistentVolumeClaim %q, ", r.Target, pvc)
	if there {
		return why + "and that exists"
	}
	why += "whether or not that exists"
	if elsewhere != "" {
		why += fmt.Sprintf("; the DataSource that a DataImportCron fills is %q, in another namespace", elsewhere)
	}
	return why
}

// other returns "namespace/name" of the first DataSource that has the target's name in
// another namespace; "" if no such DataSource exists.
func other(r *Reference, after dataSources) string {
	var list []string
	for at, d := range after {
		if at.name == r.Target && at.namespace != r.Namespace && d.filledBy() != "" {
			list = append(list, at.namespace+"/"+at.name)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return slices.Min(list)
}
