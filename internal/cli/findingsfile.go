package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
)

// addFindingsFile adds the flag for programs that hide what goldenarch reports: Helm 4
// shows the standard error of a post-renderer only if it fails.
func (r *render) addFindingsFile(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.findings, "findings-file", "",
		"write the findings to this `FILE` as well, one a line; Helm 4 hides the standard error of a post-renderer")
}

// report prints the findings on standard error, and writes them to the file of
// --findings-file. Without a finding it empties the file, so that it does not show the
// findings of an earlier run.
func (r *render) report(found finding.List) error {
	found = kustomization.Located(r.builds, found)
	fmt.Fprint(r.streams.Err, found)
	if r.findings == "" {
		return nil
	}
	if err := os.WriteFile(r.findings, []byte(found.String()), 0o644); err != nil {
		return fmt.Errorf("flag --findings-file: %w", err)
	}
	return nil
}
