package forecast

import (
	"fmt"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// Input is what a prediction is based on.
type Input struct {
	CR      *hyperconverged.CR
	Table   hyperconverged.Table
	Cluster cluster.Architectures
	// Schedule is status.dataImportSchedule of the live CR; "" if it is unknown. HCO picks
	// a random schedule and gives it to all predefined templates.
	Schedule string
	// Bundle has the common templates of the cluster's SSP; nil for those that SSP ships.
	Bundle expansion.Bundle
	// Namespace is where SSP keeps golden images, a constant of its build; "" for
	// upstream's namespace.
	Namespace string
	// Release is the release of HCO on the cluster; the zero value is the newest. The
	// forecast is exact for 1.19 and newer.
	Release v1alpha1.Release
	// Platform is the kind of cluster; "" is OpenShift.
	Platform v1alpha1.Platform
	// Existing has the objects that already exist in the cluster; nil is a cluster without
	// golden images.
	Existing []Existing
	// Images has the known image architectures of templates, by the template's name. If it
	// is nil, the forecast trusts the declared architectures.
	Images map[string]Image
	// Live is the cluster's own CR, for comparison; nil if it is unknown. LiveRelease is
	// the release of the HCO that wrote its status.
	Live        *hyperconverged.Live
	LiveRelease v1alpha1.Release
	// OutcomesOnly omits the data that is only for display: the objects, and CDI's verdicts
	// by name, which the crons' outcomes also contain. They take most of the time.
	OutcomesOnly bool
}

// The minor versions of the HCO releases that introduced a rule.
const (
	firstBind      = 8  // CDI binds the volumes of every template immediately
	firstMultiArch = 16 // declared architectures, the gate, and the alerts
	// firstMachineDefault is the first HCO that sets KubeVirt's default architecture.
	firstMachineDefault = 18
	firstDefault        = 19 // status.nodeInfo.defaultWorkloadArchitecture
	// firstCleanup is the first HCO with SSP v0.27.0, the first SSP since
	// ssp-operator#1883.
	firstCleanup = 20
	firstExact   = 19 // the tests compare the forecast with the operators' own answers
)

// withDefaults fills in upstream's defaults.
func (in Input) withDefaults() Input {
	if in.Bundle == nil {
		in.Bundle = expansion.Shipped()
	}
	if in.Namespace == "" {
		in.Namespace = expansion.UpstreamNamespace
	}
	in.Table = in.Table.At(in.Release).WithSchedule(in.Schedule)
	in.CR = in.CR.At(in.Release)
	return in
}

// noImagesBecause returns why no operator makes anything from the CR; "" if one does.
func (in Input) noImagesBecause() string {
	switch {
	case in.CR.Name != "" && in.CR.IgnoredBecause() != "": // a CR without a name is a part of one
		return in.CR.IgnoredBecause()
	case !in.CR.Version.Serves(in.Release):
		return fmt.Sprintf("HCO %s does not serve %s/%s: the API server does not know the object", in.Release, hyperconverged.Group, in.CR.Version)
	case in.Platform == v1alpha1.Kubernetes:
		return "HCO makes golden images only on OpenShift: SSP, which imports them, does not run on plain Kubernetes (hco operandHandler.go)"
	default:
		return ""
	}
}

// ssp returns the state of SSP before the templates.
func (in Input) ssp() ssp {
	return ssp{
		SSP: expansion.SSP{
			Order: in.Cluster.SSP(), ControlPlaneUnknown: in.Cluster.ControlPlaneUnknown, Bundle: in.Bundle, Namespace: in.Namespace,
		},
		cluster: in.Cluster, existing: in.Existing, images: in.Images,
		rules: rules{multiArch: in.Release.Since(firstMultiArch), cleanup: in.Release.AtLeast(firstCleanup)},
	}
}
