package cli

import (
	"bytes"
	"context"
	"errors"
	"net"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

func TestKustomizeOf(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		main debug.Module
		deps []*debug.Module
		want string
	}{
		"Installed": {main: debug.Module{Path: "sigs.k8s.io/kustomize/kustomize/v4", Version: "v4.5.7"}, want: "v4.5.7"},
		"Released":  {main: debug.Module{Path: "sigs.k8s.io/kustomize/kustomize/v5", Version: "(devel)"}, want: "v5"},
		"Kubectl": {
			main: debug.Module{Path: "k8s.io/kubernetes"},
			deps: []*debug.Module{{Path: "sigs.k8s.io/kustomize/kustomize/v5", Version: "v5.6.0"}},
			want: "v5.6.0",
		},
		"NotVersion": {main: debug.Module{Path: "sigs.k8s.io/kustomize/kustomize/v5", Version: "v0.0.0-20260102030405-abcdefabcdef"}, want: "v5"},
		"Other":      {main: debug.Module{Path: "example.com/kustomize"}, deps: []*debug.Module{{Path: "sigs.k8s.io/kustomize/api", Version: "v0.12.1"}}},
	} {
		if got := kustomizeOf(&debug.BuildInfo{Main: tc.main, Deps: tc.deps}); got != tc.want {
			t.Errorf("%s: want %q, got %q", name, tc.want, got)
		}
	}
}

// TestShowsResults: goldenarch prints its findings where the host does not.
func TestShowsResults(t *testing.T) {
	t.Parallel()
	item := func(annotation string) []*yaml.RNode {
		return []*yaml.RNode{yaml.MustParse("apiVersion: v1\nkind: Pod\nmetadata: {name: p, annotations: {" + annotation + "}}\n")}
	}
	const file = "config.kubernetes.io/path: p.yaml"
	for name, tc := range map[string]struct {
		annotation, parent string
		container, want    bool
	}{
		"KptRender":          {annotation: "internal.config.kubernetes.io/package-path: /x", container: true, want: true},
		"KptEval":            {annotation: file, parent: "github.com/kptdev/kpt", want: true},
		"KptEvalOld":         {annotation: file, parent: "github.com/GoogleContainerTools/kpt", want: true},
		"KptEvalInContainer": {annotation: file, container: true, want: true},
		"Pipe":               {annotation: file, parent: "example.com/shell"},
		"Kustomize":          {annotation: "kustomize.config.k8s.io/id: x", parent: "sigs.k8s.io/kustomize/kustomize/v5"},
		"KustomizeContainer": {annotation: "kustomize.config.k8s.io/id: x", container: true},
		"Generator":          {annotation: "config.kubernetes.io/local-config: 'true'", container: true},
	} {
		env := func(string) (string, bool) { return strconv.FormatBool(tc.container), tc.container }
		program := func() *debug.BuildInfo { return &debug.BuildInfo{Main: debug.Module{Path: tc.parent}} }
		if got := showsResults(item(tc.annotation), program, env)(); got != tc.want {
			t.Errorf("%s: want %v, got %v", name, tc.want, got)
		}
	}
}

func TestReachesOut(t *testing.T) {
	t.Parallel()
	loopback, up := net.Interface{Name: "lo", Flags: net.FlagUp | net.FlagLoopback}, net.Interface{Name: "eth0", Flags: net.FlagUp}
	if reachesOut(nil) || reachesOut([]net.Interface{loopback, {Name: "tunl0"}}) || !reachesOut([]net.Interface{loopback, up}) {
		t.Error("only an interface that is up, and is not the loopback, leads out of the machine")
	}
	if isIsolated(2) {
		t.Error("only the first process of a container is the function")
	}
}

type failing struct{ err error }

func (f failing) Resolve(context.Context, imageref.Reference) (registry.Image, error) {
	return registry.Image{}, f.err
}

// TestAdvised: only a registry that cannot be reached gets the advice about the network.
func TestAdvised(t *testing.T) {
	t.Parallel()
	for _, kind := range []error{registry.ErrUnreachable, registry.ErrDenied} {
		open := advised(func(registry.Options) (registry.Resolver, error) {
			return failing{&registry.Error{Kind: kind, Hint: "usual", Err: errors.New("x")}}, nil
		}, "network: true")
		resolver, err := open(registry.Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = resolver.Resolve(t.Context(), imageref.Reference{})
		if got := strings.Contains(err.Error(), "network: true"); got != errors.Is(kind, registry.ErrUnreachable) || got == strings.Contains(err.Error(), "usual") {
			t.Errorf("%v: %v", kind, err)
		}
	}
}

// TestFindingsUnderKpt: kpt prints the results, kustomize drops them.
func TestFindingsUnderKpt(t *testing.T) {
	t.Parallel()
	const list = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: x
    annotations:
      KEY: x
`
	for key, tc := range map[string]struct {
		host    engine.Host
		printed bool
	}{
		"internal.config.kubernetes.io/package-path": {engine.Kpt, false},
		"kustomize.config.k8s.io/id":                 {engine.Kustomize, true},
		"example.com/other":                          {"", true},
	} {
		var out, errs bytes.Buffer
		streams := Streams{In: strings.NewReader(strings.Replace(list, "KEY", key, 1)), printer: console.New(&out, &errs)}
		root := newFunction(streams)
		root.SetArgs([]string{})
		if err := root.ExecuteContext(t.Context()); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), "GA003") || strings.Contains(errs.String(), "GA003") != tc.printed {
			t.Errorf("%s: results\n%s\nand standard error\n%s", key, out.String(), errs.String())
		}
	}
}
