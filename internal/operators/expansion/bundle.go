package expansion

import (
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
)

// Bundle has the DataSources of a collection of common templates, by name, each with the
// architectures that have a template. SSP makes these DataSources even if no
// DataImportCronTemplate fills them.
type Bundle map[string]arch.Set

// Shipped returns the bundle of common-templates v0.35.0, which SSP ships. Each SSP release
// ships one bundle, and a downstream build may ship another.
func Shipped() Bundle {
	amd64 := arch.NewSet(arch.AMD64)
	return Bundle{
		"centos-stream9": Known, "fedora": Known, "rhel9": Known, "ubuntu": Known,
		"rhel8":   arch.NewSet(arch.AMD64, arch.S390X),
		"centos6": amd64, "opensuse": amd64, "rhel7": amd64, "win10": amd64, "win11": amd64,
		"win2k16": amd64, "win2k19": amd64, "win2k22": amd64, "win2k25": amd64,
	}
}

// About returns the part of the bundle for DataSources with these names, with or without an
// architecture in the name.
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
