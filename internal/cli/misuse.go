package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/spelling"
	"github.com/goldenarch/goldenarch/internal/workspace"
)

// asMisuse converts the errors of an argument check into misuse.
func asMisuse(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return workspace.Misuse{Err: err}
		}
		return nil
	}
}

// strict makes cobra's own commands report misuse as the other commands do: by default
// they print help and ignore an unknown argument. Call it when the root has its
// streams: cobra's "completion" keeps the streams with which it was created.
func strict(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "completion":
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
			cmd.Args, cmd.Annotations = noCommand, readsNothingAnnotations()
			for _, shell := range cmd.Commands() {
				shell.Args, shell.Annotations = nil, readsNothingAnnotations()
			}
		case "help":
			cmd.Args, cmd.Annotations = asMisuse(known), readsNothingAnnotations()
		}
	}
}

// known checks arguments that name a command.
func known(cmd *cobra.Command, args []string) error {
	named, rest, err := cmd.Root().Find(args)
	if err == nil && len(rest) > 0 {
		err = unknownCommand(named, rest[0])
	}
	return err
}

// noCommand checks the arguments of a command that accepts only the names of its
// subcommands.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return workspace.Misuse{Err: unknownCommand(cmd, args[0])}
}

// oldPlugin is the variable that kustomize sets for a program that it finds below
// KUSTOMIZE_PLUGIN_HOME by the kind of the configuration. The program's only argument is a copy of
// the configuration (kustomize api/internal/plugins/execplugin).
const oldPlugin = "KUSTOMIZE_PLUGIN_CONFIG_ROOT"

var errOldPlugin = errors.New("kustomize runs goldenarch as a plugin of the old kind, which goldenarch is not: it is a KRM function. " +
	`Add the annotation 'config.kubernetes.io/function: "exec: {path: goldenarch}"' to the configuration, and build with --enable-alpha-plugins --enable-exec`)

// unknownCommand reports an unknown command, and suggests one. A user who writes a file
// or a directory most often wants to render it.
func unknownCommand(cmd *cobra.Command, written string) error {
	if _, ok := os.LookupEnv(oldPlugin); ok && !cmd.HasParent() {
		return errOldPlugin
	}
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
	if hint := spelling.DidYouMean(written, names); hint != "" {
		return fmt.Errorf("%w%s", err, hint)
	}
	if _, missing := os.Stat(written); missing == nil && !cmd.HasParent() {
		return fmt.Errorf("%w: to render it, run: %s", err, console.Command("goldenarch", "render", console.CommandPath(written)))
	}
	return err
}

// flagError suggests another flag, or the command that has the flag.
func flagError(cmd *cobra.Command, err error) error {
	if wrong, is := errors.AsType[*pflag.InvalidValueError](err); is {
		switch wrong.GetFlag().Value.Type() {
		case "bool":
			err = fmt.Errorf("invalid argument %q for \"--%s\" flag: it is neither true nor false", wrong.GetValue(), wrong.GetFlag().Name)
		case "int":
			err = fmt.Errorf("invalid argument %q for \"--%s\" flag: it is not a whole number, or it is too large", wrong.GetValue(), wrong.GetFlag().Name)
		case settingType:
			err = wrongSetting(wrong)
		}
		return workspace.Misuse{Err: err}
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok || unknown.GetSpecifiedShortnames() != "" {
		return workspace.Misuse{Err: err}
	}
	name := unknown.GetSpecifiedName()
	if setting := asSetting(cmd, err, name); setting != nil {
		return workspace.Misuse{Err: setting}
	}
	var names []string
	cmd.Flags().VisitAll(func(flag *pflag.Flag) { names = append(names, flag.Name) })
	if hint := spelling.DidYouMean(name, names); hint != "" {
		return workspace.Misuse{Err: fmt.Errorf("%w%s", err, strings.Replace(hint, `"`, `"--`, 1))}
	}
	for _, other := range cmd.Root().Commands() {
		if other != cmd && other.Flags().Lookup(name) != nil {
			return workspace.Misuse{Err: fmt.Errorf("%w: %q has it, %q does not", err, other.CommandPath(), cmd.CommandPath())}
		}
	}
	return workspace.Misuse{Err: err}
}

// checkArguments makes a command and those below it refuse another number of arguments than its usage line has,
// "-" for a file that no stream can replace, an empty or unknown value of a flag, and a standard input that is
// named twice: the second reader would get nothing. A command with several PATHs takes one place once.
func checkArguments(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		checkArguments(cmd)
	}
	if run := root.RunE; strings.Contains(root.Use, "[PATH...]") {
		root.RunE = func(cmd *cobra.Command, paths []string) error { return run(cmd, differentPlaces(paths)) }
	}
	check := root.Args
	root.Args = func(cmd *cobra.Command, args []string) error {
		if err := asUsed(cmd, args); err != nil {
			return workspace.Misuse{Err: err}
		}
		if name := noStream(cmd); name != "" {
			return workspace.Misuse{Err: fmt.Errorf("flag --%s: - is no standard input or output here: name a file or a directory (./- if that is its name)", name)}
		}
		if name := withoutValue(cmd); name != "" {
			_, value := inHelp(name)
			return workspace.Misuse{Err: fmt.Errorf("flag --%s: the value is empty, as that of a variable that is not set: state %s, or leave out the flag",
				name, cmp.Or(value, "true or false"))}
		}
		if named := namesOfStdin(cmd, args); len(named) > 1 {
			return workspace.Misuse{Err: fmt.Errorf("standard input is named twice, by %s and by %s, and can be read once: write one of them into a file", named[0], named[1])}
		}
		if err := checkValues(cmd); err != nil || check == nil {
			return err
		}
		return check(cmd, args)
	}
}

