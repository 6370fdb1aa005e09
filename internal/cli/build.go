package cli

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
)

// The linker sets these in releases and images, which are built without the repository.
// In all other builds they are empty, and Go has the values.
var version, commit, date string

// build has the version, commit and date of the program.
type build struct{ version, commit, date string }

// String returns what "goldenarch version" prints.
func (b build) String() string {
	return fmt.Sprintf("goldenarch %s (commit %s, %s)", b.version, b.commit, b.date)
}

// currentBuild returns the build of this program.
var currentBuild = sync.OnceValue(func() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return buildOf(build{version, commit, date}, info)
})

// buildOf returns what the linker set, and otherwise what Go recorded: the version of
// the module, and the commit of the repository of the build.
func buildOf(stamped build, info *debug.BuildInfo) build {
	settings := map[string]string{}
	for _, setting := range info.Settings {
		settings[setting.Key] = setting.Value
	}
	noted := build{version: info.Main.Version, commit: settings["vcs.revision"], date: settings["vcs.time"]}
	if noted.version == "(devel)" {
		noted.version = ""
	}
	// Go appends +dirty to a version that it derives from the repository, but not to
	// the commit.
	if noted.commit != "" && settings["vcs.modified"] == "true" {
		noted.commit += "+dirty"
		if noted.version != "" && !strings.HasSuffix(noted.version, "+dirty") {
			noted.version += "+dirty"
		}
	}
	return build{
		version: cmp.Or(stamped.version, noted.version, "dev"),
		commit:  cmp.Or(stamped.commit, noted.commit, "unknown"),
		date:    cmp.Or(stamped.date, noted.date, "unknown"),
	}
}
