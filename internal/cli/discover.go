package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
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

// chartFile identifies a directory as a Helm chart.
const chartFile = "Chart.yaml"

// discover prints why goldenarch handles the current directory.
//
// Argo CD queries every plugin about every Application. If the Application selects no
// plugin, only a GoldenImages or a WorkloadArchitectures counts: a HyperConverged CR
// alone is not a reason to change what Argo CD does with the directory. If the
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
	if err != nil || exists(filepath.Join(dir, chartFile)) {
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
	_, err := os.Stat(path)
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
