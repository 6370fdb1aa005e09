package cli

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/regular"
)

// The kinds that identify a directory.
const (
	goldenImages   = v1alpha1.GoldenImagesKind
	workloads      = v1alpha1.WorkloadArchitecturesKind
	hyperConverged = "HyperConverged"
)

// groups are the API groups of the kinds.
var groups = map[string]string{goldenImages: v1alpha1.Group, workloads: v1alpha1.Group, hyperConverged: "hco.kubevirt.io"}

// discover prints why goldenarch handles the current directory.
//
// Argo CD queries every plugin about every Application. If the Application selects no
// plugin, only a GoldenImages or a WorkloadArchitectures counts: a HyperConverged CR
// forPlaceOnly is not a reason to change what Argo CD does with the directory. If the
// Application has a plugin in its source, the environment shows that. Then discover also
// accepts a directory that it cannot render. The rendering reports what is wrong, while
// Argo CD only reports that it found no plugin.
func discover(streams Streams) error {
	kinds := []string{goldenImages, workloads}
	_, chosen := os.LookupEnv(argoParameters)
	if chosen {
		kinds = append(kinds, hyperConverged)
	}
	reason, err := mentioned(".", kinds)
	if err != nil {
		return err
	}
	if reason == "" && chosen {
		reason = built(streams, kinds)
	}
	if reason == "" {
		return nil
	}
	_, err = fmt.Fprintln(streams.printer.Text(), reason)
	return err
}

// mentioned returns the first object of one of the kinds in a directory: one that its
// kustomization lists, or otherwise one in a file of its own. By default Argo CD does
// not read below a directory, where files of another Application may be; a Helm chart
// is for helm. mentioned builds nothing: the directory may be untrusted, and large.
func mentioned(dir string, kinds []string) (string, error) {
	wanted := func(item *yaml.RNode) bool { return kindOf(item, kinds) != "" }
	tell := func(item *yaml.RNode) string {
		return fmt.Sprintf("%s in %s", kindOf(item, kinds), item.GetAnnotations()[kioutil.PathAnnotation])
	}
	if kustomization.In(dir) {
		found, err := kustomization.Find(dir, wanted)
		if found == nil {
			return "", err
		}
		return tell(found), nil
	}
	files, err := manifest.FilesIn(dir)
	if err != nil || exists(filepath.Join(dir, manifest.ChartFile)) {
		return "", nil //nolint:nilerr // an unreadable directory, or a chart, has no known objects
	}
	var budget regular.Budget
	for _, file := range files {
		// An unreadable file, for example a template, has no known objects.
		items, err := candidates(&budget, file, kinds)
		if errors.Is(err, regular.ErrTooLarge) || errors.Is(err, regular.ErrTooMany) {
			return "", err // its objects are unknown
		}
		if at := slices.IndexFunc(items, wanted); err == nil && at >= 0 {
			return tell(items[at]), nil
		}
	}
	return "", nil
}

// candidates reads a file, if it contains the word for one of the kinds.
func candidates(budget *regular.Budget, file string, kinds []string) ([]*yaml.RNode, error) {
	data, err := budget.Read(file)
	if err != nil || !slices.ContainsFunc(kinds, func(kind string) bool { return bytes.Contains(data, []byte(kind)) }) {
		return nil, err
	}
	return manifest.Parse(filepath.ToSlash(file), data)
}

// kindOf returns the kind of an object, or the first of the kinds in a List; "" if it
// has none of them.
func kindOf(item *yaml.RNode, kinds []string) string {
	kind := item.GetKind()
	group, _, _ := strings.Cut(item.GetApiVersion(), "/")
	if slices.Contains(kinds, kind) && groups[kind] == group {
		return kind
	}
	if kind != "List" {
		return ""
	}
	inner, err := item.Pipe(yaml.Lookup("items"))
	if err != nil || inner == nil {
		return ""
	}
	items, err := inner.Elements()
	for _, item := range items {
		if kind := kindOf(item, kinds); err == nil && kind != "" {
			return kind
		}
	}
	return ""
}

func exists(path string) bool {
	_, err := os.Stat(path) //nolint:gosec // G703: it opens nothing, and the path is below what the operator names
	return err == nil
}

// built returns the first object of one of the kinds that the current directory
// renders. If the directory cannot be rendered, it returns that the Application selects
// the plugin.
func built(streams Streams, kinds []string) string {
	r := render{streams: streams}
	items, found := r.read(nil)
	for _, item := range append(r.listed(), items...) {
		if kind := kindOf(item, kinds); kind != "" {
			return fmt.Sprintf("%s %s", kind, item.GetName())
		}
	}
	if found.Failed() || len(items) == 0 {
		return "the Application chooses the plugin"
	}
	return ""
}

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
	for _, i := range list {
		if i.Flags&net.FlagUp != 0 && i.Flags&net.FlagLoopback == 0 {
			return true
		}
	}
	return false
}

// networkAdvice says how a user gives a function a network.
func networkAdvice(items []*yaml.RNode) string {
	if pipeline.HostOf(items) == pipeline.Kpt {
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
		return advising{next, advice}, nil
	}
}

type advising struct {
	next   registry.Resolver
	advice string
}

// Resolve implements registry.Resolver.
func (a advising) Resolve(ctx context.Context, ref imageref.Reference) (registry.Image, error) {
	image, err := a.next.Resolve(ctx, ref)
	if failed, is := errors.AsType[*registry.Error](err); is && errors.Is(failed, registry.ErrUnreachable) {
		changed := *failed
		changed.Hint = a.advice
		return image, &changed
	}
	return image, err
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
