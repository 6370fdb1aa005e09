package transition

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/sequence"
)

// kindPod is the kind of the pods that import images.
const kindPod = "Pod"

// ShowsImports reports whether objects of a kind show how imports of golden images go.
func ShowsImports(kind string) bool {
	return kind != sequence.Snapshot && slices.Contains(sequence.Kinds(), kind) || kind == kindPod
}

// Import is an import of a golden image that does not end.
type Import struct {
	// Cron is the DataImportCron, which may be gone.
	Cron sequence.Key
	// Architecture is the one that it asks for, "" for none. Template is the template that the
	// cron is made from.
	Architecture, Template string
	// Conditions are what the objects say: the cron, its DataSource and DataVolume, and the pod.
	Conditions []Object
}

// StuckImports returns the imports that do not end, by the conditions of the objects of a dump.
func StuckImports(objects []expansion.Object) []Import {
	byCron := map[sequence.Key]*Import{}
	crons := map[sequence.Key]string{}   // the architecture of each
	volumes := map[sequence.Key]string{} // the cron of each import
	add := func(namespace, cron string, condition Object) {
		key := sequence.Key{Kind: sequence.Cron, Namespace: namespace, Name: cron}
		if byCron[key] == nil {
			byCron[key] = &Import{Cron: key}
		}
		byCron[key].Conditions = append(byCron[key].Conditions, condition)
	}
	for _, o := range objects {
		read, ok := sequence.Read(o)
		if !ok {
			continue
		}
		cron := read.Labels[cdi.CronLabel]
		switch read.Kind {
		case sequence.Cron:
			cron = read.Name
			crons[read.Key] = read.Labels[cdi.ArchitectureLabel]
		case sequence.DataVolume, sequence.Claim:
			if cron != "" {
				volumes[sequence.Key{Kind: sequence.Claim, Namespace: read.Namespace, Name: read.Name}] = cron
				volumes[sequence.Key{Kind: sequence.Claim, Namespace: read.Namespace, Name: "prime-" + o.Text("metadata", "uid")}] = cron
			}
		}
		if why := notReadyReason(read, o); why != "" {
			add(read.Namespace, cron, object(read, why))
		}
	}
	for _, o := range objects {
		if o.Kind() != kindPod || o.Text("metadata", "labels", componentLabel) != "importer" {
			continue
		}
		at := sequence.Key{Kind: sequence.Claim, Namespace: o.Namespace(), Name: importedBy(o)}
		cron, why := volumes[at], podReason(o)
		if cron != "" && why != "" {
			add(at.Namespace, cron, Object{Kind: kindPod, Namespace: at.Namespace, Name: o.Name(), Reason: why})
		}
	}
	var out []Import
	for key, one := range byCron {
		one.Architecture = crons[key]
		one.Template = strings.TrimSuffix(key.Name, "-"+one.Architecture)
		out = append(out, *one)
	}
	slices.SortFunc(out, func(a, b Import) int { return strings.Compare(a.Cron.String(), b.Cron.String()) })
	return out
}

// componentLabel is on the pods of CDI (cdi pkg/common/common.go).
const componentLabel = "cdi.kubevirt.io"

// importedBy returns the name of the volume that a pod imports: that of the golden image, or one
// that CDI makes for it and names prime-UID (cdi pkg/controller/import-controller.go:
// makeImporterPodSpec; pkg/controller/populators).
func importedBy(pod expansion.Object) string {
	for _, owner := range pod.List("metadata", "ownerReferences") {
		if owner.Text("kind") == sequence.Claim {
			return owner.Text("name")
		}
	}
	return strings.TrimPrefix(pod.Name(), "importer-")
}

// podReason says why the pod of an import does not end; "" if it runs or has ended.
func podReason(pod expansion.Object) string {
	status := pod.Child("status")
	for _, one := range status.List("containerStatuses") {
		states := []expansion.Object{one.Child("state", "waiting"), one.Child("state", "terminated")}
		if len(one.Child("state", "running"))+len(one.Child("state", "terminated")) == 0 {
			states = append(states, one.Child("lastState", "terminated")) // why it waits
		}
		for _, state := range states {
			reason, message := state.Text("reason"), state.Text("message")
			if reason != "" && reason != "Completed" && reason != "ContainerCreating" && reason != "PodInitializing" {
				return console.Redact(strings.TrimSuffix(reason+": "+message, ": "))
			}
		}
	}
	for _, one := range status.List("conditions") {
		if one.Text("type") == "PodScheduled" && one.Text("status") == "False" {
			return console.Redact(fmt.Sprintf("%s: %s", cmp.Or(one.Text("reason"), "not scheduled"), one.Text("message")))
		}
	}
	return ""
}
