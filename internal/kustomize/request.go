package kustomize

import (
	"context"
	"fmt"
	"maps"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/parallel"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Request says what to build.
type Request struct {
	// Dir is the directory as the user named it.
	Dir string
	// Texts replace those of files. The keys are the paths of these files, absolute and
	// without links.
	Texts map[string][]byte
	// Shared has texts in the same form. They also count in the builds of [Built.With].
	Shared map[string][]byte
	// ToLock is for "goldenarch lock": a listed lock that does not exist yet is empty. A
	// lock has the usual file name, or it is LockFile; "" names none.
	ToLock   bool
	LockFile string
}

// Builder builds directories that have a kustomization. The error is kustomize's own,
// without the contents of files. Or it says what goldenarch does not do: fetch a remote
// base, run functions and plugins, inflate Helm charts.
type Builder interface {
	Build(ctx context.Context, request Request) (Result, error)
}

// Built is the result of the build of a directory.
type Built struct {
	// Result has what belongs to the items. Its objects are the items.
	Result

	// Path is the directory as the user named it.
	Path string
	// Items has the resources in kustomize's order, with local configuration. Each is
	// annotated with the file it came from.
	Items []*yaml.RNode
	// Texts has the texts of the items, as kustomize has written them.
	Texts manifest.Texts

	build  func(Request) (Result, error)
	shared map[string][]byte // of the request
}

// Build builds a directory that has a kustomization.
func Build(ctx context.Context, builder Builder, request Request) (Built, error) {
	return buildWith(func(r Request) (Result, error) { return builder.Build(ctx, r) }, request)
}

func buildWith(build func(Request) (Result, error), request Request) (Built, error) {
	shared := request.Shared
	if len(shared) > 0 {
		texts := maps.Clone(shared)
		maps.Copy(texts, request.Texts)
		request.Texts = texts
	}
	result, err := build(request)
	if err != nil {
		return Built{}, err
	}
	out, err := result.built(request.Dir)
	if err != nil {
		return Built{}, fmt.Errorf("build %s: %w", request.Dir, err)
	}
	out.build, out.shared = build, shared
	return out, nil
}

// Result is what a [Builder] builds from a directory, as texts: one process can pass it to
// another.
type Result struct {
	// Objects has the resources, in kustomize's order.
	Objects []Object
	// Steps are the configurations that the kustomizations list, in the order in which
	// kustomize runs them. The objects are those that the first one receives.
	Steps []Step
	// Metadata has the buildMetadata of the directory, and Order its sortOptions.
	Metadata []string
	Order    *types.SortOptions
	// Found has the warnings of kustomize.
	Found finding.List
	// Unlisted has the files in the directory that configure goldenarch and are not part
	// of the build.
	Unlisted []Unlisted
}

// Object is the text of an object, and the file that it came from.
type Object struct {
	File string
	Text []byte
}

// built returns a result with its objects in the form in which goldenarch reads manifests. They have no
// line numbers, because kustomize has encoded them again.
func (r Result) built(dir string) (Built, error) {
	out := Built{Result: r, Path: dir}
	out.Objects = nil
	parsed, err := parallel.Map(len(r.Objects), func(i int) ([]*yaml.RNode, error) {
		return manifest.Parse(r.Objects[i].File, r.Objects[i].Text)
	})
	if err != nil {
		return Built{}, err
	}
	places := map[string]int{}
	for i, built := range r.Objects {
		for _, item := range parsed[i] { // one
			if err := asBuilt(item); err != nil {
				return Built{}, err
			}
			object.SetPlace(item, built.File, places[built.File])
			out.Texts.AddBuilt(item, built.Text)
			places[built.File]++
			out.Items = append(out.Items, item)
		}
	}
	return out, nil
}

// asBuilt makes an item what a build has.
func asBuilt(item *yaml.RNode) error {
	withoutLines(item.YNode())
	if _, ok := item.GetAnnotations()[wasLocal]; !ok {
		return nil
	}
	for _, note := range []yaml.Filter{yaml.SetAnnotation(localConfig, "true"), yaml.ClearAnnotation(wasLocal)} {
		if err := item.PipeE(note); err != nil {
			return fmt.Errorf("annotate %s %q: %w", item.GetKind(), item.GetName(), err)
		}
	}
	return nil
}

func withoutLines(n *yaml.Node) { yamlnode.Walk(n, func(n *yaml.Node) { n.Line = 0 }) }

// Shown returns the edits with file names as the user would write them, relative to the
// directory of the build.
func (b Built) Shown(edits []files.Change) []files.Change {
	root, err := files.Real(b.Path)
	if err != nil {
		return edits
	}
	for i := range edits {
		edits[i].Name = files.Named(b.Path, root, edits[i].Name)
	}
	return edits
}

// With builds the directory again, with other texts of the files of edits.
func (b Built) With(edits []files.Change) (Built, error) {
	texts := map[string][]byte{}
	for _, edit := range edits {
		texts[edit.Name] = edit.After
	}
	return buildWith(b.build, Request{Dir: b.Path, Texts: texts, Shared: b.shared})
}
