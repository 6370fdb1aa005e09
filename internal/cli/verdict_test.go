package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestVerdictsOfPublicReports: inputs from public reports get the right verdict, with a reason that
// is true and a fix that helps.
func TestVerdictsOfPublicReports(t *testing.T) {
	t.Parallel()
	nodes := func(workload, controlPlane string) []string {
		return []string{"--workload-architectures", workload, "--control-plane-architectures", controlPlane, "--offline"}
	}
	for _, tc := range []struct {
		reason string
		dir    string
		file   string
		args   []string
		status int
		says   []string // one with - must be absent
	}{
		{
			reason: "HCO 1.15 has no gate, and its v1beta1 no such field (hyperconverged-cluster-operator#3745)",
			dir:    "gate-before-1.16", file: "hc.yaml", args: append(nodes("amd64,arm64", "amd64"), "--release", "1.15"), status: 1,
			says: []string{"error GA408", "warning GA402", "v1beta1 of HCO 1.15 has no field", "-of HCO 1.16 has no field"},
		},
		{
			reason: "an upgrade left an empty object in the stored CR, which HCO takes as empty (hyperconverged-cluster-operator#4493)",
			dir:    "live-with-empty-gates", file: "git.yaml",
			args:   []string{"--live", "testdata/verdict/live-with-empty-gates/live.yaml", "--offline", "--image", "quay.io/acme/fedora:42=amd64,arm64"},
			status: 1,
			says: []string{
				"warning GA411", "spec.featureGates (testdata/verdict/live-with-empty-gates/live.yaml:5)", "reads it as empty", "workload amd64,arm64, control plane amd64",
				"error GA430", "-error GA411", "-workload unknown", "-warning GA114",
			},
		},
		{
			reason: "CDI refuses a cron that imports from a server, so its DataSource never gets a disk (containerized-data-importer#3087)",
			dir:    "http-source-cron", file: "vmdic.yaml", args: append(nodes("amd64,arm64", "amd64"), "--release", "1.18"), status: 1,
			says: []string{"error GA501 DataImportCron/noble-weekly", "Missing source", "error GA904 VirtualMachine/web", "1 machine: 1 fails", "-GA867"},
		},
		{
			reason: "KubeVirt compares the names of feature gates exactly (kubevirt#11774)",
			dir:    "misspelled-gate", file: "vm.yaml",
			args: append(nodes("amd64,arm64", "arm64"), "--release", "1.17", "--image", "quay.io/acme/fedora:42=amd64,arm64"),
			says: []string{
				"warning GA906 VirtualMachine/web", "KubeVirt refuses the machine when it is created", `"Multiarchitecture"`,
				"(testdata/verdict/misspelled-gate/vm.yaml:7)", "-HyperConverged",
			},
		},
		{
			reason: "a disk for arm64, and no node with arm64 (kubevirt#12176)",
			dir:    "arm64-on-amd64-cluster", file: "vm.yaml", status: 1,
			args: append(nodes("amd64", "amd64"), "--release", "1.18", "--image", "quay.io/acme/ubuntu:24.04=amd64,arm64"),
			says: []string{
				"error GA903 VirtualMachine/arm64_vm", "no node that may run machines has arm64", "Use a disk for amd64, or add nodes with arm64",
				"-architecture: arm64", "1 machine: 1 fails",
			},
		},
		{
			reason: "CDI's poller mounts the Secret and the ConfigMap in the namespace of CDI (containerized-data-importer#2688)",
			dir:    "certificates-in-one-namespace", file: "hc.yaml",
			args: append(nodes("amd64,arm64", "amd64"), "--release", "1.18", "--set", "predefined=none", "--image",
				"registry.acme.example/golden/fedora:42=amd64,arm64"),
			says: []string{
				"warning GA211", `Secret "acme-pull" is in the namespace openshift-virtualization-os-images alone`, `ConfigMap "acme-ca"`,
				"in the namespace openshift-cnv, too", "RightAsCommitted",
			},
		},
		{
			reason: "kustomize passes a generator no resources (kustomize#5502)", dir: "listed-under-generators", args: []string{"--offline"}, status: 1,
			says: []string{"error GA001", "lists goldenarch under generators", "list it last under transformers", "-GA812"},
		},
		{
			reason: "templates among the values of an Application", dir: "values-of-application", file: "app.yaml", status: 1,
			args: append(nodes("amd64,arm64", "amd64"), "--release", "1.18"),
			says: []string{"error GA830", "values-of-application/app.yaml#spec.source.helm.valuesObject.hyperconverged.spec@v1beta1", "-GA003"},
		},
		{
			reason: "and of a HelmRelease", dir: "values-of-application", file: "hr.yaml", status: 1, args: append(nodes("amd64,arm64", "amd64"), "--release", "1.18"),
			says: []string{"error GA830", "values-of-application/hr.yaml#spec.values.hyperconverged@v1beta1", "-GA003"},
		},
	} {
		t.Run(tc.dir+"/"+tc.file, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"check", filepath.Join("testdata", "verdict", tc.dir, tc.file)}, tc.args...)
			out, messages, status := runIn(t, ".", args...)
			if status != tc.status {
				t.Errorf("%s: want the status %d, got %d", tc.reason, tc.status, status)
			}
			for _, part := range tc.says {
				absent, not := strings.CutPrefix(part, "-")
				if strings.Contains(out, absent) == not {
					t.Errorf("%s: %q:\n%s%s", tc.reason, part, out, messages)
				}
			}
		})
	}
}

