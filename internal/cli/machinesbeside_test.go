package cli

import (
	"maps"
	"strings"
	"testing"
)

// TestMachinesBesideTheOnlyCR: machines that are in no cluster are judged by the only CR of the repository. What depends on its
// DataSources is a warning, what is wrong on the stated nodes an error.
func TestMachinesBesideTheOnlyCR(t *testing.T) {
	t.Parallel()
	overlay := map[string]string{
		"base/hco.yaml": gateOn, "base/kustomization.yaml": "resources: [hco.yaml]\n", "prod/kustomization.yaml": "resources: [../base]\n",
	}
	of := func(architecture, source string) string {
		return strings.NewReplacer("ARCH", architecture, "SOURCE", source).Replace(
			"apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a, namespace: x}\n" +
				"spec:\n  running: true\n  dataVolumeTemplates:\n  - metadata: {name: d}\n    spec: {sourceRef: {kind: DataSource, name: SOURCE, " +
				"namespace: kubevirt-os-images}, storage: {}}\n" +
				"  template: {spec: {architecture: ARCH, domain: {devices: {}}, volumes: [{name: d, dataVolume: {name: d}}]}}\n")
	}
	for _, tc := range []struct {
		reason string
		files  map[string]string
		args   []string
		says   []string
		status int
	}{
		{
			"a machine that starts",
			map[string]string{"vms/a.yaml": of("amd64", "fedora-amd64")},
			nil,
			[]string{"1 machine: 1 starts", "that the only HyperConverged CR judges", "vms/a.yaml", "-GA867", "1 cluster,", "RightAsCommitted"},
			0,
		},
		{
			"no node has its architecture",
			map[string]string{"vms/a.yaml": of("s390x", "fedora-amd64")},
			nil,
			[]string{"error GA903", "1 fails", "NotRight"},
			1,
		},
		{
			"a DataSource that the CR does not make",
			map[string]string{"vms/a.yaml": of("amd64", "nope")},
			nil,
			[]string{"warning GA904", "only HyperConverged CR", "1 depends", "RightAsCommitted"},
			0,
		},
		{
			"a disk of another architecture",
			map[string]string{"vms/a.yaml": of("arm64", "fedora-amd64")},
			nil,
			[]string{"warning GA903", "1 depends", "RightAsCommitted"},
			0,
		},
		{"the Fleet states the cluster", map[string]string{
			"vms/a.yaml": of("amd64", "nope"),
			"goldenarch.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n" +
				"- {paths: [prod], facts: facts.yaml}\n- {paths: [vms], facts: facts.yaml}\n",
			"facts.yaml": "FACTS",
		}, nil, []string{"error GA904", "-the only HyperConverged CR judges", "NotRight"}, 1},
		{
			"two clusters",
			map[string]string{"vms/a.yaml": of("s390x", "nope"), "lab/kustomization.yaml": "resources: [../base]\n"},
			nil,
			[]string{"machines of no cluster", "-GA904", "-GA903", "RightAsCommitted"},
			0,
		},
		{
			"nobody asks",
			map[string]string{"vms/a.yaml": of("s390x", "nope")},
			[]string{"--machines", "None"},
			[]string{"-GA867", "-GA903", "RightAsCommitted"},
			0,
		},
		{
			"the number of clusters is that of the CRs",
			map[string]string{"vms/a.yaml": of("amd64", "fedora-amd64")},
			[]string{"--expect-clusters", "1"},
			[]string{"RightAsCommitted"},
			0,
		},
		{
			"a build of machines",
			map[string]string{"vms/a.yaml": of("s390x", "fedora-amd64"), "vms/kustomization.yaml": "resources: [a.yaml]\n"},
			nil,
			[]string{"error GA903", "1 cluster,", "NotRight"},
			1,
		},
	} {
		files := map[string]string{}
		for _, list := range []map[string]string{overlay, tc.files} {
			maps.Copy(files, list)
		}
		stated := []string{
			"--offline", "--release", "4.20", "--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64",
		}
		if files["facts.yaml"] == "FACTS" {
			dir := writeTree(t, overlay)
			facts, errs, status := runIn(t, dir, append([]string{"forecast", "prod", "-o", "facts"}, stated...)...)
			if status != statusOK {
				t.Fatal(errs)
			}
			files["facts.yaml"] = facts
		}
		dir := writeTree(t, files)
		out, errs, status := runIn(t, dir, append(append([]string{"check", "."}, stated...), tc.args...)...)
		if status != tc.status {
			t.Errorf("%s: want status %d, got %d", tc.reason, tc.status, status)
		}
		for _, part := range tc.says {
			if part, absent := strings.CutPrefix(part, "-"); strings.Contains(out, part) == absent {
				t.Errorf("%s: %q, absent: %v\n%s%s", tc.reason, part, absent, out, errs)
			}
		}
	}
}