// differentPlaces returns paths without those that lead to the same place as one before.
func differentPlaces(paths []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, path := range paths {
		place, err := files.Real(path)
		if err != nil || path == manifest.Stdin {
			place = path // reported where it is read
		}
		if !seen[place] {
			out = append(out, path)
		}
		seen[place] = true
	}
	return out
}

// asUsed checks the number of arguments of a command without subcommands against its usage line,
// such as "customize TEMPLATE [PATH]" or "resolve IMAGE...".
func asUsed(cmd *cobra.Command, args []string) error {
	if cmd.HasSubCommands() || cmd.Name() == "help" {
		return nil // the arguments are names of commands
	}
	_, words, _ := strings.Cut(cmd.Use, " ")
	expected := strings.Fields(words)
	required := slices.DeleteFunc(slices.Clone(expected), func(word string) bool { return strings.HasPrefix(word, "[") })
	usage := strings.TrimSpace(cmd.CommandPath() + " " + words)
	switch {
	case len(args) < len(required):
		return fmt.Errorf("%q needs %s: run %s", cmd.CommandPath(), strings.TrimSuffix(required[len(args)], "..."), usage)
	case len(args) <= len(expected) || strings.Contains(words, "..."):
		return nil
	case len(expected) == 0:
		return fmt.Errorf("%q takes no arguments, and there is %q", cmd.CommandPath(), args[0])
	}
	return fmt.Errorf("%q takes %s at most, and %q is one more: run %s",
		cmd.CommandPath(), finding.Count(len(expected), "argument"), args[len(expected)], usage)
}

// namesPlaces are the flags with a file or a directory that must have a name. Other flags with a
// file read standard input for "-".
var namesPlaces = []string{"argocd", "authfile", "config", "file", "findings-file", "fleet", "registries-conf"}

// noStream returns the flag that has "-" in place of a name, "" for none.
func noStream(cmd *cobra.Command) string {
	for _, name := range namesPlaces {
		if given := cmd.Flags().Lookup(name); given != nil && given.Value.String() == manifest.Stdin {
			return name
		}
	}
	return ""
}

// withoutValue returns a flag that was given with an empty value, "" for none. The run would be
// another one than its user wants, in silence.
func withoutValue(cmd *cobra.Command) string {
	found := ""
	cmd.Flags().Visit(func(given *pflag.Flag) {
		// --set has refused such values, and is itself empty where the flags of options state them all.
		if given.Name != setName && slices.ContainsFunc(valuesOf(given), func(value string) bool { return strings.TrimSpace(value) == "" }) {
			found = given.Name
		}
	})
	return found
}

// namesOfStdin returns the arguments and flags that name standard input.
func namesOfStdin(cmd *cobra.Command, args []string) []string {
	var out []string
	for _, arg := range args {
		if arg == manifest.Stdin {
			out = append(out, "an argument")
		}
	}
	cmd.Flags().Visit(func(given *pflag.Flag) {
		for _, value := range valuesOf(given) {
			if value == manifest.Stdin {
				out = append(out, "--"+given.Name)
			}
		}
	})
	return out
}

// fixedValues are the flags that take one of the values that their help lists, with what an error calls a value.
var fixedValues = map[string]string{
	"admission": "admission", "fail-on": "severity", "gate": "mode", "host": "host", "machines": "mode", "output": "output",
}

// checkValues checks the flags that were given and take one of a few values. Where several are allowed, each may name a file, too.
func checkValues(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(given *pflag.Flag) {
		what, fixed := fixedValues[given.Name]
		_, several := given.Value.(cobra.SliceValue)
		for _, value := range valuesOf(given) {
			if several {
				value, _, _ = strings.Cut(value, "=")
			}
			allowed := words(given.Usage)
			if !fixed || err != nil || slices.Contains(allowed, value) {
				continue
			}
			last := len(allowed) - 1
			err = workspace.Misuse{Err: fmt.Errorf("flag --%s: unknown %s %q: expected %s or %s%s",
				given.Name, what, value, strings.Join(allowed[:last], ", "), allowed[last], spelling.DidYouMean(value, allowed))}
		}
	})
	return err
}
