package hyperconverged

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// Version is an API version of the CR that goldenarch knows.
type Version string

// The served versions: v1beta1 in every release, v1 from 1.18 on.
const (
	V1      Version = "v1"
	V1beta1 Version = "v1beta1"
)

// Path is the path to a field of an object, with one key per element.
type Path []string

// String returns the path as findings write it: "spec.featureGates".
func (p Path) String() string { return strings.Join(p, ".") }

// At returns the path of an element of the list at p: "spec.list[2]".
func (p Path) At(i int) string { return fieldpath.Element(p.String(), i) }

// Child returns the path of a field below p.
func (p Path) Child(keys ...string) Path { return slices.Concat(p, keys) }

// Paths says where an API version keeps the fields (hco
// api/v1beta1/conversion.go).
type Paths struct {
	Templates     Path
	CommonImport  Path
	BootNamespace Path
	FeatureGates  Path
	Workloads     Path // node placement of workloads
	Infra         Path // node placement of infrastructure
}

var paths = map[Version]Paths{
	V1: {
		Templates:     Path{"spec", "workloadSources", "dataImportCronTemplates"},
		CommonImport:  Path{"spec", "workloadSources", "enableCommonBootImageImport"},
		BootNamespace: Path{"spec", "workloadSources", "commonBootImageNamespace"},
		FeatureGates:  Path{"spec", "featureGates"},
		Workloads:     Path{"spec", "deployment", "nodePlacements", "workload"},
		Infra:         Path{"spec", "deployment", "nodePlacements", "infra"},
	},
	V1beta1: {
		Templates:     Path{"spec", "dataImportCronTemplates"},
		CommonImport:  Path{"spec", "enableCommonBootImageImport"},
		BootNamespace: Path{"spec", "commonBootImageNamespace"},
		FeatureGates:  Path{"spec", "featureGates"},
		Workloads:     Path{"spec", "workloads", "nodePlacement"},
		Infra:         Path{"spec", "infra", "nodePlacement"},
	},
}

// Paths returns where the version keeps its fields.
func (v Version) Paths() Paths { return paths[v] }

// Other returns the other version.
func (v Version) Other() Version {
	if v == V1 {
		return V1beta1
	}
	return V1
}

// Is reports whether an object of this apiVersion and kind is a HyperConverged CR of any
// version.
func Is(apiVersion, kind string) bool {
	group, _, _ := strings.Cut(apiVersion, "/")
	return kind == Kind && group == Group
}

// ParseVersion reads the version from "hco.kubevirt.io/v1". The error names the known
// versions.
func ParseVersion(apiVersion string) (Version, error) {
	group, version, _ := strings.Cut(apiVersion, "/")
	if v := Version(version); group == Group && (v == V1 || v == V1beta1) {
		return v, nil
	}
	return "", fmt.Errorf("unknown apiVersion %q: expected %q or %q",
		apiVersion, Group+"/"+string(V1), Group+"/"+string(V1beta1))
}

// GatePath returns the path of the field that turns the gate on: v1 has it from release 1.19 on.
func (v Version) GatePath() Path {
	if v == V1 {
		return Path{"spec", "workloadSources", GateName}
	}
	return V1beta1.Paths().FeatureGates.Child(GateName)
}

// Serves reports whether a release serves an API version. Releases serve v1 from 1.18 on.
func (v Version) Serves(release v1alpha1.Release) bool {
	return v != V1 || ServesV1.In(release)
}

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

// DumpCommand returns the command that prints the CR in a namespace as the cluster has it. Without a namespace it is one that finds
// the CR: the product decides where that is.
func DumpCommand(namespace string) string {
	const get = " get hyperconvergeds.v1beta1.hco.kubevirt.io "
	switch {
	case len(validation.IsDNS1123Label(namespace)) > 0: // so is ""
		return "kubectl" + get + "-A -o yaml"
	case namespace == DownstreamNamespace:
		return "oc" + get + "-n " + namespace + " " + Name + " -o yaml"
	default:
		return "kubectl" + get + "-n " + namespace + " " + Name + " -o yaml"
	}
}

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
	// v1OnlyAnnotation keeps the values of a v1 object that v1beta1 has no fields for (hco
	// api/v1beta1/conversion.go).
	v1OnlyAnnotation = "hco.kubevirt.io/v1-only-fields"
	// SSPPatchAnnotation holds a JSON patch that HCO applies to the SSP CR as its last step
	// (hco controllers/handlers/ssp.go).
	SSPPatchAnnotation = "ssp.kubevirt.io/jsonpatch"
)

// goldenarch's own annotations.
const (
	// WrittenAnnotation records the declared architectures that goldenarch wrote. If the
	// declared architectures differ from it, or it is missing, a person wrote them.
	WrittenAnnotation = "goldenarch.dev/claim"
	// DisabledAnnotation says why goldenarch disabled a template.
	DisabledAnnotation = "goldenarch.dev/disabled-because"
	// NoSupportedArchitecture is the value of DisabledAnnotation for a template that no
	// workload node can use.
	NoSupportedArchitecture = "no-supported-architecture"
	// DisabledByExpansion is the value of DisabledAnnotation for a template whose
	// DataImportCrons goldenarch makes.
	DisabledByExpansion = "taken-over"
)

// RetiredAnnotations are those that earlier versions wrote into CRs and templates to record
// what was there before. Nothing reads them any more: Git has it.
var RetiredAnnotations = []string{
	"goldenarch.dev/claim-changed",
	"goldenarch.dev/enable-before",
	"goldenarch.dev/gate-before-disable",
	"goldenarch.dev/gate-before-enable",
	"goldenarch.dev/spec-before",
}
