package engine_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// count is a Resolver that remembers what it was asked.
type count struct {
	mu    sync.Mutex
	asked []string
	fails map[string]bool
}

func (c *count) Resolve(_ context.Context, ref imageref.Reference) (registry.Image, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked = append(c.asked, ref.String())
	if c.fails[ref.Repository()] {
		return registry.Image{}, errors.New("image " + ref.String() + " is gone")
	}
	return registry.Image{Reference: ref.String()}, nil
}

func (c *count) access(registry.Options) (registry.Resolver, error) { return c, nil }

// imagesInput has templates of every kind of source.
const imagesInput = `apiVersion: hco.kubevirt.io/v1
kind: HyperConverged
metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}
spec:
  workloadSources:
    dataImportCronTemplates:
    - metadata: {name: url}
      spec:
        schedule: ""
        managedDataSource: a
        template: {spec: {source: {registry: {url: "docker://quay.io/acme/b:1"}}}}
    - metadata: {name: again}
      spec:
        schedule: ""
        managedDataSource: b
        template: {spec: {source: {registry: {url: "docker://quay.io/acme/b:1"}}}}
    - metadata: {name: stream}
      spec:
        schedule: ""
        managedDataSource: c
        template: {spec: {source: {registry: {imageStream: rhel, pullMethod: node}}}}
    - metadata: {name: nostream}
      spec:
        schedule: ""
        managedDataSource: d
        template: {spec: {source: {registry: {imageStream: none, pullMethod: node}}}}
    - metadata: {name: http}
      spec:
        schedule: ""
        managedDataSource: e
        template: {spec: {source: {http: {url: "https://example.com/a"}}}}
    - metadata: {name: overridden}
      spec:
        schedule: ""
        managedDataSource: f
        template: {spec: {source: {registry: {url: "docker://quay.io/acme/stated:1"}}}}
    - metadata: {name: template}
      spec:
        schedule: ""
        managedDataSource: g
        template:
          spec: {source: {registry: {url: "docker://quay.io/acme/vouched:1"}}}
    - metadata:
        name: switched
        annotations: {dataimportcrontemplate.kubevirt.io/enable: "false"}
      spec:
        schedule: ""
        managedDataSource: h
        template: {spec: {source: {registry: {url: "docker://quay.io/acme/off:1"}}}}
---
apiVersion: image.openshift.io/v1
kind: ImageStream
metadata: {name: rhel, namespace: kubevirt-os-images}
spec:
  tags:
  - name: latest
    from: {kind: DockerImage, name: "registry.example.com/rhel/guest:10"}
---
apiVersion: v1
kind: Node
metadata: {name: 5}
status: what
---
apiVersion: goldenarch.dev/v1alpha1
kind: ArchitectureLock
metadata: {name: l}
images: what
`

func TestImagesAndAnswers(t *testing.T) {
	t.Parallel()
	config := readItems(t,
		`apiVersion: goldenarch.dev/v1alpha1
kind: GoldenImages
metadata: {name: g}
spec:
  overrides:
  - {image: "quay.io/acme/stated:1", architectures: [amd64]}
  - {template: template, architectures: [amd64]}
  lock: {mode: Require}
`)
	asked := &count{fails: map[string]bool{"acme/b": true}}
	function := engine.Function{Open: asked.access}
	images, found := function.Images(readItems(t, imagesInput), engine.Given(config[0]))
	if found.Failed() || len(found) != 1 || !strings.Contains(found.String(), "GA201") {
		t.Errorf("nothing but the missing ImageStream is told; neither nodes nor the lock are read: got %s", found)
	}
	names := func(refs []imageref.Reference) (out []string) {
		for _, ref := range refs {
			out = append(out, ref.String())
		}
		return out
	}
	if diff := cmp.Diff([]string{"quay.io/acme/b:1", "registry.example.com/rhel/guest:10"}, names(images.ToQuery)); diff != "" {
		t.Errorf("each image that a run would ask for, once (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"quay.io/acme/stated:1"}, names(images.Stated)); diff != "" {
		t.Errorf("what is stated is not asked for (-want +got):\n%s", diff)
	}
	if len(images.CRs) != 1 || len(images.Locks) != 1 || images.Locks[0].Kind != v1alpha1.ArchitectureLockKind {
		t.Errorf("want one CR and one lock, got %v and %v", images.CRs, images.Locks)
	}
	answers, found := images.Answers(t.Context(), images.ToQuery)
	if len(answers) != 1 || answers[0].Reference != "registry.example.com/rhel/guest:10" || len(asked.asked) != 2 {
		t.Errorf("all are asked for at once, whatever the mode of the lock: got %v, asked %v", answers, asked.asked)
	}
	const want = `error GA201 HyperConverged/kubevirt-hyperconverged spec.workloadSources.dataImportCronTemplates[0]: ` +
		`template "url": image quay.io/acme/b:1 is gone. State its architectures in spec.overrides`
	if got := strings.TrimSpace(found.String()); got != want {
		t.Errorf("what fails is told with the template that names it:\nwant %s\ngot  %s", want, got)
	}
}

// What cannot be read at all locks nothing.
func TestImagesRefuses(t *testing.T) {
	t.Parallel()
	for reason, input := range map[string]string{
		"a reference that is none":  strings.Replace(imagesInput, "docker://quay.io/acme/b:1", "docker://quay.io//b", 1),
		"a CR that is none":         "apiVersion: hco.kubevirt.io/v1\nkind: HyperConverged\nmetadata: {name: a}\nspec: [a]\n",
		"both an url and a stream":  strings.Replace(imagesInput, "imageStream: none", `imageStream: none, url: "docker://a/b"`, 1),
		"a configuration of no use": imagesInput + "---\napiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec: {lock: {mode: x}}\n",
	} {
		function := engine.Function{Open: (&count{}).access}
		if _, found := function.Images(readItems(t, input), engine.Given(nil)); !found.Failed() {
			t.Errorf("%s: want an error, got %s", reason, found)
		}
	}
	function := engine.Function{Open: func(registry.Options) (registry.Resolver, error) { return nil, os.ErrPermission }}
	images, _ := function.Images(readItems(t, imagesInput), engine.Given(nil))
	if _, found := images.Answers(t.Context(), images.ToQuery); !found.Failed() || !strings.Contains(found.String(), "GA005") {
		t.Errorf("registries that cannot be reached as configured are told, got %s", found)
	}
	if answers, found := images.Answers(t.Context(), nil); len(answers)+len(found) > 0 {
		t.Errorf("nobody is asked for nothing, got %v %s", answers, found)
	}
}
