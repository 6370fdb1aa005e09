package affinity

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// Want is what to write into a PodSpec.
type Want struct {
	// Architectures are those that all images have; never empty.
	Architectures arch.Set
	// OS adds a requirement for kubernetes.io/os.
	OS bool
	// Preferred is what the scheduler prefers.
	Preferred []Preference
	// Overwrite replaces what a person wrote.
	Overwrite bool
	// OnlyExisting adds to the existing terms, and creates no first term.
	OnlyExisting bool
}

// Write changes a PodSpec to what the caller wants. It returns what goldenarch wrote, and a
// person's requirements that it replaced. had is what an earlier run wrote. The caller has
// checked that [Read] reports no fault, and that a required node affinity has terms.
func Write(spec *yaml.Node, want Want, had Record) (wrote Record, replaced []string) {
	w := writer{spec: spec, want: want, had: had}
	w.selected, w.selectedOS = w.selects(archKeys), w.selects(osKeys)
	if want.Overwrite && w.selected && !w.pinned() {
		w.dropSelector()
	}
	terms := w.terms()
	for _, term := range terms {
		w.term(term)
	}
	if len(terms) == 0 && !w.selected && !want.OnlyExisting {
		w.firstTerm()
	}
	w.preferred()
	return w.wrote, w.replaced
}

type writer struct {
	spec     *yaml.Node
	want     Want
	had      Record
	wrote    Record
	replaced []string
	// selected and selectedOS say that the nodeSelector names the architecture and the
	// operating system.
	selected, selectedOS bool
}

func (w *writer) selects(keys []string) bool {
	selector := yamlnode.Get(w.spec, "nodeSelector")
	return slices.ContainsFunc(keys, func(key string) bool { return yamlnode.Get(selector, key) != nil })
}

// pinned reports whether all terms stay unchanged. Then only the nodeSelector restricts the
// architecture.
func (w *writer) pinned() bool {
	terms := w.terms()
	return len(terms) > 0 && !slices.ContainsFunc(terms, func(term *yaml.Node) bool { return !isFixed(term) })
}

// dropSelector removes the architecture from the nodeSelector.
func (w *writer) dropSelector() {
	selector := yamlnode.Get(w.spec, "nodeSelector")
	for _, key := range archKeys {
		if value := yamlnode.Get(selector, key); value != nil {
			w.replaced = append(w.replaced, "nodeSelector "+key+": "+value.Value)
			yamlnode.Remove(selector, key)
		}
	}
	if len(selector.Content) == 0 {
		yamlnode.Remove(w.spec, "nodeSelector")
	}
	w.selected = false
}

func (w *writer) terms() []*yaml.Node {
	terms := yamlnode.Lookup(w.spec, []string{"affinity", "nodeAffinity", required, termsKey})
	if terms == nil {
		return nil
	}
	return terms.Content
}

// firstTerm creates a required node affinity.
func (w *writer) firstTerm() {
	list := yamlnode.Sequence(yamlnode.Mapping(w.spec, "affinity", "nodeAffinity", required), termsKey)
	term := yamlnode.NewMapping()
	list.Content = append(list.Content, term)
	w.add(yamlnode.Sequence(term, "matchExpressions"))
}

// isFixed reports whether a term stays unchanged. An empty term selects no node, and with
// an expression it would select some. A term with a node's name already selects that node.
func isFixed(term *yaml.Node) bool {
	expressions, fields := yamlnode.Get(term, "matchExpressions"), yamlnode.Get(term, "matchFields")
	if isEmpty(expressions) && isEmpty(fields) {
		return true
	}
	return !isEmpty(fields) && slices.ContainsFunc(fields.Content, func(e *yaml.Node) bool { return keyOf(e) == nameField })
}

func isEmpty(n *yaml.Node) bool { return n == nil || len(n.Content) == 0 }

// term writes the requirement into one term.
func (w *writer) term(term *yaml.Node) {
	if isFixed(term) {
		return
	}
	list := yamlnode.Get(term, "matchExpressions")
	if own := w.own(list); own != nil {
		w.update(list, own)
		return
	}
	if hasKey(list, archKeys) {
		if !w.want.Overwrite {
			return
		}
		w.dropExpressions(list)
	} else if w.selected {
		return
	}
	w.add(yamlnode.Sequence(term, "matchExpressions"))
}

// own returns the expression that an earlier run wrote; nil if there was no such
// expression.
func (w *writer) own(list *yaml.Node) *yaml.Node {
	if list == nil || len(w.had.Architectures) == 0 {
		return nil
	}
	for _, e := range list.Content {
		if isIn(e, ArchLabel, w.had.Architectures.Strings()) {
			return e
		}
	}
	return nil
}

// update changes the expression that an earlier run wrote, and its expression for the
// operating system, to what the caller wants now.
func (w *writer) update(list, own *yaml.Node) {
	setValues(own, w.want.Architectures.Strings())
	w.wrote.Architectures = w.want.Architectures
	if w.had.OS && !w.want.OS {
		list.Content = slices.DeleteFunc(list.Content, func(e *yaml.Node) bool { return isIn(e, OSLabel, linux) })
		return
	}
	if w.want.OS && w.had.OS && hasKey(list, osKeys) {
		w.wrote.OS = true
		return
	}
	w.addOS(list)
}

// add appends the requirement to the expressions of a term.
func (w *writer) add(list *yaml.Node) {
	list.Content = append(list.Content, expression(ArchLabel, w.want.Architectures.Strings()))
	w.wrote.Architectures = w.want.Architectures
	w.addOS(list)
}

var linux = []string{"linux"}

func (w *writer) addOS(list *yaml.Node) {
	if !w.want.OS || w.selectedOS || hasKey(list, osKeys) {
		return
	}
	list.Content = append(list.Content, expression(OSLabel, linux))
	w.wrote.OS = true
}

func (w *writer) dropExpressions(list *yaml.Node) {
	list.Content = slices.DeleteFunc(list.Content, func(e *yaml.Node) bool {
		if !IsArch(keyOf(e)) {
			return false
		}
		w.replaced = append(w.replaced, describe(e))
		return true
	})
}
