package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

// renderOptions are the flags of render.
type renderOptions struct {
	inputOptions

	findingsFile string // the file of --findings-file
	reported     string // the findings so far
}

func newRender(streams Streams) *cobra.Command {
	r := &renderOptions{inputOptions: inputOf(streams)}
	cmd := &cobra.Command{
		Use:   "render [PATH...]",
		Short: "Write the corrected manifests to standard output",
		Long: `Read YAML or JSON files, directories (recursively) or standard input (-). Correct
the HyperConverged CRs, and write all manifests for the cluster to standard output.
Without a PATH, render reads the current directory.

If a directory has a kustomization, render builds it as 'kustomize build' does. If
the kustomization lists goldenarch as its last transformer, that GoldenImages is the
configuration. render fails on other functions, plugins and remote bases: it runs
and fetches nothing.

render reads but does not write objects of goldenarch.dev, items with the annotation
config.kubernetes.io/local-config, and dumps of Nodes (with status, uid or
resourceVersion). It writes a Node that Git manages for its labels or taints.`,
		Example: `  goldenarch render overlays/prod --workload-architectures amd64,arm64
  helm template chart | goldenarch render - --config golden-images.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error { return r.alsoInFile(r.run(cmd.Context(), args)) },
	}
	r.flags.addQueries(cmd)
	r.addInput(cmd)
	r.flags.settings.addOwn(cmd, workloads)
	r.addCluster(cmd)
	r.addLive(cmd)
	// Helm 4 never shows the standard error of a post-renderer, and Helm 3 only if it fails.
	cmd.Flags().StringVar(&r.findingsFile, "findings-file", "",
		"write the findings to this `FILE` as well, one a line; Helm 4 hides the standard error of a post-renderer")
	cmd.Flags().BoolVar(&r.Literal, "no-flux-substitution", false,
		"annotate objects that contain ${...} or $$, so that Flux's spec.postBuild does not change them")
	return cmd
}

func (r *renderOptions) run(ctx context.Context, paths []string) error {
	function, err := r.function()
	if err != nil {
		return err
	}
	hide := r.streams.queries.show(r.streams.printer)
	out, found, err := r.Render(ctx, paths, function)
	hide()
	if failed := r.report(found); err != nil || failed != nil {
		return cmp.Or(err, failed)
	}
	if ignored := finding.IgnoredText(out.Ignored); ignored != "" {
		r.streams.printer.Message("%s", ignored)
	}
	if object.None(out.Items) {
		if out.MayBeEmpty {
			return nil // so does kustomize build
		}
		return errNoManifests
	}
	return out.Texts.Write(r.streams.printer.Product(), out.Items)
}

// errNoManifests is the error of a run without a product. Argo CD treats an empty
// output, and an empty List, as "no manifests", and deletes everything if it prunes.
var errNoManifests = errors.New("there is nothing to render: the input has no manifests for the cluster")

// report prints the findings on standard error, and writes them to the file of
// --findings-file. Without a finding it empties the file, so that it does not show the
// findings of an earlier run. The error is that of the file, or of a run that failed.
func (r *renderOptions) report(found finding.List) error {
	failed := r.streams.report(found)
	r.reported = found.String()
	return cmp.Or(r.writeFindings(r.reported), failed)
}

// alsoInFile adds an error that is not a finding to the file of --findings-file, as
// goldenarch prints it, and returns the error.
func (r *renderOptions) alsoInFile(err error) error {
	if err == nil || errors.Is(err, errSilent) || errors.Is(err, errFindingsFile) {
		return err
	}
	return errors.Join(err, r.writeFindings(r.reported+"goldenarch: "+console.SafeLines(err.Error())+"\n"))
}

var errFindingsFile = errors.New("flag --findings-file")

func (r *renderOptions) writeFindings(text string) error {
	if r.findingsFile == "" {
		return nil
	}
	if err := files.WriteOutput(r.findingsFile, []byte(text)); err != nil {
		return fmt.Errorf("%w: %w", errFindingsFile, err)
	}
	return nil
}
