package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/near"
	"github.com/goldenarch/goldenarch/internal/sanitize"
)

// noCommand checks the arguments of a command that accepts only the names of its
// subcommands.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return misuse{unknownCommand(cmd, args[0])}
}

// unknownCommand reports an unknown command, and suggests one. A user who writes a file
// or a directory most often wants to render it.
func unknownCommand(cmd *cobra.Command, written string) error {
	err := fmt.Errorf("unknown command %q for %q", written, cmd.CommandPath())
	var names []string
	for _, below := range cmd.Commands() {
		if below.Hidden {
			continue
		}
		if slices.Contains(below.SuggestFor, strings.ToLower(written)) {
			return fmt.Errorf("%w; did you mean %q?", err, below.Name())
		}
		names = append(names, below.Name())
	}
	if hint := near.DidYouMean(written, names); hint != "" {
		return fmt.Errorf("%w%s", err, hint)
	}
	if _, missing := os.Stat(written); missing == nil && !cmd.HasParent() {
		return fmt.Errorf("%w: to render it, run: %s", err, sanitize.Command("goldenarch", "render", written))
	}
	return err
}

// flagError suggests another flag, or the command that has the flag.
func flagError(cmd *cobra.Command, err error) error {
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok || unknown.GetSpecifiedShortnames() != "" {
		return misuse{err}
	}
	name := unknown.GetSpecifiedName()
	var names []string
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden {
			names = append(names, flag.Name)
		}
	})
	if hint := near.DidYouMean(name, names); hint != "" {
		return misuse{fmt.Errorf("%w%s", err, strings.Replace(hint, `"`, `"--`, 1))}
	}
	for _, other := range cmd.Root().Commands() {
		if other != cmd && other.Flags().Lookup(name) != nil {
			return misuse{fmt.Errorf("%w: %q has it, %q does not", err, other.CommandPath(), cmd.CommandPath())}
		}
	}
	return misuse{err}
}

// chosen checks the value of a flag with a fixed set of values.
func chosen(flag, what, value string, words ...string) error {
	if slices.Contains(words, value) {
		return nil
	}
	last := len(words) - 1
	list := strings.Join(words[:last], ", ") + " or " + words[last]
	return misuse{fmt.Errorf("flag --%s: unknown %s %q: expected %s%s", flag, what, value, list, near.DidYouMean(value, words))}
}

// namingFlags replaces the fields in the errors of options with the names of their
// flags: users who gave a flag do not know the fields.
func namingFlags(err error, given map[string]string) error {
	wrong, ok := errors.AsType[v1alpha1.Errors](err)
	if !ok {
		return err
	}
	out := make([]error, len(wrong))
	for i, one := range wrong {
		out[i] = v1alpha1.Errors{one}
		for _, scalar := range v1alpha1.Scalars() {
			if _, is := given[scalar.Flag]; is && (one.Path == scalar.Path || strings.HasPrefix(one.Path, scalar.Path+"[")) {
				out[i] = fmt.Errorf("flag --%s: %s", scalar.Flag, one.Text)
			}
		}
	}
	return errors.Join(out...)
}
