package affinity

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
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
}

// Write changes a PodSpec to what the caller wants. It returns what goldenarch wrote, and a
// person's requirements that it replaced. had is what an earlier run wrote. The caller has
// checked that [Read] reports no fault, and that a required node affinity has terms.
func Write(spec *yaml.Node, want Want, had Record) (wrote Record, replaced []string) {
	w := writer{spec: spec, want: want, had: had}
	w.selected, w.selectedOS = w.selects(archKeys), w.selects(osKeys)
	w.owned = ownedTerms(w.terms(), had)
	if want.Overwrite && w.selected && !w.pinned() {
		w.dropSelector()
	}
	terms := w.terms()
	for _, term := range terms {
		w.term(term)
	}
	if len(terms) == 0 && !w.selected {
		w.firstTerm()
	}
	w.preferred()
	w.record()
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
	// owned are the terms that an earlier run wrote into.
	owned map[*yaml.Node]ownTerm
	// written are the terms that have what goldenarch wrote, now or in an earlier run.
	written []writtenTerm
}

type writtenTerm struct {
	term *yaml.Node
	os   bool
}

// record completes what goldenarch wrote. The ids of terms are needed only where other terms
// have the same requirement.
func (w *writer) record() {
	same := 0
	for _, term := range w.terms() {
		if !isFixed(term) && requirementOf(term, w.want.Architectures) != nil {
			same++
		}
	}
	if len(w.written) == 0 || same < 2 {
		return
	}
	w.wrote.OS = false
	for _, one := range w.written {
		w.wrote.Terms = append(w.wrote.Terms, Term{ID: idOf(one.term, requirementOf(one.term, w.want.Architectures), one.os), OS: one.os})
	}
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
	return yamlnode.Elements(w.spec, "affinity", "nodeAffinity", required, termsKey)
}

// firstTerm creates a required node affinity.
func (w *writer) firstTerm() {
	list := yamlnode.Sequence(yamlnode.Mapping(w.spec, "affinity", "nodeAffinity", required), termsKey)
	term := yamlnode.NewMapping()
	list.Content = append(list.Content, term)
	w.add(term)
}

// isFixed reports whether a term stays unchanged. An empty term selects no node, and with
// an expression it would select some. A term with a node's name already selects that node.
func isFixed(term *yaml.Node) bool {
	expressions, fields := yamlnode.Elements(term, "matchExpressions"), yamlnode.Elements(term, "matchFields")
	return len(expressions)+len(fields) == 0 || slices.ContainsFunc(fields, func(e *yaml.Node) bool { return keyOf(e) == NameField })
}

// term writes the requirement into one term.
func (w *writer) term(term *yaml.Node) {
	if isFixed(term) {
		return
	}
	list := yamlnode.Get(term, "matchExpressions")
	if own, ok := w.owned[term]; ok {
		w.update(term, own)
		return
	}
	switch {
	case w.want.Overwrite && hasKey(list, archKeys):
		w.dropExpressions(list)
	case restrictsArch(list), w.selected:
		return
	}
	w.add(term)
}

// restrictsArch reports whether requirements admit listed architectures only, as
// [RestrictsArch] does for a decoded term.
func restrictsArch(list *yaml.Node) bool {
	return slices.ContainsFunc(yamlnode.Elements(list), func(e *yaml.Node) bool {
		return IsArch(keyOf(e)) && !isOpen(yamlnode.Text(e, "operator"))
	})
}

// update changes the expression that an earlier run wrote, and its expression for the
// operating system, to what the caller wants now.
func (w *writer) update(term *yaml.Node, own ownTerm) {
	list := yamlnode.Get(term, "matchExpressions")
	setValues(own.requirement, w.want.Architectures.Strings())
	hasOS := own.os && hasKey(list, osKeys)
	switch {
	case own.os && !w.want.OS:
		list.Content = slices.DeleteFunc(list.Content, func(e *yaml.Node) bool { return isIn(e, OSLabel, linux) })
		hasOS = false
	case !hasOS:
		hasOS = w.addOS(list)
	}
	w.note(term, hasOS)
}

// note notes a term that has what goldenarch wrote.
func (w *writer) note(term *yaml.Node, os bool) {
	w.wrote.Architectures, w.wrote.OS = w.want.Architectures, w.wrote.OS || os
	w.written = append(w.written, writtenTerm{term, os})
}

// add appends the requirement to the expressions of a term.
func (w *writer) add(term *yaml.Node) {
	list := yamlnode.Sequence(term, "matchExpressions")
	list.Content = append(list.Content, expression(ArchLabel, w.want.Architectures.Strings()))
	w.note(term, w.addOS(list))
}

var linux = []string{"linux"}

// addOS adds a requirement for the operating system, and reports whether it does.
func (w *writer) addOS(list *yaml.Node) bool {
	if !w.want.OS || w.selectedOS || hasKey(list, osKeys) {
		return false
	}
	list.Content = append(list.Content, expression(OSLabel, linux))
	return true
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
