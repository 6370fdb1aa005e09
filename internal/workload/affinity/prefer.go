package affinity

import (
	"slices"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// preferred writes the scheduler's preferences. If a person's term names the architecture,
// it writes none and removes those of an earlier run.
func (w *writer) preferred() {
	terms := w.preferredTerms()
	wanted := w.preferences()
	if slices.ContainsFunc(terms, func(t *yaml.Node) bool { return !w.isOwnPreference(t) && namesArch(t) }) {
		wanted = nil
	}
	if !slices.Equal(wanted, w.ownPreferences(terms)) {
		w.replacePreferences(wanted)
	}
	w.wrote.Preferred = wanted
}

// preferences returns the wanted preferences for which the required terms leave a choice.
func (w *writer) preferences() []Preference {
	if len(w.want.Architectures) < 2 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(w.want.Preferred), func(p Preference) bool { return !w.want.Architectures.Contains(p.Architecture) })
}

func (w *writer) preferredTerms() []*yaml.Node {
	return yamlnode.Elements(w.spec, "affinity", "nodeAffinity", preferred)
}

// ownPreferences returns the preferences of an earlier run that still exist.
func (w *writer) ownPreferences(terms []*yaml.Node) []Preference {
	var out []Preference
	for _, t := range terms {
		if p, ok := preferenceOf(t); ok && w.isOwnPreference(t) {
			out = append(out, p)
		}
	}
	return out
}

func (w *writer) isOwnPreference(term *yaml.Node) bool {
	p, ok := preferenceOf(term)
	if !ok || !slices.Contains(w.had.Preferred, p) {
		return false
	}
	same := 0 // of two that are the same one is a person's
	for _, other := range w.preferredTerms() {
		if q, ok := preferenceOf(other); ok && q == p {
			same++
		}
	}
	return same == 1
}

func (w *writer) replacePreferences(wanted []Preference) {
	path := []string{"affinity", "nodeAffinity"}
	if len(wanted) == 0 {
		parent := yamlnode.Get(w.spec, path...)
		list := yamlnode.Get(parent, preferred)
		list.Content = w.withoutOwn(list.Content)
		if len(list.Content) == 0 {
			yamlnode.Remove(parent, preferred)
			w.removeEmpty()
		}
		return
	}
	list := yamlnode.Sequence(yamlnode.Mapping(w.spec, path...), preferred)
	list.Content = w.withoutOwn(list.Content)
	for _, p := range wanted {
		term := yamlnode.NewMapping()
		yamlnode.Put(term, "weight", yamlnode.NewScalar(strconv.Itoa(p.Weight), yaml.NodeTagInt, 0))
		expressions := yamlnode.Sequence(yamlnode.Mapping(term, "preference"), "matchExpressions")
		expressions.Content = append(expressions.Content, expression(ArchLabel, []string{string(p.Architecture)}))
		list.Content = append(list.Content, term)
	}
}

// removeEmpty removes empty mappings.
func (w *writer) removeEmpty() {
	affinity := yamlnode.Get(w.spec, "affinity")
	if node := yamlnode.Get(affinity, "nodeAffinity"); node != nil && len(node.Content) == 0 {
		yamlnode.Remove(affinity, "nodeAffinity")
	}
	if affinity != nil && len(affinity.Content) == 0 {
		yamlnode.Remove(w.spec, "affinity")
	}
}

// preferenceOf returns the content of a preferred term, if goldenarch writes such terms.
func preferenceOf(term *yaml.Node) (Preference, bool) {
	weight, err := strconv.Atoi(yamlnode.Text(term, "weight"))
	preference := yamlnode.Get(term, "preference")
	list := yamlnode.Get(preference, "matchExpressions")
	if err != nil || list == nil || len(list.Content) != 1 || len(preference.Content) != 2 {
		return Preference{}, false
	}
	values := texts(yamlnode.Get(list.Content[0], "values"))
	if len(values) != 1 || !isIn(list.Content[0], ArchLabel, values) {
		return Preference{}, false
	}
	return Preference{arch.Arch(values[0]), weight}, true
}

func namesArch(term *yaml.Node) bool {
	return hasKey(yamlnode.Get(term, "preference", "matchExpressions"), archKeys)
}

// withoutOwn returns preferred terms without those of an earlier run.
func (w *writer) withoutOwn(terms []*yaml.Node) []*yaml.Node {
	return slices.DeleteFunc(slices.Clone(terms), w.isOwnPreference)
}
