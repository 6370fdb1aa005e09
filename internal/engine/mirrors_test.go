package engine_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// templates is a CR with one template for each url.
func templates(urls ...string) string {
	var b strings.Builder
	b.WriteString(`apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}
spec:
  dataImportCronTemplates:
`)
	for i, url := range urls {
		fmt.Fprintf(&b,
			"  - {metadata: {name: t%d}, spec: {schedule: \"0 0 * * *\", managedDataSource: d%d, "+
				"template: {spec: {storage: {resources: {requests: {storage: 5Gi}}}, source: {registry: {url: \"docker://%s\", pullMethod: node}}}}}}\n",
			i, i, url)
	}
	return b.String()
}

func mirrorSet(kind, field, source, policy string, mirrors ...string) string {
	return fmt.Sprintf(`---
apiVersion: config.openshift.io/v1
kind: %s
metadata: {name: m}
spec: {%s: [{source: %q, mirrors: [%s], mirrorSourcePolicy: %s}]}
`,
		kind, field, source, `"`+strings.Join(mirrors, `", "`)+`"`, policy)
}

const mirrorConfig = `apiVersion: goldenarch.dev/v1alpha1
kind: GoldenImages
metadata: {name: c}
spec:
  predefined: none
  cluster: {workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}
  registry: {pullSecrets: [pull]}
`

// reaching asks real registries, as the command line does.
func reaching(t *testing.T) func(registry.Options) (registry.Resolver, error) {
	t.Helper()
	pool := registrytest.RootCAs()
	return func(a registry.Options) (registry.Resolver, error) {
		o := registry.Options{RootCAs: pool, Retries: -1, Credentials: a.Credentials, Env: func(string) string { return "" }}
		strict := registry.New(o)
		o.Insecure = a.Mirrors.Insecure()
		lax := registry.New(o)
		t.Cleanup(strict.Close)
		t.Cleanup(lax.Close)
		return registry.Mirrored(strict, lax, a.Mirrors), nil
	}
}

