package hyperconverged

// Kind and Group of the CR.
const (
	Kind  = "HyperConverged"
	Group = "hco.kubevirt.io"
)

// crName is the pattern that the CRD has for the name of the CR, of which there
// is one (hco api/v1/hyperconverged_types.go).
const crName = "kubevirt-hyperconverged"

// DownstreamNamespace is where OpenShift Virtualization installs HCO.
const DownstreamNamespace = "openshift-cnv"

// GateName is the name of the gate: a field, and a feature gate.
const GateName = "enableMultiArchBootImageImport"

// Annotations on a template or a CR.
const (
	// ClaimAnnotation says which architectures a template's image has.
	ClaimAnnotation = "ssp.kubevirt.io/dict.architectures"
	// EnableAnnotation switches a template off with "false" (hco
	// pkg/util/consts.go).
	EnableAnnotation = "dataimportcrontemplate.kubevirt.io/enable"
	// BindAnnotation is added to each template by HCO's webhook, and again on
	// the way to SSP.
	BindAnnotation = "cdi.kubevirt.io/storage.bind.immediate.requested"
	// V1OnlyAnnotation keeps what the v1beta1 view of a v1 object cannot say
	// (hco api/v1beta1/conversion.go).
	V1OnlyAnnotation = "hco.kubevirt.io/v1-only-fields"
	// SSPPatchAnnotation holds a JSON patch that HCO applies to the SSP CR last
	// of all (hco controllers/handlers/ssp.go).
	SSPPatchAnnotation = "ssp.kubevirt.io/jsonpatch"
)

// Annotations of goldenarch's own.
const (
	// WrittenAnnotation stands beside a claim that goldenarch wrote, with the same
	// value. A claim without an equal mark is a person's.
	WrittenAnnotation = "goldenarch.dev/claim"
	// GateRecord stands on a CR whose multi-arch gate goldenarch turned off for
	// spec.gate: Disable. Its value is what was there before. A gate that is off
	// without it is a person's.
	GateRecord = "goldenarch.dev/gate-before-disable"
	// GateWasUnset and GateWasOn are the values of GateRecord.
	GateWasUnset = "unset"
	GateWasOn    = "enabled"
	// DisabledAnnotation says why goldenarch disabled a template.
	DisabledAnnotation = "goldenarch.dev/disabled-because"
	// NoSupportedArchitecture is the value of DisabledMark for a template that
	// fits no workload node.
	NoSupportedArchitecture = "no-supported-architecture"
	// DisabledByExpansion is the value of DisabledMark for a template whose
	// DataImportCrons goldenarch makes.
	DisabledByExpansion = "taken-over"
)
