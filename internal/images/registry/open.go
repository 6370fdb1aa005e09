package registry

import (
	"slices"

	"github.com/goldenarch/goldenarch/internal/images/mirror/registriesconf"
)

// Open returns the Resolver that the options select: registries and their mirrors, or a
// recording of them.
func Open(o Options) (Resolver, error) {
	if o.Replay != nil {
		return Replay(o.Replay, o.Verify), nil
	}
	if o.RegistriesConf != "" {
		// The user who runs goldenarch knows which hosts this machine can reach.
		machine, err := registriesconf.Read(o.RegistriesConf)
		if err != nil {
			return nil, err
		}
		o.Mirrors = machine.Over(o.Mirrors)
	}
	answers := mirroredClient(o)
	if o.Record != nil {
		answers = Recorded(answers, o.Record)
	}
	return answers, nil
}

func mirroredClient(o Options) Resolver {
	strict := New(o).Verified(o.Verify)
	if o.Mirrors.Empty() {
		return strict
	}
	// A place may be insecure while its host is secure elsewhere. The policy grants it
	// no credentials: only AllowInsecureCredentials does that.
	o.Insecure = slices.Concat(o.Insecure, o.Mirrors.Insecure())
	return Mirrored(strict, New(o).Verified(o.Verify), o.Mirrors)
}
