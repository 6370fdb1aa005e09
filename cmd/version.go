package cmd

import (
	"fmt"

	"github.com/spf13/cobra"
)

// Stamped by the linker.
var (
	version = "dev"
	commit  = "unknown"
	date    = "unknown"
)

func newVersion(streams Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  asMisuse(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(streams.Out, "goldenarch %s (commit %s, %s)\n", version, commit, date)
			return err
		},
	}
}
