package transformers

// Edits is what to write into a CR.
type Edits struct {
	// Templates has an edit for each template that is to change.
	Templates []Template
	// Gate is how to write the multi-arch gate; nil leaves it.
	Gate *Gate
	// GateRecord is what to record of the gate on the CR; nil leaves that, ""
	// removes it.
	GateRecord *string
	// SingleArchitecture restricts the workload placement; "" leaves it.
	SingleArchitecture string
	// Defaults says what of the webhook's defaults to write.
	Defaults Defaults
}

// Template is what to write into one template.
type Template struct {
	// Index is the place in the CR's list; -1 adds an entry at its end.
	Index int
	// Name is the name of an entry that is added.
	Name string
	// Claim is the declared architectures to write; nil leaves them and their mark.
	Claim *Claim
	// Switch is what becomes of the enable annotation.
	Switch Switch
	// Because is goldenarch's mark on what it disables.
	Because string
}

// Claim is declared architectures to write.
type Claim struct {
	// Value is the new text; "" removes the annotation.
	Value string
	// Written says whether the value is goldenarch's own, to be computed anew the
	// next time. A value that only tidies what a person said is not marked, or
	// the next run would widen it.
	Written bool
}

// Switch is what becomes of a template's enable annotation.
type Switch string

// Leave changes nothing. Disable switches off, with goldenarch's mark. Enable
// takes back what Disable did. Remove drops the whole entry: one that was only
// there to disable a predefined template.
const (
	Leave   Switch = ""
	Disable Switch = "disable"
	Enable  Switch = "enable"
	Remove  Switch = "remove"
)

// Defaults says what HCO's mutating webhook would add to each template (hco
// hyperConvergedMutator.go: getDICTPatches).
type Defaults struct {
	Bind      bool // the immediate-bind annotation
	Retention bool // retentionPolicy None and importsToKeep 1, from 1.18 on
}

// Gate is how to write the multi-arch gate.
type Gate struct {
	On bool
	// Place is where the CR's API version and the release keep it.
	Place GatePlace
}

// GatePlace is a place where the gate is kept.
type GatePlace string

// The places (hco api/v1/hyperconverged_types.go, api/v1beta1).
const (
	GateField   GatePlace = "v1 field"                  // spec.workloadSources.enableMultiArchBootImageImport, from 1.19
	GateList    GatePlace = "v1 list of feature gates"  // spec.featureGates, in 1.18
	GateV1beta1 GatePlace = "v1beta1 feature gate bool" // spec.featureGates.enableMultiArchBootImageImport
	GateNowhere GatePlace = "nowhere"                   // removed from every place
)
