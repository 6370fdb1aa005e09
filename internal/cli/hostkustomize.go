package cli

import (
	"debug/buildinfo"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
)

// kustomizeVersion returns the version of the kustomize that started this process, such as
// v4.5.7, or only its major version; "" where another program did, and where the machine
// does not show it. In a container nothing shows it.
func kustomizeVersion() string {
	info, err := buildinfo.ReadFile(fmt.Sprintf("/proc/%d/exe", os.Getppid()))
	if err != nil {
		return ""
	}
	return kustomizeOf(info)
}

// kustomizeOf returns the version of the kustomize that a program is, or that it has as a
// library, as kubectl has.
func kustomizeOf(info *debug.BuildInfo) string {
	for _, module := range append([]*debug.Module{&info.Main}, info.Deps...) {
		major, is := strings.CutPrefix(module.Path, "sigs.k8s.io/kustomize/kustomize/")
		switch {
		case !is:
		case strings.HasPrefix(module.Version, major+"."):
			return module.Version
		default: // built from its repository
			return major
		}
	}
	return ""
}
