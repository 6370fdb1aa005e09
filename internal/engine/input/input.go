package input

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/engine/livecr"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Input is what a run reads from its items.
type Input struct {
	CRs     []Resource
	Facts   []cluster.Facts
	Streams imagestream.Streams
	// References has the references of the templates, each read once.
	References *imageref.Parsed
	Locks      []object.Object
	Objects    []object.Object
	Nodes      Nodes
	Live       livecr.CR
	// Parsed has the CRs that the run has parsed. If it is nil, Input does not keep them.
	Parsed *hyperconverged.Parsed
}

// Resource is a HyperConverged CR of the input.
type Resource struct {
	object.Object
	Data  []byte
	Model *hyperconverged.CR
}

// New returns the input of items that is yet to be read.
func New(nodes Nodes, items []*yaml.RNode, crs *hyperconverged.Parsed) Input {
	return Input{Nodes: nodes, Facts: slices.Clone(nodes.Facts), Objects: object.All(items), Parsed: crs, References: &imageref.Parsed{}}
}

// CRObjects returns the objects that are CRs.
func (in Input) CRObjects() []object.Object {
	out := make([]object.Object, len(in.CRs))
	for i, cr := range in.CRs {
		out[i] = cr.Object
	}
	return out
}

// Add reads one object if its kind matters for the run.
func (in *Input) Add(o object.Object) finding.List {
	apiVersion, kind := o.At.APIVersion, o.At.Kind
	_, isList := object.ElementKind(kind)
	switch {
	case isList && !yamlnode.IsFinite(o.Node.YNode()): // its contents cannot be determined
		return finding.List{o.Unreadable(yamlnode.ErrAnchors)}
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
	facts, says, found := kinds.Facts(o)
	if says && !in.Nodes.has(o) {
		in.Facts = append(in.Facts, facts)
	}
	return found
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
	data, err := JSON(o, in.Parsed)
	if err != nil {
		return append(found, o.Unreadable(err))
	}
	data, unknown := in.Parsed.Filled(data)
	model, list := in.Parsed.Parse(data)
	found = append(found, o.Locate(append(list, FilledByFlux(unknown)...))...)
	if model != nil {
		in.CRs = append(in.CRs, Resource{Object: o, Data: data, Model: model.Revived()})
	}
	return found
}

// FilledByFlux reports the fields of a CR whose values only Flux knows.
func FilledByFlux(unknown []hyperconverged.Variable) finding.List {
	var out finding.List
	var rest []string
	for _, v := range unknown {
		switch {
		case !v.Decides:
			rest = append(rest, v.Path)
		case strings.HasSuffix(v.Path, "."+hyperconverged.GateName):
			out = append(out, finding.Finding{
				ID: finding.FilledByFlux, Severity: finding.Error, Field: v.Path,
				Text: "Flux fills in the multi-arch gate when it applies the CR (spec.postBuild), so goldenarch does not know whether it is on",
				Do:   "write true or false",
			})
		default:
			out = append(out, finding.Finding{
				ID: finding.FilledByFlux, Severity: finding.Error, Field: v.Path,
				Text: fmt.Sprintf("Flux fills in %s when it applies the CR (spec.postBuild), so goldenarch does not know the value, and cannot decide without it", v.Path),
				Do:   "write the value; or, to check what Flux applies: flux build kustomization NAME --path DIR | goldenarch check -",
			})
		}
	}
	if len(rest) == 0 {
		return out
	}
	return append(out, finding.Finding{
		ID: finding.FilledByFlux, Severity: finding.Warning, Field: "spec",
		Text: fmt.Sprintf("Flux fills in %s when it applies the CR (spec.postBuild), so goldenarch does not know the values: it takes a valid one for each",
			strings.Join(rest, ", ")),
		Do: "to check the values as well, pass what Flux applies: flux build kustomization NAME --path DIR | goldenarch check -",
	})
}

// WithoutPools turns errors about worker pools that cannot be read into warnings if the
// user states the workload architectures. In that case, the pools do not count, and they
// may belong to another cluster. stated are the facts from outside the items.
func (in Input) WithoutPools(found finding.List, stated ...cluster.Facts) finding.List {
	if !cluster.StatesWorkload(slices.Concat(stated, in.Facts), cluster.Declared) {
		return found
	}
	for i, f := range found {
		if f.ID == finding.NodeInvalid && cluster.IsPool(f.Object) {
			found[i].Severity = finding.Warning
			found[i].Text += "; goldenarch ignores this worker pool, because the workload architectures are stated"
		}
	}
	return found
}

// Read reads from the items what the run needs. It reports objects that are duplicates,
// that it cannot read, or that the API server would refuse. If the configuration ignores
// the lock, Read treats the lock as an ordinary item.
func Read(items []*yaml.RNode, nodes Nodes, lock v1alpha1.LockMode, crs *hyperconverged.Parsed) (Input, finding.List) {
	in := New(nodes, items, crs)
	var found finding.List
	seen := map[string]object.Object{}
	for _, item := range items {
		found = append(found, object.DuplicateHeadKeys(object.New(item))...)
	}
	found = append(found, kinds.ReportSimilar(in.Objects)...)
	found = append(found, kinds.ReportUnread(in.Objects)...)
	for _, o := range in.Objects {
		if lock == v1alpha1.LockIgnore && kinds.IsGoldenarch(o.At, v1alpha1.ArchitectureLockKind) {
			continue
		}
		if key := kinds.Identity(o.At); kinds.MustBeUnique(o) {
			if first, ok := seen[key]; ok {
				found = append(found, kinds.DuplicateOf(o, first))
				continue
			}
			seen[key] = o
		}
		found = append(found, in.Add(o)...)
	}
	return in, found
}
