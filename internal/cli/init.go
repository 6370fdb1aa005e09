package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/examples/argocd"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/regular"
	"github.com/goldenarch/goldenarch/internal/setup"
	"github.com/goldenarch/goldenarch/internal/write"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// initVerb is the verb's flags and streams.
type initVerb struct {
	fix
	host, argocd, image string
}

func newInit(streams Streams) *cobra.Command {
	i := &initVerb{fix: fix{render: render{streams: streams}}}
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Set goldenarch up for a directory",
		Long: `Set goldenarch up for the clusters of a directory, and for what the repository has:
workflows and hooks run 'goldenarch check'. Without a DIR it is the current directory.

The files get the decisions, as 'goldenarch fix' writes them. What the files do not say
about a cluster goes into the Fleet, goldenarch.yaml at the root of the repository. Nothing
else changes: 'kustomize build' and 'kubectl apply' work as before.

With --host kustomize, kpt or argocd that program runs goldenarch as a function instead.
Without the flag, init does the same if the repository already runs functions. It then
says what no longer works without goldenarch.

The nodes and the release come from the live CR (--live), from Nodes (--nodes), from flags,
or from the files. If the nodes are not known, init fails.

init prints a unified diff, and then writes the files: all or none. With --diff or --check
it writes nothing, and the status is 3 if it would. A second run changes nothing.`,
		Example: `  goldenarch init overlays/prod --live live.yaml
  goldenarch init --diff . --release 5.0 --workload-architectures amd64,arm64 --control-plane-architectures amd64`,
		Args: asMisuse(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return i.run(cmd.Context(), args) },
	}
	i.flags.add(cmd)
	i.flags.leaveIdle("mode", "inputs", "platform", "predefined", "existing", "allow", "unsupported", "unresolved", "gate", "single-architecture",
		"defaults", "expand", "expand-namespace", "expand-data-sources", "expand-predefined", "expand-support", "expand-replace-on-change",
		"workloads")
	i.flags.addOffline(cmd)
	i.flags.addImages(cmd)
	i.flags.registry.addRecord(cmd)
	i.addNodes(cmd)
	i.addLive(cmd)
	cmd.Flags().StringVar(&i.host, "host", "auto",
		"what runs goldenarch: files (nothing: they get the decisions), kustomize, kpt, argocd, or auto (files, unless the repository runs functions)")
	cmd.Flags().BoolVar(&i.patch, "patch", false, "in a kustomization, write the decisions into a patch of this overlay")
	cmd.Flags().StringVar(&i.argocd, "argocd", "", "directory to write the plugin of Argo CD to, a component for the kustomization that installs Argo CD")
	cmd.Flags().StringVar(&i.image, "argocd-image", "", "image of goldenarch that the plugin of Argo CD runs")
	cmd.Flags().BoolVar(&i.strict, "strict", false, "fail on a templated file, and on a release newer than the newest verified one (default: warn)")
	cmd.Flags().BoolVar(&i.diff, "diff", false, "change no file: print a unified diff, and exit with status 3 if there is one")
	cmd.Flags().BoolVar(&i.check, "check", false, "change no file: exit with status 3 if one would change")
	must(cmd.RegisterFlagCompletionFunc("host", oneOf([]string{"argocd", "auto", "files", "kpt", "kustomize"})))
	return cmd
}

func (i *initVerb) run(ctx context.Context, args []string) error {
	if err := checkValue("host", "host", i.host, "auto", "kustomize", "kpt", "argocd", "files"); err != nil {
		return err
	}
	dir := "."
	if len(args) > 0 {
		dir = args[0]
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return misuse{fmt.Errorf("init needs a directory, and %q is not one", dir)}
	}
	function, err := i.flags.function()
	if err != nil {
		return err
	}
	function.Strict = i.strict
	for _, name := range i.flags.idle {
		function.Options = function.Options.Without(name) // it would decide what a later run does not
	}
	found := append(interrupted([]string{dir}), i.flags.idleGiven()...) // only fix finishes a run
	if found.Failed() {
		return i.tell(found)
	}
	host := i.hostOf(dir)
	if host == setup.HostFiles && !exists(filepath.Join(dir, manifest.ChartFile)) {
		return i.inPlace(ctx, dir, function, found)
	}
	w, more, err := i.readDirectory(dir, host, function)
	if found = append(found, more...); err != nil || found.Failed() {
		return i.failed(err, found)
	}
	changes, more := w.changes()
	if found = append(found, more...); found.Failed() {
		return i.tell(found)
	}
	return i.write(ctx, w, changes, found)
}

