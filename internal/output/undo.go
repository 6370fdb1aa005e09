package output

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/olm"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/workload"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
	"github.com/goldenarch/goldenarch/transformers"
)

// Undo takes out of items what earlier runs wrote into CRs and pods, as their annotations
// record it. It changes copies, and puts them in the place of the items after all edits
// succeed. The configurations say where else objects have pods. Findings name what nothing
// records.
func Undo(items, configs []*yaml.RNode) finding.List {
	additional, opener := additionalPaths(slices.Concat(items, configs)), object.NewOpener(items)
	out := map[*yaml.RNode]*yaml.RNode{}
	var found finding.List
	for _, item := range items {
		var copied *yaml.RNode
		for _, o := range opener.Open(item) {
			if !undoes(o) {
				continue
			}
			var did undone
			var err error
			if copied == nil {
				copied, err = object.Copy(item)
			}
			if err == nil {
				did, err = undo(o, copied, additional)
			}
			switch {
			case err != nil:
				found = append(found, o.Unreadable(err))
			case did.Changed:
				out[item] = copied
			}
			found = append(found, did.findings(o)...)
		}
	}
	if !found.Failed() {
		for item, copied := range out {
			object.Replace(item, copied.YNode())
		}
	}
	return found
}

// undone is what Undo did with an object.
type undone struct {
	workload.Undone

	gate bool // the gate is on, and nothing records who turned it on
}

// undo takes out of an object in a copy of its item what earlier runs wrote.
func undo(o object.Object, copied *yaml.RNode, additional []v1alpha1.AdditionalPath) (undone, error) {
	var out undone
	err := o.Edit(copied, func(n *yaml.RNode) error {
		if !kinds.IsCR(o) {
			o.Node = n
			pods, _ := workload.Objects([]object.Object{o})
			for _, one := range pods { // the object, unless it is a wrapper
				out.Undone = workload.Undo(one, additional)
			}
			return nil
		}
		_, version, _ := strings.Cut(o.At.APIVersion, "/")
		var err error
		out.Changed, out.gate, err = transformers.Undo(n, version)
		return err
	})
	return out, err
}

// findings name what nothing records.
func (u undone) findings(o object.Object) finding.List {
	var found finding.List
	if u.gate {
		found = append(found, unrecorded(o, "spec",
			"the multi-arch gate "+hyperconverged.GateName+" is on, and nothing records who turned it on, so goldenarch leaves it on",
			"turn it off by hand if goldenarch turned it on"))
	}
	if len(u.Unknown) > 0 {
		found = append(found, unrecorded(o, "metadata.annotations["+workload.RecordAnnotation+"]",
			fmt.Sprintf("goldenarch does not know where this object has %s, so it leaves what the annotation records", placesOf(u.Unknown)),
			"pass the configuration whose spec.additionalPaths names the place"))
	}
	if len(u.Unread) > 0 {
		found = append(found, unrecorded(o, "metadata.annotations["+workload.RecordAnnotation+"]",
			fmt.Sprintf("goldenarch cannot read %q of the annotation, so it leaves that, and what it records", strings.Join(u.Unread, "; ")),
			"take out by hand what goldenarch wrote, and the annotation"))
	}
	if o.At.Kind == "ClusterServiceVersion" && hasLabels(o) {
		found = append(found, unrecorded(o, "metadata.labels",
			"nothing records who wrote the labels "+olm.ArchPrefix+"ARCH, so goldenarch leaves them",
			"remove by hand those that goldenarch wrote"))
	}
	return found
}

// undoes reports whether an object may have what goldenarch wrote.
func undoes(o object.Object) bool {
	if kinds.IsCR(o) {
		return true
	}
	record := object.NodeAt(o.Node, "metadata", "annotations", workload.RecordAnnotation)
	return record != nil || o.At.Kind == "ClusterServiceVersion" && hasLabels(o)
}

// placesOf names the places of records. The only place of an object has no name.
func placesOf(keys []string) string {
	if len(keys) == 1 && keys[0] == "" {
		return "its pods"
	}
	return finding.FirstOf(keys)
}

// additionalPaths returns the paths of the configurations for pods.
func additionalPaths(items []*yaml.RNode) []v1alpha1.AdditionalPath {
	var out []v1alpha1.AdditionalPath
	for _, item := range items {
		if item == nil || !kinds.IsGoldenarch(object.Ref(item), v1alpha1.WorkloadArchitecturesKind) {
			continue
		}
		tree, err := object.New(item).Tree()
		if err != nil {
			continue // a run that decides reports it
		}
		if config, err := v1alpha1.DecodeWorkloadArchitectures(tree); err == nil {
			out = append(out, config.Spec.AdditionalPaths...)
		}
	}
	return out
}

func hasLabels(o object.Object) bool {
	for key := range yamlnode.Fields(object.NodeAt(o.Node, "metadata", "labels")) {
		if strings.HasPrefix(key, olm.ArchPrefix) {
			return true
		}
	}
	return false
}

func unrecorded(o object.Object, field, text, do string) finding.Finding {
	return finding.Finding{ID: finding.UndoNotRecorded, Severity: finding.Warning, Object: o.At, Field: field, Line: o.Line(field), Text: text, Do: do}
}
