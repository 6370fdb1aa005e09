package cli

import (
	"slices"

	"github.com/goldenarch/goldenarch/internal/images/mirror"
	"github.com/goldenarch/goldenarch/internal/images/mirror/registriesconf"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// mirrored returns who answers for images, with the mirrors that the input and the
// configuration name, and over them those of --registries-conf: who runs goldenarch
// knows what this machine can reach.
func (f *registryFlags) mirrored(options registry.Options, verify registry.Verify, policy mirror.Policy) (registry.Resolver, error) {
	if f.registriesConf != "" {
		own, err := registriesconf.Read(f.registriesConf)
		if err != nil {
			return nil, err
		}
		policy = own.Over(policy)
	}
	strict := registry.New(options).Verified(verify)
	if policy.Empty() {
		return strict, nil
	}
	// A place may be insecure without its host being so elsewhere. What the file
	// says gives it no credentials: only the flag for that does.
	options.Insecure = slices.Concat(options.Insecure, policy.Insecure())
	return registry.Mirrored(strict, registry.New(options).Verified(verify), policy), nil
}
