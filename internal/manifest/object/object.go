package object

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/wrapper"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/yamledit"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
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
	// Remediation says what the policies that carry a wrapped object do with it.
	Remediation wrapper.Remediation
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
	if !yamlnode.IsFinite(item.YNode()) {
		return []Object{o}
	}
	var out []Object
	for _, o := range opened(o) {
		out = append(append(out, o), x.sets.open(o)...)
	}
	return out
}

// MayHoldOthers reports whether an item may be more than one object: a List, a wrapper, what a
// ClusterResourceSet may apply, or such a set. Any other item is the object that [New] returns.
func MayHoldOthers(item *yaml.RNode) bool {
	at := Ref(item)
	_, isList := ElementKind(at.Kind)
	switch {
	case isList, at.Kind == "ConfigMap", at.Kind == "Secret", ListItems(item.YNode()) != nil:
		return true
	}
	return wrapper.Is(at.APIVersion, at.Kind) || wrapper.IsResourceSet(at.APIVersion, at.Kind)
}

// IsText reports whether a text of the item holds the object. [Object.Edit] writes an edit of
// its node into that text.
func (o Object) IsText() bool { return o.text != nil }

// CreatedOnce returns the finding that the cluster does not get an edit of the object. what
// names the object to the user, such as CR.
func (o Object) CreatedOnce(what string) finding.Finding {
	f := finding.Finding{ID: finding.CreatedOnce, Severity: finding.Warning}
	switch {
	case o.Wrapper.Kind == "ConfigMap" || o.Wrapper.Kind == "Secret":
		f.Text = fmt.Sprintf("the ClusterResourceSet that applies %s has the strategy %q, "+
			"so clusters that have the %s already do not get what goldenarch writes", o.Wrapper, "ApplyOnce", what)
		f.Do = "create a ClusterResourceSet with the strategy Reconcile instead: the strategy of one cannot change"
	case wrapper.IsSyncSet(o.Wrapper.APIVersion, o.Wrapper.Kind):
		f.Text = fmt.Sprintf("%s has the apply behavior %q, so clusters that have the %s already do not get what goldenarch writes", o.Wrapper, "CreateOnly", what)
		f.Do = "set spec.applyBehavior to Apply"
	default:
		f.Text = fmt.Sprintf("%s has an update strategy for this %s that leaves edits out (CreateOnly, or ignoreFields), "+
			"so clusters that have the %s already do not get what goldenarch writes", o.Wrapper, what, what)
		f.Do = fmt.Sprintf("set the update strategy of the %s to Update, or to ServerSideApply without ignoreFields", what)
	}
	return f
}

