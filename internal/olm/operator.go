package olm

import (
	"slices"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/workload"
	"github.com/goldenarch/goldenarch/internal/workload/affinity"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Operator is a version of an operator: a ClusterServiceVersion, and the images of its pods.
type Operator struct {
	CSV string
	// File has the ClusterServiceVersion.
	File   string
	images []image
	// constraints are what the deployments say about their nodes.
	constraints []affinity.Constraints
}

// OperatorOf returns the operator of a ClusterServiceVersion. It returns false for another
// object, and if an image of a deployment is unknown. Related images do not count: they
// run in pods of which the configuration of a Subscription says nothing.
func OperatorOf(run workload.Run, o podspec.Object) (Operator, bool) {
	if !o.IsCSV() || o.Name == "" {
		return Operator{}, false
	}
	out := Operator{CSV: o.Name}
	for _, place := range podspec.Places(o, run.Options()) {
		c, faults := affinity.Read(place.Node)
		if len(faults) > 0 {
			return Operator{}, false
		}
		out.constraints = append(out.constraints, c)
		for _, i := range place.Images() {
			switch {
			case i.Omitted != "":
			case i.Unknown != "":
				return Operator{}, false
			default:
				out.images = append(out.images, image{reference: i.Reference, isVolume: i.IsVolume()})
			}
		}
	}
	return out, true
}

// Architectures returns the architectures that registries prove for all images. It returns
// false if an answer is missing or a person's, and if the images have none in common.
func (o Operator) Architectures(answers map[string]workload.Answer) (arch.Set, bool) {
	var common arch.Set
	counted := 0
	for _, image := range o.images {
		answer, known := answers[image.reference]
		switch {
		case known && image.isVolume && answer.IsForAnyNode():
			continue
		case !known || answer.Err != nil || answer.Stated:
			return nil, false
		case !answer.Counts():
			continue
		case counted == 0:
			common = answer.Architectures
		default:
			common = common.Intersect(answer.Architectures)
		}
		counted++
	}
	return common, len(common) > 0
}

// ConstrainedBy returns how the deployments restrict their pods to architectures: each way
// once, sorted.
func (o Operator) ConstrainedBy(to arch.Set) []v1alpha1.OperatorConstraint {
	var out []v1alpha1.OperatorConstraint
	for _, c := range o.constraints {
		out = append(out, workload.ConstrainedBy(c, to))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Installed is an operator that a Subscription or a ClusterExtension names.
type Installed struct {
	Package string
	// CSV is the version with which a Subscription begins; "" if it names none.
	CSV string
}

// InstalledBy returns the operator that an object installs.
func InstalledBy(run workload.Run, o podspec.Object) (Installed, bool) {
	for _, place := range podspec.Places(o, run.Options()) {
		if place.Package == "" {
			continue
		}
		return Installed{Package: place.Package, CSV: yamlnode.Text(o.Node, "spec", "startingCSV")}, true
	}
	return Installed{}, false
}
