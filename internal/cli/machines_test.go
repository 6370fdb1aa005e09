package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestMachinesOfAnotherRepository: the example of two repositories, of which one publishes the
// facts that the other checks its machines with.
func TestMachinesOfAnotherRepository(t *testing.T) {
	t.Parallel()
	const example = "../../examples/machines/"
	run := func(args ...string) (string, string, int) {
		status, out, errs := runFed(t, "", args...)
		return out, errs, status
	}
	facts, errs, status := run("forecast", example+"platform", "--config", example+"platform/golden-images.yaml", "-o", "facts")
	stored, err := os.ReadFile(example + "machines/cluster-facts.yaml")
	if err != nil || status != 0 || facts != string(stored) {
		t.Fatalf("the facts are not those of the example (%v, status %d): %s\n%s", err, status, errs, facts)
	}
	out, errs, status := run("check", example+"machines", "--facts", example+"machines/cluster-facts.yaml", "-o", "json")
	var got struct {
		Verdict  string `json:"verdict"`
		Machines []struct {
			Name         string `json:"name"`
			Architecture string `json:"architecture"`
			DecidedBy    string `json:"decidedBy"`
			Verdict      string `json:"verdict"`
			Disks        []struct {
				Source       string `json:"source"`
				Architecture string `json:"architecture"`
			} `json:"disks"`
			Nodes []struct {
				Architecture string `json:"architecture"`
			} `json:"nodes"`
		} `json:"machines"`
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || status != 0 {
		t.Fatalf("%v, status %d: %s", err, status, errs)
	}
	if got.Verdict != "RightAsCommitted" || len(got.Machines) != 2 {
		t.Fatalf("want two machines that start, got %s", out)
	}
	for i, want := range []struct{ name, architecture, by string }{{"web", "amd64", "dataSource"}, {"build", "arm64", "machine"}} {
		m := got.Machines[i]
		if m.Name != want.name || m.Architecture != want.architecture || m.DecidedBy != want.by || m.Verdict != "Starts" ||
			m.Disks[0].Architecture != want.architecture || m.Nodes[0].Architecture != want.architecture {
			t.Errorf("want %v, got %v", want, m)
		}
	}
	// The facts as a ConfigMap, and facts that are not.
	published := filepath.Join(t.TempDir(), "published.yaml")
	text := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: facts}\ndata:\n  facts.yaml: |\n    " + strings.ReplaceAll(facts, "\n", "\n    ") + "\n"
	filetest.File(t, published, text)
	if out, errs, status := run("check", example+"machines/web.yaml", "--facts", published); status != 0 || !strings.Contains(out, "Starts") {
		t.Errorf("the ConfigMap: status %d: %s%s", status, out, errs)
	}
	if out, _, status := run("check", example+"machines/web.yaml", "--facts", example+"platform/hco.yaml"); status != 1 || !strings.Contains(out, "GA912") {
		t.Errorf("a file without facts: status %d: %s", status, out)
	}
}

// TestFactsOfFleet: an entry of a Fleet states the cluster of a directory with machines, and
// facts that no longer agree with the CR are reported.
func TestFactsOfFleet(t *testing.T) {
	t.Parallel()
	facts := `apiVersion: goldenarch.dev/v1alpha1
kind: ClusterFacts
metadata: {name: k, annotations: {config.kubernetes.io/local-config: "true"}}
spec:
  source: {kind: HyperConverged, namespace: kubevirt-hyperconverged, name: kubevirt-hyperconverged}
  release: "1.19"
  workloadArchitectures: [amd64]
  controlPlaneArchitectures: [amd64]
  kubevirt: {defaultArchitecture: amd64}
  goldenImages: {namespace: kubevirt-os-images, complete: true}
`
	dir := writeTree(t, map[string]string{
		"virt/hco.yaml": plainCR, "facts/a.yaml": facts, "vms/vm.yaml": plainMachine,
		"goldenarch.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n" +
			"- {paths: [virt], workloadArchitectures: [amd64], controlPlaneArchitectures: [amd64], release: '1.19'}\n- {paths: [vms], facts: facts/a.yaml}\n",
	})
	status, out, errs := runFed(t, "", "check", dir, "--offline")
	stale := "warning GA912 (" + filepath.ToSlash(filepath.Join(dir, "facts/a.yaml")) + ")"
	for _, part := range []string{"vms  amd64 ", "Starts", stale, "RightAsCommitted"} {
		if !strings.Contains(out, part) || status != 0 {
			t.Errorf("%q is missing, status %d:\n%s%s", part, status, out, errs)
		}
	}
}

