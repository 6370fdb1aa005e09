package cli

import (
	"cmp"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestVerify: each verb that asks registries believes an index as far as it is
// told to, by the flag or by the field.
func TestVerify(t *testing.T) {
	t.Parallel()
	const (
		missing = "its import would fail: Error retrieving image: fetching target platform image selected from image index: reading manifest sha256:"
		lie     = `manifest image architecture: "amd64" doesn't match requested architecture: "arm64"`
	)
	config := func(level string) string {
		return "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec: {registry: {insecure: [HOST], verify: " + level + "}}\n"
	}
	for _, tc := range []struct {
		reason, config string
		args           []string
		nodes          string // amd64,arm64 if ""
		status         int
		says           string // on either stream
	}{
		{reason: "render believes the index", args: []string{"render", "DIR"}, says: "dict.architectures: 'amd64,arm64'"},
		{reason: "render looks for the manifests", args: []string{"render", "DIR", "--set", "verify=children"}, status: 1, says: missing},
		{reason: "render reads the configurations", args: []string{"render", "DIR", "--set", "verify=config"}, status: 1, says: lie},
		{reason: "render takes the field", config: config("children"), args: []string{"render", "DIR"}, status: 1, says: missing},
		{
			reason: "the flag wins over the field",
			config: config("children"),
			args:   []string{"render", "DIR", "--set", "verify=index"},
			says:   "dict.architectures: 'amd64,arm64'",
		},
		{reason: "the default lays nothing over the field", config: config("index"), args: []string{"render", "DIR"}, says: "dict.architectures: 'amd64,arm64'"},
		{reason: "check looks for the manifests", args: []string{"check", "DIR", "--set", "verify=children"}, status: 1, says: missing},
		{reason: "check takes the field", config: config("config"), args: []string{"check", "DIR"}, status: 1, says: lie},
		{
			reason: "an architecture that no node has may be missing",
			nodes:  "amd64",
			args:   []string{"render", "DIR", "--set", "verify=children"},
			says:   "dict.architectures: amd64,",
		},
		{reason: "check agrees", nodes: "amd64", args: []string{"check", "DIR", "--set", "verify=children"}, says: "RightAsCommitted"},
		{
			reason: "one that spec.allow excludes may be missing",
			args:   []string{"render", "DIR", "--set", "verify=children", "--set", "allow=amd64"},
			says:   "dict.architectures: amd64,",
		},
		{
			reason: "it is a warning for those who keep what cannot be found out",
			args:   []string{"render", "DIR", "--set", "verify=children", "--set", "unresolved=Keep"},
			says:   "warning GA718",
		},
		{reason: "lock keeps what is there", config: config("children"), args: []string{"lock", "DIR"}, says: "absent"},
		{reason: "resolve believes the index", args: []string{"resolve", "HOST/x/sparse:1"}, says: "amd64,arm64"},
		{reason: "resolve looks for the manifests", args: []string{"resolve", "HOST/x/sparse:1", "--set", "verify=children"}, says: missing},
		{
			reason: "and prints what is missing",
			args:   []string{"resolve", "HOST/x/sparse:1", "--set", "verify=children", "-o", "yaml"},
			says:   "absent:\n  - architecture: arm64",
		},
		{reason: "resolve reads the configurations", args: []string{"resolve", "HOST/x/liar:1", "--set=verify=config"}, status: 1, says: lie},
		{reason: "an unknown level is misuse", args: []string{"render", "DIR", "--set", "verify=all"}, status: 2, says: "flag --set verify: "},
		{reason: "of resolve as well", args: []string{"resolve", "HOST/x/liar:1", "--set", "verify=all"}, status: 2, says: "flag --set verify: "},
		{reason: "an unknown level of the field", config: config("all"), args: []string{"render", "DIR"}, status: 1, says: "spec.registry.verify"},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			l := newLockedTree(t)
			sparse := registrytest.Index("linux/amd64", "linux/arm64")
			sparse.Children = sparse.Children[:1]
			l.registry.Push("x/sparse:1", sparse).Push("x/liar:1", registrytest.IndexOf(
				registrytest.Entry{Artifact: registrytest.Image("linux/amd64"), Platform: "linux/amd64"},
				registrytest.Entry{Artifact: registrytest.ImageWithConfig([]byte(`{"os":"linux","architecture":"amd64","config":{}}`)), Platform: "linux/arm64"},
			))
			image := "x/sparse:1"
			if tc.says == lie {
				image = "x/liar:1"
			}
			l.write("hco.yaml", withStorage(l.cr(image)))
			if tc.config != "" {
				l.write("config.yaml", strings.ReplaceAll(tc.config, "HOST", l.registry.Host()))
			}
			args := tc.args
			if args[0] == "render" || args[0] == "check" {
				args = append(args, "--workload-architectures="+cmp.Or(tc.nodes, "amd64,arm64"))
			}
			status, stdout, stderr := l.run(strings.NewReader(""), args...)
			stdout += l.read("golden-images.lock.yaml")
			if status != tc.status || !strings.Contains(stdout+stderr, tc.says) {
				t.Errorf("want status %d and %q, got %d\n%s%s", tc.status, tc.says, status, stdout, stderr)
			}
		})
	}
}

// TestVerifyOfTheFunction: kustomize and kpt pass no flags, the field does.
func TestVerifyOfTheFunction(t *testing.T) {
	t.Parallel()
	l := newLockedTree(t)
	l.registry.Push("x/sparse:1", registrytest.Index("linux/amd64", "linux/arm64").Sparse())
	list := resourceList(l.cr("x/sparse:1")) + "functionConfig:\n  apiVersion: goldenarch.dev/v1alpha1\n  kind: GoldenImages\n  metadata: {name: g}\n" +
		"  spec: {cluster: {workloadArchitectures: [amd64, arm64]}, registry: {insecure: [" + l.registry.Host() + "], verify: children}}\n"
	status, stdout, stderr := l.run(strings.NewReader(list))
	if status != 1 || !strings.Contains(stderr, "manifest unknown") || !strings.Contains(stdout, "severity: error") {
		t.Errorf("want the missing manifest told, got %d\n%s%s", status, stdout, stderr)
	}
}
