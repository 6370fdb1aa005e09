package archtest

// module is the path that every import of our own begins with.
const module = "github.com/goldenarch/goldenarch"

// pkg is a row of the list: what a package does and what it may import.
type pkg struct {
	// path is the directory below the module, which is the only place where a
	// path is written. Everything else names a package by the last element.
	path string
	// level orders the packages: a package imports only packages of lower
	// levels, so that no two packages ever need each other.
	level int
	// pure packages touch no network, no files, no clock, no environment.
	pure bool
	// users are the names of the only packages that may import this one; nil
	// allows all of higher levels.
	users []string
	// imports are the names of the only packages of ours that this one may import; nil
	// allows all of lower levels.
	imports []string
	// idea is what the package does, in one sentence without a full stop.
	idea string
}

// onlyTests are the users of a package that no program imports.
var onlyTests = []string{}

// packages has a row for every package of the module. The docs list them in this
// order. Run `go test ./internal/archtest -update` after an edit.
var packages = []pkg{
	{path: "", level: 14, idea: "The program"},
	{path: "internal/workspace", level: 12, users: []string{"cli"}, idea: "Finds, reads, checks and edits what a repository has, for all clusters of a run"},
	{path: "internal/cli", level: 13, users: []string{"goldenarch", "demo"}, idea: "The command line, one verb a file; flags win over the configuration"},
	{path: "fn", level: 12, users: []string{"kptfn"}, idea: "The Go API: the KRM function as a processor of kyaml's framework, check and forecast"},
	{path: "fn/kptfn", level: 13, users: onlyTests, idea: "Makes the function a processor of kpt's SDK"},
	{
		path: "internal/engine", level: 11, users: []string{"fn", "workspace", "cli", "demo"},
		idea: "Items in, items and findings out; `run.go` is the way of the data",
	},

	{
		path:  "internal/engine/check",
		level: 10,
		users: []string{"fn", "engine", "workspace", "cli", "report"},
		idea:  "Judges the result of a run by its prediction, compares it with the input and the cluster, and has the verdict of a check",
	},
	{
		path:  "internal/engine/prediction",
		level: 9,
		pure:  true,
		idea:  "Predicts from the items what becomes of each CR: as it is, as it is written, without the templates that have an error",
	},
	{path: "internal/engine/output", level: 9, pure: true, idea: "Writes the decisions into copies of the items, and takes out what does not go to the cluster"},
	{path: "internal/engine/emit", level: 9, pure: true, idea: "Adds, updates and removes among the items the objects that templates expand to"},
	{path: "internal/engine/customize", level: 9, pure: true, idea: "Decides what a person's customization of one template changes in a CR"},
	{
		path:  "internal/images/access",
		level: 9,
		users: []string{"engine", "cli"},
		idea:  "Collects what the items hold for asking registries: pull secrets, authorities, insecure registries, mirrors",
	},
	{
		path:  "internal/engine/join",
		level: 8,
		pure:  true,
		idea:  "Joins each CR with its cluster, its predefined templates, the overrides and the questions about its images",
	},
	{path: "internal/engine/configuration", level: 7, idea: "Finds the configuration, lays the caller's options over it and reads the files of `spec.inputs`"},
	{path: "internal/engine/input", level: 7, pure: true, idea: "Reads out of the items what a run needs, each kind once: CRs, node facts, ImageStreams, locks"},
	{
		path:  "internal/engine/livecr",
		level: 6,
		pure:  true,
		idea:  "The live CR: which CR it describes, and what it shows of the release, the nodes and the multi-arch gate",
	},
	{path: "internal/manifest/kinds", level: 5, pure: true, idea: "Says which kind an object is to goldenarch, or nearly is, and when two objects are one"},
	{
		path:  "internal/manifest/object",
		level: 3,
		pure:  true,
		idea:  "Reads objects out of items: an item or an element of a List, with its file and lines, as the API server reads it",
	},

	{path: "internal/report", level: 11, idea: "Writes the same facts for people and for programs"},
	{
		path: "internal/kustomize", level: 7, users: []string{"workspace", "cli", "argocd", "wiring", "repo", "worker", "edit"},
		idea: "Builds a directory with a kustomization into items, with kustomize's library; runs nothing, fetches nothing",
	},
	{
		path: "internal/kustomize/edit", level: 8, users: []string{"workspace", "repo"},
		idea: "Writes decisions about a build into its files or into patches of an overlay; says who else builds a file",
	},
	{
		path: "internal/kustomize/worker", level: 8, users: []string{"cli", "goldenarch", "confined"},
		idea: "Runs kustomize's library in processes of its own, which the kernel confines where it can",
	},
	{
		path: "internal/kustomize/worker/confined", level: 9, users: onlyTests,
		idea: "Does what a worker must not do, for tests",
	},
	{
		path:  "test/kustomizationtest",
		level: 1,
		pure:  true,
		users: onlyTests,
		idea:  "Has kustomizations that try to reach the network, for tests",
	},
	{
		path:  "internal/host/argocd",
		level: 9,
		users: []string{"workspace", "cli"},
		idea:  "What goldenarch does as a plugin of Argo CD: options of an Application, discovery, short errors, a queue of calls",
	},
	{
		path:  "internal/host/setup/wiring",
		level: 9,
		users: []string{"workspace", "cli"},
		idea:  "Says which files of a repository change so that a host, a workflow or a hook runs goldenarch",
	},
	{
		path:  "internal/workspace/fleet",
		level: 10,
		users: []string{"workspace", "cli"},
		idea:  "Has what is about many clusters of one repository: the Fleet, and the run for all of them",
	},
	{
		path:  "internal/workspace/repo",
		level: 9,
		users: []string{"workspace", "cli", "fleet"},
		idea:  "Finds out what a repository holds: clusters, charts, what Argo CD applies, and what goldenarch cannot look into",
	},
	{path: "test/repotest", level: 1, pure: true, users: onlyTests, idea: "Has repositories of many clusters, for tests and measurements"},
	{path: "docs", level: 1, pure: true, users: []string{"cli"}, idea: "Has the pages that the program shows without a network"},
	{path: "examples/argocd", level: 1, pure: true, users: []string{"wiring"}, idea: "Has the plugin of Argo CD, which `goldenarch init` writes"},
	{path: "internal/host/flux", level: 7, pure: true, users: []string{"workspace"}, idea: "Protects what was rendered from Flux's substitution"},

	{path: "internal/manifest", level: 6, idea: "Reads YAML and JSON files and streams into items that know file and line, and writes them back"},
	{
		path: "internal/images/lock", level: 6,
		idea: "Keeps the answers of registries in a file: answers from it, compares with it, edits it entry by entry, replaces it all at once",
	},
	{
		path:  "internal/host/setup",
		level: 4,
		pure:  true,
		users: []string{"workspace", "wiring"},
		idea:  "Has the texts that `goldenarch init` writes: the configuration, and the entries that run goldenarch",
	},
	{
		path: "internal/files", level: 1,
		idea: "Reads regular files below a limit, writes all files of a run or none, and says where a path leads and what Git has of it",
	},
	{path: "internal/manifest/template", level: 2, pure: true, idea: "Says whether a text is a template, and which value of YAML a template engine gives"},
	{path: "internal/yaml/yamledit", level: 2, pure: true, idea: "Writes the edits of a YAML tree into its text; every byte outside the changed lines stays"},
	{path: "transformers", level: 4, pure: true, idea: "Writes decisions into YAML nodes: templates, the gate, the placement"},
	{path: "generators", level: 6, pure: true, idea: "Makes DataImportCrons, DataSources and what goes with them from templates"},
	{
		path: "internal/operators/forecast", level: 6, pure: true,
		idea: "Predicts what HCO, SSP, CDI and the alerts make of a CR, as data, tested against the operators' own answers",
	},
	{
		path: "internal/operators/sequence", level: 7, pure: true,
		idea: "Predicts what HCO, SSP and CDI make, leave behind and delete in each of several changes of a cluster",
	},
	{
		path: "internal/transition", level: 8, pure: true,
		idea: "Says step by step what a change does to a cluster that a dump shows: objects, storage, machines, and how to undo it",
	},
	{path: "internal/plan", level: 5, pure: true, idea: "Makes decisions from templates, platforms and the cluster; reads and writes no YAML"},

	{
		path:  "internal/olm",
		level: 5,
		pure:  true,
		idea:  "Checks and writes the labels by which a ClusterServiceVersion says on which architectures an operator runs",
	},
	{
		path:  "internal/workload",
		level: 4,
		pure:  true,
		idea:  "Decides which architectures the images of a pod have in common, writes that as its node affinity, and checks the result",
	},
	{path: "internal/workload/items", level: 6, pure: true, idea: "Finds the objects with pods in the items of a run, and runs `workload` on copies of them"},
	{
		path:  "internal/workload/affinity",
		level: 3,
		pure:  true,
		idea:  "Reads and writes what a PodSpec says about the architecture of its node, and records what it wrote",
	},
	{path: "internal/machine", level: 5, pure: true, idea: "Finds virtual machines with their disks, and says of each whether it starts, on what and why"},
	{path: "internal/machine/facts", level: 7, pure: true, idea: "Makes the facts about a cluster that machines need from a prediction, and compares them"},
	{path: "internal/workload/podspec", level: 2, pure: true, idea: "Finds the PodSpecs in objects of any kind, and the images that a PodSpec names"},
	{path: "internal/operators/admission", level: 4, pure: true, idea: "Predicts what the API server and HCO's webhooks make of a CR that is created"},
	{
		path:  "internal/operators/expansion",
		level: 4,
		pure:  true,
		idea:  "Expands templates into DataImportCrons as SSP does, for `forecast` and `generators` alike",
	},
	{
		path:  "internal/operators/hyperconverged",
		level: 3,
		pure:  true,
		idea:  "Models the CR: versions and paths, the predefined tables, what HCO refuses, what HCO makes of each template",
	},
	{path: "internal/cluster", level: 3, pure: true, idea: "Computes architectures from node facts and placement, one file for each kind that has node facts"},
	{path: "internal/operators/kubevirt", level: 2, pure: true, idea: "Decides the architecture of a virtual machine as each KubeVirt does, and what refuses it"},
	{path: "internal/operators/cdi", level: 2, pure: true, idea: "Says what CDI refuses, cannot import, and labels"},
	{path: "internal/images/imagestream", level: 2, pure: true, idea: "Follows an ImageStream to the image that it names"},
	{
		path: "api/v1alpha1", level: 2, pure: true, imports: []string{"arch", "fieldpath", "spelling", "pattern", "shape"},
		idea: "The kinds a user writes: types, defaults, strict decoding, validation",
	},
	{path: "internal/engine/settings", level: 3, pure: true, idea: "Carries the configuration of a run with its words as types, each read once"},
	{path: "internal/finding", level: 2, pure: true, idea: "Ids and severities; findings as KRM results, as lines for stderr and as an exit status"},
	{
		path: "internal/manifest/resourcelist", level: 3, pure: true, users: []string{"cli"},
		idea: "Runs the KRM function on a stream; an item that nobody changed leaves byte for byte as it came",
	},
	{path: "internal/arch", level: 1, pure: true, idea: "The words as types: Arch, Platform, Set, and the declared architectures"},

	{path: "internal/images/imageref", level: 1, pure: true, idea: "Reads references to images, once; a `Reference` is carried as that"},
	{
		path: "internal/images/registry", level: 5, users: []string{"fn", "engine", "access", "workspace", "cli", "fleet", "lock", "demo"},
		idea: "Finds the platforms of an image reference; only it speaks HTTP. `Resolver` has one method, and everything else about resolving wraps it",
	},
	{
		path:  "internal/images/transport",
		level: 3,
		users: []string{"registry"},
		idea:  "Sends small requests to registries and returns whole answers, with retries and limits",
	},
	{
		path:  "internal/images/confine",
		level: 2,
		pure:  true,
		users: []string{"registry", "transport", "cli"},
		idea:  "Says which hosts and addresses the machine lets goldenarch contact, and which get its logins",
	},
	{
		path:  "internal/images/certificate",
		level: 2,
		users: []string{"registry", "access"},
		idea:  "Finds the certificates that a registry is trusted by, and those that it knows us by",
	},
	{
		path:  "internal/images/credential",
		level: 2,
		users: []string{"registry", "access"},
		idea:  "Finds the credentials for a repository where podman and docker keep them",
	},
	{
		path: "internal/images/mirror", level: 3, pure: true, users: []string{"registriesconf", "registry", "access", "engine"},
		idea: "Says where an image can be found: mirror sets, `spec.registry.mirrors` and `registries.conf` as one policy",
	},
	{path: "internal/images/mirror/registriesconf", level: 4, users: []string{"registry"}, idea: "Reads `registries.conf` into the policy of `mirror`"},
	{path: "test/registrytest", level: 6, users: onlyTests, idea: "A registry inside the process that misbehaves as a test asks"},

	{path: "test/filetest", level: 0, users: onlyTests, idea: "Writes the files that a test needs, reads those with its cases, compares parts of pages, and has a disk that fails"},
	{path: "test/programtest", level: 0, users: []string{"hostile"}, idea: "Builds the programs of the module for tests that run them"},
	{path: "internal/yaml/shape", level: 1, pure: true, idea: "Says what a decoder refused, in the words of YAML"},
	{
		path: "internal/memory", level: 1, users: []string{"cli", "argocd"},
		idea: "Says how much memory the machine lets this process take, and passes the limit to Go",
	},
	{path: "internal/parallel", level: 0, pure: true, idea: "Does the same to many things on all processors"},
	{path: "internal/spelling", level: 0, pure: true, idea: "Finds the word that somebody meant to write"},
	{path: "internal/manifest/wrapper", level: 2, pure: true, idea: "Opens objects that carry other objects to a cluster, and says whether an edit reaches it"},
	{path: "internal/manifest/unread", level: 3, pure: true, idea: "Finds what goldenarch checks in places where it does not read it"},
	{path: "internal/yaml/fieldpath", level: 0, pure: true, idea: "Writes and reads where in YAML a field is: as findings name it, and as `--cr-path` does"},
	{path: "internal/yaml/yamlnode", level: 1, pure: true, idea: "Reads, compares, copies and edits YAML nodes; comments, quotes and order stay"},
	{path: "test/yamlnodetest", level: 0, pure: true, users: onlyTests, idea: "Checks that an edit of YAML can be repeated, for tests"},
	{
		path: "internal/console", level: 1,
		idea: "The printer through which everything shown goes; makes texts of others safe to show, and lays out tables",
	},
	{path: "internal/pattern", level: 0, pure: true, idea: "Compiles regular expressions when they are first needed"},
	{path: "test/demo", level: 14, users: onlyTests, idea: "`make demo`"},
	{path: "internal/definition", level: 1, users: onlyTests, idea: "Makes `krmfunctiondefinition.yaml` from the Go types, in a test"},
	{path: "internal/english", level: 1, users: onlyTests, idea: "Keeps pages, messages and help in plain English, in a test"},
	{path: "internal/archtest", level: 1, users: onlyTests, idea: "Checks imports, and other rules about the source, in tests"},
	{
		path: "test/answers", level: 9, pure: true, users: onlyTests,
		idea: "Reads what the operators' own code answered, release by release, and compares the predictions with it",
	},
	{path: "test/launch", level: 1, users: onlyTests, idea: "Runs a program and says what it took: time, processor, memory"},
	{path: "test/fence", level: 1, users: onlyTests, idea: "Becomes a program that must not open a socket"},
	{path: "test/kustomize", level: 1, users: onlyTests, idea: "Builds a directory as kustomize does, and runs the functions that it names"},
	{path: "test/hostile", level: 1, users: onlyTests, idea: "Runs the program on hostile inputs, within limits on time and memory"},
}

