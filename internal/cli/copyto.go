package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

func newCopyTo(streams Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "copy-to DIR",
		Short: "Copy this program into a directory",
		Long: `Copy this program to DIR/goldenarch, executable for all users. The copy replaces an
earlier one in a single step.

An init container uses it to put goldenarch into a volume that it shares with
another container. Neither container needs a shell.`,
		Example: "  goldenarch copy-to /shared",

		Annotations: readsNothingAnnotations(),
		RunE: func(cmd *cobra.Command, args []string) error {
			from, err := os.Executable()
			if err != nil {
				return fmt.Errorf("find this program: %w", err)
			}
			to := filepath.Join(args[0], "goldenarch")
			if err := streams.step.run(cmd.Context(), func() error { return copyProgram(from, to) }); err != nil {
				return fmt.Errorf("copy the program: %w", err)
			}
			streams.printer.Message("copied to %s", to)
			return nil
		},
	}
}

// copyProgram copies a file in one step: it writes the copy beside its destination,
// makes it executable, and renames it. After an error it leaves no copy behind.
func copyProgram(from, to string) (err error) {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	temporary, err := os.CreateTemp(filepath.Dir(to), ".goldenarch.*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(temporary.Name()))
		}
	}()
	_, err = io.Copy(temporary, source)
	if err == nil {
		err = temporary.Chmod(0o755)
	}
	if err = errors.Join(err, temporary.Close()); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), to)
}
