package pipeline

import (
	"encoding/base64"
	"fmt"
	"iter"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// held is the objects of the input, by which a name is looked up.
type held []object

// lookup is the objects of the input, with those that are not among the items.
type lookup struct {
	held
	named func(item *yaml.RNode, kind, name string) []*yaml.RNode // as [Function.Named]
}

// all returns the objects in their order, and of those that items stand for the ones
// of a kind and a name.
func (l lookup) all(kind, name string) iter.Seq[object] {
	return func(yield func(object) bool) {
		for _, o := range l.held {
			if !yield(o) {
				return
			}
			if l.named == nil || o.at.Kind != "" {
				continue
			}
			for _, o := range objects(l.named(o.item, kind, name)) {
				if !yield(o) {
					return
				}
			}
		}
	}
}

// find returns the object of a kind that a name means. An object without a
// namespace gets one from the host later, and fits all. It returns nil, with
// what is so, if there is none, or more than one. A namespace of "" is any.
func (l lookup) find(kind, namespace, name string) (*object, absence) {
	var exact, bare, elsewhere []object
	for o := range l.all(kind, name) {
		switch {
		case o.at.Kind != kind || o.at.APIVersion != "v1" || o.at.Name != name:
		case o.at.Namespace == "":
			bare = append(bare, o)
		case namespace == "" || o.at.Namespace == namespace:
			exact = append(exact, o)
		default:
			elsewhere = append(elsewhere, o)
		}
	}
	if len(exact) == 0 {
		exact = bare
	}
	switch {
	case len(exact) == 1:
		return &exact[0], absence{}
	case len(exact) > 1:
		return nil, absence{text: fmt.Sprintf("is in the input %d times: which one counts?", len(exact)), do: whichOf(exact)}
	case len(elsewhere) > 0:
		return nil, absence{text: fmt.Sprintf("is in the input in the namespace %q only", elsewhere[0].at.Namespace)}
	}
	return nil, absence{text: "is not in the input"}
}

// absence is why a name means no object, and what to do, "" if that is to add
// one.
type absence struct{ text, do string }

// tell writes it into a finding about the object.
func (a absence) tell(f *finding.Finding, source, then string) {
	f.Text = source + " " + a.text + then
	if a.do != "" {
		f.Do = a.do
	}
}

// whichOf is what makes one of several objects the only one.
func whichOf(list []object) string {
	first := list[0].at
	if slices.ContainsFunc(list, func(o object) bool { return o.at.Namespace != first.Namespace }) {
		return fmt.Sprintf("say which one is meant, with its namespace (%s/%s), or leave only one in the input", first.Namespace, first.Name)
	}
	return "leave only one of them in the input"
}

// sealed are kinds that a controller makes a Secret of, and where they say its
// name if it is not their own.
var sealed = map[string][]string{
	"SealedSecret":       {"spec", "template", "metadata", "name"},
	"ExternalSecret":     {"spec", "target", "name"},
	"VaultStaticSecret":  {"spec", "destination", "name"},
	"VaultDynamicSecret": {"spec", "destination", "name"},
}

// maker returns what the cluster will make a Secret of.
func (h held) maker(namespace, name string) (finding.Object, bool) {
	i := slices.IndexFunc(h, func(o object) bool {
		path, is := sealed[o.at.Kind]
		if !is || namespace != "" && o.at.Namespace != "" && o.at.Namespace != namespace {
			return false
		}
		made := textAt(o.node, path...)
		return made == name || made == "" && o.at.Name == name
	})
	if i < 0 {
		return finding.Object{}, false
	}
	return h[i].at, true
}

// secret reads the values of a Secret. The error is what is so, and repeats
// nothing of it.
func (o object) secret() (map[string][]byte, error) {
	if nodeAt(o.node, "sops") != nil {
		return nil, unread("is encrypted by SOPS")
	}
	// The decoder's errors may repeat what stands there.
	tree, err := o.tree()
	if err != nil {
		return nil, unread("cannot be read: it is not as a Secret is")
	}
	out := map[string][]byte{}
	data, err := texts(tree, "data")
	if err != nil {
		return nil, err
	}
	for key, value := range data {
		if encrypted(value) {
			return nil, unread("is encrypted, or filled in later")
		}
		decoded, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(value), ""))
		if err != nil {
			return nil, unread(fmt.Sprintf("cannot be read: data[%q] is not base64", key))
		}
		out[key] = decoded
	}
	plain, err := texts(tree, "stringData")
	if err != nil {
		return nil, err
	}
	for key, value := range plain {
		if encrypted(value) {
			return nil, unread("is encrypted, or filled in later")
		}
		out[key] = []byte(value) // wins, as in the API server
	}
	return out, nil
}

// texts returns a map of texts in an object.
func texts(tree map[string]any, field string) (map[string]string, error) {
	wrong := unread(fmt.Sprintf("cannot be read: %s is not a map of strings", field))
	if tree[field] == nil {
		return nil, nil
	}
	values, ok := tree[field].(map[string]any)
	if !ok {
		return nil, wrong
	}
	out := map[string]string{}
	for key, value := range values {
		text, ok := value.(string)
		if !ok && value != nil {
			return nil, wrong
		}
		out[key] = text
	}
	return out, nil
}

// encrypted reports whether a value is SOPS's, or a placeholder such as that of
// the Argo CD Vault plugin.
func encrypted(value string) bool {
	value = strings.TrimSpace(value)
	return strings.HasPrefix(value, "ENC[") || strings.HasPrefix(value, "<") && strings.HasSuffix(value, ">")
}

// unread is why an object cannot be used.
type unread string

func (u unread) Error() string { return string(u) }
