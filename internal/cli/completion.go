package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
)

// architectures are the completions that a shell offers; users may write others.
var architectures = []string{"amd64", "arm64", "ppc64le", "s390x"}

// complete registers the values of the flags of a command and its subcommands for the
// shell. cobra's own "completion" generates the scripts.
func complete(cmd *cobra.Command) {
	for _, below := range cmd.Commands() {
		complete(below)
	}
	for _, scalar := range v1alpha1.Scalars() {
		if flag := cmd.Flags().Lookup(scalar.Flag); flag != nil && flag.Value.Type() == settingType && scalar.Key != inputs {
			must(cmd.RegisterFlagCompletionFunc(scalar.Flag, valuesOfScalar(scalar)))
		}
	}
	if cmd.Flags().Lookup(setName) != nil {
		must(cmd.RegisterFlagCompletionFunc(setName, offerSettings))
	}
	for name := range fixedValues {
		if flag := cmd.Flags().Lookup(name); flag != nil {
			must(cmd.RegisterFlagCompletionFunc(name, oneOf(words(flag.Usage))))
		}
	}
	for _, flag := range []string{"config", "cr-path", "fleet"} {
		if cmd.Flags().Lookup(flag) != nil {
			must(cmd.MarkFlagFilename(flag, "yaml", "yml", "json"))
		}
	}
}

// valuesOfScalar offers the values of an option.
func valuesOfScalar(scalar v1alpha1.Scalar) offer {
	switch scalar.Key {
	case workloadArchitectures, controlPlaneArchitectures, "allow":
		return listOf(architectures)
	case "singleArchitecture":
		return oneOf(architectures)
	}
	return oneOf(words(scalar.Help))
}

// offerSettings offers the keys of options, and after KEY= the values.
func offerSettings(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	var out []string
	key, value, ok := strings.Cut(begun, "=")
	if !ok {
		for _, scalar := range v1alpha1.Scalars() {
			if strings.HasPrefix(scalar.Key, begun) {
				out = append(out, scalar.Key+"=")
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	scalar, err := v1alpha1.FindScalar(key)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	values, directive := valuesOfScalar(scalar)(cmd, args, value)
	for _, one := range values {
		out = append(out, key+"="+one)
	}
	return out, directive
}

// words returns the values at the end of a help text, as in "what it is: this, that or
// other"; nil if the text has none. Text in brackets explains them.
func words(help string) []string {
	_, list, ok := strings.Cut(help, ": ")
	if !ok {
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

// listOf offers the values that are not yet in a comma-separated list.
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

// must panics on an error that only a mistake in this package can cause.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
