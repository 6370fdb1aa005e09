package cli

import (
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/host/argocd"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

// isIsolated reports whether this process is in a container without a network, as hosts of
// functions start one. It is the first process of the container, and such a container has no
// interface but the loopback.
func isIsolated(pid int) bool {
	if pid != 1 {
		return false
	}
	list, err := net.Interfaces()
	return err == nil && !reachesOut(list)
}

// reachesOut reports whether one of the interfaces leads out of the machine.
func reachesOut(list []net.Interface) bool {
	return slices.ContainsFunc(list, func(i net.Interface) bool { return i.Flags&net.FlagUp != 0 && i.Flags&net.FlagLoopback == 0 })
}

// networkAdvice says how a user gives a function a network.
func networkAdvice(items []*yaml.RNode) string {
	if engine.HostOf(items) == engine.Kpt {
		return "give the container a network with kpt fn render --allow-network or kpt fn eval --network, or commit a lock (goldenarch lock)"
	}
	return "give the container a network: set network: true beside its image and run kustomize build with --network, " +
		"which needs both; or commit a lock (goldenarch lock)"
}

// advised puts advice in the place of what a registry that cannot be reached suggests.
func advised(open func(registry.Options) (registry.Resolver, error), advice string) func(registry.Options) (registry.Resolver, error) {
	return func(o registry.Options) (registry.Resolver, error) {
		next, err := open(o)
		if err != nil {
			return nil, err
		}
		return resolverFunc(func(ctx context.Context, ref imageref.Reference) (registry.Image, error) {
			image, err := next.Resolve(ctx, ref)
			if failed, ok := errors.AsType[*registry.Error](err); ok && errors.Is(failed, registry.ErrUnreachable) {
				changed := *failed
				changed.Hint = advice
				return image, &changed
			}
			return image, err
		}), nil
	}
}

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

// showsResults returns a function that reports whether the host shows the results of the
// function. kpt does. Only kpt fn render notes the package of items, so kpt fn eval is known
// as the parent, or, in a container, by items that have files: kustomize names none. The
// items may change before the function is called, which alone looks at the parent's program.
func showsResults(items []*yaml.RNode, program func() *debug.BuildInfo, env argocd.Environment) func() bool {
	switch engine.HostOf(items) {
	case engine.Kpt:
		return func() bool { return true }
	case engine.Kustomize:
		return func() bool { return false }
	}
	structured, _ := env(structuredResults)
	inContainer := structured == "true" && slices.ContainsFunc(items, func(item *yaml.RNode) bool {
		file, _ := object.Place(item)
		return file != ""
	})
	return func() bool { return inContainer || isKpt(program()) }
}

// kustomizeOf returns the version of the kustomize that a program is, or that it has as a
// library, as kubectl has: such as v4.5.7, or only its major version; "" for another program.
func kustomizeOf(info *debug.BuildInfo) string {
	for _, module := range append([]*debug.Module{&info.Main}, info.Deps...) {
		major, ok := strings.CutPrefix(module.Path, "sigs.k8s.io/kustomize/kustomize/")
		switch {
		case !ok:
		case strings.HasPrefix(module.Version, major+"."):
			return module.Version
		default: // built from its repository
			return major
		}
	}
	return ""
}
