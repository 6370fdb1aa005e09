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

// GoldenImagesSpec says what to do. The zero value, after Default, is a
// complete configuration.
type GoldenImagesSpec struct {
	// Cluster states node facts directly; they win over those in the input.
	Cluster ClusterSpec `json:"cluster,omitempty"`
	// Inputs are files to read beside the items, relative to the working
	// directory and below it.
	Inputs []string `json:"inputs,omitempty"`
	// Mode says whether the run writes. Default: Write.
	Mode Mode `json:"mode,omitempty"`
	// Platform is the kind of cluster. Default: openshift.
	Platform Platform `json:"platform,omitempty"`
	// Release is the HCO or CNV release on the cluster, such as "1.18" or
	// "4.22". No default.
	Release string `json:"release,omitempty"`
	// Predefined says whose built-in templates the running HCO has. Default:
	// Auto.
	Predefined Predefined `json:"predefined,omitempty"`
	// PredefinedTemplates is the table of built-in templates itself; it wins
	// over Predefined. What an entry does not state comes from the table that
	// Predefined names.
	PredefinedTemplates []PredefinedTemplate `json:"predefinedTemplates,omitempty"`
	// Existing says what becomes of a claim that a person wrote. Default:
	// Narrow.
	Existing Existing `json:"existing,omitempty"`
	// Allow, if set, lists the only architectures ever claimed.
	Allow []string `json:"allow,omitempty"`
	// Overrides are believed instead of the registry.
	Overrides []Override `json:"overrides,omitempty"`
	// Unsupported says what becomes of a template that fits no workload node.
	// Default: Disable.
	Unsupported Unsupported `json:"unsupported,omitempty"`
	// Unresolved says what becomes of a template if goldenarch cannot find out
	// which platforms its image has. Default: Fail.
	Unresolved Unresolved `json:"unresolved,omitempty"`
	// Gate says what becomes of enableMultiArchBootImageImport. Default: Auto.
	Gate Gate `json:"gate,omitempty"`
	// SingleArchitecture, if set, restricts workloads to nodes of this
	// architecture.
	SingleArchitecture string `json:"singleArchitecture,omitempty"`
	// Defaults says whether to write what HCO's webhook would add. Default:
	// Keep.
	Defaults Defaults `json:"defaults,omitempty"`
	// Expand says whether DataImportCrons and DataSources are emitted beside the
	// CR.
	Expand ExpandSpec `json:"expand,omitempty"`
	// Registry says how registries are asked.
	Registry RegistrySpec `json:"registry,omitempty"`
	// Lock says how an ArchitectureLock is used.
	Lock LockSpec `json:"lock,omitempty"`
	// Workloads says what is done about pods. Default: the mode of a
	// WorkloadArchitectures, None without one.
	Workloads WorkloadMode `json:"workloads,omitempty"`
}

// ClusterSpec states node facts. An empty list says nothing.
type ClusterSpec struct {
	WorkloadArchitectures     []string `json:"workloadArchitectures,omitempty"`
	ControlPlaneArchitectures []string `json:"controlPlaneArchitectures,omitempty"`
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

// ExpandSpec says whether DataImportCrons and DataSources are emitted.
type ExpandSpec struct {
	// Mode turns it on. Default: None.
	Mode ExpandMode `json:"mode,omitempty"`
	// Namespace is where golden images are. Default: that of the HCO which
	// Predefined names, kubevirt-os-images or openshift-virtualization-os-images.
	Namespace string `json:"namespace,omitempty"`
	// ReplaceOnChange adds the annotations by which Argo CD and Flux delete and
	// recreate a DataImportCron, whose spec is immutable. Argo CD then does so at
	// every sync.
	ReplaceOnChange bool `json:"replaceOnChange,omitempty"`
	// Support also emits the Namespace, and the Role and RoleBinding that let
	// users clone from it.
	Support bool `json:"support,omitempty"`
	// DataSources says which DataSources are emitted. Default: All.
	DataSources ExpandDataSources `json:"dataSources,omitempty"`
	// Predefined expands the predefined templates that are not in the CR too.
	Predefined bool `json:"predefined,omitempty"`
}

// RegistrySpec says how registries are asked. Durations are Go's: "30s".
type RegistrySpec struct {
	// Timeout bounds all asking of a run. Default: 2m.
	Timeout string `json:"timeout,omitempty"`
	// RequestTimeout bounds one request. Default: 15s.
	RequestTimeout string `json:"requestTimeout,omitempty"`
	// Retries is how often a failed request is tried again. Default: 4.
	Retries *int `json:"retries,omitempty"`
	// Concurrency is how many requests one registry gets at once. Default: 96.
	Concurrency int `json:"concurrency,omitempty"`
	// RequestsPerSecond is how many requests one registry gets in a second, at
	// most. Default: 0, as many as there are.
	RequestsPerSecond int `json:"requestsPerSecond,omitempty"`
	// Verify is how far an image's index is believed: index (by its word),
	// children (the manifest of each platform exists), config (and its image is of
	// that architecture). Default: index.
	Verify Verify `json:"verify,omitempty"`
	// Insecure lists the registries (host or host:port) that are asked over
	// plain HTTP, or over TLS with any certificate. They get no credentials.
	Insecure []string `json:"insecure,omitempty"`
	// PullSecrets names Secrets of the input (name or namespace/name) with
	// credentials for registries.
	PullSecrets []string `json:"pullSecrets,omitempty"`
	// CertificateAuthorities are trusted beside the system's: each is the name of
	// a ConfigMap of the input (name or namespace/name), or certificates in PEM.
	CertificateAuthorities []string `json:"certificateAuthorities,omitempty"`
	// Mirrors are asked before the registries that references name, for tags and
	// digests.
	Mirrors []RegistryMirrors `json:"mirrors,omitempty"`
}

// LockSpec says how an ArchitectureLock is used.
type LockSpec struct {
	Mode LockMode `json:"mode,omitempty"`
}

// ClusterArchitectures states the nodes of a cluster in Git.
type ClusterArchitectures struct {
	TypeMeta   `json:",inline"`
	ObjectMeta `json:"metadata"`
	Spec       ClusterArchitecturesSpec `json:"spec,omitempty"`
}

// ClusterArchitecturesSpec states architectures directly, or as node groups.
// What is stated directly wins over what the groups give.
type ClusterArchitecturesSpec struct {
	Workload     []string    `json:"workload,omitempty"`
	ControlPlane []string    `json:"controlPlane,omitempty"`
	Nodes        []NodeGroup `json:"nodes,omitempty"`
}

// NodeGroup is a number of nodes that are alike.
type NodeGroup struct {
	// Count is how many there are. Default: 1.
	Count        *int              `json:"count,omitempty"`
	Architecture string            `json:"architecture"`
	Labels       map[string]string `json:"labels,omitempty"`
}
