package items

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/olm"
	"github.com/goldenarch/goldenarch/internal/parallel"
	"github.com/goldenarch/goldenarch/internal/workload"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
	"github.com/goldenarch/goldenarch/internal/wrapper"
)

// Treat processes the pods, given what is known about their images and what the lock has of
// operators. It returns the copies of the items that it changed, by item, and the findings.
// If a finding is an error, the caller must not use the copies.
func (i Items) Treat(answers map[string]workload.Answer, operators []v1alpha1.LockedOperator) (map[*yaml.RNode]*yaml.RNode, finding.List) {
	run := i.run
	run.Answers, run.Operators = answers, operators
	results := make([]treated, len(i.list))
	parallel.Each(len(i.list), func(at int) { results[at] = i.list[at].treat(run) })
	edited := map[*yaml.RNode]*yaml.RNode{}
	var found finding.List
	var all []podspec.Object
	for at, one := range i.list {
		if results[at].changed {
			edited[one.original] = one.copied
		}
		found = append(found, results[at].found...)
		all = append(all, one.objects...)
	}
	if copies := run.Copies(all); len(copies) > 0 {
		found = append(found, i.placedByName(copies)...)
	}
	return edited, found
}

// treated is what a run makes of an item.
type treated struct {
	changed bool
	found   finding.List
}

// treat processes the pods of one item. It reads what the items share, and changes only the
// copy of its item.
func (one item) treat(run workload.Run) treated {
	var out treated
	at := object.New(one.original).At
	for _, o := range one.objects {
		changed, list := run.Treat(o)
		labelled, more := olm.Treat(run, o)
		list = append(list, more...)
		if changed {
			list = append(list, unreachable(o)...)
		}
		out.changed = out.changed || changed || labelled
		out.found = append(out.found, placed(list, one.original, at)...)
	}
	return out
}

// unreachable reports a pod in a wrapper, if goldenarch would change the pod and the
// wrapper does not bring that change to the cluster unmodified.
func unreachable(o podspec.Object) finding.List {
	f := finding.Finding{
		Field:  o.Path,
		Object: finding.Object{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name},
	}
	switch o.Reach {
	case wrapper.Merged:
		f.ID, f.Severity = finding.MergedByACM, finding.Error
		f.Text = fmt.Sprintf("%s has complianceType %q for this object: the policy controller adds an edited node selector term beside "+
			"the old one, and a node that meets one of them is enough. So goldenarch does not edit this object",
			o.Wrapper, "musthave")
		f.Do = "set complianceType: mustonlyhave in the object template"
	case wrapper.CreatedOnce:
		f.ID, f.Severity = finding.CreatedOnce, finding.Warning
		f.Text = fmt.Sprintf("%s has the update strategy %q for this object, so clusters that have the object already do not get what goldenarch writes",
			o.Wrapper, "CreateOnly")
		f.Do = "set the update strategy of the object to ServerSideApply or Update"
	case wrapper.Applied, wrapper.Compared:
		return nil
	}
	return finding.List{f}
}

// placed adds the file and the line to findings about an item.
func placed(list finding.List, original *yaml.RNode, at finding.Object) finding.List {
	for i := range list {
		list[i].Object.File, list[i].Object.Index = at.File, at.Index
		list[i].Line = object.LineOf(original.YNode(), list[i].Field)
	}
	return list
}

// placedByName adds the file and the line to findings about objects that they name.
func (i Items) placedByName(list finding.List) finding.List {
	type named struct{ kind, namespace, name string }
	originals := map[named]*yaml.RNode{}
	for _, one := range i.list {
		for _, o := range one.objects {
			if key := (named{o.Kind, o.Namespace, o.Name}); originals[key] == nil {
				originals[key] = one.original
			}
		}
	}
	for at, f := range list {
		if original := originals[named{f.Object.Kind, f.Object.Namespace, f.Object.Name}]; original != nil {
			placed(list[at:at+1], original, object.New(original).At)
		}
	}
	return list
}
