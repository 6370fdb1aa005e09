package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/sanitize"
	"github.com/goldenarch/goldenarch/internal/write"
)

// addFindingsFile adds the flag for programs that hide what goldenarch reports: Helm 4
// never shows the standard error of a post-renderer, and Helm 3 only if it fails.
func (r *render) addFindingsFile(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.findings, "findings-file", "",
		"write the findings to this `FILE` as well, one a line; Helm 4 hides the standard error of a post-renderer")
}

// report prints the findings on standard error, and writes them to the file of
// --findings-file. Without a finding it empties the file, so that it does not show the
// findings of an earlier run.
func (r *render) report(found finding.List) error {
	found = kustomization.Located(r.builds, found)
	r.streams.printer.Findings(found)
	r.reported = found.String()
	return r.writeFindings(r.reported)
}

// alsoInFile adds an error that is not a finding to the file of --findings-file, as
// goldenarch prints it, and returns the error.
func (r *render) alsoInFile(err error) error {
	if err == nil || errors.Is(err, errSilent) || errors.Is(err, errFindingsFile) {
		return err
	}
	return errors.Join(err, r.writeFindings(r.reported+"goldenarch: "+sanitize.Lines(err.Error())+"\n"))
}

var errFindingsFile = errors.New("flag --findings-file")

func (r *render) writeFindings(text string) error {
	if r.findings == "" {
		return nil
	}
	if err := write.Output(r.findings, []byte(text)); err != nil {
		return fmt.Errorf("%w: %w", errFindingsFile, err)
	}
	return nil
}
