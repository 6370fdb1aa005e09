package items

import (
	"cmp"
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/manifest/wrapper"
	"github.com/goldenarch/goldenarch/internal/olm"
	"github.com/goldenarch/goldenarch/internal/parallel"
	"github.com/goldenarch/goldenarch/internal/workload"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
)

// Treated is what a run makes of its items. If a finding is an error, the caller must not use the copies.
type Treated struct {
	// Edited has the copies of the items that it changed, by item, and Undecided the items with an object that it does not decide on.
	Edited    map[*yaml.RNode]*yaml.RNode
	Undecided []*yaml.RNode
	// Supports says which architectures the operators among the objects support.
	Supports []workload.Support
	Found    finding.List
}

// Treat processes the pods, given what is known about their images and what the lock has of operators. It copies an item before
// it edits it, and keeps only the copies that it has changed: the nodes of all items would take the memory twice.
func (i Items) Treat(answers map[string]workload.Answer, operators []v1alpha1.LockedOperator) Treated {
	run := i.finder.run
	run.Answers, run.Operators = answers, operators
	results := make([]treated, len(i.list))
	i.list = slices.Clone(i.list)
	treat := func(at int) { i.list[at], results[at] = i.treat(i.list[at], run) }
	parallel.Each(len(i.list), func(at int) {
		if !i.list[at].hasBase(run) {
			treat(at)
		}
	})
	run.Deployments = deploymentsOf(i.list, run)
	for at, one := range i.list { // a base is about the others as they are then
		if one.hasBase(run) {
			treat(at)
		}
	}
	out := Treated{Edited: map[*yaml.RNode]*yaml.RNode{}}
	found, all, objects := i.room(results)
	for at, one := range i.list {
		if results[at].changed {
			out.Edited[one.original] = one.copied
		}
		if results[at].undecided {
			out.Undecided = append(out.Undecided, one.original)
		}
		out.Supports = append(out.Supports, results[at].supports...)
		found = append(found, results[at].found...)
		results[at].found = nil
		for _, o := range one.objects {
			all, objects = append(all, o.Object), append(objects, o.in)
		}
	}
	found = append(grouped(found, answers), i.placedByName(object.NotApplied(objects, i.Carriers, "object"))...)
	found = append(found, olm.Unlabelled(run, all, out.Supports)...)
	if copies := run.Copies(all); len(copies) > 0 {
		found = append(found, i.placedByName(copies)...)
	}
	out.Found = found
	return out
}

// room returns empty lists with room for the findings of all results, and for the objects of all items: they would take twice the
// memory while they grow.
func (i Items) room(results []treated) (finding.List, []podspec.Object, []object.Object) {
	found, objects := 0, 0
	for at, one := range i.list {
		found, objects = found+len(results[at].found), objects+len(one.objects)
	}
	return make(finding.List, 0, found), make([]podspec.Object, 0, objects), make([]object.Object, 0, objects)
}

// treated is what a run makes of an item.
type treated struct {
	changed, undecided bool
	supports           []workload.Support
	found              finding.List
}

// hasBase reports whether an item has the base of a ClusterServiceVersion.
func (one item) hasBase(run workload.Run) bool {
	return slices.ContainsFunc(one.objects, func(o podObject) bool { return run.IsBase(o.Object) })
}

// treat processes the pods of one item. It reads what the items share, and changes only the
// copy of its item, which it returns with the item if it has changed.
func (i Items) treat(one item, run workload.Run) (item, treated) {
	edited := one
	if slices.ContainsFunc(one.objects, func(o podObject) bool { return run.Writes(o.Object) }) {
		var wrong *finding.Finding
		if edited, wrong = i.finder.inCopy(one); wrong != nil {
			return one, treated{found: finding.List{*wrong}}
		}
	}
	out := edited.treat(run, i.Carriers)
	if out.changed {
		return edited, out
	}
	return one, out
}

