package v1alpha1

import "fmt"

// ClusterFactsKind is the kind of [ClusterFacts].
const ClusterFactsKind = "ClusterFacts"

// ClusterFacts has what a repository of virtual machines needs to know about the cluster that
// runs them. "goldenarch forecast -o facts" writes it from the HyperConverged CR. It holds no
// secrets, and the same CR gives the same bytes.
type ClusterFacts struct {
	TypeMeta   `json:",inline"`
	ObjectMeta `json:"metadata"`
	Spec       ClusterFactsSpec `json:"spec"`
}

// ClusterFactsSpec is what the operators make of one CR.
type ClusterFactsSpec struct {
	// Source names the CR that the facts come from.
	Source FactsSource `json:"source"`
	// Release is the HCO or CNV release, such as "1.18" or "4.22".
	Release string `json:"release,omitempty"`
	// WorkloadArchitectures and ControlPlaneArchitectures are those of the nodes, sorted.
	WorkloadArchitectures     []string `json:"workloadArchitectures,omitempty"`
	ControlPlaneArchitectures []string `json:"controlPlaneArchitectures,omitempty"`
	// KubeVirt is what is known about KubeVirt.
	KubeVirt FactsKubeVirt `json:"kubevirt,omitzero"`
	// GoldenImages are the boot images of the cluster.
	GoldenImages FactsImages `json:"goldenImages,omitzero"`
}

// FactsSource names a CR.
type FactsSource struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

// FactsKubeVirt is what is known about KubeVirt.
type FactsKubeVirt struct {
	// Version is that of KubeVirt, such as "1.8.4". Default: what the release carries.
	Version string `json:"version,omitempty"`
	// DefaultArchitecture is that of a machine for which nothing else states one.
	DefaultArchitecture string `json:"defaultArchitecture,omitempty"`
	// MultiArchitecture says that KubeVirt accepts machines of other architectures than its
	// own. It counts up to KubeVirt 1.7.
	MultiArchitecture bool `json:"multiArchitecture,omitempty"`
	// CPUModel is that of a machine that names none.
	CPUModel string `json:"cpuModel,omitempty"`
}

// FactsImages are the boot images of the cluster.
type FactsImages struct {
	// Namespace is the namespace of the golden images.
	Namespace string `json:"namespace,omitempty"`
	// Complete says that no other DataSources exist in that namespace.
	Complete bool `json:"complete,omitempty"`
	// DataSources is sorted by namespace and name.
	DataSources []FactsDataSource `json:"dataSources,omitempty"`
}

// FactsDataSource is a DataSource that will exist.
type FactsDataSource struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Label is the architecture label of the DataSource, which KubeVirt reads.
	Label string `json:"label,omitempty"`
	// Preference is the preference that the DataSource names by default.
	Preference string `json:"preference,omitempty"`
	// Reference is the name of the DataSource that this one points at, in its namespace.
	Reference string `json:"reference,omitempty"`
	// Architectures are those of which the disk has one.
	Architectures []string `json:"architectures,omitempty"`
	// Image is the image of the disk, and Digest that of its manifest or index.
	Image  string `json:"image,omitempty"`
	Digest string `json:"digest,omitempty"`
	// Missing is why the DataSource gets no disk.
	Missing string `json:"missing,omitempty"`
	// Uncertain is why it may get none.
	Uncertain string `json:"uncertain,omitempty"`
}

// DecodeClusterFacts reads facts from decoded JSON. If the object is invalid, the error is an
// [Errors] that lists every problem.
func DecodeClusterFacts(object map[string]any) (*ClusterFacts, error) {
	return decode(object, new(ClusterFacts), ClusterFactsKind, (*ClusterFacts).check)
}

// HCO returns the release as a type; the undeclared one if the text is not valid.
func (f *ClusterFactsSpec) HCO() Release {
	out, _ := ParseRelease(f.Release) // decoding has validated it
	return out
}

func (f *ClusterFacts) check() Errors {
	var errs Errors
	if _, err := ParseRelease(f.Spec.Release); err != nil {
		errs.add("spec.release", "%s", err)
	}
	checkArchitectures(&errs, "spec.workloadArchitectures", f.Spec.WorkloadArchitectures)
	checkArchitectures(&errs, "spec.controlPlaneArchitectures", f.Spec.ControlPlaneArchitectures)
	seen := map[string]int{}
	for i, d := range f.Spec.GoldenImages.DataSources {
		at := fmt.Sprintf("spec.goldenImages.dataSources[%d]", i)
		if d.Name == "" {
			errs.add(at+".name", "is empty, expected the name of a DataSource")
		}
		checkArchitectures(&errs, at+".architectures", d.Architectures)
		if first, ok := seen[d.Namespace+"/"+d.Name]; ok {
			errs.add(at, "is a duplicate of spec.goldenImages.dataSources[%d]", first)
			continue
		}
		seen[d.Namespace+"/"+d.Name] = i
	}
	return errs
}
