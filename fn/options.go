package fn

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/engine/configuration"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// Options are what the caller knows and decides. The zero Options suit most users: the configuration among the items counts, and the
// registries are queried.
type Options struct {
	// Dir is the directory that spec.inputs are relative to and must be below. Default: the
	// working directory.
	Dir string
	// Settings win over the configuration: {Release: "1.19"}. They may have overrides, and the fields that have a key in a ConfigMap. Any
	// other field is an error, and one with its zero value states nothing.
	Settings v1alpha1.GoldenImagesSpec
	// Offline disables every query to a registry: the lock must have all images.
	Offline bool
	// Resolver answers for the images that neither the configuration nor a lock answers for. Default: their registries.
	Resolver Resolver
	// AuthFile is the only auth file that is read. Default: podman's and docker's.
	AuthFile string
	// RegistriesConf is a registries.conf with the mirrors of this machine. Default:
	// none.
	RegistriesConf string
	// AllowInsecureCredentials also sends credentials to insecure registries.
	AllowInsecureCredentials bool
	// UserAgent is the user agent that registries see. Default: goldenarch.
	UserAgent string
	// Strict reports an error for a release that is newer than the newest verified one.
	Strict bool
	// ArgoCD says that Argo CD will compare the output with the cluster.
	ArgoCD bool

	// open returns the resolver that answers for images in tests.
	open func(registry.Options) (registry.Resolver, error)
}

// errSettings is the error of settings that cannot win over a configuration.
var errSettings = errors.New("Options.Settings has a field that has no key in a ConfigMap: write it into a GoldenImages among the items")

// flags returns the settings by their keys in a ConfigMap.
func (o Options) flags() (map[string]string, error) {
	out, known := map[string]string{}, v1alpha1.GoldenImagesSpec{Overrides: o.Settings.Overrides}
	for _, scalar := range v1alpha1.Scalars() {
		text := scalar.Get(&o.Settings)
		if text == scalar.Get(&v1alpha1.GoldenImagesSpec{}) {
			continue
		}
		if err := scalar.Set(&known, text); err != nil {
			return nil, fmt.Errorf("Options.Settings: %s: %w", scalar.Path, err)
		}
		out[scalar.Key] = text
	}
	if !reflect.DeepEqual(known, o.Settings) {
		return nil, errSettings
	}
	return out, nil
}

// function returns the function of a run with the options.
func (o Options) function() (engine.Function, error) {
	flags, err := o.flags()
	if err != nil {
		return engine.Function{}, err
	}
	open := o.open
	if o.Resolver != nil {
		open = func(registry.Options) (registry.Resolver, error) { return resolver{o.Resolver}, nil }
	}
	return engine.Function{
		Source: configuration.Source{
			Dir: cmp.Or(o.Dir, "."), Strict: o.Strict, Options: configuration.Options{Flags: flags, Images: o.Settings.Overrides, Offline: o.Offline},
		},
		ArgoCD: o.ArgoCD,
		Open:   open,
		Registry: registry.Options{
			AuthFile: o.AuthFile, RegistriesConf: o.RegistriesConf,
			AllowInsecureCredentials: o.AllowInsecureCredentials, UserAgent: o.UserAgent,
		},
	}, nil
}