// nested are the modules of the repository that are not part of the program: what
// they need is kept out of its go.mod.
var nested = []pkg{
	{path: "test/bench", idea: "Measures goldenarch beside its peers"},
	{path: "test/crd", idea: "Checks what is emitted against CRDs that are generated from CDI's Go types"},
	{path: "test/edits", idea: "Writes CRs and pods in random formatting, and judges what fix makes of them with another YAML parser"},
	{path: "test/embed", idea: "Embeds the function in a program of its own, through both SDKs, with what is public alone"},
	{path: "test/olm", idea: "Holds the check of OLM bundles against the validator of operator-framework/api"},
	{path: "test/oracle", idea: "Runs the operators' own code of each release on cases, and stores what it answers"},
	{path: "test/e2e", idea: "Runs the real kustomize, kpt, containers, registries and Chromium"},
	{path: "test/e2e/apiserver", idea: "Applies what hosts build to an API server with the CRDs of HCO and CDI, twice"},
	{path: "test/e2e/argocd", idea: "Runs the real Argo CD, whose libraries replace others"},
	{path: "test/e2e/flux", idea: "Runs the real Flux, whose libraries want another kustomize"},
	{path: "test/e2e/helm3", idea: "Pins Helm 3, whose libraries want another Kubernetes"},
	{path: "test/e2e/helm4", idea: "Pins Helm 4, whose libraries want another Kubernetes"},
	{path: "test/e2e/kustomize4", idea: "Pins the last kustomize before 5.0"},
	{path: "test/e2e/kptfn", idea: "Builds the part of kpt that runs functions, whose libraries want another kustomize"},
	{
		path: "tools",
		idea: "Pins what developers and releases need; `tools/sbom` reads the modules out of a binary, " +
			"`tools/crdstructure` the structure out of HCO's CRDs, `tools/licenses` collects the license texts of what is in one",
	},
	{path: "tools/actionlint", idea: "Pins the linter of the workflow examples"},
}