// TestVerdictsOfPublicRepositories: the same of repositories.
func TestVerdictsOfPublicRepositories(t *testing.T) {
	t.Parallel()
	const image = "quay.io/acme/fedora:42=amd64,arm64"
	for _, tc := range []struct {
		reason string
		dir    string
		bare   bool // outside of Git
		args   []string
		status int
		says   []string
	}{
		{
			reason: "a Fleet in the working directory, and no Git (argo-cd#29309)", dir: "fleet-without-git", bare: true,
			args: []string{"check", "envs/a", "--offline", "--image", image}, status: 1,
			says: []string{"workload amd64,arm64", "error GA430", "-error GA114"},
		},
		{
			reason: "Flux fills in the registry of an image", dir: "substitution",
			args: []string{
				"check", ".", "--release", "1.19", "--set", "predefined=none", "--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64",
				"--offline", "--image", "mirror.acme.example/" + "acme/fedora:42=amd64,arm64",
			},
			status: 1, says: []string{"${registry}", "goldenarch check -", "-lower case"},
		},
		{
			reason: "an Application sets the gate in a parameter of the plugin (argo-cd#5293)", dir: "parameters-of-application",
			args: []string{"check", ".", "--set", "predefined=none", "--offline", "--image", image}, status: 1,
			says: []string{"error GA430", "as: rendered", "-RightOnceRendered"},
		},
		{
			reason: "which contradicts what is stated", dir: "parameters-of-application",
			args: []string{"check", ".", "--set", "predefined=none", "--offline", "--image", image, "--as", "rendered"}, status: 1,
			says: []string{"error GA874", "Application/virt-west", `parameter "gate" to "Disable"`},
		},
		{
			reason: "the plugin is another one (argo-helm#2061)", dir: "other-plugin",
			args: []string{"check", ".", "--set", "predefined=none", "--offline", "--image", image}, status: 1,
			says: []string{"error GA430", "goldenarch fix", "as: rendered", "-RightOnceRendered"},
		},
	} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "verdict", tc.dir))); err != nil {
			t.Fatal(err)
		}
		if !tc.bare {
			git(t, dir, "", "init", "--quiet")
			git(t, dir, "", "remote", "add", "origin", "https://git.acme.example/virt.git")
		}
		out, status := inTree(t, dir, nil, tc.args...)
		if status != tc.status {
			t.Errorf("%s: want status %d, got %d\n%s", tc.reason, tc.status, status, out)
		}
		for _, part := range tc.says {
			if part, absent := strings.CutPrefix(part, "-"); strings.Contains(out, part) == absent {
				t.Errorf("%s: %q, absent: %v\n%s", tc.reason, part, absent, out)
			}
		}
	}
}
