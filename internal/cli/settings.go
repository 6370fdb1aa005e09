package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
)

// settings are the options of the configuration that the user states for one run, each once: with
// the flag --set, or with the flag that a few options have of their own.
type settings []*setting

// setting is one option with its value, and the flag that states it: "--release", "--set gate".
type setting struct {
	scalar     v1alpha1.Scalar
	text, flag string
}

// The keys of the options that have flags of their own: what people type for one run.
const (
	workloadArchitectures     = "workloadArchitectures"
	controlPlaneArchitectures = "controlPlaneArchitectures"
	release                   = "release"
	inputs                    = "inputs"
	workloads                 = "workloads"
)

// setName is the name of the flag for all options, and settingType the type of all flags that state
// options.
const setName, settingType = "set", "setting"

// addSet adds the flag --set to a command.
func (s *settings) addSet(cmd *cobra.Command) {
	cmd.Flags().Var(setFlag{s}, setName,
		"use this value for a field of the configuration, by its key in docs/configuration.md, such as gate=Enable (may be repeated)")
}

// addOwn adds the own flags of options to a command, by their keys.
func (s *settings) addOwn(cmd *cobra.Command, keys ...string) {
	for _, key := range keys {
		scalar, err := v1alpha1.FindScalar(key)
		must(err)
		cmd.Flags().Var(ownFlag{s, scalar}, scalar.Flag, scalar.Help)
	}
}

// of returns the setting of an option, nil if there is none.
func (s *settings) of(scalar v1alpha1.Scalar) *setting {
	for _, one := range *s {
		if one.scalar.Key == scalar.Key {
			return one
		}
	}
	return nil
}

// state adds a setting. One that says the same as an earlier one changes nothing, and any other is a mistake.
func (s *settings) state(stated setting) error {
	if err := stated.scalar.Set(&v1alpha1.GoldenImagesSpec{}, stated.text); err != nil {
		return err
	}
	earlier := s.of(stated.scalar)
	if earlier == nil {
		*s = append(*s, &stated)
	} else if !earlier.same(stated) {
		return fmt.Errorf("the value %q contradicts %s, which states %q: leave out one of them", stated.text, earlier.flag, earlier.text)
	}
	return nil
}

// given returns the values by key.
func (s *settings) given() map[string]string {
	out := map[string]string{}
	for _, one := range *s {
		out[one.scalar.Key] = one.text
	}
	return out
}

// words returns what --set states as words of a command line, for which a function returns true.
func (s *settings) words(has func(*setting) bool) []string {
	var out []string
	for _, one := range *s {
		if one.bySet() && has(one) {
			out = append(out, "--"+setName, one.String())
		}
	}
	return out
}

// naming replaces the fields in the errors of options with the names of their flags: users
// who gave a flag do not know the fields.
func (s *settings) naming(err error) error {
	wrong, ok := errors.AsType[v1alpha1.Errors](err)
	if !ok {
		return err
	}
	out := make([]error, len(wrong))
	for i, one := range wrong {
		out[i] = v1alpha1.Errors{one}
		for _, stated := range *s {
			if one.Path == stated.scalar.Path || strings.HasPrefix(one.Path, stated.scalar.Path+"[") {
				out[i] = fmt.Errorf("flag %s: %s", stated.flag, one.Text)
			}
		}
	}
	return errors.Join(out...)
}

// String returns the setting as the value of --set.
func (s *setting) String() string { return s.scalar.Key + "=" + s.text }

// bySet reports whether --set states it.
func (s *setting) bySet() bool { return strings.HasPrefix(s.flag, "--"+setName+" ") }

// ofRegistry reports whether it says how the run reaches registries.
func (s *setting) ofRegistry() bool { return strings.HasPrefix(s.scalar.Path, "spec.registry.") }

// same reports whether a setting of the same option has the same value.
func (s *setting) same(other setting) bool {
	var first, second v1alpha1.GoldenImagesSpec
	return s.scalar.Set(&first, s.text) == nil && s.scalar.Set(&second, other.text) == nil && s.scalar.Get(&first) == s.scalar.Get(&second)
}

// setFlag is the value of the flag --set. Lists do not add up.
type setFlag struct{ settings *settings }

// Set implements pflag.Value.
func (f setFlag) Set(text string) error {
	key, value, _ := strings.Cut(text, "=")
	scalar, err := v1alpha1.FindScalar(strings.TrimSpace(key))
	if err != nil {
		return err
	}
	if value = strings.TrimSpace(value); value == "" {
		return fmt.Errorf("there is no value: write %s=VALUE, or leave out the flag", scalar.Key)
	}
	return f.settings.state(setting{scalar, value, "--" + setName + " " + scalar.Key})
}

// String implements pflag.Value.
func (f setFlag) String() string {
	return strings.Join(f.settings.words(func(*setting) bool { return true }), " ")
}

// Type implements pflag.Value.
func (setFlag) Type() string { return settingType }

// ownFlag is the value of the flag that an option has of its own. Lists add up.
type ownFlag struct {
	settings *settings
	scalar   v1alpha1.Scalar
}

// Set implements pflag.Value. The last text counts, as for any flag.
func (f ownFlag) Set(text string) error {
	flag := "--" + f.scalar.Flag
	if earlier := f.settings.of(f.scalar); earlier != nil && earlier.flag == flag {
		if f.scalar.Form == v1alpha1.FormList {
			text = earlier.text + "," + text
		}
		*f.settings = slices.DeleteFunc(*f.settings, func(one *setting) bool { return one == earlier })
	}
	return f.settings.state(setting{f.scalar, text, flag})
}

// String implements pflag.Value.
func (f ownFlag) String() string { return f.settings.given()[f.scalar.Key] }

// Type implements pflag.Value.
func (ownFlag) Type() string { return settingType }

// wrongSetting returns the error of a flag that states options.
func wrongSetting(wrong *pflag.InvalidValueError) error {
	name := wrong.GetFlag().Name
	if name == setName {
		key, _, _ := strings.Cut(wrong.GetValue(), "=")
		name = strings.TrimSpace(name + " " + strings.TrimSpace(key))
	}
	return fmt.Errorf("flag --%s: %w", name, errors.Unwrap(wrong))
}

// asSetting reports that a flag which no command has is an option: users state it with --set.
// The error is nil for other flags.
func asSetting(cmd *cobra.Command, unknown error, name string) error {
	scalar, err := v1alpha1.FindScalar(name)
	if err != nil || cmd.Flags().Lookup(setName) == nil {
		return nil //nolint:nilerr // the flag is unknown, and no option has its name
	}
	for _, other := range append(cmd.Root().Commands(), cmd.Root()) {
		if flag := other.Flags().Lookup(scalar.Flag); flag != nil && flag.Value.Type() == settingType {
			return nil
		}
	}
	return fmt.Errorf("%w: write --%s %s=VALUE", unknown, setName, scalar.Key)
}
