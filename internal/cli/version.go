package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newVersion(streams Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  asMisuse(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			b := currentBuild()
			_, err := fmt.Fprintf(streams.Out, "goldenarch %s (commit %s, %s)\n", b.version, b.commit, b.date)
			return err
		},
	}
}
