package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
)

// optionFlag is the value of a flag that sets an option of the configuration. It keeps
// the text: [v1alpha1.Scalar] reads it like the text in a ConfigMap.
type optionFlag struct {
	scalar v1alpha1.Scalar
	text   string // what the user gave, or else the default
	given  bool
}

// Set implements pflag.Value. A repeated list flag adds its values.
func (o *optionFlag) Set(text string) error {
	before := o.text
	if !o.given {
		before = ""
	}
	o.text, o.given = text, true
	if o.scalar.Form == v1alpha1.FormList && before != "" && strings.TrimSpace(text) != "" {
		o.text = before + "," + text
	} else if o.scalar.Form == v1alpha1.FormList && before != "" {
		o.text = before
	}
	if o.scalar.Form == v1alpha1.FormBool {
		return o.scalar.Set(&v1alpha1.GoldenImagesSpec{}, text)
	}
	return nil
}

// String implements pflag.Value.
func (o *optionFlag) String() string { return o.text }

// Type implements pflag.Value: help shows it after the name of the flag.
func (o *optionFlag) Type() string {
	switch o.scalar.Form {
	case v1alpha1.FormList:
		return "list"
	case v1alpha1.FormBool:
		return "bool"
	case v1alpha1.FormNumber:
		return "int"
	case v1alpha1.FormText:
	}
	return "string"
}

// optionFlags are the flags of a command that set options, by name.
type optionFlags map[string]*optionFlag

// addOptions adds the flags of options to a command.
func addOptions(cmd *cobra.Command, scalars []v1alpha1.Scalar) optionFlags {
	var standard v1alpha1.GoldenImagesSpec
	standard.Default()
	out := optionFlags{}
	for _, scalar := range scalars {
		value := &optionFlag{scalar: scalar, text: scalar.Get(&standard)}
		help := scalar.Help
		if scalar.Form == v1alpha1.FormBool {
			help = strings.TrimSuffix(help, trueOrFalse)
		}
		flag := cmd.Flags().VarPF(value, scalar.Flag, "", help)
		if scalar.Form == v1alpha1.FormBool {
			flag.NoOptDefVal = "true"
		}
		out[scalar.Flag] = value
	}
	return out
}

// trueOrFalse is the end of the help of a boolean option. Users know the values of a
// boolean flag, so the help of the flag omits them.
const trueOrFalse = ": true, false"

// given returns the options that the user gave, by flag.
func (o optionFlags) given() map[string]string {
	out := map[string]string{}
	for name, value := range o {
		if value.given {
			out[name] = value.text
		}
	}
	return out
}

// scalarsOf returns the options with these flags.
func scalarsOf(flags ...string) []v1alpha1.Scalar {
	return slices.DeleteFunc(v1alpha1.Scalars(), func(s v1alpha1.Scalar) bool { return !slices.Contains(flags, s.Flag) })
}

// joinBooleans joins "--expand-support true" into one argument: these flags took their
// value as the next argument before they became booleans.
func joinBooleans(args []string) []string {
	names := map[string]bool{}
	for _, scalar := range v1alpha1.Scalars() {
		names["--"+scalar.Flag] = scalar.Form == v1alpha1.FormBool
	}
	out := make([]string, 0, len(args))
	for i := 0; i < len(args); i++ {
		if args[i] == "--" {
			return append(out, args[i:]...)
		}
		if names[args[i]] && i+1 < len(args) && (args[i+1] == "true" || args[i+1] == "false") {
			out = append(out, args[i]+"="+args[i+1])
			i++
			continue
		}
		out = append(out, args[i])
	}
	return out
}
