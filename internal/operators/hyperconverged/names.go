package hyperconverged

// The kind and the group of the CR.
const (
	Kind  = "HyperConverged"
	Group = "hco.kubevirt.io"
)

// Name is the only name of a CR that HCO reconciles (hco api/v1/hyperconverged_types.go). It
// does so only in its own namespace, which is that of the installation.
const Name = "kubevirt-hyperconverged"

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
	// BindAnnotation is on each template: HCO's webhook adds it, and HCO adds it again for
	// SSP.
	BindAnnotation = "cdi.kubevirt.io/storage.bind.immediate.requested"
	// V1OnlyAnnotation keeps the values of a v1 object that v1beta1 has no fields for (hco
	// api/v1beta1/conversion.go).
	V1OnlyAnnotation = "hco.kubevirt.io/v1-only-fields"
	// SSPPatchAnnotation holds a JSON patch that HCO applies to the SSP CR as its last step
	// (hco controllers/handlers/ssp.go).
	SSPPatchAnnotation = "ssp.kubevirt.io/jsonpatch"
)

// goldenarch's own annotations.
const (
	// WrittenAnnotation records the declared architectures that goldenarch wrote. If the
	// declared architectures differ from it, or it is missing, a person wrote them.
	WrittenAnnotation = "goldenarch.dev/claim"
	// GateRecord is on a CR whose multi-arch gate goldenarch turned off for spec.gate:
	// Disable. Its value is the gate's previous value. If the gate is off without this
	// annotation, a person turned it off.
	GateRecord = "goldenarch.dev/gate-before-disable"
	// GateWasUnset and GateWasOn are the values of GateRecord.
	GateWasUnset = "unset"
	GateWasOn    = "enabled"
	// DisabledAnnotation says why goldenarch disabled a template.
	DisabledAnnotation = "goldenarch.dev/disabled-because"
	// NoSupportedArchitecture is the value of DisabledAnnotation for a template that no
	// workload node can use.
	NoSupportedArchitecture = "no-supported-architecture"
	// DisabledByExpansion is the value of DisabledAnnotation for a template whose
	// DataImportCrons goldenarch makes.
	DisabledByExpansion = "taken-over"
)
