package v1alpha1

// Scalar is an option that fits in one string: a key of a ConfigMap's data, and
// a flag of the command line.
type Scalar struct {
	Key  string // workloadArchitectures
	Flag string // workload-architectures
	Path string // spec.cluster.workloadArchitectures: the field of a GoldenImages
	Help string // what it does, in a few words
	// Form is what the string holds.
	Form Form
	// Set writes the value into a spec. It fails if the value cannot be read. Validate
	// checks later whether the value is valid.
	Set func(spec *GoldenImagesSpec, value string) error
	// Get returns the value of a spec in the form that Set reads.
	Get func(spec *GoldenImagesSpec) string
}

// Form is what the string of a [Scalar] holds.
type Form string

// The forms.
const (
	FormText   Form = "text"
	FormList   Form = "list"
	FormBool   Form = "boolean"
	FormNumber Form = "number"
)

// Scalars returns the options that fit in one string, in the order of the
// documentation. Lists are comma-separated.
func Scalars() []Scalar {
	return []Scalar{
		list("workloadArchitectures", "spec.cluster.workloadArchitectures",
			"architectures of the nodes that run VMs, such as amd64,arm64",
			func(s *GoldenImagesSpec) *[]string { return &s.Cluster.WorkloadArchitectures }),
		orNone(list("controlPlaneArchitectures", "spec.cluster.controlPlaneArchitectures",
			"architectures of the control-plane nodes, or none if HCO sees no such node",
			func(s *GoldenImagesSpec) *[]string { return &s.Cluster.ControlPlaneArchitectures }),
			func(s *GoldenImagesSpec) *[]string { return &s.Cluster.ControlPlaneArchitectures }),
		list("inputs", "spec.inputs", "files to read in addition to the items", func(s *GoldenImagesSpec) *[]string { return &s.Inputs }),
		text("mode", "spec.mode",
			"whether the run corrects the CRs, or changes nothing and fails on what check fails on: Write, Check",
			func(s *GoldenImagesSpec) *Mode { return &s.Mode }),
		text("platform", "spec.platform", "kind of cluster: openshift, kubernetes", func(s *GoldenImagesSpec) *Platform { return &s.Platform }),
		text("release", "spec.release", "release of HCO (1.19) or of OpenShift Virtualization (4.22, 5.0) on the cluster",
			func(s *GoldenImagesSpec) *string { return &s.Release }),
		text("predefined", "spec.predefined", "whose predefined templates HCO has: Auto, upstream, openshift, none",
			func(s *GoldenImagesSpec) *Predefined { return &s.Predefined }),
		text("existing", "spec.existing", "what to do with declared architectures that a person wrote: Narrow, Replace, Keep",
			func(s *GoldenImagesSpec) *Existing { return &s.Existing }),
		list("allow", "spec.allow", "the only architectures to declare, such as amd64,arm64", func(s *GoldenImagesSpec) *[]string { return &s.Allow }),
		text("unsupported", "spec.unsupported",
			"what to do with a template that has no image for any workload node: Disable, Fail, Keep",
			func(s *GoldenImagesSpec) *Unsupported { return &s.Unsupported }),
		text("unresolved", "spec.unresolved", "what to do if the architectures of an image are unknown: Fail, Keep",
			func(s *GoldenImagesSpec) *Unresolved { return &s.Unresolved }),
		text("gate", "spec.gate", "what to do with the multi-arch gate enableMultiArchBootImageImport: Auto, Enable, Disable, Keep",
			func(s *GoldenImagesSpec) *Gate { return &s.Gate }),
		text("singleArchitecture", "spec.singleArchitecture", "place workloads only on nodes of this architecture, such as amd64",
			func(s *GoldenImagesSpec) *string { return &s.SingleArchitecture }),
		text("defaults", "spec.defaults", "whether to write what HCO's webhook adds: Keep, Write", func(s *GoldenImagesSpec) *Defaults { return &s.Defaults }),
		text("expand", "spec.expand.mode", "emit DataImportCrons and DataSources: None, Emit, TakeOver",
			func(s *GoldenImagesSpec) *ExpandMode { return &s.Expand.Mode }),
		text("expandNamespace", "spec.expand.namespace", "namespace of the golden images", func(s *GoldenImagesSpec) *string { return &s.Expand.Namespace }),
		text("expandDataSources", "spec.expand.dataSources", "which DataSources to emit: All, Reference, None",
			func(s *GoldenImagesSpec) *ExpandDataSources { return &s.Expand.DataSources }),
		boolean("expandPredefined", "spec.expand.predefined", "also expand predefined templates that are not in the CR",
			func(s *GoldenImagesSpec) *bool { return &s.Expand.Predefined }),
		boolean("expandSupport", "spec.expand.support", "also emit the namespace and the permissions to clone from it",
			func(s *GoldenImagesSpec) *bool { return &s.Expand.Support }),
		boolean("expandReplaceOnChange", "spec.expand.replaceOnChange",
			"let Argo CD and Flux delete and recreate changed DataImportCrons",
			func(s *GoldenImagesSpec) *bool { return &s.Expand.ReplaceOnChange }),
		text("lock", "spec.lock.mode", "how to use an ArchitectureLock: Prefer, Require, Ignore", func(s *GoldenImagesSpec) *LockMode { return &s.Lock.Mode }),
		text("registryTimeout", "spec.registry.timeout", "time limit for all registry queries, such as 2m",
			func(s *GoldenImagesSpec) *string { return &s.Registry.Timeout }),
		text("registryRequestTimeout", "spec.registry.requestTimeout", "time limit for one request to a registry, such as 15s",
			func(s *GoldenImagesSpec) *string { return &s.Registry.RequestTimeout }),
		{
			Key: "registryRetries", Flag: "registry-retries", Path: "spec.registry.retries",
			Help: "number of retries of a failed request", Form: FormNumber,
			Get: func(s *GoldenImagesSpec) string { return numeral(s.Registry.Retries) },
			Set: func(s *GoldenImagesSpec, value string) error {
				n, err := number(value)
				s.Registry.Retries = &n
				return err
			},
		},
		{
			Key: "registryConcurrency", Flag: "registry-concurrency", Path: "spec.registry.concurrency",
			Help: "number of parallel requests to one registry", Form: FormNumber,
			Get: func(s *GoldenImagesSpec) string { return numeral(&s.Registry.Concurrency) },
			Set: func(s *GoldenImagesSpec, value string) (err error) {
				s.Registry.Concurrency, err = number(value)
				return err
			},
		},
		{
			Key: "registryRequestsPerSecond", Flag: "registry-requests-per-second", Path: "spec.registry.requestsPerSecond",
			Help: "number of requests per second to one registry, 0 for no limit", Form: FormNumber,
			Get: func(s *GoldenImagesSpec) string { return numeral(&s.Registry.RequestsPerSecond) },
			Set: func(s *GoldenImagesSpec, value string) (err error) {
				s.Registry.RequestsPerSecond, err = number(value)
				return err
			},
		},
		text("verify", "spec.registry.verify", VerifyHelp, func(s *GoldenImagesSpec) *Verify { return &s.Registry.Verify }),
		list("registryInsecure", "spec.registry.insecure", "registries to query over plain HTTP, or with any certificate",
			func(s *GoldenImagesSpec) *[]string { return &s.Registry.Insecure }),
		list("registryPullSecrets", "spec.registry.pullSecrets",
			"Secrets of the input with registry credentials, as name or namespace/name",
			func(s *GoldenImagesSpec) *[]string { return &s.Registry.PullSecrets }),
		list("registryCertificateAuthorities", "spec.registry.certificateAuthorities",
			"ConfigMaps of the input with certificate authorities, as name or namespace/name",
			func(s *GoldenImagesSpec) *[]string { return &s.Registry.CertificateAuthorities }),
		text("workloads", "spec.workloads", "pods, their images and node affinity: Affinity, Check, None",
			func(s *GoldenImagesSpec) *WorkloadMode { return &s.Workloads }),
	}
}
