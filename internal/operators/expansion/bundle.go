package expansion

import (
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
)

// Bundle is a collection of common templates: the names of their DataSources,
// each with the architectures that have a template. SSP makes these DataSources
// whether or not a DataImportCronTemplate fills them.
type Bundle map[string]arch.Set

// Shipped returns the bundle of common-templates v0.35.0, which SSP ships. It
// is one per SSP release, and a downstream build may ship another.
func Shipped() Bundle {
	amd64 := arch.NewSet(arch.AMD64)
	return Bundle{
		"centos-stream9": Known, "fedora": Known, "rhel9": Known, "ubuntu": Known,
		"rhel8":   arch.NewSet(arch.AMD64, arch.S390X),
		"centos6": amd64, "opensuse": amd64, "rhel7": amd64, "win10": amd64, "win11": amd64,
		"win2k16": amd64, "win2k19": amd64, "win2k22": amd64, "win2k25": amd64,
	}
}

// About returns the part of the bundle that DataSources of these names have to do
// with: those of the bundle with such a name, with or without an architecture.
func (b Bundle) About(names map[string]bool) Bundle {
	out := make(Bundle, len(names))
	keep := func(name string) {
		if templates, has := b[name]; has {
			out[name] = templates
		}
	}
	for name := range names {
		keep(name)
		for _, a := range Known {
			if base, has := strings.CutSuffix(name, "-"+string(a)); has {
				keep(base)
			}
		}
	}
	return out
}
