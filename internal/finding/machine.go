package finding

// Virtual machines, and the facts that a repository of machines has about a cluster.
const (
	MachineRefused         ID = "GA901"
	MachineNeverStarts     ID = "GA902"
	MachineDiskOther       ID = "GA903"
	MachineDiskMissing     ID = "GA904"
	MachineNoNode          ID = "GA905"
	MachineDepends         ID = "GA906"
	MachineRaces           ID = "GA907"
	MachineSelectorRemoved ID = "GA908"
	MachineUnknown         ID = "GA909"
	MachineUnread          ID = "GA910"
	FactsDisagree          ID = "GA912"
	FactsInvalid           ID = "GA913"
)

// titlesOfMachines has a short description of each of these ids.
var titlesOfMachines = map[ID]string{
	MachineRefused:         "KubeVirt refuses a machine",
	MachineNeverStarts:     "a machine never starts",
	MachineDiskOther:       "a machine cannot boot from its disk",
	MachineDiskMissing:     "a disk of a machine will not exist",
	MachineNoNode:          "no node can run a machine",
	MachineDepends:         "what a machine gets depends on the cluster",
	MachineRaces:           "a machine and its DataSource race",
	MachineSelectorRemoved: "KubeVirt removes a node selector",
	MachineUnknown:         "goldenarch does not know enough about a machine",
	MachineUnread:          "a machine cannot be read",
	FactsDisagree:          "a facts file does not agree with the CR",
	FactsInvalid:           "a facts file is not valid",
}
