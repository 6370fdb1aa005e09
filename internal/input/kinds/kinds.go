package kinds

import (
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// IsNode reports whether an object is a Kubernetes Node.
func IsNode(at finding.Object) bool { return at.APIVersion == "v1" && at.Kind == "Node" }

// HasNodeFacts reports whether an object has node facts for every CR. The live CR has node
// facts only for the CRs with its placement.
func HasNodeFacts(o object.Object) bool {
	return cluster.Reads(o.At.APIVersion, o.At.Kind) && !hyperconverged.Is(o.At.APIVersion, o.At.Kind)
}

// IsLive reports whether an object is a dump of the live CR: local configuration
// with a status. It is never written.
func IsLive(o object.Object) bool {
	return hyperconverged.Is(o.At.APIVersion, o.At.Kind) && !IsCR(o) && object.IsDump(o.Node.YNode()) && object.NodeAt(o.Node, "status") != nil
}

// MustBeUnique reports whether the input may hold an object only once: a CR or an
// ImageStream of a name, and a single set of stated node facts.
func MustBeUnique(o object.Object) bool {
	return IsCR(o) || IsGoldenarch(o.At, v1alpha1.ClusterArchitecturesKind) || imagestream.Is(o.At.APIVersion, o.At.Kind)
}

// IsCR reports whether an object is a CR that goldenarch corrects. A CR with the
// local-config annotation is a dump of the live CR: goldenarch reads only its node facts.
func IsCR(o object.Object) bool {
	return hyperconverged.Is(o.At.APIVersion, o.At.Kind) && !object.IsLocal(o.Node) && !object.IsLocal(o.Item)
}

// IsGoldenarch reports whether an object is of one of goldenarch's own kinds, in any
// version.
func IsGoldenarch(at finding.Object, kind string) bool {
	group, _, _ := strings.Cut(at.APIVersion, "/")
	return group == v1alpha1.Group && at.Kind == kind
}
