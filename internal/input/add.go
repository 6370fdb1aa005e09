package input

import (
	"errors"
	"fmt"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/bound"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/object"
)

// Add reads one object if its kind matters for the run.
func (in *Input) Add(o object.Object) finding.List {
	apiVersion, kind := o.At.APIVersion, o.At.Kind
	_, isList := object.ElementKind(kind)
	switch {
	case isList && !object.IsFinite(o.Node.YNode()): // its contents cannot be determined
		return finding.List{o.Unreadable(bound.ErrAnchors)}
	case kinds.IsCR(o):
		return in.addCR(o)
	case o.IsWrapped() && !imagestream.Is(apiVersion, kind):
		// A policy about Nodes, or about a configuration, is not a Node or a
		// configuration.
		return nil
	case imagestream.Is(apiVersion, kind):
		return in.AddStream(o)
	case kinds.IsGoldenarch(o.At, v1alpha1.ArchitectureLockKind):
		in.Locks = append(in.Locks, o)
	case kinds.HasNodeFacts(o):
		return in.AddFacts(o)
	}
	return nil
}

// AddFacts reads the node facts of an object.
func (in *Input) AddFacts(o object.Object) finding.List {
	if in.Nodes.Only {
		return nil
	}
	if twice := object.DuplicateKeys(o); twice.Failed() {
		return twice
	}
	tree, err := o.Tree()
	if err != nil {
		return finding.List{o.Unreadable(err)}
	}
	facts, says, err := cluster.Read(tree, o.At)
	if err != nil {
		return finding.List{{
			ID: finding.NodeInvalid, Severity: finding.Error, Object: o.At, Field: o.Path,
			Text: err.Error(), Do: "correct the manifest",
		}}
	}
	if says && !in.Nodes.has(o) {
		in.Facts = append(in.Facts, facts)
	}
	return nil
}

// AddStream reads an ImageStream.
func (in *Input) AddStream(o object.Object) finding.List {
	if twice := object.DuplicateKeys(o); twice.Failed() {
		return twice
	}
	data, err := o.JSON()
	if err != nil {
		return finding.List{o.Unreadable(err)}
	}
	stream, err := imagestream.Parse(data)
	var malformed imagestream.MalformedError
	var found finding.List
	switch {
	case errors.As(err, &malformed):
		for _, fault := range malformed {
			found = append(found, finding.Finding{
				ID: finding.Unreadable, Severity: finding.Error, Field: fault.Path, Current: fault.Value,
				Text: fault.Text, Do: fault.Do,
			})
		}
		return o.Locate(found)
	case err != nil:
		return finding.List{o.Unreadable(err)}
	}
	in.Streams = append(in.Streams, stream)
	for _, pair := range stream.DuplicateTags() {
		found = append(found, finding.Finding{
			ID: finding.Duplicate, Severity: finding.Error, Field: fmt.Sprintf("spec.tags[%d].name", pair[1]),
			Text: fmt.Sprintf("duplicate tag %q in ImageStream %q: the first is spec.tags[%d]", stream.Tags[pair[1]].Name, stream.Name, pair[0]),
			Do:   "remove one of them",
		})
	}
	return o.Locate(found)
}

func (in *Input) addCR(o object.Object) finding.List {
	found := object.DuplicateKeys(o)
	data, err := o.JSON()
	if err != nil {
		return append(found, o.Unreadable(err))
	}
	model, list := in.Parsed.Parse(data)
	found = append(found, o.Locate(list)...)
	if model != nil {
		in.CRs = append(in.CRs, Resource{Object: o, Data: data, Model: model.Revived()})
	}
	return found
}
