package yamledit_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamledit"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// FuzzObjects writes CRs and pods in a random form, and makes the changes that goldenarch
// makes of them. The parser of the API server (sigs.k8s.io/yaml), which shares no code with
// the reader of this package, judges what the text says before and after.
func FuzzObjects(f *testing.F) {
	for seed := range uint64(64) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { changeObject(t, seed) })
}

// TestObjects is the fuzz target for many seeds. Most objects must be edited.
func TestObjects(t *testing.T) {
	t.Parallel()
	counts := map[outcome]uint64{}
	for seed := range cases(t) {
		counts[changeObject(t, seed)]++
	}
	t.Logf("%d objects: %v", cases(t), counts)
	if counts[wasEdited]*10 < cases(t)*9 {
		t.Errorf("of %d objects only %d were edited: %v", cases(t), counts[wasEdited], counts)
	}
}

// outcome is what became of an object.
type outcome string

const (
	wasEdited outcome = "edited"
	shared    outcome = "refused, because an alias shares the value"
	unjudged  outcome = "not judged, because the other parser does not read the text"
)

func changeObject(t *testing.T, seed uint64) outcome {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 820))
	tree, changes := drawObject(r)
	before := newStyled(r).document(tree)
	has, err := judged(before)
	if err != nil {
		return unjudged
	}
	after, err := apply([]byte(before), changes)
	if refused := (&yamledit.Error{}); errors.As(err, &refused) && (strings.Contains(refused.Problem, "alias") || strings.Contains(refused.Problem, "anchor")) {
		return shared
	}
	fail := func(what string, got any) {
		t.Helper()
		t.Fatalf("seed %d: %s: %v\n%s\n--- is now\n%s", seed, what, got, before, after)
	}
	if err != nil {
		fail("refused", err)
	}
	for _, c := range changes {
		has = changed(has, c.Path, valueOf(c.Value))
	}
	says, err := judged(string(after))
	if err != nil {
		fail("the other parser does not read the new text", err)
	}
	if diff := cmp.Diff(has, says); diff != "" {
		fail("content (-want +got)", diff)
	}
	if lost := lostComments(before, string(after), changes); lost > 0 {
		fail("comments are lost", lost)
	}
	if lost := lostLines(before, string(after)); lost > linesOf(changes) {
		fail("lines outside the edit are lost", lost)
	}
	again, err := apply(after, changes)
	if err != nil || string(again) != string(after) {
		fail("the second edit", fmt.Sprintf("%v\n%s", err, again))
	}
	again, err = yamledit.Update(after, parsed(t, string(after)))
	if err != nil || string(again) != string(after) {
		fail("an edit of nothing", fmt.Sprintf("%v\n%s", err, again))
	}
	return wasEdited
}

// judged returns what the API server reads.
func judged(text string) (any, error) {
	var out any
	text = strings.Replace(strings.TrimPrefix(text, "\ufeff"), "%YAML 1.2", "#", 1)
	return out, k8syaml.Unmarshal([]byte(text), &out)
}

func valueOf(n *yaml.Node) any {
	if n == nil {
		return nil
	}
	switch n.Kind {
	case yaml.MappingNode:
		out := map[string]any{}
		for key, value := range yamlnode.Fields(n) {
			out[key] = valueOf(value)
		}
		return out
	case yaml.SequenceNode:
		var out []any
		for _, element := range n.Content {
			out = append(out, valueOf(element))
		}
		return out
	}
	if n.Tag == yaml.NodeTagBool {
		return n.Value == "true"
	}
	return n.Value
}

// changed returns a value with a change; nil removes.
func changed(n any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	if list, ok := n.([]any); ok {
		i := slices.IndexFunc(list, func(e any) bool {
			m := e.(map[string]any)
			if inner, ok := m["metadata"].(map[string]any); ok {
				m = inner
			}
			return m["name"] == path[0]
		})
		if i < 0 {
			i, _ = strconv.Atoi(path[0])
		}
		list[i] = changed(list[i], path[1:], value)
		return list
	}
	m, ok := n.(map[string]any)
	if !ok {
		if value == nil {
			return n
		}
		m = map[string]any{}
	}
	if _, there := m[path[0]]; !there && value == nil {
		return n
	}
	if below := changed(m[path[0]], path[1:], value); below == nil && value == nil {
		if len(path) == 1 {
			delete(m, path[0])
		}
	} else {
		m[path[0]] = below
	}
	return m
}

