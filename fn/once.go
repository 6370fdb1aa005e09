package fn

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/finding"
	"github.com/goldenarch/goldenarch/hyperconverged"
)

// once reports whether the input may hold an object only once: a CR of a name,
// and a single set of stated node facts.
func once(o object) bool { return isCR(o) || isOwn(o.at, v1alpha1.ClusterArchitecturesKind) }

// isCR reports whether an object is a CR to be made right. One that is marked as
// local configuration is a dump of the live one: it tells of the nodes only.
func isCR(o object) bool {
	return hyperconverged.Is(o.at.APIVersion, o.at.Kind) && !isLocal(o.node) && !isLocal(o.item)
}

// identity is what makes two objects one. Two API versions of a CR are the
// same object on the cluster; of ClusterArchitectures there is one at all.
func identity(at finding.Object) string {
	if isOwn(at, v1alpha1.ClusterArchitecturesKind) {
		return at.Kind
	}
	return at.Kind + "/" + at.Namespace + "/" + at.Name
}

func isOwn(at finding.Object, kind string) bool {
	group, _, _ := strings.Cut(at.APIVersion, "/")
	return group == v1alpha1.Group && at.Kind == kind
}

func twice(o object) finding.Finding {
	text := fmt.Sprintf("%s is in the input twice", o.at)
	if isOwn(o.at, v1alpha1.ClusterArchitecturesKind) {
		text = "there are two ClusterArchitectures in the input: which one states the nodes?"
	}
	return finding.Finding{
		ID: finding.Twice, Severity: finding.Error, Object: o.at, Field: o.path,
		Line: lineOf(o.node.YNode(), ""), Text: text, Do: "remove one of them",
	}
}

func lockIgnored(o object) finding.Finding {
	return finding.Finding{
		ID: finding.NotAvailable, Severity: finding.Error, Object: o.at,
		Text: "this version of goldenarch does not read an ArchitectureLock: its images would be asked for anew",
		Do:   "remove it from the input, or set spec.lock.mode: Ignore",
	}
}
