package admission

import (
	"strconv"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// change is the answer of HCO's mutating webhook.
type change struct {
	denied   string
	warnings []string
	patch    patch
}

// mutate applies HCO's mutating webhook on create (hco hyperConvergedMutator.go,
// v1beta1_hyperConvergedMutator.go), in the webhook's order. If several operations fail, it
// reports the first.
func (r request) mutate(cr *hyperconverged.CR) change {
	made := change{patch: r.templates(cr)}
	made.patch = append(made.patch, r.eviction()...)
	if r.version == hyperconverged.V1beta1 {
		made.patch = append(made.patch, r.deviceTypes()...)
	}
	if r.version == hyperconverged.V1 && text(r.spec("virtualization"), "tuningPolicy") == highBurst {
		made.patch = append(made.patch, operation{op: "remove", path: []string{"spec", "virtualization", "tuningPolicy"}})
	}
	if r.release.Since(firstV1) && r.spec(r.below("ksmConfiguration")...) == nil {
		made.patch = append(made.patch, r.add(map[string]any{}, r.below("ksmConfiguration")...))
	}
	if r.version == hyperconverged.V1 && r.release.Since(firstField) {
		r.synchronise(cr, &made)
	}
	return made
}

// templates completes every entry of the list, including disabled ones (hco
// hyperConvergedMutator.go: getDICTPatches). The patch fails on an entry without metadata.
func (r request) templates(cr *hyperconverged.CR) patch {
	var p patch
	for i, t := range cr.Templates {
		entry := r.version.Paths().Templates.Child(strconv.Itoa(i))
		if t.Metadata == nil || t.Metadata.Annotations == nil {
			p = append(p, operation{
				op: "add", path: entry.Child("metadata", "annotations"), value: map[string]any{hyperconverged.BindAnnotation: "true"},
			})
		} else if _, ok := t.Annotation(hyperconverged.BindAnnotation); !ok {
			p = append(p, operation{op: "add", path: entry.Child("metadata", "annotations", hyperconverged.BindAnnotation), value: "true"})
		}
		if t.Spec == nil || !r.release.Since(firstV1) {
			continue
		}
		if t.Spec.RetentionPolicy == nil {
			p = append(p, operation{op: "add", path: entry.Child("spec", "retentionPolicy"), value: "None"})
		}
		if t.Spec.ImportsToKeep == nil {
			p = append(p, operation{op: "add", path: entry.Child("spec", "importsToKeep"), value: int64(1)})
		}
	}
	return p
}

// eviction returns a patch that replaces an eviction strategy which does not exist. Such a
// patch fails, so nobody can create an object that has a live CR's status (hco
// hyperConvergedMutator.go: mutateEvictionStrategy).
func (r request) eviction() patch {
	available, ok := lookup(r.object, "status", "infrastructureHighlyAvailable").(bool)
	if !ok || r.spec(r.below("evictionStrategy")...) != nil {
		return nil
	}
	strategy := "None"
	if available {
		strategy = "LiveMigrate"
	}
	return patch{{op: "replace", path: append([]string{"spec"}, r.below("evictionStrategy")...), value: strategy}}
}

// deviceTypes copies the types of mediated devices from the old name of the field.
func (r request) deviceTypes() patch {
	former, now := "mediatedDevicesTypes", "mediatedDeviceTypes"
	var p patch
	devices := r.spec("mediatedDevicesConfiguration")
	if list, _ := lookup(devices, former).([]any); len(list) > 0 && !filled(lookup(devices, now)) {
		p = append(p, r.add(list, "mediatedDevicesConfiguration", now))
	}
	nodes, _ := lookup(devices, "nodeMediatedDeviceTypes").([]any)
	for i, node := range nodes {
		if list, _ := lookup(node, former).([]any); len(list) > 0 && !filled(lookup(node, now)) {
			p = append(p, r.add(list, "mediatedDevicesConfiguration", "nodeMediatedDeviceTypes", strconv.Itoa(i), now))
		}
	}
	return p
}

func filled(value any) bool {
	list, _ := value.([]any)
	return len(list) > 0
}

// below returns where a version keeps a setting of virtualization, relative to spec.
func (r request) below(key string) []string {
	if r.version == hyperconverged.V1 {
		return []string{"virtualization", key}
	}
	return []string{key}
}

// add returns the operation that adds a field below spec.
func (r request) add(value any, path ...string) operation {
	return operation{op: "add", path: append([]string{"spec"}, path...), value: value}
}
