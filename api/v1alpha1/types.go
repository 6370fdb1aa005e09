package v1alpha1

// Group, version and kinds.
const (
	Group                    = "goldenarch.dev"
	APIVersion               = Group + "/v1alpha1"
	GoldenImagesKind         = "GoldenImages"
	ClusterArchitecturesKind = "ClusterArchitectures"
	ArchitectureLockKind     = "ArchitectureLock"
)

// TypeMeta says which kind an object is.
type TypeMeta struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}

// ObjectMeta is the part of Kubernetes' object metadata that these kinds use.
type ObjectMeta struct {
	Name        string            `json:"name,omitempty"`
	Namespace   string            `json:"namespace,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// GoldenImages is the configuration of a run.
type GoldenImages struct {
	TypeMeta   `json:",inline"`
	ObjectMeta `json:"metadata"`
	Spec       GoldenImagesSpec `json:"spec,omitempty"`
}

// GoldenImagesSpec configures a run. The zero value, after Default, is a complete
// configuration.
type GoldenImagesSpec struct {
	// Cluster states node facts directly. They take precedence over those in the input.
	Cluster ClusterSpec `json:"cluster,omitempty"`
	// Inputs are files to read in addition to the items, relative to the working
	// directory and below it.
	Inputs []string `json:"inputs,omitempty"`
	// Mode says whether the run writes. Default: Write.
	Mode Mode `json:"mode,omitempty"`
	// Platform is the kind of cluster. Default: openshift.
	Platform Platform `json:"platform,omitempty"`
	// Release is the HCO or CNV release on the cluster, such as "1.18" or
	// "4.22". No default.
	Release string `json:"release,omitempty"`
	// Predefined names the table of templates that the running HCO has built in.
	// Default: Auto.
	Predefined Predefined `json:"predefined,omitempty"`
	// PredefinedTemplates is the table of built-in templates itself. It takes
	// precedence over Predefined. Fields that an entry does not state come from the
	// table that Predefined names.
	PredefinedTemplates []PredefinedTemplate `json:"predefinedTemplates,omitempty"`
	// Existing says what goldenarch does with declared architectures that a user wrote.
	// Default: Narrow.
	Existing Existing `json:"existing,omitempty"`
	// Allow, if set, lists the only architectures that goldenarch may declare.
	Allow []string `json:"allow,omitempty"`
	// Overrides replace the registry's answers.
	Overrides []Override `json:"overrides,omitempty"`
	// Unsupported says what goldenarch does with a template that fits no workload node.
	// Default: Disable.
	Unsupported Unsupported `json:"unsupported,omitempty"`
	// Unresolved says what goldenarch does with a template if it cannot find out which
	// platforms the image has. Default: Fail.
	Unresolved Unresolved `json:"unresolved,omitempty"`
	// Gate says what goldenarch does with enableMultiArchBootImageImport. Default:
	// Auto.
	Gate Gate `json:"gate,omitempty"`
	// SingleArchitecture, if set, restricts workloads to nodes of this architecture.
	SingleArchitecture string `json:"singleArchitecture,omitempty"`
	// Defaults says whether goldenarch writes what HCO's webhook would add. Default:
	// Keep.
	Defaults Defaults `json:"defaults,omitempty"`
	// Expand says whether goldenarch emits DataImportCrons and DataSources beside the
	// CR.
	Expand ExpandSpec `json:"expand,omitempty"`
	// Registry says how goldenarch queries registries.
	Registry RegistrySpec `json:"registry,omitempty"`
	// Lock says how goldenarch uses an ArchitectureLock.
	Lock LockSpec `json:"lock,omitempty"`
	// Workloads says what goldenarch does with pods. Default: the mode of a
	// WorkloadArchitectures in the input, else None.
	Workloads WorkloadMode `json:"workloads,omitempty"`
	// CSVLabels says what goldenarch does with the labels of a ClusterServiceVersion for
	// architectures and operating systems. Write also makes Workloads Affinity by default.
	// Default: the value of a WorkloadArchitectures in the input, else Check.
	CSVLabels CSVLabels `json:"csvLabels,omitempty"`
	// Findings gives findings another severity, by their ids, such as GA104.
	Findings map[string]FindingSeverity `json:"findings,omitempty"`
}

// ClusterSpec states node facts. A missing list states nothing.
type ClusterSpec struct {
	WorkloadArchitectures []string `json:"workloadArchitectures,omitempty"`
	// ControlPlaneArchitectures are the architectures of the control-plane nodes. An empty
	// list states that HCO sees none, as with a hosted control plane.
	ControlPlaneArchitectures []string `json:"controlPlaneArchitectures,omitzero"`
}

// RegistrySource mirrors CDI's DataVolumeSourceRegistry (cdi types.go).
type RegistrySource struct {
	URL           string           `json:"url,omitempty"`
	ImageStream   string           `json:"imageStream,omitempty"`
	PullMethod    string           `json:"pullMethod,omitempty"`
	SecretRef     string           `json:"secretRef,omitempty"`
	CertConfigMap string           `json:"certConfigMap,omitempty"`
	Platform      *PlatformOptions `json:"platform,omitempty"`
}

// PlatformOptions mirrors CDI's PlatformOptions (cdi types.go).
type PlatformOptions struct {
	Architecture string `json:"architecture,omitempty"`
}

// Override states the architectures of an image, or of one template's image.
// Exactly one of Image and Template is set.
type Override struct {
	Image         string   `json:"image,omitempty"`
	Template      string   `json:"template,omitempty"`
	Architectures []string `json:"architectures"`
}

// ExpandSpec says whether goldenarch emits DataImportCrons and DataSources.
type ExpandSpec struct {
	// Mode turns the expansion on. Default: None.
	Mode ExpandMode `json:"mode,omitempty"`
	// Namespace is the namespace of golden images. Default: that of the HCO which
	// Predefined names, kubevirt-os-images or openshift-virtualization-os-images.
	Namespace string `json:"namespace,omitempty"`
	// ReplaceOnChange adds annotations that make Argo CD and Flux delete and recreate a
	// DataImportCron, whose spec is immutable. Argo CD then does so at every sync.
	ReplaceOnChange bool `json:"replaceOnChange,omitempty"`
	// Support also emits the Namespace, and the Role and RoleBinding that let
	// users clone from it.
	Support bool `json:"support,omitempty"`
	// DataSources says which DataSources goldenarch emits. Default: All.
	DataSources ExpandDataSources `json:"dataSources,omitempty"`
	// Predefined also expands the predefined templates that are not in the CR.
	Predefined bool `json:"predefined,omitempty"`
}

// RegistrySpec says how goldenarch queries registries. Durations are Go's: "30s".
type RegistrySpec struct {
	// Timeout limits all queries of a run together. Default: 2m.
	Timeout string `json:"timeout,omitempty"`
	// RequestTimeout limits one request. Default: 15s.
	RequestTimeout string `json:"requestTimeout,omitempty"`
	// Retries is how often goldenarch retries a failed request. Default: 4.
	Retries *int `json:"retries,omitempty"`
	// Concurrency is how many requests goldenarch sends to one registry at the same
	// time. Default: 100.
	Concurrency int `json:"concurrency,omitempty"`
	// RequestsPerSecond is how many requests goldenarch sends to one registry in a
	// second, at most. Default: 0, no limit.
	RequestsPerSecond int `json:"requestsPerSecond,omitempty"`
	// Verify is how much of an image's index goldenarch verifies: index (nothing),
	// children (the manifest of each platform exists), config (and its image has that
	// architecture). Default: index.
	Verify Verify `json:"verify,omitempty"`
	// Insecure lists the registries (host or host:port) that goldenarch queries over
	// plain HTTP, or over TLS with any certificate. It sends them no credentials.
	Insecure []string `json:"insecure,omitempty"`
	// PullSecrets names Secrets of the input (name or namespace/name) with
	// credentials for registries.
	PullSecrets []string `json:"pullSecrets,omitempty"`
	// CertificateAuthorities are trusted in addition to the system's. Each is the name
	// of a ConfigMap of the input (name or namespace/name), or certificates in PEM.
	CertificateAuthorities []string `json:"certificateAuthorities,omitempty"`
	// Mirrors are the mirrors that goldenarch queries before the registries that
	// references name, for tags and digests.
	Mirrors []RegistryMirrors `json:"mirrors,omitempty"`
}

// LockSpec says how goldenarch uses an ArchitectureLock.
type LockSpec struct {
	Mode LockMode `json:"mode,omitempty"`
}

// ClusterArchitectures states the nodes of a cluster in Git.
type ClusterArchitectures struct {
	TypeMeta   `json:",inline"`
	ObjectMeta `json:"metadata"`
	Spec       ClusterArchitecturesSpec `json:"spec,omitempty"`
}

// ClusterArchitecturesSpec states architectures directly, or as node groups. A list
// that is stated directly takes precedence over the groups.
type ClusterArchitecturesSpec struct {
	Workload []string `json:"workload,omitempty"`
	// ControlPlane is empty, and not missing, if HCO sees no control-plane node.
	ControlPlane []string    `json:"controlPlane,omitzero"`
	Nodes        []NodeGroup `json:"nodes,omitempty"`
}

// NodeGroup is a number of similar nodes.
type NodeGroup struct {
	// Count is the number of nodes. Default: 1.
	Count        *int              `json:"count,omitempty"`
	Architecture string            `json:"architecture"`
	Labels       map[string]string `json:"labels,omitempty"`
}
