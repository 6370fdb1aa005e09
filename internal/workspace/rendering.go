package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/host/flux"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/workspace/repo"
)

// rendering is the file to which what goldenarch renders of a cluster is committed. The cluster gets that file, so
// what applies it counts, and nothing applies what it is rendered from.
type rendering struct {
	file  string // "" for a cluster that gets its own files
	text  []byte
	items []*yaml.RNode
	err   error
}

// renderingOf reads the rendering of a cluster that the Fleet states.
func renderingOf(t target) rendering {
	out := rendering{file: t.states.RendersOf(t.Cluster)}
	if out.file == "" {
		return out
	}
	if out.text, out.err = files.Read(out.file); out.err == nil {
		out.items, out.err = manifest.Parse(filepath.ToSlash(out.file), out.text)
	}
	return out
}

// variables returns a function that reports whether Flux fills in variables of the rendering; nil for none.
func (r rendering) variables(as *Delivery) func() bool {
	if r.file == "" {
		return nil
	}
	open := slices.ContainsFunc(r.items, func(item *yaml.RNode) bool { return flux.HasVariable(item) && !flux.IsLiteral(item) })
	return func() bool { return open && as.hasVariables(r.file, nil) }
}

// judge compares the rendering with what goldenarch renders now, and says what changes it on its way to the cluster.
func (r rendering) judge(out *check.Result, again renderedAgain, command string) {
	f := finding.Finding{
		ID: finding.RenderedDiffers, Severity: finding.Error, Object: finding.Object{File: filepath.ToSlash(r.file)},
		Do: "run " + command + ", and commit the file",
	}
	const states = "the Fleet says that this file is what goldenarch renders of "
	switch {
	case errors.Is(r.err, fs.ErrNotExist):
		f.Text = states + again.path + ", and it does not exist"
	case r.err != nil:
		f.Text = states + again.path + ", and it cannot be read: " + r.err.Error()
	case again.found.Failed():
		if !out.Findings.Failed() {
			out.Findings = append(out.Findings, again.found...)
		}
		return
	default:
		plain, literal := differsAt(r.text, again.plain), differsAt(r.text, again.literal)
		if plain == 0 || literal == 0 { // the cluster gets what was rendered before the commit
			out.NeedsRendering, out.Findings = false, withoutID(out.Findings, finding.NotAsRendered)
			return
		}
		line := max(plain, literal) // of the form that is more like it
		if again.with != "" {
			f.Do += ". If the checked commit changes the configuration, a trusted run decides"
		}
		f.Text, f.Line = fmt.Sprintf("%s%s%s, and it is not: they differ from line %d on", states, again.path, again.with, line), line
	}
	out.Findings = append(out.Findings, f)
}

// differsAt returns the first line in which two texts differ, 0 if they are the same. A line may end as on Windows.
func differsAt(a, b []byte) int {
	one, other := bytes.Split(withoutReturns(a), []byte("\n")), bytes.Split(withoutReturns(b), []byte("\n"))
	for i := range max(len(one), len(other)) {
		if i >= len(one) || i >= len(other) || !bytes.Equal(one[i], other[i]) {
			return i + 1
		}
	}
	return 0
}

func withoutReturns(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

// renderedAgain is what goldenarch renders of a cluster: as it is, and protected from the variables of Flux.
type renderedAgain struct {
	path, with     string // what is rendered, and with whose policy
	plain, literal []byte
	found          finding.List // why nothing is rendered
}

// renderAgain renders a cluster as render does.
func (c *Checker) renderAgain(ctx context.Context, in input, t target) renderedAgain {
	out := renderedAgain{path: relative(t.Path, in.function.WorkDir)}
	if c.Base.Untrusted {
		out.with = " with the policy of " + c.Base.Ref
	}
	failed := func(err error) renderedAgain {
		out.found = finding.List{{ID: finding.Unreadable, Severity: finding.Error, Text: err.Error()}}
		return out
	}
	again, found, err := in.again(keptPatches{}).readTarget(in.function, t)
	if err != nil {
		return failed(err)
	}
	if out.found = found; found.Failed() {
		return out
	}
	rendered, found := again.function.Render(ctx, again.items, again.steps)
	if out.found = found; found.Failed() {
		return out
	}
	items, err := again.built.Finish(rendered.Items, again.items, rendered.Added)
	if err == nil {
		out.plain, err = asPrinted(again.manifests.Texts, items)
	}
	if err == nil {
		err = flux.Literal(items)
	}
	if err == nil {
		out.literal, err = asPrinted(again.manifests.Texts, items)
	}
	if err != nil {
		return failed(err)
	}
	return out
}

// asPrinted returns items as render prints them.
func asPrinted(texts manifest.Texts, items []*yaml.RNode) ([]byte, error) {
	var out bytes.Buffer
	err := texts.Write(&out, items)
	return out.Bytes(), err
}

// renderCommand returns the command that writes a rendering again.
func (c *Checker) renderCommand(t target, r rendering, dir string) string {
	var words []string
	if slices.ContainsFunc(c.As.to(r.file), func(one repo.Route) bool { return one.Flux }) || slices.ContainsFunc(r.items, flux.IsLiteral) {
		words = append(words, "--no-flux-substitution")
	}
	words = append([]string{console.CommandPath(relative(t.Path, dir))}, words...)
	return c.Commands.line("render", words...) + " > " + console.CommandPath(relative(r.file, dir))
}
