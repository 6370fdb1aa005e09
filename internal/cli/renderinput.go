package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/pipeline"
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
		if len(built.Steps) > 0 {
			if len(r.built.Steps) > 0 {
				return manifest.Read{Items: built.Items}, fmt.Errorf("%s and %s %w", r.built.Path, path, errTwoKustomizations)
			}
			r.built = built
		}
		return manifest.Read{Items: built.Items}, err
	}
	if b, is := bundleIn(path); is {
		return r.readBundle(b)
	}
	if files, is := catalogIn(path); is {
		return manifest.Read{}, r.readCatalog(path, files)
	}
	r.files = append(r.files, path)
	return r.reader.Paths([]string{path})
}

func (r *render) buildDir(dir string) (kustomization.Built, error) {
	if r.build != nil {
		return r.build(dir)
	}
	return r.builtFrom(kustomization.Request{Dir: dir})
}

// builtFrom builds a kustomization, with its generators.
func (r *render) builtFrom(request kustomization.Request) (kustomization.Built, error) {
	request.Generate = r.generator
	return r.streams.built(request)
}

var errGenerator = errors.New("the generator found errors")

// runGenerators has the verb run the generators of the kustomizations that it reads. It runs
// none of a stranger, whose configuration may be another one than that of the policy.
func (r *render) runGenerators(ctx context.Context, function pipeline.Function) {
	r.generator = nil
	if r.untrusted.on {
		return
	}
	r.generator = func(step kustomization.Step) ([]byte, error) {
		config, err := r.configOfFlag()
		if err != nil {
			return nil, err
		}
		if config == nil || !step.Configures(config) {
			if config, err = step.Config(); err != nil {
				return nil, err
			}
		}
		function := function
		if function.Nodes, err = r.givenNodes(); err != nil {
			return nil, err
		}
		if function.Live, err = r.givenLive(); err != nil {
			return nil, err
		}
		items, found := function.Generate(ctx, pipeline.Step{Config: config, Dir: step.Dir, Listed: true})
		if r.generated == nil {
			r.generated = map[string]finding.List{}
		}
		if r.generated[step.Key] = found; found.Failed() {
			return nil, errGenerator
		}
		var out bytes.Buffer
		err = manifest.Write(&out, items)
		return out.Bytes(), err
	}
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

var errTwoKustomizations = errors.New("both list goldenarch, and kustomize runs each for its own manifests: name one of them")

// steps returns what the run does: the steps that the kustomization lists, or one step with
// the configuration among the items. The file of --config replaces the listed
// configurations of its kind.
func (r *render) steps() ([]pipeline.Step, error) {
	config, err := r.configOfFlag()
	if err != nil {
		return nil, err
	}
	if len(r.built.Steps) == 0 {
		return pipeline.Given(config), nil
	}
	var out []pipeline.Step
	var listed []kustomization.Step
	replaced := config == nil
	if !replaced && !slices.ContainsFunc(r.built.Steps, func(s kustomization.Step) bool { return s.Configures(config) }) {
		out = append(out, pipeline.Step{Config: config, Dir: r.built.Steps[0].Dir, Listed: true})
		listed = append(listed, kustomization.Step{
			Field: kustomization.Transformers, File: r.config, Text: []byte(config.MustString()), ConfiguredIn: r.config,
		})
		replaced = true
	}
	for _, step := range r.built.Steps {
		own, err := step.Config()
		if err != nil {
			return nil, err
		}
		if config != nil && step.Configures(config) {
			if replaced {
				continue
			}
			own, replaced = config, true
		}
		listed = append(listed, step)
		out = append(out, pipeline.Step{
			Config: own, Dir: step.Dir, Listed: true, Validates: step.Field == kustomization.Validators,
			Generates: step.Field == kustomization.Generators, Found: r.generated[step.Key], Emits: step.Emits(r.built.Path),
		})
	}
	r.built.Steps = listed
	return out, nil
}

// configOfFlag returns the configuration in the file of --config, nil without the flag. It
// reads the file once.
func (r *render) configOfFlag() (*yaml.RNode, error) {
	if r.config == "" || r.configured != nil {
		return r.configured, nil
	}
	items, err := manifest.ReadFile(r.config)
	if err != nil {
		return nil, err
	}
	if len(items) != 1 {
		return nil, fmt.Errorf("%s: has %d documents, expected one GoldenImages", r.config, len(items))
	}
	r.configured = items[0]
	return r.configured, nil
}

// configsOf returns the configurations of steps, nil for one that is among the items.
func configsOf(steps []pipeline.Step) []*yaml.RNode {
	var out []*yaml.RNode
	for _, step := range steps {
		out = append(out, step.Config)
	}
	return out
}

// listed returns the configurations that the kustomization lists.
func (r *render) listed() []*yaml.RNode {
	var out []*yaml.RNode
	for _, step := range r.built.Steps {
		if config, err := step.Config(); err == nil {
			out = append(out, config)
		}
	}
	return out
}
