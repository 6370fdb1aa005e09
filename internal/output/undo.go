package output

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/workload"
	"github.com/goldenarch/goldenarch/transformers"
)

// Undo takes out of items what earlier runs wrote into CRs and pods, as their annotations
// record it. It changes copies, and puts them in the place of the items after all edits
// succeed. Findings name what nothing records.
func Undo(items []*yaml.RNode) finding.List {
	out := map[*yaml.RNode]*yaml.RNode{}
	var found finding.List
	for _, item := range items {
		var copied *yaml.RNode
		for _, o := range object.All([]*yaml.RNode{item}) {
			if !undoes(o) {
				continue
			}
			var err error
			if copied == nil {
				copied, err = object.Copy(item)
			}
			changed, gate := false, false
			if err == nil {
				err = o.Edit(copied, func(n *yaml.RNode) error {
					var failed error
					changed, gate, failed = undo(o, n)
					return failed
				})
			}
			switch {
			case err != nil:
				found = append(found, o.Unreadable(err))
			case changed:
				out[item] = copied
			}
			if gate {
				found = append(found, unrecorded(o, "spec",
					"the multi-arch gate "+hyperconverged.GateName+" is on, and nothing records who turned it on, so goldenarch leaves it on",
					"turn it off by hand if goldenarch turned it on"))
			}
			if changed && hasLabels(o) {
				found = append(found, unrecorded(o, "metadata.labels",
					"nothing records who wrote the labels "+archLabels+"ARCH, so goldenarch leaves them",
					"remove by hand those that goldenarch wrote"))
			}
		}
	}
	if !found.Failed() {
		for item, copied := range out {
			object.Replace(item, copied.YNode())
		}
	}
	return found
}

// archLabels is the prefix of the labels that say on which architectures an operator runs.
const archLabels = "operatorframework.io/arch."

// undoes reports whether an object may have what goldenarch wrote.
func undoes(o object.Object) bool {
	if kinds.IsCR(o) {
		return true
	}
	_, is := o.Node.GetAnnotations()[workload.RecordAnnotation]
	return is
}

// undo takes out of one object what earlier runs wrote.
func undo(o object.Object, n *yaml.RNode) (changed, gate bool, err error) {
	if kinds.IsCR(o) {
		_, version, _ := strings.Cut(o.At.APIVersion, "/")
		return transformers.Undo(n, version)
	}
	again := o
	again.Node = n
	list, _ := workload.Objects([]object.Object{again})
	for _, one := range list {
		changed = workload.Undo(one) || changed
	}
	return changed, false, nil
}

func hasLabels(o object.Object) bool {
	for key := range o.Node.GetLabels() {
		if strings.HasPrefix(key, archLabels) {
			return true
		}
	}
	return false
}

func unrecorded(o object.Object, field, text, do string) finding.Finding {
	return finding.Finding{ID: finding.UndoNotRecorded, Severity: finding.Warning, Object: o.At, Field: field, Line: o.Line(field), Text: text, Do: do}
}
