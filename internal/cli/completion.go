package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
)

// architectures are offered by a shell; any other may be written.
var architectures = []string{"amd64", "arm64", "ppc64le", "s390x"}

// strict makes misuse of cobra's own commands misuse, as it is of any other: they
// print help and are content with an argument that they do not know. It is called
// when the root has its streams: cobra's "completion" keeps those it was made with.
func strict(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "completion":
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
			for _, shell := range append(cmd.Commands(), cmd) {
				shell.Args, shell.Annotations = noCommand, ofNothing()
			}
		case "help":
			cmd.Args, cmd.Annotations = asMisuse(known), ofNothing()
		}
	}
}

// known is for arguments that name a command.
func known(cmd *cobra.Command, args []string) error {
	named, rest, err := cmd.Root().Find(args)
	if err == nil && len(rest) > 0 {
		err = unknownCommand(named, rest[0])
	}
	return err
}

// complete tells the shell what the flags of a command and of those below it
// take. cobra's own "completion" makes the scripts.
func complete(cmd *cobra.Command) {
	for _, below := range cmd.Commands() {
		complete(below)
	}
	for _, scalar := range v1alpha1.Scalars() {
		if cmd.Flags().Lookup(scalar.Flag) == nil || scalar.Key == "inputs" {
			continue
		}
		offer := oneOf(words(scalar.Help))
		switch scalar.Key {
		case "workloadArchitectures", "controlPlaneArchitectures", "allow":
			offer = listOf(architectures)
		case "singleArchitecture":
			offer = oneOf(architectures)
		}
		must(cmd.RegisterFlagCompletionFunc(scalar.Flag, offer))
	}
	for flag, values := range map[string][]string{"admission": {"apply", "skip"}} {
		if cmd.Flags().Lookup(flag) != nil {
			must(cmd.RegisterFlagCompletionFunc(flag, oneOf(values)))
		}
	}
	if flag := cmd.Flags().Lookup("output"); flag != nil {
		must(cmd.RegisterFlagCompletionFunc("output", oneOf(words(flag.Usage))))
	}
	if cmd.Flags().Lookup("config") != nil {
		must(cmd.MarkFlagFilename("config", "yaml", "yml", "json"))
	}
}

// words returns the values that a help text ends with, as in "what it is: this,
// that or other"; nil if it does not. What is in brackets explains them.
func words(help string) []string {
	_, list, is := strings.Cut(help, ": ")
	if !is {
		return nil
	}
	for {
		before, rest, open := strings.Cut(list, " (")
		if !open {
			break
		}
		_, after, _ := strings.Cut(rest, ")")
		list = before + after
	}
	return strings.Split(strings.ReplaceAll(list, " or ", ", "), ", ")
}

type offer = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective)

func oneOf(values []string) offer {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return values, cobra.ShellCompDirectiveNoFileComp
	}
}

// listOf offers the values that a comma-separated list has not yet.
func listOf(values []string) offer {
	return func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		before := begun[:strings.LastIndex(begun, ",")+1]
		var out []string
		for _, value := range values {
			if !slices.Contains(strings.Split(before, ","), value) {
				out = append(out, before+value)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// must is for what only a mistake in this package can make fail.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
