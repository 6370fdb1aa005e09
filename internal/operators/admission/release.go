package admission

// The releases of HCO, by their minor, with which the rules came (hco branches
// release-1.16 to release-1.19).
const (
	// firstGate has the feature gate enableMultiArchBootImageImport.
	firstGate = 16
	// firstV1 serves v1, and its mutating webhook sets retentionPolicy,
	// importsToKeep and ksmConfiguration.
	firstV1 = 18
	// firstField has the gate as a v1 field, and keeps field and feature gate in
	// step.
	firstField = 19
)
