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

		Annotations: ofNothing(),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(streams.Out, currentBuild())
			return err
		},
	}
}
