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
// configuration. The comments of the fields are the reference in docs/configuration.md.
type GoldenImagesSpec struct {
	// Node facts. They win over all others. See docs/nodes.md.
	Cluster ClusterSpec `json:"cluster,omitempty"`
	// Files to read beside the items, such as `[nodes.yaml]`: relative to the working
	// directory, and below it. A HyperConverged with a status is the live CR, and is never
	// written. See docs/nodes.md#the-live-cr.
	Inputs []string `json:"inputs,omitempty"`
	// Whether the run writes.
	Mode Mode `json:"mode,omitempty"`
	// The kind of cluster.
	Platform Platform `json:"platform,omitempty"`
	// The release of HCO on the cluster (`"1.19"`), or of OpenShift Virtualization (`"5.0"`).
	// Default: that of the live CR. See docs/configuration.md#release.
	Release string `json:"release,omitempty"`
	// Whose predefined templates the running HCO has.
	Predefined Predefined `json:"predefined,omitempty"`
	// The table of predefined templates itself. It wins over `predefined` and the live CR.
	// See docs/configuration.md#predefinedtemplates.
	PredefinedTemplates []PredefinedTemplate `json:"predefinedTemplates,omitempty"`
	// What goldenarch does with architectures that a person declared.
	// See docs/configuration.md#declared-architectures.
	Existing Existing `json:"existing,omitempty"`
	// The only architectures that goldenarch declares. Default: all.
	Allow []string `json:"allow,omitempty"`
	// What images have, instead of a query: of templates, machines and pods. For one run:
	// `--image REF=ARCHITECTURE,…`.
	Overrides []Override `json:"overrides,omitempty"`
	// A template whose image has nothing for any workload node.
	Unsupported Unsupported `json:"unsupported,omitempty"`
	// A template whose image is unknown.
	Unresolved Unresolved `json:"unresolved,omitempty"`
	// The multi-arch gate, `enableMultiArchBootImageImport`.
	// See docs/configuration.md#the-multi-arch-gate.
	Gate Gate `json:"gate,omitempty"`
	// Restricts workloads to nodes of this architecture, instead of going multi-arch.
	SingleArchitecture string `json:"singleArchitecture,omitempty"`
	// Whether goldenarch writes what HCO and its webhook would add. It needs `release`.
	// See docs/argocd.md#what-differs-on-the-cluster.
	Defaults Defaults `json:"defaults,omitempty"`
	// What goldenarch emits beside the CR.
	Expand ExpandSpec `json:"expand,omitempty"`
	// How goldenarch queries registries. See docs/registries.md.
	Registry RegistrySpec `json:"registry,omitempty"`
	// How goldenarch uses a lock. See docs/lock.md.
	Lock LockSpec `json:"lock,omitempty"`
	// As `mode` of a WorkloadArchitectures, over which it wins. Default: that mode, else `None`.
	// See docs/workloads.md.
	Workloads WorkloadMode `json:"workloads,omitempty"`
	// The labels of a ClusterServiceVersion for architectures. `Write` also makes
	// `workloads` `Affinity` by default. Default: that of a WorkloadArchitectures, else
	// `Check`. See docs/olm.md.
	CSVLabels CSVLabels `json:"csvLabels,omitempty"`
	// Another severity for findings, by their ids. See docs/configuration.md#severities.
	Findings map[string]FindingSeverity `json:"findings,omitempty"`
}

// ClusterSpec states node facts. A missing list states nothing.
type ClusterSpec struct {
	// Architectures of the nodes that run VMs.
	WorkloadArchitectures []string `json:"workloadArchitectures,omitempty"`
	// Architectures of the control-plane nodes. `[]` states that HCO sees none.
	// See docs/nodes.md#the-control-plane.
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
	// An image reference, unless `template` is there.
	Image string `json:"image,omitempty"`
	// The name of a template, also of one whose source no registry knows (http, pvc).
	Template string `json:"template,omitempty"`
	// What the image has.
	Architectures []string `json:"architectures"`
}

// ExpandSpec says whether goldenarch emits DataImportCrons and DataSources.
type ExpandSpec struct {
	// Whether goldenarch emits DataImportCrons and DataSources. See docs/expansion.md.
	Mode ExpandMode `json:"mode,omitempty"`
	// The golden images namespace. Default: by `predefined`, `kubevirt-os-images` or
	// `openshift-virtualization-os-images`.
	Namespace string `json:"namespace,omitempty"`
	// Lets Argo CD and Flux delete and recreate DataImportCrons, whose specs are immutable.
	// See docs/expansion.md#a-changed-template.
	ReplaceOnChange bool `json:"replaceOnChange,omitempty"`
	// Also emits the namespace, and the Role and RoleBinding that let users clone from it.
	Support bool `json:"support,omitempty"`
	// Which DataSources are emitted.
	DataSources ExpandDataSources `json:"dataSources,omitempty"`
	// Also expands predefined templates that are not in the CR.
	Predefined bool `json:"predefined,omitempty"`
}

// RegistrySpec says how goldenarch queries registries. Durations are Go's: "30s".
type RegistrySpec struct {
	// The time limit for all queries of a run. In Argo CD `40s`.
	Timeout string `json:"timeout,omitempty"`
	// The time limit for one request.
	RequestTimeout string `json:"requestTimeout,omitempty"`
	// How often goldenarch retries a failed request.
	Retries *int `json:"retries,omitempty"`
	// Parallel requests to one registry.
	Concurrency int `json:"concurrency,omitempty"`
	// Requests per second to one registry, at most 1000. Default: no limit.
	RequestsPerSecond int `json:"requestsPerSecond,omitempty"`
	// How much of an index goldenarch verifies. See docs/lock.md#truth.
	Verify Verify `json:"verify,omitempty"`
	// Registries (`host` or `host:port`) to query over plain HTTP, or over TLS with any
	// certificate. They get no credentials.
	Insecure []string `json:"insecure,omitempty"`
	// Secrets of the input with credentials: `name` or `namespace/name`.
	// See docs/registries.md#credentials.
	PullSecrets []string `json:"pullSecrets,omitempty"`
	// Authorities beside the system's: a ConfigMap of the input (`name` or
	// `namespace/name`), or certificates in PEM. See docs/registries.md#certificates.
	CertificateAuthorities []string `json:"certificateAuthorities,omitempty"`
	// Mirrors to query before the registries that references name.
	// See docs/registries.md#mirrors.
	Mirrors []RegistryMirrors `json:"mirrors,omitempty"`
}

// LockSpec says how goldenarch uses an ArchitectureLock.
type LockSpec struct {
	// How goldenarch uses a lock. See docs/lock.md.
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
	// Architectures of the nodes that run VMs. Default: from `nodes`.
	Workload []string `json:"workload,omitempty"`
	// Architectures of the control-plane nodes. `[]` states that HCO sees none. Default: from
	// `nodes`.
	ControlPlane []string `json:"controlPlane,omitzero"`
	// Groups of nodes that are alike. The workload placement of the CR is applied to them as
	// HCO does it.
	Nodes []NodeGroup `json:"nodes,omitempty"`
}

// NodeGroup is a number of similar nodes.
type NodeGroup struct {
	// How many there are. Default: 1.
	Count *int `json:"count,omitempty"`
	// Their architecture.
	Architecture string `json:"architecture"`
	// Their labels: the roles, and what the placement selects by.
	Labels map[string]string `json:"labels,omitempty"`
}
