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
			_, err := fmt.Fprintln(streams.printer.Text(), currentBuild())
			return err
		},
	}
}

// addVersion adds the flag --version. It replaces cobra's own: for another text than
// its default, cobra needs text/template. That package keeps every method of every type
// in the binary, 5.6 MB of them.
func addVersion(root *cobra.Command, streams Streams) {
	isAsked := root.Flags().Bool("version", false, "print the version")
	run := root.RunE
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if !*isAsked {
			return run(cmd, args)
		}
		_, err := fmt.Fprintln(streams.printer.Text(), currentBuild())
		return err
	}
}
