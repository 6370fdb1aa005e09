package hyperconverged

import (
	"fmt"
	"slices"
	"strings"
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
func (p Path) At(i int) string { return fmt.Sprintf("%s[%d]", p, i) }

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

// gateField is where v1 keeps the gate from release 1.19 on.
var gateField = Path{"spec", "workloadSources", GateName}

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
