package items

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/olm"
	"github.com/goldenarch/goldenarch/internal/workload"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
)

// Treat treats the pods, given what is known of their images. It returns the copies of
// the items that it changed, by item, and what there is to say. If that holds an error,
// the copies are good for nothing.
func (i Items) Treat(answers map[string]workload.Answer) (map[*yaml.RNode]*yaml.RNode, finding.List) {
	run := i.run
	run.Answers = answers
	edited := map[*yaml.RNode]*yaml.RNode{}
	var found finding.List
	var all []podspec.Object
	for _, one := range i.list {
		at := locate(one.original)
		for _, o := range one.objects {
			changed, list := run.Treat(o)
			labelled, more := olm.Treat(run, o)
			list = append(list, more...)
			if changed || labelled {
				edited[one.original] = one.copied
			}
			found = append(found, placed(list, one.original, at)...)
		}
		all = append(all, one.objects...)
	}
	for _, f := range run.Copies(all) {
		found = append(found, i.placedByName(f))
	}
	return edited, found
}

// placed adds the file and the line to findings about an item.
func placed(list finding.List, original *yaml.RNode, at finding.Object) finding.List {
	for i := range list {
		list[i].Object.File, list[i].Object.Index = at.File, at.Index
		list[i].Line = object.LineOf(original.YNode(), list[i].Field)
	}
	return list
}

// placedByName adds the file and the line to a finding about an object that it names.
func (i Items) placedByName(f finding.Finding) finding.Finding {
	for _, one := range i.list {
		for _, o := range one.objects {
			if o.Kind == f.Object.Kind && o.Name == f.Object.Name && o.Namespace == f.Object.Namespace {
				return placed(finding.List{f}, one.original, locate(one.original))[0]
			}
		}
	}
	return f
}
