package hyperconverged

import (
	"encoding/json"
	"fmt"
	"strings"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// droppedFields returns a finding for each field that the type of a template does not have.
// The API server refuses such a field in a server-side or strict apply, and otherwise drops
// it.
func droppedFields(path string, unknown []error) finding.List {
	var found finding.List
	for _, err := range unknown {
		_, quoted, _ := strings.Cut(err.Error(), " field ")
		field := strings.Trim(quoted, `"`)
		// Tools that copy Kubernetes metadata leave this field, which is always null.
		if strings.HasSuffix(field, "metadata.creationTimestamp") {
			continue
		}
		f := finding.Finding{
			ID: finding.FieldMisplaced, Severity: finding.Warning, Field: path + "." + field,
			Text: fmt.Sprintf("a template has no field %q: a server-side or strict apply (Flux, kubectl) refuses the CR, any other drops the field", field),
			Do:   "remove the field",
		}
		if field == "name" || field == "annotations" || field == "labels" {
			f.Do = "indent it below metadata"
		}
		found = append(found, f)
	}
	return found
}

// required lists what the CRD requires of a template that has a spec (hco
// config/crd/bases: hco.kubevirt.io_hyperconvergeds.yaml).
var required = []Path{
	{"spec", "managedDataSource"},
	{"spec", "schedule"},
	{"spec", "template"},
	{"spec", "template", "spec"},
	{"spec", "template", "spec", "source", "http", "url"},
	{"spec", "template", "spec", "source", "s3", "url"},
	{"spec", "template", "spec", "source", "gcs", "url"},
	{"spec", "template", "spec", "source", "pvc", "name"},
	{"spec", "template", "spec", "source", "pvc", "namespace"},
	{"spec", "template", "spec", "source", "snapshot", "name"},
	{"spec", "template", "spec", "source", "snapshot", "namespace"},
}

// missingFields reports the fields that the CRD requires and a template lacks. The CRD
// requires a field only if its parent exists.
func missingFields(path string, spec *cdiv1.DataImportCronSpec, raw json.RawMessage) finding.List {
	if complete(spec) {
		return nil
	}
	var entry map[string]any
	if err := json.Unmarshal(raw, &entry); err != nil {
		return nil
	}
	var found finding.List
	for _, field := range required {
		parent, ok := lookup(entry, field[:len(field)-1]).(map[string]any)
		if !ok {
			continue
		}
		if value, ok := parent[field[len(field)-1]]; ok && value != nil {
			continue
		}
		found = append(found, finding.Finding{
			ID: finding.SchemaViolated, Severity: finding.Error, Field: path + "." + field.String(),
			Text: fmt.Sprintf("the API server would refuse the CR: a template needs %s", field),
			Do:   "add it: HCO replaces the whole spec of a predefined template, and adds only an empty schedule",
		})
	}
	return found
}

// complete reports whether a spec has all required fields, as nearly all specs do. The
// decoded spec does not distinguish an empty field from a missing one.
func complete(spec *cdiv1.DataImportCronSpec) bool {
	if spec == nil || spec.ManagedDataSource == "" || spec.Schedule == "" || spec.Template.Spec.Source == nil {
		return false
	}
	source := *spec.Template.Spec.Source
	source.Registry = nil // requires nothing
	return source == cdiv1.DataVolumeSource{}
}

// misplaced returns a finding for each field that is written where the other API version
// keeps it.
func (cr *CR) misplaced(spec json.RawMessage) finding.List {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(spec, &fields); err != nil {
		return nil
	}
	other := cr.Version.Other()
	here, there := cr.Version.Paths(), other.Paths()
	var found finding.List
	for _, move := range []struct{ from, to Path }{
		{there.Templates, here.Templates},
		{there.CommonImport, here.CommonImport},
		{there.BootNamespace, here.BootNamespace},
		{there.Workloads, here.Workloads},
		{there.Infra, here.Infra},
		{gateOf(other), gateOf(cr.Version)},
	} {
		if !has(fields, move.from[1:]) {
			continue
		}
		found = append(found, finding.Finding{
			ID: finding.FieldMisplaced, Severity: finding.Error, Field: move.from.String(),
			Text: fmt.Sprintf("%s/%s has no field %s: a server-side or strict apply (Flux, kubectl) refuses the CR, any other drops the field, and HCO never sees it",
				Group, cr.Version, move.from),
			Do: fmt.Sprintf("move it to %s, or use apiVersion %s/%s", move.to, Group, other),
		})
	}
	return found
}

// gateOf returns the path at which a version keeps the gate as a bool.
func gateOf(v Version) Path {
	if v == V1 {
		return gateField
	}
	return V1beta1.Paths().FeatureGates.Child(GateName)
}

// has reports whether an object has a value other than null at a path.
func has(fields map[string]json.RawMessage, path Path) bool {
	value, ok := fields[path[0]]
	if !ok || string(value) == "null" {
		return false
	}
	if len(path) == 1 {
		return true
	}
	var below map[string]json.RawMessage
	return json.Unmarshal(value, &below) == nil && has(below, path[1:])
}

// lookup returns the value at a path of decoded JSON; nil if the path does not exist.
func lookup(tree any, path Path) any {
	for _, key := range path {
		m, ok := tree.(map[string]any)
		if !ok {
			return nil
		}
		tree = m[key]
	}
	return tree
}