// treat processes the pods of an item whose objects may be edited, if the run writes into one of them.
func (one item) treat(run workload.Run, carriers wrapper.Carriers) treated {
	var out treated
	at := object.New(one.original).At
	for _, o := range one.objects {
		reach, by, in := reachOf(o, carriers)
		o.Merged = reach == wrapper.Merged
		outcome, changed, list := treatObject(run, o.Object)
		if outcome.Changed && o.in.IsText() && !list.Failed() {
			// The node is what the text says. Now the text has to say what the node does.
			if err := o.in.Edit(one.copied, func(n *yaml.RNode) error {
				again := o.Object
				again.Node = n.YNode()
				treatObject(run, again)
				return nil
			}); err != nil {
				list = append(list, o.in.Unreadable(err))
			}
		}
		if changed {
			list = append(list, unreachable(o, reach, by, in)...)
		}
		out.changed, out.undecided = out.changed || outcome.Changed, out.undecided || !outcome.Decided
		if of := outcome.Support; of != nil {
			of.Object.File, of.Object.Index = at.File, at.Index
			out.supports = append(out.supports, *of)
		}
		out.found = append(out.found, placed(list, o, at)...)
	}
	return out
}

// treatObject writes node affinities and labels into an object. It returns what it did,
// and whether it wrote affinities.
func treatObject(run workload.Run, o podspec.Object) (out workload.Outcome, pods bool, found finding.List) {
	of, found := run.Treat(o)
	labels, more := olm.Treat(run, o)
	out = workload.Outcome{Changed: of.Changed || labels.Changed, Decided: of.Decided && labels.Decided, Support: labels.Support}
	return out, of.Changed, append(found, more...)
}

// reachOf says how an object reaches the cluster, by which wrapper or policy, and in what its complianceType is set.
func reachOf(o podObject, carriers wrapper.Carriers) (reach wrapper.Reach, by, in string) {
	if o.in.IsWrapped() {
		return o.in.Reach, o.in.Wrapper.String(), "the object template"
	}
	if by = carriers.MergedBy(o.in.At.File); by != "" {
		return wrapper.Merged, by, "the PolicyGenerator, for this manifest"
	}
	return o.in.Reach, "", ""
}

// unreachable reports a pod that goldenarch would change, if a wrapper, or a policy that is made
// of the file, does not bring that change to the cluster unmodified.
func unreachable(o podObject, reach wrapper.Reach, by, in string) finding.List {
	var f finding.Finding
	switch reach {
	case wrapper.Merged:
		f.ID, f.Severity = finding.MergedByACM, finding.Error
		f.Text = fmt.Sprintf("%s has complianceType %q for this object: the policy controller adds an edited node selector term beside "+
			"the old one, and a node that meets one of them is enough. So goldenarch does not edit this object",
			by, "musthave")
		f.Do = "set complianceType: mustonlyhave in " + in
	case wrapper.CreatedOnce:
		f = o.in.CreatedOnce("object")
	case wrapper.Applied, wrapper.Compared:
		return nil
	}
	f.Field = o.Path
	f.Object = finding.Object{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}
	return finding.List{f}
}

// placed adds the file and the line to findings about an object.
func placed(list finding.List, o podObject, at finding.Object) finding.List {
	for i := range list {
		list[i].Object.File, list[i].Object.Index = at.File, at.Index
		list[i].Line = o.line(cmp.Or(list[i].Cause, list[i].Field))
	}
	return list
}

// placedByName adds the file and the line to findings about objects that they name.
func (i Items) placedByName(list finding.List) finding.List {
	type named struct{ kind, namespace, name string }
	first := map[named]podObject{}
	for _, one := range i.list {
		for _, o := range one.objects {
			if key := (named{o.Kind, o.Namespace, o.Name}); first[key].line == nil {
				first[key] = o
			}
		}
	}
	for at, f := range list {
		if o := first[named{f.Object.Kind, f.Object.Namespace, f.Object.Name}]; o.line != nil {
			placed(list[at:at+1], o, o.in.At)
		}
	}
	return list
}

// Operators returns the operators whose ClusterServiceVersions are among the items, and
// those that the items install.
func (i Items) Operators() (list []olm.Operator, installed []olm.Installed) {
	for _, one := range i.list {
		at := object.New(one.original).At
		for _, o := range one.objects {
			if operator, ok := olm.OperatorOf(i.finder.run, o.Object); ok {
				operator.File = at.File
				list = append(list, operator)
			}
			if named, ok := olm.InstalledBy(i.finder.run, o.Object); ok {
				installed = append(installed, named)
			}
		}
	}
	return list, installed
}
