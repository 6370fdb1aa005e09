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

// The kinds by which a directory is known.
const (
	goldenImages   = v1alpha1.GoldenImagesKind
	hyperConverged = "HyperConverged"
)

// groups are the API groups of the kinds.
var groups = map[string]string{goldenImages: v1alpha1.Group, hyperConverged: "hco.kubevirt.io"}

// chartFile marks a directory as a Helm chart.
const chartFile = "Chart.yaml"

// discover prints why the current directory is one for goldenarch.
//
// Argo CD asks every plugin about every Application, so without a choice only a
// GoldenImages will do: a HyperConverged CR is no reason to change what Argo CD does
// with it. Where the Application has a plugin in its source, Argo CD has said so in
// the environment; then a directory of which nothing can be reported is taken as well,
// since the rendering says what is wrong and Argo CD only that no plugin was found.
func discover(streams Streams) error {
	kinds := []string{goldenImages}
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
	_, err = fmt.Fprintln(streams.Out, reason)
	return err
}

// mentioned returns the first object of one of the kinds that a directory has: that
// its kustomization lists, or else that stands in a file of its own. Argo CD does
// not look below a directory unless it is reported to, and what is below may be of
// another Application; a Helm chart is for helm. Nothing is built: the directory may
// be anybody's, and large.
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
		return "", nil //nolint:nilerr // what cannot be read tells nothing
	}
	var budget regular.Budget
	for _, file := range files {
		// What cannot be read, a template for one, tells nothing.
		items, err := candidates(&budget, file, kinds)
		if errors.Is(err, regular.ErrTooLarge) || errors.Is(err, regular.ErrTooMany) {
			return "", err // nobody knows what is in it
		}
		if at := slices.IndexFunc(items, wanted); err == nil && at >= 0 {
			return tell(items[at]), nil
		}
	}
	return "", nil
}

// candidates reads a file, if it has the word for one of the kinds at all.
func candidates(budget *regular.Budget, file string, kinds []string) ([]*yaml.RNode, error) {
	data, err := budget.Read(file)
	if err != nil || !slices.ContainsFunc(kinds, func(kind string) bool { return bytes.Contains(data, []byte(kind)) }) {
		return nil, err
	}
	return manifest.Parse(filepath.ToSlash(file), data)
}

// kindOf returns which of the kinds an object is, or has in it if it is a List; ""
// if none.
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
// renders, or that the Application has chosen where that cannot be reported.
func built(streams Streams, kinds []string) string {
	r := render{streams: streams}
	items, found := r.read(nil)
	for _, item := range items {
		if kind := kindOf(item, kinds); kind != "" {
			return fmt.Sprintf("%s %s", kind, item.GetName())
		}
	}
	if found.Failed() || len(items) == 0 {
		return "the Application chooses the plugin"
	}
	return ""
}
