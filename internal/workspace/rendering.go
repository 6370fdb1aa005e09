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
	"github.com/goldenarch/goldenarch/internal/engine"
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

// variables returns a function that reports whether Flux fills in variables of the rendering, which is in a file.
func (r rendering) variables(as *Delivery) func() bool {
	open := slices.ContainsFunc(r.items, func(item *yaml.RNode) bool { return flux.HasVariable(item) && !flux.IsLiteral(item) })
	return func() bool { return open && as.hasVariables(r.file, nil) }
}

// judgeRendering compares a rendering with what goldenarch renders now of the cluster.
func (c *Checker) judgeRendering(ctx context.Context, in input, t target, r rendering, out *check.Result) {
	f := finding.Finding{
		ID: finding.RenderedDiffers, Severity: finding.Error, Object: finding.Object{File: filepath.ToSlash(r.file)},
		Do: "run " + c.renderCommand(t, r, in.function.WorkDir) + ", and commit the file",
	}
	states := "the Fleet says that this file is what goldenarch renders of " + relative(t.Path, in.function.WorkDir)
	switch {
	case errors.Is(r.err, fs.ErrNotExist):
		f.Text = states + ", and it does not exist"
	case r.err != nil:
		f.Text = states + ", and it cannot be read: " + r.err.Error()
	default:
		printed, literal, found := in.printedAgain(ctx, t)
		if found.Failed() {
			if !out.Findings.Failed() {
				out.Findings = append(out.Findings, found...)
			}
			return
		}
		plain, protected := differsAt(r.text, printed), differsAt(r.text, literal)
		if plain == 0 || protected == 0 { // the cluster gets what was rendered before the commit
			out.NeedsRendering, out.Findings = false, withoutID(out.Findings, finding.NotAsRendered)
			return
		}
		f.Line = max(plain, protected) // of the form that is more like it
		if c.Base.Untrusted {
			states += " with the policy of " + c.Base.Ref
			f.Do += ". If the checked commit changes the configuration, a trusted run decides"
		}
		f.Text = fmt.Sprintf("%s, and it is not: they differ from line %d on", states, f.Line)
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

// printedAgain returns what goldenarch renders of a target now: as it is, and protected from the variables of Flux. After an error
// among the findings it is nothing.
func (i input) printedAgain(ctx context.Context, t target) (plain, literal []byte, found finding.List) {
	again, found, err := i.again(keptPatches{}).readTarget(i.function, t)
	var rendered engine.Rendered
	if err == nil && !found.Failed() {
		rendered, found = again.function.Render(ctx, again.items, again.steps)
	}
	if found.Failed() {
		return nil, nil, found
	}
	var items []*yaml.RNode
	if err == nil {
		items, err = again.built.Finish(rendered.Items, again.items, rendered.Added)
	}
	if err == nil {
		plain, err = asPrinted(again.manifests.Texts, items)
	}
	if err == nil {
		err = flux.Literal(items)
	}
	if err == nil {
		literal, err = asPrinted(again.manifests.Texts, items)
	}
	if err != nil {
		found = finding.List{{ID: finding.Unreadable, Severity: finding.Error, Text: err.Error()}}
	}
	return plain, literal, found
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
