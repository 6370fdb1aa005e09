package affinity

import "slices"

// Labels of nodes, as the kubelet sets them.
const (
	ArchLabel     = "kubernetes.io/arch"
	BetaArchLabel = "beta.kubernetes.io/arch"
	OSLabel       = "kubernetes.io/os"
	BetaOSLabel   = "beta.kubernetes.io/os"
)

// archKeys and osKeys are the labels with the same meaning.
var (
	archKeys = []string{ArchLabel, BetaArchLabel}
	osKeys   = []string{OSLabel, BetaOSLabel}
)

// NameField is the only field of a node that a term can select by.
const NameField = "metadata.name"

// IsArch reports whether a label names a node's architecture.
func IsArch(label string) bool { return slices.Contains(archKeys, label) }

// The path of the required terms, and the key of the preferred ones.
const (
	required  = "requiredDuringSchedulingIgnoredDuringExecution"
	preferred = "preferredDuringSchedulingIgnoredDuringExecution"
	termsKey  = "nodeSelectorTerms"
	// RequiredPath and PreferredPath are the paths of a PodSpec's terms.
	RequiredPath  = "affinity.nodeAffinity." + required + "." + termsKey
	PreferredPath = "affinity.nodeAffinity." + preferred
)
