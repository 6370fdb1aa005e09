package configuration

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
)

// Options is what a caller sets beside the configuration. It wins over the configuration.
type Options struct {
	// Application has the options that an Application of Argo CD sets, by key. They win
	// over the configuration.
	Application map[string]string
	// Flags has the options that the caller sets, by key. They win over Application.
	Flags map[string]string
	// Images states the architectures of images, and wins over what the configuration states.
	Images []v1alpha1.Override
	// Offline prevents queries of registries: the same as the option "lock" with Require.
	Offline bool
	// QueriesAll says that the caller queries registries even if there is a lock.
	QueriesAll bool
	// RegistryTimeout is the default of spec.registry.timeout; "" for the default of the
	// API.
	RegistryTimeout string
	// FleetRelease is the release that a Fleet states for the cluster; "" for none. It
	// counts if neither the configuration nor a flag states one.
	FleetRelease string
	// FleetGate is what a Fleet says about the multi-arch gate of the cluster; "" for nothing. It
	// counts if the configuration leaves the gate to Auto and no flag states it.
	FleetGate v1alpha1.Gate
}

// Without returns the options without the one of a key.
func (o Options) Without(key string) Options {
	o.Application, o.Flags = maps.Clone(o.Application), maps.Clone(o.Flags)
	delete(o.Application, key)
	delete(o.Flags, key)
	return o
}

// With returns the options with a value that the caller sets.
func (o Options) With(key, value string) Options {
	o.Flags = maps.Clone(o.Flags)
	if o.Flags == nil {
		o.Flags = map[string]string{}
	}
	o.Flags[key] = value
	return o
}

// Alone returns the configuration that the options make of the defaults. The error says
// which of them is not valid by itself.
func (o Options) Alone() (*v1alpha1.GoldenImagesSpec, error) {
	spec := &v1alpha1.GoldenImagesSpec{}
	spec.Default()
	return spec, o.over(spec)
}

// over applies the options to a configuration, and validates the result.
func (o Options) over(spec *v1alpha1.GoldenImagesSpec) error {
	if err := setAll(spec, o.Application, fromApplication); err != nil {
		return err
	}
	if err := setAll(spec, o.Flags, "option %q: %w"); err != nil {
		return err
	}
	if err := spec.Validate(); err != nil {
		return err
	}
	if o.Offline {
		if _, stated := o.Flags["lock"]; stated && spec.Lock.Mode != v1alpha1.LockRequire {
			return fmt.Errorf("--offline and --set lock=%s contradict each other", spec.Lock.Mode)
		}
		spec.Lock.Mode = v1alpha1.LockRequire
	}
	return nil
}

// CheckApplication reports whether the options of an Application are valid by
// themselves.
func (o Options) CheckApplication() error {
	_, err := Options{Application: o.Application}.Alone()
	if _, isWhole := errors.AsType[v1alpha1.Errors](err); isWhole {
		return fmt.Errorf("the plugin parameters of the Application: %w", err)
	}
	return err
}

// fromApplication is the error of an option that an Application sets.
const fromApplication = "plugin parameter %q: %w"

// setAll sets options by their keys.
func setAll(spec *v1alpha1.GoldenImagesSpec, options map[string]string, failed string) error {
	for _, name := range slices.Sorted(maps.Keys(options)) {
		scalar, err := v1alpha1.FindScalar(name)
		if err == nil {
			err = scalar.Set(spec, options[name])
		}
		if err != nil {
			return fmt.Errorf(failed, name, err)
		}
	}
	return nil
}
