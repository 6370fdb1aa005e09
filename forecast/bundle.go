package forecast

import "github.com/goldenarch/goldenarch/arch"

// bundle is the DataSources of the common templates that SSP ships, with the
// architectures that have a template (common-templates v0.35.0). SSP makes
// these DataSources whether or not a template fills them.
var bundle = map[string]arch.Set{
	"centos-stream9": every, "fedora": every, "rhel9": every, "ubuntu": every,
	"rhel8":   arch.NewSet(arch.AMD64, arch.S390X),
	"centos6": amd64, "opensuse": amd64, "rhel7": amd64, "win10": amd64, "win11": amd64,
	"win2k16": amd64, "win2k19": amd64, "win2k22": amd64, "win2k25": amd64,
}

var (
	// every is also all that SSP knows (ssp internal/architecture).
	every = arch.NewSet(arch.AMD64, arch.ARM64, arch.S390X)
	amd64 = arch.NewSet(arch.AMD64)
)