func startRegistry(t *testing.T, wrappers ...registrytest.Wrapper) *registrytest.Server {
	t.Helper()
	s, err := registrytest.Start(registrytest.Options{Wrappers: wrappers})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// A run reads the mirror sets among its items: the mirror is asked with the login
// of a pull secret that is for it, the source never.
func TestMirrorSetsReachRealRegistries(t *testing.T) {
	t.Parallel()
	mirror := startRegistry(t, registrytest.Basic(registrytest.Users{"puller": "mirror-pw"}))
	source := startRegistry(t)
	mirror.Push("q/acme/guest:1", registrytest.Index("linux/amd64", "linux/arm64"))
	source.Push("acme/guest:1", registrytest.Index("linux/amd64"))
	auth := base64.StdEncoding.EncodeToString([]byte("puller:mirror-pw"))
	secret := base64.StdEncoding.EncodeToString(fmt.Appendf(nil, `{"auths":{%q:{"auth":%q}}}`, mirror.Host()+"/q", auth))
	input := templates(source.Host()+"/acme/guest:1") +
		mirrorSet("ImageTagMirrorSet", "imageTagMirrors", source.Host(), "NeverContactSource", mirror.Host()+"/q") +
		"---\napiVersion: v1\nkind: Secret\ntype: kubernetes.io/dockerconfigjson\nmetadata: {name: pull}\ndata: {.dockerconfigjson: " + secret + "}\n"
	rendered, found := engine.Function{Open: reaching(t)}.Render(t.Context(), readItems(t, input), engine.Given(readItems(t, mirrorConfig)[0]))
	if found.Failed() || !strings.Contains(writeItems(t, rendered.Items), "amd64,arm64") {
		t.Errorf("the mirror's answer must count, got %s", found)
	}
	if diff := cmp.Diff([]string{"puller:mirror-pw"}, basics(mirror)); diff != "" {
		t.Errorf("logins at the mirror (-want +got):\n%s", diff)
	}
	if source.Counts().Total() > 0 {
		t.Errorf("the source must not be asked, got %+v", source.Counts())
	}
}

// Nothing is asked at all where a mirror set is invalid: it may be what forbids a
// registry.
func TestInvalidMirrorSetAsksNobody(t *testing.T) {
	t.Parallel()
	input := templates("quay.io/acme/guest:1") + mirrorSet("ImageTagMirrorSet", "imageTagMirrors", "quay.io", "Sometimes", "m.io")
	asked := &count{}
	function := engine.Function{Open: asked.access}
	if _, found := function.Render(t.Context(), readItems(t, input), engine.Given(readItems(t, mirrorConfig)[0])); !found.Failed() ||
		!strings.Contains(found.String(), "GA207") {
		t.Errorf("want GA207, got %s", found)
	}
	if _, found := function.Images(readItems(t, input), engine.Given(nil)); !found.Failed() || !strings.Contains(found.String(), "GA207") {
		t.Errorf("the lock must not be written either, got %s", found)
	}
	if len(asked.asked) > 0 {
		t.Errorf("nobody may be asked, got %v", asked.asked)
	}
}

// The lock's answers come through the mirrors as well, keep the reference and say
// which one it was.
func TestAnswersNameTheMirror(t *testing.T) {
	t.Parallel()
	mirror, lying := startRegistry(t), startRegistry(t)
	index := registrytest.Index("linux/amd64", "linux/arm64")
	other := registrytest.Index("linux/amd64")
	mirror.Push("guest:1", index)
	lying.Push("guest:1", other)
	lying.Push("guest:2", other)
	wrapped := startRegistry(t, registrytest.On(registrytest.Manifest, registrytest.ReplyBody(200, other.MediaType, other.Body, nil)))
	pinned := "quay.io/pinned/guest@" + index.Digest()
	input := templates("quay.io/acme/guest:1", "quay.io/acme/other:1", "quay.io/acme/third:1", pinned) +
		mirrorSet("ImageTagMirrorSet", "imageTagMirrors", "quay.io/acme", "NeverContactSource", lying.Host()+"/x", mirror.Host()) +
		mirrorSet("ImageDigestMirrorSet", "imageDigestMirrors", "quay.io/pinned", "NeverContactSource", wrapped.Host(), mirror.Host())
	mirror.Push("other:1", index)
	mirror.Push("third:1", index)
	function := engine.Function{Open: reaching(t)}
	images, found := function.Images(readItems(t, input), engine.Given(nil))
	if found.Failed() {
		t.Fatal(found)
	}
	answers, found := images.Answers(t.Context(), images.ToQuery)
	var got []string
	for _, a := range answers {
		got = append(got, a.Reference+" of "+strings.ReplaceAll(a.Mirror, mirror.Host(), "MIRROR"))
	}
	want := []string{
		"quay.io/acme/guest:1 of MIRROR/guest:1", "quay.io/acme/other:1 of MIRROR/other:1", "quay.io/acme/third:1 of MIRROR/third:1",
		pinned + " of MIRROR/guest@" + index.Digest(),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	var reported []string
	for _, f := range found.Sorted() {
		reported = append(reported, fmt.Sprintf("%s %s", f.Severity, f.ID.Public()))
	}
	// Two mirrors could not answer: one lacks three images, the other lies.
	if diff := cmp.Diff([]string{"warning GA207", "info GA207", "info GA207"}, reported); diff != "" {
		t.Errorf("(-want +got):\n%s\n%s", diff, found)
	}
	if !strings.Contains(found.String(), "(and 2 more)") {
		t.Errorf("a mirror is told of once, with how many images it lacks: %s", found)
	}
}

// failing is a Resolver that cannot reach anything.
type failing struct{ kind error }

func (f failing) Resolve(_ context.Context, ref imageref.Reference) (registry.Image, error) {
	return registry.Image{}, &registry.Error{Reference: ref.String(), Registry: ref.Host(), Kind: f.kind, Err: errors.New("no usable answer")}
}

// What looks like a mirror of a predefined image is explained when it cannot be
// reached, and never guessed.
func TestUnreachableMirrorIsExplained(t *testing.T) {
	t.Parallel()
	const mirrorOf = "this looks like a mirror of quay.io/containerdisks/fedora"
	const inside = "the registry is only reachable inside the cluster"
	cases := []struct {
		reason, url string
		kind        error
		mirror, in  bool
	}{
		{"another host, the same path", "mirror.lab.local:8443/containerdisks/fedora:latest", registry.ErrUnreachable, true, false},
		{"the path may stand below another one", "mirror.lab.local/quay/containerdisks/fedora:40", registry.ErrUnreachable, true, false},
		{"the image itself is no mirror", "quay.io/containerdisks/fedora:latest", registry.ErrUnreachable, false, false},
		{"a name that only ends alike is none", "mirror.lab.local/mycontainerdisks/fedora:latest", registry.ErrUnreachable, false, false},
		{"another image is none", "mirror.lab.local/containerdisks/debian:12", registry.ErrUnreachable, false, false},
		{"a registry that answers says more itself", "mirror.lab.local/containerdisks/fedora:latest", registry.ErrNotFound, false, false},
		{"a service of the cluster", "image-registry.openshift-image-registry.svc:5000/golden/rhel:9", registry.ErrUnreachable, false, true},
		{"the same in full, and a mirror", "registry.images.svc.cluster.local/containerdisks/fedora:latest", registry.ErrUnreachable, true, true},
		{"svc is a part of its own", "mysvc:5000/golden/rhel:9", registry.ErrUnreachable, false, false},
	}
	for _, tc := range cases {
		function := engine.Function{Open: func(registry.Options) (registry.Resolver, error) { return failing{tc.kind}, nil }}
		config := strings.Replace(mirrorConfig, "predefined: none", "predefined: upstream", 1)
		_, found := function.Render(t.Context(), readItems(t, templates(tc.url)), engine.Given(readItems(t, config)[0]))
		text := found.String()
		if !found.Failed() || !strings.Contains(text, "no usable answer") {
			t.Errorf("%s: what cannot be reached is an error, got %s", tc.reason, text)
		}
		if strings.Contains(text, mirrorOf) != tc.mirror || strings.Contains(text, inside) != tc.in ||
			strings.Contains(text, "does not guess") != (tc.mirror || tc.in) {
			t.Errorf("%s (%s): want mirror %v, inside %v, got %s", tc.reason, tc.url, tc.mirror, tc.in, text)
		}
	}
}

// The run tells of CDI once a CR, of all its templates.
func TestMirrorsAreNotForCDI(t *testing.T) {
	t.Parallel()
	pod := strings.ReplaceAll(templates("quay.io/a/b:1", "quay.io/a/c:1", "docker.io/a/d:1"), "pullMethod: node", "pullMethod: pod")
	input := pod + mirrorSet("ImageTagMirrorSet", "imageTagMirrors", "quay.io", "NeverContactSource", "m.io")
	asked := &count{}
	_, found := engine.Function{Open: asked.access}.Render(t.Context(), readItems(t, input), engine.Given(readItems(t, mirrorConfig)[0]))
	var reported []string
	for _, f := range found {
		if f.ID == finding.MirrorNotForCDI {
			reported = append(reported, f.Text)
		}
	}
	if len(reported) != 1 || !strings.Contains(reported[0], `"t0", "t1" in pods`) || strings.Contains(reported[0], "t2") {
		t.Errorf("want one finding of t0 and t1, got %q", reported)
	}
}

// places answers each image with two architectures, and notes where it would have looked.
type places struct {
	mu sync.Mutex
	of map[string]string
}

func (p *places) open(o registry.Options) (registry.Resolver, error) { return placed{p, o}, nil }

type placed struct {
	*places

	options registry.Options
}

func (p placed) Resolve(_ context.Context, ref imageref.Reference) (registry.Image, error) {
	var names []string
	for _, one := range p.options.Mirrors.Places(ref.Host()+"/"+ref.Repository(), ref.Pinned()) {
		names = append(names, one.Name)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of[ref.Repository()] = strings.Join(names, " ")
	return registry.Image{Platforms: arch.Platforms{{OS: "linux", Architecture: "amd64"}, {OS: "linux", Architecture: "arm64"}}}, nil
}

// TestPodsOfCDIFollowNoMirrorSets: only nodes follow the mirror sets of the cluster. What the configuration states counts for both.
func TestPodsOfCDIFollowNoMirrorSets(t *testing.T) {
	t.Parallel()
	input := strings.Replace(templates("quay.io/a/node:1", "quay.io/a/pod:1", "docker.io/a/stated:1"), "pod:1\", pullMethod: node", "pod:1\", pullMethod: pod", 1)
	input = strings.Replace(input, "stated:1\", pullMethod: node", "stated:1\"", 1) + mirrorSet("ImageTagMirrorSet", "imageTagMirrors", "quay.io", "AllowContactingSource", "m.io")
	config := strings.Replace(mirrorConfig, "registry: {", "registry: {mirrors: [{source: docker.io, mirrors: [d.io]}], ", 1)
	asked := &places{of: map[string]string{}}
	_, found := engine.Function{Open: asked.open}.Render(t.Context(), readItems(t, input), engine.Given(readItems(t, config)[0]))
	want := map[string]string{"a/node": "m.io/a/node quay.io/a/node", "a/pod": "quay.io/a/pod", "a/stated": "d.io/a/stated docker.io/a/stated"}
	if diff := cmp.Diff(want, asked.of); diff != "" || found.Failed() {
		t.Errorf("(-want +got):\n%s%s", diff, found)
	}
}
