package finding

// Input and configuration.
const (
	Unreadable    ID = "GA001"
	Templated     ID = "GA002"
	NoCR          ID = "GA003"
	Duplicate     ID = "GA004"
	ConfigInvalid ID = "GA005"
	NotAvailable  ID = "GA006"
	DuplicateKey  ID = "GA007"
	NodeInPackage ID = "GA008"
	NodeLeftOut   ID = "GA012"
	NodesInvalid  ID = "GA013"
	KustomizeOld  ID = "GA016"
	KindNear      ID = "GA009"
)

// titlesOfInputs has a short description of each of these ids.
var titlesOfInputs = map[ID]string{
	Unreadable:    "the input cannot be read",
	Templated:     "a templated file was skipped",
	NoCR:          "there is no HyperConverged CR",
	Duplicate:     "an object is a duplicate",
	ConfigInvalid: "the configuration is invalid",
	NotAvailable:  "the option is not available",
	DuplicateKey:  "a key is a duplicate",
	NodeInPackage: "a Node would be applied to the cluster",
	NodeLeftOut:   "goldenarch omits a dump of a Node from the output",
	NodesInvalid:  "the file with the Nodes is not valid",
	KustomizeOld:  "kustomize is older than 5.0",
	KindNear:      "the kind or the group looks like one that goldenarch reads",
}
