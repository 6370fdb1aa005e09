package fn_test

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/fn"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/manifest/resourcelist"
)

// TestKyamlsReader runs each golden case through kyaml's own framework.Execute and
// through goldenarch's reader and writer. Both give the same items, the same results
// and the same error: Process needs nothing but the items. Two things are the
// reader's own and may differ: which line a node has, and, where a host names no
// files, whether a new item names one.
func TestKyamlsReader(t *testing.T) {
	t.Parallel()
	for _, dir := range goldenDirs(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			in := resourceListOf(t, readFile(t, dir, "config.yaml"), readFile(t, dir, "input.yaml"))
			images := answersOf(t, readFile(t, dir, "images.yaml"))
			function := fn.Function{Options: fn.Options{Dir: dir}}.Opened(func(o registry.Options) (registry.Resolver, error) {
				return registry.Mirrored(images, images, o.Mirrors), nil
			})
			var kyamls, ours bytes.Buffer
			failed := framework.Execute(function, &kio.ByteReadWriter{Reader: bytes.NewReader(in), Writer: &kyamls, KeepReaderAnnotations: true})
			if err := new(resourcelist.Lazy).Execute(processorOf(function), bytes.NewReader(in), &ours); !errors.Is(err, failed) {
				t.Errorf("want the error %v, got %v", failed, err)
			}
			if want := readFile(t, dir, "findings.txt"); strings.Contains("\n"+want, "\nerror ") != errors.Is(failed, fn.ErrFindings) {
				t.Errorf("Process returned %v, which does not go with findings.txt", failed)
			}
			if diff := cmp.Diff(valuesOf(t, kyamls.Bytes()), valuesOf(t, ours.Bytes())); diff != "" {
				t.Errorf("kyaml's reader and writer give something else (-kyaml +ours):\n%s", diff)
			}
		})
	}
}

// processorOf returns the function for goldenarch's reader and writer.
func processorOf(function fn.Function) resourcelist.Processor {
	return func(list *resourcelist.List) (err error) {
		rl := &framework.ResourceList{Items: list.Items, FunctionConfig: list.FunctionConfig}
		found, err := function.Findings(context.Background(), rl)
		list.Items, list.Results = rl.Items, found.Results()
		return err
	}
}

// resourceListOf makes a ResourceList of a configuration, which may be empty, and an input.
func resourceListOf(t *testing.T, config, input string) []byte {
	t.Helper()
	rl := kio.ByteWriter{KeepReaderAnnotations: true, WrappingAPIVersion: kio.ResourceListAPIVersion, WrappingKind: kio.ResourceListKind}
	if items := readItems(t, config); len(items) > 0 {
		rl.FunctionConfig = items[0]
	}
	var out bytes.Buffer
	rl.Writer = &out
	if err := rl.Write(readItems(t, input)); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// valuesOf returns what the parts of a ResourceList say, whatever form they have.
func valuesOf(t *testing.T, text []byte) []string {
	t.Helper()
	reader := &kio.ByteReader{Reader: bytes.NewReader(text), OmitReaderAnnotations: true}
	items, err := reader.Read()
	if err != nil {
		t.Fatal(err)
	}
	if reader.WrappingKind != kio.ResourceListKind {
		t.Fatalf("not a ResourceList:\n%s", text)
	}
	var out []string
	for _, item := range items {
		for _, key := range []string{
			"internal.config.kubernetes.io/path", "internal.config.kubernetes.io/index",
			"config.kubernetes.io/path", "config.kubernetes.io/index",
		} {
			if err := item.PipeE(yaml.ClearAnnotation(key)); err != nil {
				t.Fatal(err)
			}
		}
		if err := yaml.ClearEmptyAnnotations(item); err != nil {
			t.Fatal(err)
		}
	}
	for _, node := range append([]*yaml.RNode{reader.FunctionConfig, reader.Results}, items...) {
		if node.IsNil() {
			out = append(out, "none")
			continue
		}
		one, err := node.String()
		if err != nil {
			t.Fatal(err)
		}
		data, err := k8syaml.YAMLToJSON([]byte(one))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, lineNumber.ReplaceAllString(string(data), "line N"))
	}
	return out
}

// lineNumber is a line in the text of a decoder's error.
var lineNumber = regexp.MustCompile(`line [0-9]+`)