// lostComments counts the numbered comments that are not in the new text, apart from those
// inside and beside what a change replaces or removes.
func lostComments(before, after string, changes []change) int {
	lost := 0
	for _, word := range []string{"# note", "# beside"} {
		lost += strings.Count(before, word) - strings.Count(after, word)
	}
	for _, c := range changes {
		if c.Value == nil || len(c.Value.Content) == 0 {
			lost-- // the one beside the value
		} else {
			lost -= 12 // a whole affinity in the place of another
		}
	}
	return lost
}

// lostLines counts the lines of a text that are not in another, in their order.
func lostLines(before, after string) int {
	old, now := strings.FieldsFunc(before, isBreak), strings.FieldsFunc(after, isBreak)
	row := make([]int, len(now)+1)
	for _, line := range old {
		diagonal := 0
		for j, other := range now {
			above := row[j+1]
			if line == other {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			diagonal = above
		}
	}
	return len(old) - row[len(now)]
}

// linesOf returns how many lines changes may replace: those of the value that was there, with
// its key, its comma and its brackets.
func linesOf(changes []change) int {
	out := 0
	for _, c := range changes {
		out += 3
		if c.Value != nil && len(c.Value.Content) > 0 {
			out += 24
		}
	}
	return out
}

func isBreak(r rune) bool { return r == '\n' || r == '\r' }

// drawObject draws a CR or an object with pods, and the changes that goldenarch could make.
func drawObject(r *rand.Rand) (*yaml.Node, []change) {
	if r.IntN(2) == 0 {
		return drawnCR(r)
	}
	return drawnPods(r)
}

func drawnCR(r *rand.Rand) (*yaml.Node, []change) {
	set := func(value string, path ...string) change {
		return change{Path: path, Value: text(value)}
	}
	var changes []change
	templates := yamlnode.NewSequence()
	for i := range 1 + r.IntN(4) {
		name := fmt.Sprintf("image-%d", i)
		annotations := mapping("a.b/c", drawScalar(r))
		annotations.Content = annotations.Content[:2*r.IntN(2)]
		if r.IntN(2) == 0 {
			yamlnode.Put(annotations, "ssp.kubevirt.io/dict.architectures", text("amd64"))
		}
		metadata := mapping("name", text(name))
		if r.IntN(3) > 0 {
			yamlnode.Put(metadata, "annotations", annotations)
		}
		templates.Content = append(templates.Content, mapping("metadata", metadata, "spec", mapping(
			"schedule", text("0 1 * * *"),
			"template", mapping("spec", mapping("source", mapping("registry", mapping("url", text("docker://quay.io/containerdisks/fedora:latest"))))),
			"more", drawTree(r, 2))))
		at := []string{"spec", "dataImportCronTemplates", name, "metadata", "annotations"}
		if r.IntN(2) == 0 {
			at[2] = strconv.Itoa(i)
		}
		switch r.IntN(4) {
		case 0, 1:
			changes = append(changes, set("amd64,arm64", append(at, "ssp.kubevirt.io/dict.architectures")...))
		case 2:
			changes = append(changes, set("false", append(at, "dataimportcrontemplate.kubevirt.io/enable")...))
		case 3:
			changes = append(changes, change{Path: append(at, "ssp.kubevirt.io/dict.architectures")})
		}
	}
	spec := mapping("dataImportCronTemplates", templates, "workloadPlacement", drawTree(r, 3))
	if r.IntN(2) == 0 {
		yamlnode.Put(spec, "featureGates", mapping("enableMultiArchBootImageImport", other("false", yaml.NodeTagBool)))
	}
	changes = append(changes, change{Path: []string{"spec", "featureGates", "enableMultiArchBootImageImport"}, Value: other("true", yaml.NodeTagBool)})
	return head("hco.kubevirt.io/v1beta1", "HyperConverged", r, spec), changes
}

func drawnPods(r *rand.Rand) (*yaml.Node, []change) {
	containers := yamlnode.NewSequence()
	for i := range 1 + r.IntN(3) {
		containers.Content = append(containers.Content, mapping("name", text(fmt.Sprintf("c%d", i)), "image", text("quay.io/a/b:1"), "more", drawTree(r, 3)))
	}
	pod := mapping("containers", containers)
	term := mapping("matchExpressions", list(mapping("key", text("kubernetes.io/arch"), "operator", text("In"), "values", list(text("amd64")))))
	required := []string{"affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"}
	switch r.IntN(4) {
	case 0:
		yamlnode.Put(pod, "affinity", other("null", yaml.NodeTagNull))
	case 1:
		yamlnode.Put(pod, "affinity", mapping("podAffinity", drawTree(r, 2)))
	case 2:
		old := list(mapping("key", text("a"), "operator", text("Exists")), mapping("key", text("z"), "operator", text("In"), "values", list(text("x"))))
		terms := mapping("nodeSelectorTerms", list(mapping("matchExpressions", old)))
		yamlnode.Put(pod, "affinity", mapping("nodeAffinity", mapping(required[2], terms)))
	}
	if affinity := yamlnode.Value(pod, "affinity"); affinity != nil && yamlnode.Value(affinity, "podAffinity") != nil &&
		yamlnode.Value(affinity, "podAffinity").Kind != yaml.MappingNode {
		yamlnode.Put(affinity, "podAffinity", mapping("a", text("b")))
	}
	yamlnode.Put(pod, "tolerations", drawTree(r, 2))
	at := []string{"spec", "template", "spec"}
	changes := []change{{Path: append(slices.Clone(at), append(required, "nodeSelectorTerms")...), Value: list(term)}}
	if r.IntN(2) == 0 {
		changes = append(changes, change{Path: []string{"metadata", "labels", "goldenarch.dev/x"}, Value: text("on")})
	}
	return head("apps/v1", "Deployment", r, mapping("replicas", other("3", yaml.NodeTagInt), "template", mapping("spec", pod))), changes
}

func head(apiVersion, kind string, r *rand.Rand, spec *yaml.Node) *yaml.Node {
	out := mapping("apiVersion", text(apiVersion), "kind", text(kind), "metadata", mapping("name", text("a")), "spec", spec)
	if r.IntN(3) == 0 {
		out.Content = append(out.Content, text("status"), drawTree(r, 2))
	}
	return out
}

func mapping(fields ...any) *yaml.Node {
	out := yamlnode.NewMapping()
	for i := 0; i < len(fields); i += 2 {
		out.Content = append(out.Content, text(fields[i].(string)), fields[i+1].(*yaml.Node))
	}
	return out
}

func list(elements ...*yaml.Node) *yaml.Node {
	out := yamlnode.NewSequence()
	out.Content = elements
	return out
}

// change is an edit of one value: the keys that lead to it, or the names or indexes of elements, and
// its new value, nil if it goes.
type change struct {
	Path  []string
	Value *yaml.Node
}

// apply returns a text after changes.
func apply(before []byte, changes []change) ([]byte, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(yamledit.WithoutVersion(before), &doc); err != nil {
		return nil, err
	}
	for _, c := range changes {
		doc.Content[0] = c.in(doc.Content[0], c.Path)
	}
	return yamledit.Update(before, &doc)
}

// in returns a copy of a tree with the change.
func (c change) in(n *yaml.Node, path []string) *yaml.Node {
	if len(path) == 0 {
		return yamlnode.Unplaced(c.Value)
	}
	out := yamlnode.NewMapping()
	if n != nil && !yamlnode.IsNull(n) {
		copied := *yamlnode.Dealias(n)
		copied.Content = slices.Clone(copied.Content)
		out = &copied
	}
	at, element := yamlnode.Field(out, path[0]), elementAt(out, path[0])
	switch {
	case element >= 0:
		out.Content[element] = c.in(out.Content[element], path[1:])
	case at >= 0 && c.Value == nil && len(path) == 1:
		yamlnode.Remove(out, path[0])
	case at >= 0:
		out.Content[at] = c.in(out.Content[at], path[1:])
	case c.Value == nil:
		return n
	default:
		out.Content = append(out.Content, text(path[0]), c.in(nil, path[1:]))
	}
	return out
}

// elementAt returns the index of an element of a list by its index or its name, or -1.
func elementAt(list *yaml.Node, step string) int {
	if list.Kind != yaml.SequenceNode {
		return -1
	}
	if i, err := strconv.Atoi(step); err == nil {
		return i
	}
	return slices.IndexFunc(list.Content, func(n *yaml.Node) bool { return yamlnode.Text(n, "metadata", "name") == step })
}
