package transformers

// Edits is what to write into a CR.
type Edits struct {
	// Templates has an edit for each template to change.
	Templates []Template
	// Gate says how to write the multi-arch gate. nil leaves it unchanged.
	Gate *Gate
	// GateRecord is the former gate to record on a CR whose gate goldenarch turns off. nil
	// leaves the record unchanged, "" removes it.
	GateRecord *string
	// EnableRecord is the same for a gate that goldenarch turns on.
	EnableRecord *string
	// SingleArchitecture restricts the workload placement. "" leaves it unchanged.
	SingleArchitecture string
	// Defaults says which of the webhook's defaults to write.
	Defaults Defaults
	// ServerFields are the fields to remove because only a cluster sets them: "status", or
	// the name of a field below "metadata.".
	ServerFields []string
}

// Template is what to write into one template.
type Template struct {
	// Index is the place in the CR's list; -1 adds an entry at its end.
	Index int
	// Name is the name of an entry that is added.
	Name string
	// [Claim] is the declared architectures to write. nil leaves them and
	// goldenarch.dev/claim unchanged.
	Claim *Claim
	// Switch says how to change the enable annotation.
	Switch Switch
	// Because is the reason that goldenarch records on a template that it disables.
	Because string
}

// Claim has the declared architectures to write.
type Claim struct {
	// Value is the new text; "" removes the annotation.
	Value string
	// Written says whether goldenarch computed the value, and computes it again in the
	// next run. A value that only corrects the form of what a user wrote gets no
	// goldenarch.dev/claim, because the next run would widen it.
	Written bool
}

// Switch says how to change a template's enable annotation.
type Switch string

// Leave changes nothing. Disable switches the template off and records the reason.
// Enable reverts what Disable did. Remove removes the whole entry, if goldenarch added
// it only to disable a predefined template.
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

// GatePlace is a place where a CR can have the gate.
type GatePlace string

// The places (hco api/v1/hyperconverged_types.go, api/v1beta1).
const (
	GateField   GatePlace = "v1 field"                  // spec.workloadSources.enableMultiArchBootImageImport, from 1.19
	GateList    GatePlace = "v1 list of feature gates"  // spec.featureGates, in 1.18
	GateV1beta1 GatePlace = "v1beta1 feature gate bool" // spec.featureGates.enableMultiArchBootImageImport
	GateNowhere GatePlace = "nowhere"                   // removed from every place
)
