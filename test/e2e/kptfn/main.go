// Command kptfn is the part of kpt that runs functions, `kpt fn render` and
// `kpt fn eval`, from kpt's own packages: the tests of the hosts use it where
// kpt is not installed. The whole of kpt cannot be built from its published
// module, because github.com/kptdev/kpt/rollouts is not published.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/kptdev/kpt/commands/fn"
	"github.com/kptdev/kpt/pkg/printer"
	"github.com/spf13/cobra"
)

func main() {
	ctx := printer.WithContext(context.Background(), printer.New(os.Stdout, os.Stderr))
	kpt := &cobra.Command{Use: "kpt", SilenceErrors: true, SilenceUsage: true}
	kpt.PersistentFlags().BoolVar(&printer.TruncateOutput, "truncate-output", true, "truncate the output of functions")
	kpt.AddCommand(fn.GetCommand(ctx, "kpt"))
	if err := kpt.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "Error:", err)
		os.Exit(1)
	}
}
