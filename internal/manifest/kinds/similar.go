package kinds

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/spelling"
)

// readKind is a kind that goldenarch reads. The same kind in another group of its project
// is a mistake.
type readKind struct {
	group, kind, apiVersion string
	ofProject               func(group string) bool
}

var readKinds = []readKind{
	{hyperconverged.Group, hyperconverged.Kind, hyperconverged.Group + "/" + string(hyperconverged.V1beta1), ofKubeVirt},
	{v1alpha1.Group, v1alpha1.GoldenImagesKind, v1alpha1.APIVersion, ofGoldenarch},
	{v1alpha1.Group, v1alpha1.ClusterArchitecturesKind, v1alpha1.APIVersion, ofGoldenarch},
	{v1alpha1.Group, v1alpha1.ArchitectureLockKind, v1alpha1.APIVersion, ofGoldenarch},
	{v1alpha1.Group, v1alpha1.WorkloadArchitecturesKind, v1alpha1.APIVersion, ofGoldenarch},
	{v1alpha1.Group, v1alpha1.FleetKind, v1alpha1.APIVersion, ofGoldenarch},
	{v1alpha1.Group, v1alpha1.ClusterFactsKind, v1alpha1.APIVersion, ofGoldenarch},
}

func ofKubeVirt(group string) bool { return strings.HasSuffix("."+group, ".kubevirt.io") }

func ofGoldenarch(group string) bool {
	return group == "goldenarch" || strings.HasPrefix(group, "goldenarch.")
}

// ReportSimilar returns a warning for each object whose kind or group is similar to one
// that goldenarch reads, but not the same.
func ReportSimilar(list []object.Object) finding.List {
	var found finding.List
	for _, o := range list {
		meant, ok := Similar(o.At.APIVersion, o.At.Kind)
		if !ok {
			continue
		}
		found = append(found, finding.Finding{
			ID: finding.KindSimilar, Severity: finding.Warning, Object: o.At, Field: o.Path, Line: o.Line(""),
			Text: fmt.Sprintf("goldenarch does not read apiVersion %q with kind %q, so it leaves this object unchanged", o.At.APIVersion, o.At.Kind),
			Do:   fmt.Sprintf("if you mean apiVersion %s and kind %s, write these", meant.apiVersion, meant.kind),
		})
	}
	return found
}

// Similar returns the kind that the user probably meant. It returns false for a kind that
// goldenarch reads, and for a kind that is not similar to any of them.
func Similar(apiVersion, kind string) (readKind, bool) {
	group, version, ok := strings.Cut(apiVersion, "/")
	if !ok {
		group = ""
	}
	singular := strings.TrimSuffix(kind, "List")
	for _, one := range readKinds {
		if group == one.group && singular == one.kind {
			return readKind{}, false
		}
	}
	for _, one := range readKinds {
		sameKind := singular == one.kind
		if !sameKind && spelling.Word(singular, []string{one.kind}) == "" {
			continue
		}
		if group == one.group || sameKind && one.resembles(group) || one.ofProject(group) {
			right := one.group + "/" + version
			if _, err := hyperconverged.ParseVersion(right); err == nil { // of a CR
				one.apiVersion = right
			}
			return one, true
		}
	}
	return readKind{}, false
}

// resembles reports whether a group is empty, or similar to the right one.
func (k readKind) resembles(group string) bool {
	return group == "" || spelling.Word(group, []string{k.group}) != ""
}
