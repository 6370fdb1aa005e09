package cli

import (
	"debug/buildinfo"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/pipeline"
)

// parent returns the build of the program that started this process, empty where the machine
// does not show it. In a container nothing shows it.
func parent() *debug.BuildInfo {
	info, err := buildinfo.ReadFile(fmt.Sprintf("/proc/%d/exe", os.Getppid()))
	if err != nil {
		return &debug.BuildInfo{}
	}
	return info
}

// isKpt reports whether a program is kpt, or has it as a library.
func isKpt(info *debug.BuildInfo) bool {
	return slices.ContainsFunc(append([]*debug.Module{&info.Main}, info.Deps...), func(m *debug.Module) bool {
		return m.Path == "github.com/kptdev/kpt" || m.Path == "github.com/GoogleContainerTools/kpt"
	})
}

// structuredResults is the variable that kpt and kustomize set in a container of a function.
const structuredResults = "STRUCTURED_RESULTS"

// showsResults reports whether the host shows the results of the function. kpt does. Only kpt
// fn render notes the package of items, so kpt fn eval is known as the parent, or, in a
// container, by items that have files: kustomize names none.
func showsResults(items []*yaml.RNode, info *debug.BuildInfo, env environment) bool {
	switch pipeline.HostOf(items) {
	case pipeline.Kpt:
		return true
	case pipeline.Kustomize:
		return false
	}
	structured, _ := env(structuredResults)
	return isKpt(info) || structured == "true" && slices.ContainsFunc(items, func(item *yaml.RNode) bool {
		file, _ := object.Place(item)
		return file != ""
	})
}

// kustomizeOf returns the version of the kustomize that a program is, or that it has as a
// library, as kubectl has: such as v4.5.7, or only its major version; "" for another program.
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
