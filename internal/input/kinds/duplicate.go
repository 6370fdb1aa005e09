package kinds

import (
	"fmt"
	"path"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/object"
)

// Identity returns the same value for two objects that are the same object on the cluster.
// Two API versions of a CR are the same object. A cluster has only one
// ClusterArchitectures, whatever its name.
func Identity(at finding.Object) string {
	if IsGoldenarch(at, v1alpha1.ClusterArchitecturesKind) {
		return at.Kind
	}
	return at.Kind + "/" + at.Namespace + "/" + at.Name
}

// Duplicate returns the error about an object that is a duplicate in the input.
func Duplicate(o object.Object) finding.Finding {
	text := fmt.Sprintf("duplicate object: %s", o.At)
	if IsGoldenarch(o.At, v1alpha1.ClusterArchitecturesKind) {
		text = "the input has two ClusterArchitectures, and only one can state the nodes"
	}
	return finding.Finding{
		ID: finding.Duplicate, Severity: finding.Error, Object: o.At, Field: o.Path,
		Line: o.Line(""), Text: text, Do: "remove one of them",
	}
}

// DuplicateOf reports a duplicate object, and where the first one is.
func DuplicateOf(o, first object.Object) finding.Finding {
	f := Duplicate(o)
	if o.At.Namespace != "" && imagestream.Is(o.At.APIVersion, o.At.Kind) {
		f.Text = fmt.Sprintf("duplicate object: %s in namespace %q", o.At, o.At.Namespace)
	}
	if where := first.Location(); where != "" {
		f.Text += ": the first is " + where
	}
	if IsCR(o) && path.Dir(o.At.File) != path.Dir(first.At.File) {
		f.Do = "remove one of them. If they are of two clusters, run goldenarch for each directory by itself"
	}
	return f
}
