package admission

// The minor versions of the HCO releases that introduced the rules (hco branches
// release-1.16 to release-1.19).
const (
	// firstGate is the first release with the feature gate enableMultiArchBootImageImport.
	firstGate = 16
	// firstV1 is the first release that serves v1. Its mutating webhook sets
	// retentionPolicy, importsToKeep and ksmConfiguration.
	firstV1 = 18
	// firstField is the first release with the gate as a v1 field. It keeps the field and
	// the feature gate synchronized.
	firstField = 19
)
