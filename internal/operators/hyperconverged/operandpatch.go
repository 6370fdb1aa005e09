package hyperconverged

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// The operands whose CRs HCO patches, and on which a prediction depends.
const (
	PatchedSSP      = "SSP"
	PatchedKubeVirt = "KubeVirt"
	PatchedCDI      = "CDI"
)

// featureGates is where KubeVirt's CR has its feature gates, of which one matters to a prediction.
const (
	featureGates      = "/spec/configuration/developerConfiguration/featureGates"
	multiArchitecture = "MultiArchitecture"
)

const (
	kubeVirtPatchAnnotation = "kubevirt.kubevirt.io/jsonpatch"
	patchRefused            = "HCO refuses the CR: "
)

// IsPatchOfKubeVirt reports whether a finding is about a patch of KubeVirt's CR that HCO can apply. Where all workloads run on
// nodes of one architecture, no golden image depends on that CR.
func IsPatchOfKubeVirt(f finding.Finding) bool {
	return f.ID == finding.JSONPatch && strings.HasSuffix(f.Field, "["+kubeVirtPatchAnnotation+"]") && !strings.HasPrefix(f.Text, patchRefused)
}

// patchedOperand is an operand with the annotation that has the patch, and what a prediction reads of its CR.
type patchedOperand struct {
	kind, annotation string
	read             []string
}

// patchedOperands are the CRs that HCO patches last of all (hco controllers/operands/operand.go: applyAnnotationPatch). Nothing
// that goldenarch predicts depends on that of the network addons.
var patchedOperands = []patchedOperand{
	{PatchedSSP, SSPPatchAnnotation, []string{"/spec/commonTemplates/dataImportCronTemplates", "/spec/enableMultipleArchitectures", "/spec/cluster"}},
	{PatchedKubeVirt, kubeVirtPatchAnnotation, []string{
		featureGates, "/spec/configuration/architectureConfiguration", "/spec/configuration/cpuModel", "/spec/configuration/machineType",
		"/spec/configuration/emulatedMachines", "/spec/workloads",
	}},
	{PatchedCDI, "containerizeddataimporter.kubevirt.io/jsonpatch", []string{"/spec/workload"}},
}

// OperandPatch is a patch of a CR that HCO writes, and that changes what a prediction depends on.
type OperandPatch struct {
	// Kind is that of the CR, and Annotation has the patch.
	Kind, Annotation string
	// Operation is the first one that does so, such as "replace /spec/cluster"; "" if HCO cannot apply the patch.
	Operation string
}

// OperandPatches returns the annotations whose patches change what a prediction depends on. goldenarch does not apply
// them: without them it would not know what SSP, KubeVirt or CDI gets, and it lacks the rest of their CRs.
func (cr *CR) OperandPatches() []OperandPatch {
	var out []OperandPatch
	for _, one := range patchedOperands {
		text, ok := cr.Annotations[one.annotation]
		if !ok {
			continue
		}
		if operation, touches := one.touchedBy(text); touches {
			out = append(out, OperandPatch{one.kind, one.annotation, operation})
		}
	}
	return out
}

// Patched returns the patch of the CR of an operand; false if nothing that a prediction depends on changes.
func (cr *CR) Patched(kind string) (OperandPatch, bool) {
	for _, one := range cr.OperandPatches() {
		if one.Kind == kind {
			return one, true
		}
	}
	return OperandPatch{}, false
}

// operation is one of a JSON patch (RFC 6902).
type operation map[string]json.RawMessage

func (o operation) text(key string) string {
	var out string
	if json.Unmarshal(o[key], &out) != nil {
		return ""
	}
	return out
}

// touchedBy returns the first operation of a patch that changes what a prediction depends on. HCO refuses a patch that is not
// valid, or that is not for the spec, and then the operation is "".
func (p patchedOperand) touchedBy(text string) (string, bool) {
	var all []operation
	if json.Unmarshal([]byte(text), &all) != nil {
		return "", true
	}
	for _, one := range all {
		path := one.text("path")
		if !strings.HasPrefix(path, "/spec/") {
			return "", true
		}
		shown := fmt.Sprintf("%s %s", one.text("op"), path)
		if one.text("op") == "test" { // of what goldenarch may not know: where it fails, HCO applies nothing
			return shown, true
		}
		for _, read := range p.read {
			if (overlap(path, read) || one.text("op") == "move" && overlap(one.text("from"), read)) && !one.addsOtherGate() {
				return shown, true
			}
		}
	}
	return "", false
}

// addsOtherGate reports whether the operation adds a feature gate of KubeVirt on which no prediction depends.
func (o operation) addsOtherGate() bool {
	return o.text("op") == "add" && strings.HasPrefix(o.text("path"), featureGates+"/") && o.text("value") != multiArchitecture
}

// overlap reports whether one of two JSON pointers leads to the other, or into it.
func overlap(a, b string) bool {
	return strings.HasPrefix(a+"/", b+"/") || strings.HasPrefix(b+"/", a+"/")
}

// lintOperandPatches reports the patches that change what a prediction depends on.
func (cr *CR) lintOperandPatches() finding.List {
	var found finding.List
	for _, one := range cr.OperandPatches() {
		f := finding.Finding{
			ID: finding.JSONPatch, Severity: finding.Warning, Field: "metadata.annotations[" + one.Annotation + "]",
			Text: fmt.Sprintf("HCO applies this JSON patch to the %s CR last of all (%s), and goldenarch does not, so it does not know what the operators do",
				one.Kind, one.Operation),
			Do: "set the field of the HyperConverged CR instead; where it has none, remove the operation",
		}
		if one.Operation == "" {
			f.Text = fmt.Sprintf(patchRefused+"the annotation is no JSON patch of the %s CR, whose operations have a path below /spec/", one.Kind)
			f.Do = "correct or remove the patch"
		}
		found = append(found, f)
	}
	return found
}
