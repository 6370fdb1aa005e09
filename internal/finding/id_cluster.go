package finding

// The cluster.
const (
	NoNodeFacts         ID = "GA301"
	NodeFactsDisagree   ID = "GA302"
	PoolUndeclared      ID = "GA303"
	ArchitectureRefused ID = "GA304"
	NodeHint            ID = "GA305"
	NodeInvalid         ID = "GA306"
	SingleArchitecture  ID = "GA307"
	LivePlacement       ID = "GA308"
	ReleaseDiffers      ID = "GA309"
	StatedUnmatchable   ID = "GA310"
	DefaultUnknown      ID = "GA311"
	EmittedUnknown      ID = "GA312"
)

// titlesOfClusters has a short description of each of these ids.
var titlesOfClusters = map[ID]string{
	NoNodeFacts:         "the nodes are unknown",
	NodeFactsDisagree:   "two sources of node facts disagree",
	PoolUndeclared:      "a worker pool does not declare its architecture",
	ArchitectureRefused: "SSP refuses an architecture of the cluster",
	NodeHint:            "a hint at the architecture of nodes",
	NodeInvalid:         "a source of node facts is invalid",
	SingleArchitecture:  "no workload node has singleArchitecture",
	LivePlacement:       "the live CR has another workload placement",
	ReleaseDiffers:      "the live CR is of another release",
	StatedUnmatchable:   "the workload placement rules out a stated architecture",
	DefaultUnknown:      "the default architecture is unknown",
	EmittedUnknown:      "goldenarch cannot emit a default DataSource",
}