// TestMachinesOfAStatedCluster: without a CR and without facts, machines are checked with what
// the user states about the cluster.
func TestMachinesOfAStatedCluster(t *testing.T) {
	t.Parallel()
	const plain = "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a}\nspec: {template: {spec: {domain: {devices: {}}}}}\n"
	const golden = "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a}\nspec:\n" +
		"  dataVolumeTemplates:\n  - metadata: {name: root}\n    spec:\n" +
		"      sourceRef: {kind: DataSource, namespace: openshift-virtualization-os-images, name: mine}\n" +
		"  template: {spec: {domain: {devices: {}}, volumes: [{name: root, dataVolume: {name: root}}]}}\n"
	const disk = "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a}\n" +
		"spec: {template: {spec: {domain: {devices: {}}, volumes: [{name: root, containerDisk: {image: 'example.com/a:1'}}]}}}\n"
	const volume = "apiVersion: cdi.kubevirt.io/v1beta1\nkind: DataVolume\nmetadata: {name: d}\nspec: {source: {blank: {}}}\n"
	const digest = "7625f9f5f4433a17983c69120f05100ba3e50a41e2afaea21b78e07eb49b651c"
	const node = "apiVersion: v1\nkind: Node\nmetadata: {name: one, labels: {node-role.kubernetes.io/worker: '', " +
		"node-role.kubernetes.io/control-plane: '', kubernetes.io/os: linux, kubernetes.io/arch: arm64}}\n" +
		"status: {nodeInfo: {architecture: arm64, operatingSystem: linux}}\n"
	const live = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged, namespace: openshift-cnv, uid: u, " +
		"resourceVersion: '1'}\nspec: {}\nstatus: {versions: [{name: operator, version: 1.18.0}], " +
		"nodeInfo: {workloadsArchitectures: [arm64], controlPlaneArchitectures: [arm64]}}\n"
	const config = "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec:\n  release: '1.18'\n" +
		"  cluster: {workloadArchitectures: [arm64], controlPlaneArchitectures: [arm64]}\n"
	stated := func(release string) []string {
		out := []string{"--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64"}
		if release != "" {
			out = append(out, "--release", release)
		}
		return out
	}
	for _, tc := range []struct {
		reason string
		files  map[string]string
		args   []string
		want   []string // one with - must be absent
		status int
	}{
		{"HCO sets the default", map[string]string{"vm.yaml": plain}, stated("1.18"), []string{"VirtualMachine/a  amd64", "Starts", "-GA003", "-GA114"}, 0},
		{
			"no other node can run it",
			map[string]string{"vm.yaml": strings.Replace(plain, "{domain", "{architecture: s390x, domain", 1)},
			stated("1.18"),
			[]string{"Fails", "error GA903", "NotRight"},
			1,
		},
		{"virt-operator decides", map[string]string{"vm.yaml": plain}, stated("1.17"), []string{"amd64 or arm64", "GA906", "-GA003", "-GA114"}, 0},
		{"the release is missing", map[string]string{"vm.yaml": plain}, stated(""), []string{"amd64 or arm64", "warning GA114", "--release 1.19", "-GA003"}, 0},
		{
			"a release that no answer depends on",
			map[string]string{"vm.yaml": strings.Replace(plain, "{domain", "{architecture: arm64, domain", 1)},
			stated(""),
			[]string{"VirtualMachine/a  arm64", "Starts", "-GA114"},
			0,
		},
		{
			"the control plane is missing",
			map[string]string{"vm.yaml": plain},
			[]string{"--workload-architectures", "amd64,arm64", "--release", "1.18"},
			[]string{"warning GA114", "--control-plane-architectures amd64", "GA906"},
			0,
		},
		{
			"the nodes are missing",
			map[string]string{"vm.yaml": plain},
			[]string{"--release", "1.18"},
			[]string{"error GA003", "warning GA114", "NothingChecked"},
			1,
		},
		{
			"a DataSource stays unknown",
			map[string]string{"vm.yaml": golden},
			stated("1.18"),
			[]string{"unknown: 1 machine", "amd64 or arm64", "-GA904", "error GA003", "--allow-empty", "failed: NothingChecked, 1 machine: 1 unknown, "},
			1,
		},
		{
			"which a person accepts",
			map[string]string{"vm.yaml": golden},
			append(stated("1.18"), "--allow-empty"),
			[]string{"unknown: 1 machine", "passed: NothingChecked, 1 machine: 1 unknown, "},
			0,
		},
		{
			"beside a machine of which goldenarch knows more",
			map[string]string{"vm.yaml": golden, "b.yaml": strings.Replace(plain, "name: a", "name: b", 1)},
			stated("1.18"),
			[]string{"unknown: 1 machine", "-GA003", "passed: RightAsCommitted, 2 machines: 1 starts, 1 unknown, 0 errors"},
			0,
		},
		{
			"a DataVolume is no machine",
			map[string]string{"vm.yaml": golden, "dv.yaml": volume},
			stated("1.18"),
			[]string{"error GA003", "Exists", "NothingChecked, 1 DataVolume, 1 machine: 1 unknown, "},
			1,
		},
		{"a DataVolume alone", map[string]string{"dv.yaml": volume}, stated("1.18"), []string{"Exists", "-GA003", "RightAsCommitted, 1 DataVolume, 0 errors"}, 0},
		{
			"a preference that only the cluster has",
			map[string]string{"vm.yaml": strings.Replace(plain, "{template", "{preference: {name: ours}, template", 1)},
			stated("1.18"),
			[]string{"unknown: 1 machine", "the input does not have their preference", "error GA003", "NothingChecked"},
			1,
		},
		{
			"a preference that does not fit the architecture, and the one that does",
			map[string]string{"vm.yaml": strings.NewReplacer(
				"{template: {spec: {domain: {", "{preference: {name: rhel.9}, template: {spec: {architecture: arm64, domain: {memory: {guest: 4Gi}, ",
			).Replace(plain)},
			stated("1.18"),
			[]string{"error GA901", `its preference "rhel.9" asks for that`, "Use the preference rhel.9.arm64, which KubeVirt ships for arm64"},
			1,
		},
		{
			"machines of one name in two namespaces",
			map[string]string{
				"vm.yaml": strings.Replace(golden, "metadata: {", "metadata: {namespace: a, ", 1) + "---\n" +
					strings.Replace(golden, "metadata: {", "metadata: {namespace: b, ", 1),
			},
			stated("1.18"),
			[]string{"unknown: 2 machines, because their boot disk", "NothingChecked, 2 machines: 2 unknown"},
			1,
		},
		{
			"the configuration",
			map[string]string{"vm.yaml": plain, "../c.yaml": config},
			[]string{"--config", "c.yaml"},
			[]string{"VirtualMachine/a  arm64", "Starts"},
			0,
		},
		{"a configuration beside them", map[string]string{"vm.yaml": plain, "golden.yaml": config}, nil, []string{"VirtualMachine/a  arm64", "Starts", "-GA812"}, 0},
		{"Nodes beside them", map[string]string{"vm.yaml": plain, "n.yaml": node}, []string{"--release", "1.18"}, []string{"1 arm64 node", "Starts"}, 0},
		{"a file of Nodes", map[string]string{"vm.yaml": plain, "../c.yaml": node}, []string{"--release", "1.18", "--nodes", "c.yaml"}, []string{"1 arm64 node"}, 0},
		{"a live CR", map[string]string{"vm.yaml": plain, "../c.yaml": live}, []string{"--live", "c.yaml"}, []string{"VirtualMachine/a  arm64", "Starts"}, 0},
		{
			"a lock that cannot be read",
			map[string]string{"vm.yaml": disk, "l.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: ArchitectureLock\nmetadata: {name: l}\nspec: {}\n"},
			stated("1.18"),
			[]string{"error GA", "l.yaml", "NotRight"},
			1,
		},
		{
			"a lock that can",
			map[string]string{"vm.yaml": disk, "l.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: ArchitectureLock\nmetadata: {name: l}\nimages:\n" +
				"- {reference: 'example.com/a:1', digest: 'sha256:" + digest + "', mediaType: application/vnd.oci.image.manifest.v1+json, size: 398, " +
				"platforms: [{os: linux, architecture: arm64, digest: 'sha256:" + digest + "'}]}\n"},
			stated("1.18"),
			[]string{"error GA903", "arm64 7625f9f5f443", "NotRight"},
			1,
		},
		{
			"nothing is stated",
			map[string]string{"vm.yaml": plain},
			nil,
			[]string{"error GA003", "--workload-architectures", "--facts", "NothingChecked"},
			1,
		},
	} {
		files := map[string]string{}
		for name, text := range tc.files {
			files[filepath.Join("vms", name)] = text
		}
		dir := writeTree(t, files)
		args := []string{"check", filepath.Join(dir, "vms"), "--offline"}
		for _, arg := range tc.args {
			if arg == "c.yaml" {
				arg = filepath.Join(dir, arg)
			}
			args = append(args, arg)
		}
		status, out, errs := runFed(t, "", args...)
		if status != tc.status {
			t.Errorf("%s: want status %d, got %d", tc.reason, tc.status, status)
		}
		for _, part := range tc.want {
			absent, not := strings.CutPrefix(part, "-")
			if not && strings.HasPrefix(absent, "-") {
				absent, not = part, false // a flag
			}
			if strings.Contains(out, absent) == not {
				t.Errorf("%s: %q:\n%s%s", tc.reason, part, out, errs)
			}
		}
	}
}

