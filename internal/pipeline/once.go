package pipeline

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// once reports whether the input may hold an object only once: a CR or an
// ImageStream of a name, and a single set of stated node facts.
func once(o object) bool {
	return isCR(o) || isOwn(o.at, v1alpha1.ClusterArchitecturesKind) || imagestream.Is(o.at.APIVersion, o.at.Kind)
}

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

// twiceBoth tells of an object that is there twice, and where the first one is.
func twiceBoth(o, first object) finding.Finding {
	f := twice(o)
	if o.at.Namespace != "" && imagestream.Is(o.at.APIVersion, o.at.Kind) {
		f.Text = fmt.Sprintf("%s of namespace %q is in the input twice", o.at, o.at.Namespace)
	}
	if where := first.where(); where != "" {
		f.Text += ": the first is " + where
	}
	return f
}

// where says where an object stands, "" if the input does not tell.
func (o object) where() string {
	var parts []string
	if o.path != "" {
		parts = append(parts, o.path)
	}
	if o.at.File != "" {
		parts = append(parts, fmt.Sprintf("document %d of %s", o.at.Index+1, o.at.File))
	}
	return strings.Join(parts, " in ")
}
