package emit

import (
	"fmt"
	"reflect"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// upsert merges the wanted objects into the items. It updates an object that an earlier
// run emitted in its place, unless it is up to date. It removes one that is no longer
// wanted, and appends new objects in order.
func upsert(items []*yaml.RNode, wanted []expansion.Object) ([]*yaml.RNode, finding.List) {
	open := map[string]expansion.Object{}
	var found finding.List
	for _, o := range wanted {
		if other, twice := open[keyOfObject(o)]; twice && !reflect.DeepEqual(other, o) {
			found = append(found, finding.Finding{
				ID: finding.ItemInTheWay, Severity: finding.Error, Object: refOf(o),
				Text: "two CRs of the input expand to this object, with different content", Do: "run goldenarch on each CR alone",
			})
		}
		open[keyOfObject(o)] = o
	}
	items, list := removeCopies(items, open)
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
	taken := filesOf(out)
	for _, o := range wanted {
		if done[keyOfObject(o)] {
			continue
		}
		done[keyOfObject(o)] = true
		index, list := taken.nextIndex(refOf(o))
		found = append(found, list...)
		item, err := newItem(o, index)
		if err != nil {
			return items, finding.List{{ID: finding.Unreadable, Severity: finding.Error, Object: refOf(o), Text: err.Error()}}
		}
		out = append(out, item)
	}
	return out, found
}

// update returns the new state of an item, or nil to remove it.
func update(item *yaml.RNode, open map[string]expansion.Object, done map[string]bool) (*yaml.RNode, finding.List) {
	at := object.New(item).At
	var found finding.List
	for _, o := range object.All([]*yaml.RNode{item}) {
		want, is := open[keyOf(o.At)]
		switch {
		case !is:
		case matches(o, want), o.At.Kind == NamespaceKind: // additions to a Namespace belong to the user
			done[keyOf(o.At)] = true
		case !isEmitted(at):
			found = append(found, finding.Finding{
				ID: finding.ItemInTheWay, Severity: finding.Error, Object: o.At, Field: o.Path,
				Text: fmt.Sprintf("the input has %s with other content than what a template expands to", o.At),
				Do:   "remove it from the input",
			})
		default:
			done[keyOf(o.At)] = true
			fresh, err := renewed(item, want)
			if err != nil {
				return item, append(found, o.Unreadable(err))
			}
			return fresh, found
		}
	}
	if _, is := open[keyOf(at)]; !is && isEmitted(at) && isStale(item) {
		return nil, append(found, finding.Finding{
			ID: finding.ItemRemoved, Severity: finding.Info, Object: at,
			Text: fmt.Sprintf("goldenarch removes %s, which an earlier run emitted: no template expands to it now", at),
			Unchanged: finding.Advice{
				Text: fmt.Sprintf("an earlier run emitted %s, but no template expands to it now", at), Do: "remove it",
			},
		})
	}
	return item, found
}