// TestFactsOfOneCluster: machines run on one cluster. Where the input names several, nothing
// counts by its place.
func TestFactsOfOneCluster(t *testing.T) {
	t.Parallel()
	facts := func(name, architecture string) string {
		return "apiVersion: goldenarch.dev/v1alpha1\nkind: ClusterFacts\nmetadata: {name: " + name +
			", annotations: {config.kubernetes.io/local-config: 'true'}}\nspec:\n" +
			"  source: {kind: HyperConverged, namespace: " + name + ", name: kubevirt-hyperconverged}\n  release: '1.19'\n" +
			"  workloadArchitectures: [" + architecture + "]\n  controlPlaneArchitectures: [" + architecture + "]\n" +
			"  kubevirt: {defaultArchitecture: " + architecture + "}\n  goldenImages: {namespace: " + name + ", complete: true}\n"
	}
	cr := func(namespace, spec string) string {
		return "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\n" +
			"metadata: {name: kubevirt-hyperconverged, namespace: " + namespace + "}\nspec: {" + spec + "}\n"
	}
	const machine = "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a}\n" +
		"spec: {template: {spec: {architecture: arm64, domain: {devices: {}}}}}\n"
	const only = "workloads: {nodePlacement: {nodeSelector: {kubernetes.io/arch: amd64}}}"
	one, other := facts("one", "arm64"), facts("other", "amd64")
	plain, placed := cr("one", ""), cr("other", only)
	cluster := []string{"--workload-architectures", "amd64", "--control-plane-architectures", "amd64", "--release", "1.19"}
	mixed := []string{"--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64", "--release", "1.19"}
	check := []string{"check", "in.yaml", "--offline"}
	for _, tc := range []struct {
		reason    string
		in, facts []string
		args      []string
		want      []string // one with - must be absent
		status    int
	}{
		{"one among the input", []string{machine, one}, nil, check, []string{"Starts", "-GA912"}, 0},
		{"the same twice", []string{machine, one, one}, nil, check, []string{"Starts", "-GA912"}, 0},
		{"two among the input", []string{machine, one, other}, nil, check, []string{"error GA912", "one (of HyperConverged one/", "other (of"}, 1},
		{"two in a file", []string{machine}, []string{other, one}, check, []string{"error GA912", "one (of HyperConverged one/", "other (of"}, 1},
		{"a file decides", []string{machine, one, other}, []string{one}, check, []string{"Starts", "-GA912"}, 0},
		{
			"the CR decides",
			[]string{machine, one, other, plain},
			nil,
			append(slices.Clone(check), cluster...),
			[]string{"-error GA912", "warning GA912", "Machines of this input are checked with the CR"},
			1,
		},
		{
			"two CRs, of which the last has a placement",
			[]string{machine, plain, placed},
			[]string{one},
			append(slices.Clone(check), mixed...),
			[]string{"Machines are checked with the old facts", "1 machine: ", "-GA903"},
			1,
		},
		{
			"two CRs in the other order",
			[]string{machine, placed, plain},
			[]string{one},
			append(slices.Clone(check), mixed...),
			[]string{"Machines are checked with the old facts", "1 machine: ", "-GA903"},
			1,
		},
		{
			"facts of two CRs",
			[]string{plain, placed},
			nil, append([]string{"forecast", "in.yaml", "-o", "facts"}, cluster...),
			[]string{"facts are those of one cluster, and the input has 2 CRs"},
			1,
		},
	} {
		dir := writeTree(t, map[string]string{"in.yaml": strings.Join(tc.in, "---\n"), "facts.yaml": strings.Join(tc.facts, "---\n")})
		args := slices.Clone(tc.args)
		args[1] = filepath.Join(dir, "in.yaml")
		if tc.facts != nil {
			args = append(args, "--facts", filepath.Join(dir, "facts.yaml"))
		}
		var out bytes.Buffer
		if status := Execute(t.Context(), args, Streams{In: strings.NewReader(""), Out: &out, Err: &out}); status != tc.status {
			t.Errorf("%s: want status %d, got %d", tc.reason, tc.status, status)
		}
		for _, part := range tc.want {
			absent, not := strings.CutPrefix(part, "-")
			if strings.Contains(strings.Join(strings.Fields(out.String()), " "), absent) == not {
				t.Errorf("%s: %q:\n%s", tc.reason, part, &out)
			}
		}
	}
}