// NotApplied reports the objects that policies only compare with those of the cluster, once for each
// policy: one around the object, or one that carriers have of its file. what names an object to
// the user, such as CR.
func NotApplied(objects []Object, carriers wrapper.Carriers, what string) finding.List {
	var found finding.List
	reported := map[string]bool{}
	for _, o := range objects {
		by, remediation := o.Wrapper.String(), o.Remediation
		if !o.IsWrapped() {
			one, ok := carriers.Informing(o.At.File)
			if !ok {
				continue
			}
			by, remediation = one.By, one.Remediation
		}
		id := by + "\n" + o.At.File
		if !remediation.Informs() || reported[id] {
			continue
		}
		reported[id] = true
		f := finding.Finding{
			ID: finding.OnlyInforms, Severity: finding.Info,
			Text: fmt.Sprintf("%s only informs (remediationAction, there or in the Policy around it): the policy controller compares the %s with the cluster's, "+
				"and applies it only if a PlacementBinding overrides that (bindingOverrides)", by, what),
			Do: fmt.Sprintf("set remediationAction: enforce if this policy is what applies the %s", what),
		}
		if remediation == wrapper.Disabled {
			f.Text = fmt.Sprintf("the Policy of %s is disabled: no cluster gets it, so it applies no %s", by, what)
			f.Do = fmt.Sprintf("remove disabled: true if this policy is what applies the %s", what)
		}
		found = append(found, o.Locate(finding.List{f})...)
	}
	return found
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

// Edit edits the object in a copy of its item, without duplicate keys that have the same
// value. In a text, it changes only the lines that must change, and keeps the form of the
// text: who writes the item into a file decides whether that form can stay.
func (o Object) Edit(item *yaml.RNode, edit func(*yaml.RNode) error) error {
	if o.text == nil {
		removeRepeatedAround(item.YNode(), o.Path)
		return edit(o.InCopy(item))
	}
	root, text, err := o.text.in(item)
	if err != nil {
		return err
	}
	copied, err := yamlnode.Expanded(yaml.NewRNode(root))
	if err != nil {
		return err
	}
	removeRepeatedAround(copied.YNode(), o.text.path)
	if err := edit(yaml.NewRNode(yamlnode.At(copied.YNode(), o.text.path))); err != nil {
		return err
	}
	documents, err := documentsOf(text.Value)
	if err != nil {
		return err
	}
	d := documents[o.text.doc]
	out, err := yamledit.Update([]byte(text.Value[d.from:d.to]), copied.YNode())
	if err != nil {
		return fmt.Errorf("the text in %s: %w", o.Path, err)
	}
	text.Value = text.Value[:d.from] + string(out) + text.Value[d.to:]
	return nil
}

// Locate adds this object to the findings that name no object.
func (o Object) Locate(list finding.List) finding.List {
	for i := range list {
		if list[i].Object != (finding.Object{}) {
			continue
		}
		list[i].Object = o.At
		if list[i].Template == "" {
			list[i].Template = o.templateName(list[i].Field)
		}
		if list[i].Line == 0 {
			list[i].Line = o.Line(list[i].Field)
		}
		list[i].Field = fieldpath.Below(o.Path, list[i].Field)
	}
	return list
}

// templateName returns the name of the template that a field is in; "" if it is in no
// template. People know a template by its name, and not by its index.
func (o Object) templateName(field string) string {
	steps := fieldpath.Steps(field)
	i := slices.Index(steps, "dataImportCronTemplates")
	if i < 0 || i+1 == len(steps) {
		return ""
	}
	return yamlnode.Text(yamlnode.At(o.Node.YNode(), fieldpath.Of(steps[:i+2])), "metadata", "name")
}

// Unreadable returns the finding that goldenarch cannot read the object.
func (o Object) Unreadable(err error) finding.Finding {
	return finding.Finding{
		ID: finding.Unreadable, Severity: finding.Error, Object: o.At, Field: o.Path, Line: o.Line(""),
		Text: err.Error(), Do: "correct the manifest",
	}
}

// Tree returns the object as decoded JSON, with its kind also if it is an element of a NodeList and the like.
func (o Object) Tree() (map[string]any, error) {
	data, err := yamlnode.JSON(o.Node.YNode())
	if err != nil {
		return nil, err
	}
	var tree map[string]any
	if err := json.Unmarshal(data, &tree); err != nil {
		return nil, fmt.Errorf("read the object: %w", err)
	}
	if TextAt(o.Node, "kind") == "" && tree != nil {
		tree["kind"], tree["apiVersion"] = o.At.Kind, o.At.APIVersion
	}
	return tree, nil
}

// JSON returns the object as kubectl and the API server would read it.
func (o Object) JSON() ([]byte, error) {
	if TextAt(o.Node, "kind") != "" {
		return yamlnode.JSON(o.Node.YNode())
	}
	tree, err := o.Tree()
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(tree)
	if err != nil {
		return nil, fmt.Errorf("encode the object: %w", err)
	}
	return data, nil
}

// Line returns the line of a field of the object, or of its nearest parent.
func (o Object) Line(field string) int { return yamlnode.Line(o.Node.YNode(), field) }

// NameAndLocation returns the name of the object and its file.
func (o Object) NameAndLocation() string {
	if where := o.Location(); where != "" {
		return o.At.String() + " (" + where + ")"
	}
	return o.At.String()
}

// Location returns where an object is written; "" if the input does not say.
func (o Object) Location() string {
	var parts []string
	if o.Path != "" {
		parts = append(parts, o.Path)
	}
	if o.At.File != "" {
		parts = append(parts, fmt.Sprintf("document %d of %s", o.At.Index+1, o.At.File))
	}
	return strings.Join(parts, " in ")
}

// None reports whether items hold no object at all. A host may replace an empty List with
// the objects in it, so an empty List counts as no object.
func None(items []*yaml.RNode) bool {
	for _, item := range items {
		if !yamlnode.IsFinite(item.YNode()) || !isEmptyList(item.YNode()) {
			return false
		}
	}
	return true
}

// isEmptyList reports whether an object is an empty List. Any object with a list named
// items is a List, of whatever kind (apimachinery unstructured.go: IsList).
func isEmptyList(n *yaml.Node) bool {
	list := ListItems(n)
	if list == nil {
		item := yaml.NewRNode(n)
		return TextAt(item, "kind") == "List" && TextAt(item, "apiVersion") == "v1" && yamlnode.Get(n, "items") == nil
	}
	for _, element := range list.Content {
		if !isEmptyList(element) {
			return false
		}
	}
	return true
}

// opened returns the elements of a List, a wrapper together with the objects in it, and any
// other object unchanged. The elements of a NodeList and similar have no kind of their own.
func opened(o Object) []Object {
	if wrapper.Is(o.At.APIVersion, o.At.Kind) {
		return openedWrapper(o)
	}
	kind, isList := ElementKind(o.At.Kind)
	list := ListItems(o.Node.YNode())
	if !isList || list == nil {
		return []Object{o}
	}
	var out []Object
	for i, element := range list.Content {
		element = yamlnode.Dealias(element)
		if element.Kind != yaml.MappingNode {
			continue
		}
		node := yaml.NewRNode(element)
		at := Ref(node)
		at.File, at.Index = o.At.File, o.At.Index
		if at.Kind == "" {
			at.Kind, at.APIVersion = kind, o.At.APIVersion
		}
		inner := o
		inner.Node, inner.Path, inner.At = node, fieldpath.Below(o.Path, fieldpath.Element("items", i)), at
		out = append(out, opened(inner)...)
	}
	return out
}

// openedWrapper returns a wrapper and the objects that it carries to a cluster. For a
// wrapper in a wrapper, the weaker reach counts.
func openedWrapper(o Object) []Object {
	out := []Object{o}
	remediation := wrapper.RemediationOf(o.At.APIVersion, o.At.Kind, o.Node.YNode(), o.Remediation)
	for _, content := range wrapper.Open(o.At.APIVersion, o.At.Kind, o.Node.YNode()) {
		if content.Reach == wrapper.Compared {
			continue
		}
		node := yaml.NewRNode(content.Node)
		at := Ref(node)
		at.File, at.Index = o.At.File, o.At.Index
		reach := content.Reach
		if reach == wrapper.Applied {
			reach = o.Reach
		}
		out = append(out, opened(Object{
			Item: o.Item, Node: node, Path: fieldpath.Below(o.Path, content.Path), At: at, Wrapper: o.At, Reach: reach, Remediation: remediation,
		})...)
	}
	return out
}

// ComparesCR reports whether a wrapper only compares a HyperConverged CR with the cluster's
// and never applies it.
func (o Object) ComparesCR() bool {
	return slices.ContainsFunc(wrapper.Open(o.At.APIVersion, o.At.Kind, o.Node.YNode()), func(content wrapper.Content) bool {
		return content.Reach == wrapper.Compared && yamlnode.Text(content.Node, "kind") == wrapper.CRKind
	})
}

// ListItems returns the items of a List; nil if the object has no list of that name.
func ListItems(n *yaml.Node) *yaml.Node {
	if list := yamlnode.Get(n, "items"); list != nil && list.Kind == yaml.SequenceNode {
		return list
	}
	return nil
}

// ElementKind returns the kind of the elements of a list kind, and reports whether it is one.
func ElementKind(kind string) (string, bool) { return strings.CutSuffix(kind, "List") }

// DuplicateKeys reports the duplicate keys of the object's mappings, including those that
// the object reaches through an alias. It reports each mapping once. YAML readers silently
// use one of the two values, and not all readers use the same one. If both values are
// equal, this makes no difference, and an edit keeps the first ([removeRepeated]).
func DuplicateKeys(o Object) finding.List {
	var found finding.List
	walkMappings(o.Node.YNode(), o.Path, map[*yaml.Node]bool{}, func(m *yaml.Node, path string) {
		found = append(found, o.duplicatesIn(m, path)...)
	})
	return found
}

// duplicatesIn reports the duplicate keys of one mapping of the object.
func (o Object) duplicatesIn(m *yaml.Node, path string) finding.List {
	var found finding.List
	first := make(map[string]*yaml.Node, len(m.Content)/2)
	for keyNode, value := range yamlnode.Pairs(m) {
		key := yamlnode.Dealias(keyNode).Value // 1 and "1" are one key of JSON
		earlier, twice := first[key]
		if !twice {
			first[key] = value
			continue
		}
		f := finding.Finding{
			ID: finding.DuplicateKey, Severity: finding.Warning, Object: o.At, Field: fieldpath.Join(path, key),
			Line: keyNode.Line,
			Text: fmt.Sprintf("duplicate key %q, with the same value: YAML readers disagree whether they accept that. "+
				"goldenarch keeps the first one when it edits the object", key),
			Do: "remove one of them",
		}
		if !yamlnode.Same(earlier, value) {
			f.Severity = finding.Error
			f.Text = fmt.Sprintf("duplicate key %q with different values: YAML readers disagree which of them counts, and some refuse the file", key)
		}
		found = append(found, f)
	}
	return found
}

// DuplicateHeadKeys reports duplicate keys with different values among those that say what
// an item is and what it holds. Readers would not agree on its objects.
func DuplicateHeadKeys(o Object) finding.List {
	return slices.DeleteFunc(o.duplicatesIn(yamlnode.Dealias(o.Item.YNode()), ""), func(f finding.Finding) bool {
		return f.Severity != finding.Error || !slices.Contains([]string{"apiVersion", "kind", "items"}, f.Field)
	})
}

// removeRepeated removes duplicate keys that have the same value from each mapping in a
// node. Otherwise an edit would change only one of them. The node has no aliases.
func removeRepeated(n *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		removeRepeatedIn(n)
	}
	for _, child := range n.Content {
		removeRepeated(child)
	}
}