// failed prints the findings, and returns the error of a run that failed.
func (i *initVerb) failed(err error, found finding.List) error {
	if told := i.tell(found); err == nil {
		return told
	}
	return err
}

// readDirectory reads the directory, and what is known about its cluster.
func (i *initVerb) readDirectory(dir string, host setup.Host, function pipeline.Function) (initPlan, finding.List, error) {
	w := initPlan{dir: dir, host: host, argocd: i.argocd, image: i.image, build: i.streams.built}
	items, found := i.read([]string{dir})
	found = slices.DeleteFunc(found, func(f finding.Finding) bool { return f.ID == finding.ConfigUnlisted }) // init lists it
	if found.Failed() {
		return w, forCharts(found), nil
	}
	steps, err := i.steps()
	if err != nil {
		return w, found, err
	}
	if err := i.giveFacts(&function, dir, items); err != nil {
		return w, found, err
	}
	known, more := function.Known(items, steps)
	if found = append(found, more...); found.Failed() {
		return w, found, nil
	}
	if more := mustKnow(known, dir); len(more) > 0 {
		return w, append(found, more...), nil
	}
	w.known, w.items, w.facts = known, items, factsOf(known)
	if len(i.builds) > 0 {
		w.built = i.builds[0]
	}
	return w, append(found, w.application()...), nil
}

// forCharts returns findings with advice about a chart: helm itself runs goldenarch there.
func forCharts(found finding.List) finding.List {
	for i, f := range found {
		if f.ID == finding.Templated && exists(filepath.Join(filepath.FromSlash(f.Object.File), manifest.ChartFile)) {
			found[i].Do = "let helm run goldenarch as its post-renderer, as examples/helm of the repository shows"
		}
	}
	return found
}

// hostOf returns the host of a directory: the one that the user names, or else one that runs
// functions there already, or none.
func (i *initVerb) hostOf(dir string) setup.Host {
	switch {
	case i.host != "auto":
		return setup.Host(i.host)
	case i.argocd != "":
		return setup.HostArgoCD
	case kustomization.In(dir):
		built, err := i.streams.built(kustomization.Request{Dir: dir})
		if at, failed := absoluteDir(dir); err == nil && (len(built.Steps) > 0 || failed == nil && runsFunctions(gitRoot(at))) {
			return setup.HostKustomize
		}
	default:
		if text, err := regular.Read(filepath.Join(dir, kptfile)); err == nil && setup.HasPipeline(text) {
			return setup.HostKpt
		}
	}
	return setup.HostFiles
}

// mustKnow reports what init needs and cannot see.
func mustKnow(known pipeline.Known, dir string) finding.List {
	switch {
	case len(known.CRs) == 0:
		return finding.List{{
			ID: finding.NoCR, Severity: finding.Error, Object: finding.Object{File: dir},
			Text: "the directory has no HyperConverged CR", Do: "name the directory of a cluster, the one that is applied",
		}}
	case len(known.CRs) > 1:
		return finding.List{{
			ID: finding.CustomizeWhichCR, Severity: finding.Error, Object: finding.Object{File: dir},
			Text: fmt.Sprintf("the directory has %d HyperConverged CRs, so it is not the directory of one cluster", len(known.CRs)),
			Do:   "run goldenarch init for the directory of each cluster",
		}}
	case len(known.Workload) == 0:
		return finding.List{{
			ID: finding.InitNodesUnknown, Severity: finding.Error, Object: finding.Object{File: dir},
			Text: "goldenarch does not know the architectures of the nodes, so the configuration would not work",
			Do:   "pass the live CR (--live FILE), or --workload-architectures and --control-plane-architectures",
		}}
	}
	return nil
}

// write prints the diff, and then writes the files.
func (i *initVerb) write(ctx context.Context, w initPlan, changes []write.Change, found finding.List) error {
	tree, err := treeOf([]string{w.dir})
	if err != nil {
		return err
	}
	if w.argocd != "" {
		if err := tree.OutputDir(w.argocd); err != nil {
			return fmt.Errorf("flag --argocd: %w", err)
		}
	}
	set, conflicts := tree.Prepare(changes)
	if len(conflicts) > 0 {
		return i.tell(append(found, conflictFindings(conflicts)...))
	}
	_ = i.tell(found)
	if !i.check || i.diff {
		if err := writeDiff(i.streams.printer, tree.Root(), changes); err != nil {
			return err
		}
	}
	switch {
	case len(changes) > 0 && (i.diff || i.check):
		if w.wired {
			i.streams.printer.Message("%s", w.breaks())
		}
		return errDiffers
	case len(changes) > 0:
		if err := doStep(ctx, set.Commit); err != nil {
			found, err := writeFindings(err)
			return errors.Join(err, i.tell(found))
		}
	}
	for _, change := range changes {
		i.streams.printer.Message("wrote %s", change.Name)
	}
	if len(changes) == 0 {
		i.streams.printer.Message("there is nothing to write")
	}
	if w.wired {
		i.streams.printer.Message("%s", w.breaks())
	}
	if !i.diff && !i.check {
		i.streams.printer.Message("next, run: %s", strings.Join(w.next(), " && "))
	}
	return nil
}

