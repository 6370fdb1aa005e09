package kinds

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/manifest/unread"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// IsNode reports whether an object is a Kubernetes Node.
func IsNode(at finding.Object) bool { return at.APIVersion == "v1" && at.Kind == "Node" }

// HasNodeFacts reports whether an object has node facts for every CR. The live CR has node
// facts only for the CRs with its placement.
func HasNodeFacts(o object.Object) bool {
	return cluster.Reads(o.At) && !hyperconverged.Is(o.At.APIVersion, o.At.Kind)
}

// Facts returns what an object says of nodes, and whether it says something.
func Facts(o object.Object) (cluster.Facts, bool, finding.List) {
	tree, err := o.Tree()
	if err != nil {
		return cluster.Facts{}, false, finding.List{o.Unreadable(err)}
	}
	facts, says, err := cluster.Read(tree, o.At)
	if err != nil {
		f := o.Unreadable(err)
		f.ID = finding.NodeInvalid
		return cluster.Facts{}, false, finding.List{f}
	}
	return facts, says, nil
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
	return hyperconverged.Is(o.At.APIVersion, o.At.Kind) && !o.IsLocal()
}

// IsGoldenarch reports whether an object is of one of goldenarch's own kinds, in any
// version.
func IsGoldenarch(at finding.Object, kind string) bool {
	return at.Group() == v1alpha1.Group && at.Kind == kind
}

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

// DumpedNodes returns the Nodes in an item that were read from a cluster and that do not
// have the local-config annotation.
func DumpedNodes(item *yaml.RNode) []object.Object {
	if object.IsLocal(item) {
		return nil
	}
	var out []object.Object
	for _, o := range object.All([]*yaml.RNode{item}) {
		if IsNode(o.At) && !o.IsWrapped() && object.IsDump(o.Node.YNode()) && !object.IsLocal(o.Node) {
			out = append(out, o)
		}
	}
	return out
}

// ReportUnread reports each HyperConverged CR, and each list of its templates, that is inside an object
// where goldenarch does not read it: in a kind that goldenarch does not open, in a text, or among the values
// of a chart. Examples and scripts are infos: nothing says that a cluster gets them.
func ReportUnread(list []object.Object) finding.List {
	var found finding.List
	for _, o := range list {
		if !yamlnode.IsFinite(o.Node.YNode()) {
			continue // reported as unreadable
		}
		for _, hit := range unread.InObject(o.At.APIVersion, o.At.Kind, o.Node.YNode()) {
			if slices.ContainsFunc(list, func(other object.Object) bool { return other.IsInText(o, hit.Path) }) {
				continue
			}
			f := finding.Finding{
				ID: finding.CRUnread, Severity: finding.Warning, Field: hit.Path, Do: howToRead(o, hit),
				Text: fmt.Sprintf("%s holds a HyperConverged CR in %s, where goldenarch does not read it, so it neither checks nor changes this CR", o.At, hit.Path),
			}
			switch {
			case hit.Path == "":
				f.Text = fmt.Sprintf("%s may be a HyperConverged CR: a variable gives its kind or its group, so goldenarch neither checks nor changes it", o.At)
				f.Do = "pass what Flux makes of it: flux build kustomization NAME --path DIR | goldenarch check -"
			case hit.Sample:
				f.Severity = finding.Info
			case hit.What == unread.Templates:
				f.Text = fmt.Sprintf("%s has templates of a HyperConverged CR in %s, and goldenarch does not see the CR that is made with them", o.At, hit.Path)
			}
			found = append(found, o.Locate(finding.List{f})...)
		}
	}
	return found
}

// howToRead returns what a user can do about a CR that goldenarch does not read.
func howToRead(o object.Object, hit unread.Hit) string {
	const adviceOwnFile = "keep the CR in a file of its own, pass that file to goldenarch, and wrap what it renders"
	text, inChart := "", slices.Contains([]string{"HelmRelease", "Application"}, o.At.Kind)
	if n := yamlnode.At(o.Node.YNode(), hit.Path); n != nil {
		text = n.Value
	}
	switch {
	case strings.HasSuffix(hit.Path, ".patch"): // of the post-renderers of a HelmRelease of Flux
		return "it is a patch: pass the CR as it is after the patch to goldenarch, from kustomize or helm, and write what goldenarch decides into the patch"
	case hit.Place != "" && o.At.File != "" && o.Path == "":
		return hit.Naming(o.At.File)
	case hit.What == unread.Templates, inChart:
		return "pass what helm renders with these values: helm template CHART | goldenarch check -"
	case strings.Contains(text, "{{"), strings.Contains(text, "{%"):
	case o.At.Kind == "Secret" && strings.HasPrefix(hit.Path, "data"):
		return "write the text as a literal block under stringData, or " + adviceOwnFile
	case o.At.Kind == "ConfigMap" || o.At.Kind == "Secret":
		if err := object.WhyUnread(text); err != nil {
			return fmt.Sprintf("correct the text: %v. Or %s", err, adviceOwnFile)
		}
		return "if a ClusterResourceSet applies it, pass that too; otherwise " + adviceOwnFile
	}
	return adviceOwnFile
}
