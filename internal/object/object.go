package object

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/wrapper"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// Object is a Kubernetes object of the input: an item, an element of an item that is
// a List, or an object that a wrapper holds.
type Object struct {
	Item *yaml.RNode // the item that holds it
	Node *yaml.RNode // the object itself
	Path string      // of the object in the item: "" or "items[2]"
	At   finding.Object
	// Wrapper is the object that carries this one to the cluster, such as a
	// ConfigurationPolicy. It is zero for an object that the user applies directly.
	Wrapper finding.Object
	// Reach says whether an edit of a wrapped object reaches the cluster.
	Reach wrapper.Reach
	// text is where a text of the item holds the object as YAML; nil if the object is in
	// the tree of the item.
	text *inText
}

// New returns the object that an item is, with its file.
func New(item *yaml.RNode) Object {
	at := Ref(item)
	at.File, at.Index = Place(item)
	return Object{Item: item, Node: item, At: at}
}

// IsWrapped reports whether a wrapper carries the object to a cluster. That may be another
// cluster than the one where the wrapper is applied.
func (o Object) IsWrapped() bool { return o.Wrapper != (finding.Object{}) }

// All returns the objects of the items, and opens Lists, wrappers, and the texts that a
// ClusterResourceSet applies. An infinite List stays unchanged. A wrapper comes before the
// objects in it. All omits objects that a wrapper only compares with the cluster.
func All(items []*yaml.RNode) []Object {
	var out []Object
	opener := NewOpener(items)
	for _, item := range items {
		out = append(out, opener.Open(item)...)
	}
	return out
}

// Opener opens the items of a run. What an item holds can depend on the others: only a
// ClusterResourceSet says that the text of a ConfigMap is applied.
type Opener struct{ sets sets }

// NewOpener returns an opener of items, and of their copies.
func NewOpener(items []*yaml.RNode) Opener { return Opener{resourceSets(items)} }

// Open returns the objects of an item, as [All] does.
func (x Opener) Open(item *yaml.RNode) []Object {
	o := New(item)
	if !IsFinite(item.YNode()) {
		return []Object{o}
	}
	var out []Object
	for _, o := range opened(o) {
		out = append(append(out, o), x.sets.open(o)...)
	}
	return out
}

// IsText reports whether a text of the item holds the object. [Object.Edit] writes an edit of
// its node into that text.
func (o Object) IsText() bool { return o.text != nil }

// CreatedOnce returns the finding that the cluster does not get an edit of the object. what
// names the object to the user, such as CR.
func (o Object) CreatedOnce(what string) finding.Finding {
	f := finding.Finding{ID: finding.CreatedOnce, Severity: finding.Warning}
	if o.Wrapper.Kind == "ConfigMap" || o.Wrapper.Kind == "Secret" {
		f.Text = fmt.Sprintf("the ClusterResourceSet that applies %s has the strategy %q, "+
			"so clusters that have the %s already do not get what goldenarch writes", o.Wrapper, "ApplyOnce", what)
		f.Do = "create a ClusterResourceSet with the strategy Reconcile instead: the strategy of one cannot change"
		return f
	}
	f.Text = fmt.Sprintf("%s has the update strategy %q for this %s, so clusters that have the %s already do not get what goldenarch writes",
		o.Wrapper, "CreateOnly", what, what)
	f.Do = fmt.Sprintf("set the update strategy of the %s to ServerSideApply or Update", what)
	return f
}

// InCopy returns the object in a copy of its item. The object is for reading: [Object.Edit]
// edits it.
func (o Object) InCopy(item *yaml.RNode) *yaml.RNode {
	if o.text != nil {
		root, _, err := o.text.in(item)
		if err != nil {
			panic(fmt.Sprintf("read a text again: %v", err)) // the first read had no error
		}
		return yaml.NewRNode(yamlnode.At(root, o.text.path))
	}
	return yaml.NewRNode(yamlnode.At(item.YNode(), o.Path))
}