func removeRepeatedIn(m *yaml.Node) {
	first := make(map[string]*yaml.Node, len(m.Content)/2)
	kept := m.Content[:0:0]
	for key, value := range yamlnode.Pairs(m) {
		id := yamlnode.Dealias(key).Value
		if earlier, twice := first[id]; twice && yamlnode.Same(earlier, value) {
			continue
		}
		first[id] = value
		kept = append(kept, key, value)
	}
	m.Content = kept
}

// RemoveRepeated removes duplicate keys that have the same value. It removes them from the
// object in a copy of its item, and from the Lists around the object.
func (o Object) RemoveRepeated(item *yaml.RNode) { removeRepeatedAround(item.YNode(), o.Path) }

// removeRepeatedAround removes duplicate keys that have the same value from the node at a
// path, and from the mappings around it.
func removeRepeatedAround(node *yaml.Node, path string) {
	node = yamlnode.Dealias(node)
	for _, step := range fieldpath.Steps(path) {
		if node.Kind == yaml.MappingNode {
			removeRepeatedIn(node)
		}
		node, _ = yamlnode.Child(node, step)
		node = yamlnode.Dealias(node)
	}
	removeRepeated(node)
}

// Replace puts another mapping in the place of an object's. The comments before and after a
// document belong to the document and stay, as does the place of an item ([SetPlace]).
func Replace(n *yaml.RNode, mapping *yaml.Node) {
	CopyPlace(yaml.NewRNode(mapping), n)
	if doc := n.Document(); doc.Kind == yaml.DocumentNode {
		doc.Content[0] = mapping
		return
	}
	n.SetYNode(mapping)
}

// LocalConfig annotates an item that is for tools and not for the cluster. Any value except
// "false" has this effect.
const LocalConfig = "config.kubernetes.io/local-config"

// SkipComment is the text that a file has if Argo CD is not to apply it (argo-cd
// reposerver/repository/repository.go: skipFileRenderingMarker).
const SkipComment = "+argocd:skip-file-rendering"

// IsLocal reports whether an object is for tools, not for the cluster. Only the annotation of an item, or of an element of a
// List, says so: what a wrapper holds gets to the cluster with the wrapper.
func (o Object) IsLocal() bool { return IsLocal(o.Item) || !o.IsWrapped() && IsLocal(o.Node) }

// IsLocal reports whether an item is for tools, not for the cluster.
func IsLocal(item *yaml.RNode) bool {
	node := NodeAt(item, "metadata", "annotations", LocalConfig)
	return node != nil && node.Value != "false"
}
