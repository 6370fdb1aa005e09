package main

// release is a release of HCO, with what it carries (HCO's hack/config).
type release struct {
	name string // as --release takes it, or "main"
	// The refs of each operator. Where a branch has no tag, it is the commit.
	hco, ssp, cdi string
	// number is the release in crd.txt, if it is not the name; crd is the ref of its CRD, if
	// it is not that of HCO.
	number, crd string
	// hcoFiles are the files of testdata/programs/hco that fit this release.
	hcoFiles []string
	notes    map[string]string
}

var releases = []release{
	{
		// The CRD of the branch accepts one value more (GuestEffectiveResources), as a patch
		// release does.
		name: "1.16", hco: "v1.16.0", crd: "aa70ad84dff2", ssp: "v0.24.1", cdi: "v1.63.1",
		hcoFiles: []string{"v1beta1.go", "v1beta1_only.go"},
	},
	{name: "1.17", hco: "v1.17.3", ssp: "v0.24.1", cdi: "v1.64.0", hcoFiles: []string{"v1beta1.go", "v1beta1_only.go"}},
	{name: "1.18", hco: "v1.18.1", ssp: "v0.25.0", cdi: "v1.65.0", hcoFiles: []string{"v1beta1.go", "v1beta1_and_v1.go"}},
	{
		name: "1.19", hco: "7313576e67e4", ssp: "v0.26.0", cdi: "v1.66.0", hcoFiles: []string{"v1.go"},
		notes: map[string]string{"hco": "branch release-1.19, which has no tag"},
	},
	{
		name: "main", number: "1.20", hco: "03da3cff7325", ssp: "refs/pull/1883/head", cdi: "v1.66.0",
		hcoFiles: []string{"v1.go"},
		notes: map[string]string{
			"hco": "branch main",
			"ssp": "HCO carries v0.27.0, which has no tag: the newest commit of branch main, with pull request 1883",
		},
	},
}

// simulated says what the programs do in place of a cluster.
var simulated = []string{
	"API server: HCO's CRD prunes, defaults and validates the CR with the libraries of apiextensions-apiserver; the CRDs of SSP and CDI are not applied",
	"API server: controller-runtime's fake client stores objects; their UIDs are derived from kind and name",
	"status.dataImportSchedule: HCO picks a random schedule; a case without one has the schedule of HCO's file",
}

// simulatedInSSPAndCDI is what the header adds if these operators ran.
var simulatedInSSPAndCDI = []string{
	"SSP: the data-sources operand alone, until a pass changes nothing, as on OpenShift",
	"CDI: the webhook as for a new object, then one reconciliation of each admitted DataImportCron, before any poll or import",
}
