package pipeline

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// upsert puts the wanted objects among the items. One that an earlier run
// emitted is brought up to date in its place, and is left alone if it is; one
// that is not wanted any more is left out. New ones come at the end, in order.
func upsert(items []*yaml.RNode, wanted []expansion.Object) ([]*yaml.RNode, finding.List) {
	open := map[string]expansion.Object{}
	var found finding.List
	for _, o := range wanted {
		if other, twice := open[key(o)]; twice && !reflect.DeepEqual(other, o) {
			found = append(found, finding.Finding{
				ID: finding.ItemInTheWay, Severity: finding.Error, Object: referObject(o),
				Text: "two CRs of the input expand to this object, each to another one", Do: "run goldenarch on each CR alone",
			})
		}
		open[key(o)] = o
	}
	items, list := withoutCopies(items, open)
	found = append(found, list...)
	done := map[string]bool{}
	var out []*yaml.RNode
	for _, item := range items {
		kept, list := update(item, open, done)
		found = append(found, list...)
		if kept != nil {
			out = append(out, kept)
		}
	}
	taken := takenFiles(out)
	for _, o := range wanted {
		if done[key(o)] {
			continue
		}
		done[key(o)] = true
		index, list := taken.next(referObject(o))
		found = append(found, list...)
		item, err := newItem(o, index)
		if err != nil {
			return items, finding.List{{ID: finding.Unreadable, Severity: finding.Error, Object: referObject(o), Text: err.Error()}}
		}
		out = append(out, item)
	}
	return out, found
}

// update returns an item as it is to stay, nil for one that goes.
func update(item *yaml.RNode, open map[string]expansion.Object, done map[string]bool) (*yaml.RNode, finding.List) {
	at := refer(item)
	at.File, at.Index = place(item)
	var found finding.List
	for _, o := range objects([]*yaml.RNode{item}) {
		want, is := open[keyOf(o.at)]
		switch {
		case !is:
		case says(o, want), o.at.Kind == namespaceKind: // what a user adds to a Namespace is theirs
			done[keyOf(o.at)] = true
		case !emitted(at):
			found = append(found, finding.Finding{
				ID: finding.ItemInTheWay, Severity: finding.Error, Object: o.at, Field: o.path,
				Text: fmt.Sprintf("%s is in the input, and says something else than what a template expands to", o.at),
				Do:   "remove it, or disable the template",
			})
		default:
			done[keyOf(o.at)] = true
			fresh, err := renewed(item, want)
			if err != nil {
				return item, append(found, o.unreadable(err))
			}
			return fresh, found
		}
	}
	if _, is := open[keyOf(at)]; !is && emitted(at) && leftBehind(item) {
		return nil, append(found, finding.Finding{
			ID: finding.ItemRemoved, Severity: finding.Info, Object: at,
			Text: fmt.Sprintf("%s was emitted by an earlier run and is removed: no template expands to it any more", at),
		})
	}
	return item, found
}

// newItem returns an object as an item with a place of its own in the package.
func newItem(o expansion.Object, index int) (*yaml.RNode, error) {
	item, err := node(o)
	if err != nil {
		return nil, err
	}
	file := fileOf(referObject(o))
	for _, note := range []struct{ key, value string }{
		{kioutil.PathAnnotation, file},
		{kioutil.IndexAnnotation, strconv.Itoa(index)},
		{kioutil.LegacyPathAnnotation, file},                 //nolint:staticcheck // older hosts
		{kioutil.LegacyIndexAnnotation, strconv.Itoa(index)}, //nolint:staticcheck // older hosts
	} {
		if err := item.PipeE(yaml.SetAnnotation(note.key, note.value)); err != nil {
			return nil, fmt.Errorf("annotate the object: %w", err)
		}
	}
	return item, nil
}

// renewed returns an object in the place of an item: with the annotations that
// the host has put on it.
func renewed(item *yaml.RNode, o expansion.Object) (*yaml.RNode, error) {
	out, err := node(o)
	if err != nil {
		return nil, err
	}
	notes := item.GetAnnotations()
	for _, key := range slices.Sorted(maps.Keys(notes)) {
		if !ofHost(key) {
			continue
		}
		if err := out.PipeE(yaml.SetAnnotation(key, notes[key])); err != nil {
			return nil, fmt.Errorf("annotate the object: %w", err)
		}
	}
	return out, nil
}

func node(o expansion.Object) (*yaml.RNode, error) {
	text, err := k8syaml.Marshal(o)
	if err != nil {
		return nil, fmt.Errorf("encode the object: %w", err)
	}
	out, err := yaml.Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("read the object: %w", err)
	}
	return out, nil
}

// says reports whether an object of the input is the wanted one, but for the
// annotations of the host.
func says(o object, want expansion.Object) bool {
	have := content(o)
	return have != nil && reflect.DeepEqual(have, map[string]any(want))
}

// content returns what an object says, but for the annotations of the host; nil
// if it cannot be read.
func content(o object) map[string]any {
	data, err := o.json()
	if err != nil {
		return nil
	}
	var have map[string]any
	if err := json.Unmarshal(data, &have); err != nil {
		return nil
	}
	if metadata, ok := have["metadata"].(map[string]any); ok {
		notes, _ := metadata["annotations"].(map[string]any)
		for key := range notes {
			if ofHost(key) {
				delete(notes, key)
			}
		}
		if len(notes) == 0 {
			delete(metadata, "annotations")
		}
	}
	return have
}

// ofHost reports whether an annotation is one of those by which hosts keep
// account of items.
func ofHost(key string) bool {
	domain, _, _ := strings.Cut(key, "/")
	switch domain {
	case "config.kubernetes.io", "internal.config.kubernetes.io", "config.k8s.io", "kustomize.config.k8s.io", "internal.kpt.dev", "internal.goldenarch.dev":
		return true
	}
	return false
}
