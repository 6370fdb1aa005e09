package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/bound"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// input is what a run reads out of its items.
type input struct {
	crs     []resource
	facts   []cluster.Facts
	streams imagestream.Streams
	locks   []object
	objects held
	nodes   givenNodes
	live    *liveCR
}

// resource is a HyperConverged CR of the input.
type resource struct {
	object
	json  []byte
	model *hyperconverged.CR
}

// crObjects returns the objects that are CRs.
func (in input) crObjects() []object {
	out := make([]object, len(in.crs))
	for i, cr := range in.crs {
		out[i] = cr.object
	}
	return out
}

// read takes out of the items what the run needs. What is in the input twice,
// cannot be read or would be refused is told. A lock that the configuration
// ignores is an item like any other.
func read(items []*yaml.RNode, nodes givenNodes, lock v1alpha1.LockMode) (input, finding.List) {
	in := input{nodes: nodes, facts: nodes.facts}
	var found finding.List
	seen := map[string]object{}
	in.objects = objects(items)
	for _, item := range items {
		at := refer(item)
		at.File, at.Index = place(item)
		found = append(found, headKeys(object{item: item, at: at})...)
	}
	found = append(found, nearKinds(in.objects)...)
	for _, o := range in.objects {
		if lock == v1alpha1.LockIgnore && isOwn(o.at, v1alpha1.ArchitectureLockKind) {
			continue
		}
		if key := identity(o.at); once(o) {
			if first, is := seen[key]; is {
				found = append(found, twiceBoth(o, first))
				continue
			}
			seen[key] = o
		}
		found = append(found, in.take(o)...)
	}
	return in, found
}

// take reads one object, if it is of a kind that matters.
func (in *input) take(o object) finding.List {
	apiVersion, kind := o.at.APIVersion, o.at.Kind
	_, isList := elementKind(kind)
	switch {
	case isList && !ends(o.node.YNode()): // nobody can tell what is in it
		return finding.List{o.unreadable(bound.ErrAnchors)}
	case isCR(o):
		return in.takeCR(o)
	case imagestream.Is(apiVersion, kind):
		return in.takeStream(o)
	case isOwn(o.at, v1alpha1.ArchitectureLockKind):
		in.locks = append(in.locks, o)
	case tellsNodes(o):
		return in.takeFacts(o)
	}
	return nil
}

// tellsNodes reports whether an object tells of nodes for every CR. The live CR
// does so for those with its placement.
func tellsNodes(o object) bool {
	return cluster.Reads(o.at.APIVersion, o.at.Kind) && !hyperconverged.Is(o.at.APIVersion, o.at.Kind)
}

func (in *input) takeFacts(o object) finding.List {
	if twice := duplicateKeys(o); twice.Failed() {
		return twice
	}
	tree, err := o.tree()
	if err != nil {
		return finding.List{o.unreadable(err)}
	}
	facts, says, err := cluster.Read(tree, o.at)
	if err != nil {
		return finding.List{{
			ID: finding.NodeInvalid, Severity: finding.Error, Object: o.at, Field: o.path,
			Text: err.Error(), Do: "correct the manifest",
		}}
	}
	if says && !in.nodes.has(o) {
		in.facts = append(in.facts, facts)
	}
	return nil
}

func (in *input) takeStream(o object) finding.List {
	if twice := duplicateKeys(o); twice.Failed() {
		return twice
	}
	data, err := o.json()
	if err != nil {
		return finding.List{o.unreadable(err)}
	}
	stream, err := imagestream.Parse(data)
	var malformed imagestream.MalformedError
	var found finding.List
	switch {
	case errors.As(err, &malformed):
		for _, fault := range malformed {
			found = append(found, finding.Finding{
				ID: finding.Unreadable, Severity: finding.Error, Field: fault.Path, Current: fault.Value,
				Text: fault.Path + " " + fault.Text, Do: fault.Do,
			})
		}
		return o.own(found)
	case err != nil:
		return finding.List{o.unreadable(err)}
	}
	in.streams = append(in.streams, stream)
	for _, pair := range stream.TagsTwice() {
		found = append(found, finding.Finding{
			ID: finding.Twice, Severity: finding.Error, Field: fmt.Sprintf("spec.tags[%d].name", pair[1]),
			Text: fmt.Sprintf("the tag %q is in ImageStream %q twice: the first is spec.tags[%d]", stream.Tags[pair[1]].Name, stream.Name, pair[0]),
			Do:   "remove one of them",
		})
	}
	return o.own(found)
}

func (in *input) takeCR(o object) finding.List {
	found := duplicateKeys(o)
	data, err := o.json()
	if err != nil {
		return append(found, o.unreadable(err))
	}
	model, list := hyperconverged.Parse(data)
	found = append(found, o.own(list)...)
	if model != nil {
		in.crs = append(in.crs, resource{object: o, json: data, model: model.Revived()})
	}
	return found
}

// own says of findings that name no object that they are about this one.
func (o object) own(list finding.List) finding.List {
	for i := range list {
		if list[i].Object != (finding.Object{}) {
			continue
		}
		list[i].Object = o.at
		if list[i].Line == 0 {
			list[i].Line = lineOf(o.node.YNode(), list[i].Field)
		}
		list[i].Field = strings.Trim(o.path+"."+list[i].Field, ".")
	}
	return list
}

// tree returns the object as decoded JSON.
func (o object) tree() (map[string]any, error) {
	data, err := o.json()
	if err != nil {
		return nil, err
	}
	var tree map[string]any
	if err := json.Unmarshal(data, &tree); err != nil {
		return nil, fmt.Errorf("read the object: %w", err)
	}
	return tree, nil
}