// writePlugin adds the files of the plugin of Argo CD.
func (w *initPlan) writePlugin() error {
	if !exists(w.argocd) {
		return fmt.Errorf("flag --argocd: there is no directory %q: create it", w.argocd)
	}
	files := argocd.Plugin()
	const repoServer = "repo-server.yaml"
	if !exists(filepath.Join(w.argocd, repoServer)) {
		if w.image == "" {
			return errNoImage
		}
		files[repoServer] = strings.ReplaceAll(files[repoServer], argocd.Image, w.image)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := w.edit(filepath.Join(w.argocd, name), newFile([]byte(files[name]))); err != nil {
			return err
		}
	}
	return nil
}

var errNoImage = errors.New("the plugin of Argo CD needs an image of goldenarch, and none is published: " +
	"build and push one (make image-multiarch), and name it with --argocd-image")

// application reports an Application of the repository that applies the directory. Argo CD
// cannot build a kustomization that lists goldenarch unless it has the plugin, which finds
// the directory by itself then.
func (w *initPlan) application() finding.List {
	dir, err := absoluteDir(w.dir)
	root := gitRoot(dir)
	if err != nil || root == "" || w.host != setup.HostKustomize || w.argocd != "" {
		return nil
	}
	below, err := filepath.Rel(root, dir)
	if err != nil {
		return nil
	}
	for _, item := range applications(root) {
		if source := yamlnode.Lookup(item.YNode(), []string{"spec", "source", "path"}); source == nil || path.Clean(source.Value) != filepath.ToSlash(below) {
			continue
		}
		if plugin := yamlnode.Lookup(item.YNode(), []string{"spec", "source", "plugin"}); plugin != nil {
			continue
		}
		at := object.New(item).At
		at.File = filepath.ToSlash(fromHere(filepath.FromSlash(at.File)))
		return finding.List{{
			ID: finding.InitArgoCD, Severity: finding.Info, Object: at, Field: "spec.source",
			Text: "the Application seems to apply this directory, and Argo CD runs goldenarch only as a plugin",
			Do:   "if Argo CD does not have the plugin yet, write it with --argocd DIR (docs/argocd.md), or run goldenarch init --host files",
		}}
	}
	return nil
}

// applications returns the Applications of Argo CD in a repository. What cannot be read has
// none.
func applications(root string) []*yaml.RNode {
	return objectsWith(root, "argoproj.io", func(item *yaml.RNode) bool {
		group, _, _ := strings.Cut(item.GetApiVersion(), "/")
		return item.GetKind() == "Application" && group == "argoproj.io"
	})
}

// runsFunctions reports whether a repository has the configuration of a function that
// kustomize runs.
func runsFunctions(root string) bool {
	if root == "" {
		return false
	}
	return len(objectsWith(root, "/function", func(item *yaml.RNode) bool {
		return setup.IsFunction(item.YNode())
	})) > 0
}

// objectsWith returns the objects of a kind in the files of a repository that have a word.
func objectsWith(root, word string, is func(item *yaml.RNode) bool) []*yaml.RNode {
	o := objectFinder{left: 20_000, word: []byte(word), is: is}
	o.below(root)
	return o.found
}

// objectFinder looks for objects in files.
type objectFinder struct {
	budget regular.Budget
	left   int    // the number of files to look at
	word   []byte // that the files have
	is     func(item *yaml.RNode) bool
	found  []*yaml.RNode
}

func (a *objectFinder) below(dir string) {
	for _, entry := range readDir(dir) {
		name := filepath.Join(dir, entry.Name())
		switch ext := filepath.Ext(name); {
		case strings.HasPrefix(entry.Name(), "."), a.left == 0:
		case entry.IsDir():
			a.below(name)
		case entry.Type().IsRegular() && (ext == ".yaml" || ext == ".yml"):
			a.left--
			a.file(name)
		}
	}
}

func (a *objectFinder) file(name string) {
	data, err := a.budget.Read(name)
	if err != nil || !bytes.Contains(data, a.word) {
		return
	}
	items, err := manifest.Parse(filepath.ToSlash(name), data)
	if err != nil {
		return
	}
	for _, item := range items {
		if a.is(item) {
			a.found = append(a.found, item)
		}
	}
}