// TestFactsOfARepository: --facts and other flags state the cluster of all machines below a directory
// without a CR, whatever else lies there.
func TestFactsOfARepository(t *testing.T) {
	t.Parallel()
	const facts = "apiVersion: goldenarch.dev/v1alpha1\nkind: ClusterFacts\nmetadata: {name: a, annotations: {config.kubernetes.io/local-config: 'true'}}\n" +
		"spec: {release: '1.19', workloadArchitectures: [amd64], controlPlaneArchitectures: [amd64], goldenImages: {namespace: golden}, " +
		"kubevirt: {defaultArchitecture: amd64}, source: {kind: HyperConverged, name: kubevirt-hyperconverged, namespace: kubevirt}}\n"
	const butane = "variant: fcos\n" // no object, so the directory is no single input
	for _, tc := range []struct {
		reason string
		files  map[string]string
		says   []string
	}{
		{"beside a file that is no object", map[string]string{"vms/a.yaml": oneMachine, "vms/b.yaml": butane}, []string{"1 machine: 1 starts,"}},
		{"below it", map[string]string{"vms/x/a.yaml": oneMachine, "vms/y/b.yaml": butane}, []string{"1 machine: 1 starts,"}},
		{
			"in a kustomization",
			map[string]string{
				"vms/base/a.yaml": oneMachine, "vms/base/kustomization.yaml": "resources: [a.yaml]\n",
				"vms/prod/kustomization.yaml": "resources: [../base]\n",
			},
			[]string{"1 cluster, 1 machine: 1 starts,", "vms/prod"},
		},
		{
			"beside a kustomization of machines",
			map[string]string{
				"vms/a.yaml": oneMachine, "vms/b.yaml": butane, "vms/prod/a.yaml": oneMachine, "vms/prod/kustomization.yaml": "resources: [a.yaml]\n",
			},
			[]string{"2 clusters, 2 machines: 2 start,"},
		},
	} {
		tc.files["facts.yaml"] = facts
		dir := writeTree(t, tc.files)
		for _, stated := range [][]string{
			{"--facts", "facts.yaml"}, {"--release", "1.19", "--workload-architectures", "amd64", "--control-plane-architectures", "amd64"},
		} {
			out, messages, status := runIn(t, dir, slices.Concat([]string{"check", "vms", "--offline"}, stated)...)
			if status != statusOK || strings.Contains(out, "GA867") {
				t.Errorf("%s, %s: status %d\n%s%s", tc.reason, stated[0], status, out, messages)
			}
			for _, want := range tc.says {
				if !strings.Contains(out, want) {
					t.Errorf("%s, %s: want %q in\n%s%s", tc.reason, stated[0], want, out, messages)
				}
			}
		}
	}
}
