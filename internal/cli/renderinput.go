package cli

import (
	"errors"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
)

// read reads the paths; "-" is standard input. It reports what it cannot read, and
// still reads the rest.
func (r *render) read(paths []string) ([]*yaml.RNode, finding.List) {
	collectOften()
	return r.readAll(r.crPaths.pathsOr(paths))
}

func (r *render) readPath(path string) (manifest.Read, error) {
	switch {
	case path == manifest.Stdin:
		items, err := r.reader.Stream("stdin", r.streams.In)
		return manifest.Read{Items: items}, err
	case kustomization.In(path):
		built, err := r.buildDir(path)
		r.builds = append(r.builds, built)
		r.reader.Texts.Add(built.Texts)
		r.warned, r.unlisted = append(r.warned, built.Found...), append(r.unlisted, built.Unlisted...)
		if built.Dir != "" {
			r.dir, r.built = built.Dir, built
		}
		return manifest.Read{Items: built.Items}, err
	}
	if b, is := bundleIn(path); is {
		r.bundles = append(r.bundles, b)
		return r.reader.Paths(b.paths())
	}
	r.files = append(r.files, path)
	return r.reader.Paths([]string{path})
}

func (r *render) buildDir(dir string) (kustomization.Built, error) {
	if r.build != nil {
		return r.build(dir)
	}
	return kustomization.Build(dir)
}

func (r *render) templated(file string) finding.Finding {
	f := finding.Finding{
		ID: finding.Templated, Severity: finding.Warning, Object: finding.Object{File: file},
		Text: "the file is a template, so goldenarch skipped it", Do: "render it first: helm template CHART | " + r.verb() + " -",
	}
	if r.strict {
		f.Severity, f.Text = finding.Error, "the file is a template"
	}
	return f
}

// given returns the configuration that --config names, or otherwise the ConfigMap that
// the kustomization lists as the configuration; nil without either.
func (r *render) given() (*yaml.RNode, error) {
	listed := r.built.Config
	if r.config == "" {
		return listed, nil
	}
	items, err := manifest.ReadFile(r.config)
	if err != nil {
		return nil, err
	}
	if len(items) != 1 {
		return nil, fmt.Errorf("%s: has %d documents, expected one GoldenImages", r.config, len(items))
	}
	if listed != nil && (items[0].GetKind() != listed.GetKind() || items[0].GetName() != listed.GetName()) {
		return nil, fmt.Errorf("%s: %w: %s lists the ConfigMap %q", r.config, errTwoConfigs, r.dir, listed.GetName())
	}
	return items[0], nil
}

var errTwoConfigs = errors.New("the input has two configurations")
