package cli

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestPlan runs the verb on the directories of testdata/plan: the dump with the flags of
// args.txt gives stdout.txt and stderr.txt.
func TestPlan(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob("testdata/plan/*")
	if err != nil || len(dirs) < 8 {
		t.Fatalf("want at least 8 directories, got %d (%v)", len(dirs), err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			args := strings.Fields(golden(t, dir, "args.txt"))
			for i, arg := range args {
				args[i] = strings.ReplaceAll(arg, "DIR", dir)
			}
			status, stdout, stderr := runFed(t, "", append([]string{"plan"}, args...)...)
			if want := strings.Contains(stderr, "error GA"); (status != 0) != want {
				t.Errorf("status %d, and the findings are\n%s", status, stderr)
			}
			hold(t, dir, "stdout.txt", strings.ReplaceAll(stdout, dir, "DIR"))
			hold(t, dir, "stderr.txt", strings.ReplaceAll(stderr, dir, "DIR"))
		})
	}
}

// TestPlanGate: the flag asks for a step, and the option of the configuration for none.
func TestPlanGate(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		args   string
		status int
		want   string
	}{
		{"--gate=Enable", statusOK, "the multi-arch gate"},
		{"--gate=Disable", statusOK, "when the multi-arch gate goes off: it is off already"},
		{"--gate=Auto", statusMisuse, `flag --gate: unknown mode "Auto": expected Enable or Disable`},
		{"--single-architecture=amd64", statusOK, "how machines run on amd64 alone: they do already"},
		{"--single-architecture=vax", statusMisuse, `flag --single-architecture: unknown architecture "vax"`},
	} {
		status, stdout, stderr := runFed(t, "", "plan", "--live=../../examples/plan/before.yaml", tc.args)
		if status != tc.status || !strings.Contains(stdout+stderr, tc.want) {
			t.Errorf("%s: status %d\n%s%s", tc.args, status, stdout, stderr)
		}
	}
	status, _, stderr := runFed(t, "", "plan", "--live=../../examples/plan/before.yaml", "--set=gate=Enable")
	if status != statusMisuse || !strings.Contains(stderr, "nothing to plan") {
		t.Errorf("--set gate: status %d\n%s", status, stderr)
	}
}

// TestPlanGateOfV1: the plan of a v1 CR is that of the same v1beta1 CR, but for the line that sets the gate.
func TestPlanGateOfV1(t *testing.T) {
	t.Parallel()
	const name = "enableMultiArchBootImageImport"
	const list = "# in Git: the entry " + name + " of spec.featureGates, state: "
	const field = "# in Git: spec.workloadSources." + name + ": "
	for _, tc := range []struct {
		dump, release, gates string
		flags                string
		do, undo             string
	}{
		{"before", "1.18.1", "[]", "--gate Enable", list + "Enabled", list + "Disabled"},
		{"before", "1.18.1", "[{name: " + name + ", state: Disabled}]", "--gate Enable", list + "Enabled", list + "Disabled"},
		{"before", "1.18.1", "[]", "--gate Enable --add-architecture arm64", list + "Enabled", list + "Disabled"},
		{"before", "1.18.1", "[]", "--to-release 1.19 --gate Enable", field + "true", field + "false"},
		{"after", "1.18.1", "[{name: " + name + "}]", "--gate Disable", list + "Disabled", list + "Enabled"},
		{"after", "1.18.1", "[{name: " + name + "}]", "--to-release 1.19 --gate Disable", field + "false, and remove the entry " + name + " of spec.featureGates", field + "true"},
		{"after", "1.19.0", "[{name: " + name + "}]", "--gate Disable", field + "false, and remove the entry " + name + " of spec.featureGates", field + "true"},
	} {
		data := filetest.Read(t, "../../examples/plan/"+tc.dump+".yaml")
		v1beta1 := strings.Replace(string(data), "version: 1.18.1", "version: "+tc.release, 1)
		head, rest, _ := strings.Cut(strings.Replace(v1beta1, "hco.kubevirt.io/v1beta1", "hco.kubevirt.io/v1", 1), "  spec:\n")
		sources, rest, _ := strings.Cut(rest, "    featureGates:\n")
		_, rest, _ = strings.Cut(rest, "\n")
		v1 := head + "  spec:\n    featureGates: " + tc.gates + "\n    workloadSources:\n  " +
			strings.ReplaceAll(strings.TrimSuffix(sources, "\n"), "\n", "\n  ") + "\n" + rest
		dir := writeTree(t, map[string]string{"v1beta1.yaml": v1beta1, "v1.yaml": v1})
		args := strings.Fields("plan " + tc.flags)
		_, want, wantFound := runFed(t, "", append(args, "--live", filepath.Join(dir, "v1beta1.yaml"))...)
		status, got, found := runFed(t, "", append(args, "--live", filepath.Join(dir, "v1.yaml"))...)
		old := "# in Git: spec.featureGates." + name + ": "
		on := strings.Contains(tc.flags, "Enable")
		want = strings.Replace(want, old+strconv.FormatBool(on), tc.do, 1)
		want = strings.Replace(want, old+strconv.FormatBool(!on), tc.undo, 1)
		if diff := cmp.Diff(want, got); status != statusOK || diff != "" || found != wantFound {
			t.Errorf("%s of %s, %s: status %d\n%s\n%s", tc.flags, tc.dump, tc.release, status, diff, found)
		}
	}
}

// TestPlanKeepsTheGate: an apply leaves the gate of the cluster on where Git does not state it. A list that Git has replaces that of the
// cluster.
func TestPlanKeepsTheGate(t *testing.T) {
	t.Parallel()
	const live = "spec: {featureGates: [{name: enableMultiArchBootImageImport}]}\nstatus: {versions: [{name: operator, version: 1.18.0}], " +
		"nodeInfo: {workloadsArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}}"
	v1 := strings.Replace(plainCR, "/v1beta1", "/v1", 1)
	for spec, keeps := range map[string]bool{
		"spec: {}": true, "spec: {featureGates: []}": false, "spec: {featureGates: [{name: alignCPUs}]}": false,
		"spec: {featureGates: [{name: enableMultiArchBootImageImport, state: Disabled}]}": false,
	} {
		dir := writeTree(t, map[string]string{"live.yaml": strings.Replace(v1, "spec: {}", live, 1), "hco.yaml": strings.Replace(v1, "spec: {}", spec, 1)})
		status, stdout, stderr := runFed(t, "", "plan", "--live", filepath.Join(dir, "live.yaml"), filepath.Join(dir, "hco.yaml"), "--release", "1.18")
		if status != statusOK || strings.Contains(stdout, "an apply leaves it on") != keeps || strings.Contains(stdout, "Alerts that start") == keeps {
			t.Errorf("%s: status %d, want the gate to stay: %t\n%s%s", spec, status, keeps, stdout, stderr)
		}
	}
}

// TestPlanMustGather: a directory of oc adm inspect gives the plan of the same objects in one file.
func TestPlanMustGather(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"stdout.txt", "stderr.txt"} {
		if one, other := golden(t, "testdata/plan/must-gather", name), golden(t, "testdata/plan/gate-off", name); one == "" || one != other {
			t.Errorf("%s differs:\n%s\n%s", name, one, other)
		}
	}
}

// TestPlanKeepsNoSecrets: nothing of a machine's user data, and nothing of a Secret, is shown.
func TestPlanKeepsNoSecrets(t *testing.T) {
	t.Parallel()
	dump := filepath.Join(t.TempDir(), "dump.yaml")
	data := filetest.Read(t, "../../examples/plan/before.yaml")
	secret := "- apiVersion: v1\n  kind: Secret\n  metadata: {name: login, namespace: team-a}\n  stringData: {password: never-shown}\n"
	if err := os.WriteFile(dump, append(data, secret...), 0o600); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), "never-shown") {
		t.Fatal("the dump has no user data")
	}
	for _, format := range []string{"text", "markdown", "html", "json"} {
		status, stdout, stderr := runFed(t, "", "plan", "--live", dump, "--gate", "Enable", "--leftovers", "-o", format)
		if status != 0 || stdout == "" || strings.Contains(stdout+stderr, "never-shown") {
			t.Errorf("%s: status %d\n%s%s", format, status, stdout, stderr)
		}
	}
}

// TestPlanBrokenDump: a dump that cannot be read is an error that names the file, and there is
// no plan.
func TestPlanBrokenDump(t *testing.T) {
	t.Parallel()
	data := filetest.Read(t, "../../examples/plan/before.yaml")
	cr := filetest.Read(t, "testdata/plan/partial-dump/dump.yaml")
	for _, tc := range []struct{ reason, dump, want string }{
		{"the dump is cut off inside a text", string(data) + "- kind: \"Data", "dump.yaml"},
		{"the dumps of two clusters", string(data) + "---\n" + string(cr), "2 HyperConverged"},
		{"nothing in it", "", "no HyperConverged"},
	} {
		file := filepath.Join(t.TempDir(), "dump.yaml")
		filetest.File(t, file, tc.dump)
		status, stdout, stderr := runFed(t, "", "plan", "--live", file, "--gate", "Enable")
		if status == 0 || stdout != "" || !strings.Contains(stderr, tc.want) {
			t.Errorf("%s: status %d, want %q\n%s%s", tc.reason, status, tc.want, stdout, stderr)
		}
	}
}

// TestPlanMisuse: a flag that is not right, or no change, ends with status 2.
func TestPlanMisuse(t *testing.T) {
	t.Parallel()
	const live = "--live=../../examples/plan/before.yaml"
	for _, tc := range []struct {
		args string
		want string
	}{
		{live, "nothing to plan"},
		{live + " --add-architecture arm65", `unknown architecture "arm65"`},
		{live + " --to-release soon", "--to-release"},
		{live + " --to-release 1.17", "is not an upgrade"},
		{"--live=../../examples/plan/after.yaml --to-release 4.22", "is not an upgrade"},
		{live + " --leftovers --storage-budget much", `"much" is not a size`},
		{live + " --leftovers --storage-budget -1Gi", `"-1Gi" is not a size`},
		{live + " --leftovers -o pdf", `unknown output "pdf"`},
	} {
		status, stdout, stderr := runFed(t, "", strings.Fields("plan "+tc.args)...)
		if status != 2 || stdout != "" || !strings.Contains(stderr, tc.want) {
			t.Errorf("%s: status %d, want 2 and %q\n%s%s", tc.args, status, tc.want, stdout, stderr)
		}
	}
}

// TestPlanWithoutNodes: a plan that depends on nodes that nothing states is an error.
func TestPlanWithoutNodes(t *testing.T) {
	t.Parallel()
	const gateOn = "spec: {featureGates: {enableMultiArchBootImageImport: true}}"
	for _, tc := range []struct {
		reason, spec, flags string
		status              int
	}{
		{"the gate is on", gateOn, "", 1},
		{"an architecture arrives", "spec: {}", "--add-architecture arm64", 1},
		{"the gate goes on", "spec: {}", "--gate Enable", 1},
		{"the gate is off", "spec: {}", "", 0},
		{"the nodes are stated", gateOn, "--workload-architectures amd64,arm64 --control-plane-architectures amd64", 0},
	} {
		dir := writeTree(t, map[string]string{"hco.yaml": strings.Replace(plainCR, "spec: {}", tc.spec, 1)})
		status, stdout, stderr := runFed(t, "", append([]string{"plan", dir, "--release", "1.19"}, strings.Fields(tc.flags)...)...)
		if status != tc.status || strings.Contains(stderr, "error GA114") != (tc.status == 1) {
			t.Errorf("%s: want status %d, got %d\n%s%s", tc.reason, tc.status, status, stdout, stderr)
		}
	}
}

// TestPlanSaysTheRelease: a plan says for which release it is, where nothing declares one.
func TestPlanSaysTheRelease(t *testing.T) {
	t.Parallel()
	dir := writeTree(t, map[string]string{"hco.yaml": plainCR})
	const note = "the release: nothing declares it (--release), so the plan is for HCO 1.20"
	for flags, says := range map[string]bool{"": true, "--release 1.19": false, "--to-release 1.19": false} {
		status, stdout, stderr := runFed(t, "", append([]string{"plan", dir}, strings.Fields(flags)...)...)
		if status != 0 || strings.Contains(stdout, note) != says {
			t.Errorf("%q: status %d, want the note: %t\n%s%s", flags, status, says, stdout, stderr)
		}
	}
}

// TestPlanOfStatedNodes: without a path, flags and the file of --config state the nodes that the
// dump does not show. With the CR of a path, or of a part of a file, flags are about that one.
func TestPlanOfStatedNodes(t *testing.T) {
	t.Parallel()
	cr := strings.Replace(plainCR, "spec: {}", "spec: {featureGates: {enableMultiArchBootImageImport: true}}", 1)
	dir := writeTree(t, map[string]string{
		"dump.yaml": cr + "status: {versions: [{name: operator, version: 1.19.0}]}\n",
		"shown.yaml": cr + "status: {versions: [{name: operator, version: 1.19.0}], " +
			"nodeInfo: {workloadsArchitectures: [amd64], controlPlaneArchitectures: [amd64]}}\n",
		"config.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\n" +
			"spec: {release: \"1.19\", cluster: {workloadArchitectures: [amd64], controlPlaneArchitectures: [amd64]}}\n",
		"hco.yaml":    cr,
		"values.yaml": "hco:\n  " + strings.ReplaceAll(strings.TrimSuffix(cr, "\n"), "\n", "\n  ") + "\n",
	})
	for _, tc := range []struct{ reason, args string }{
		{"flags", "--live DIR/dump.yaml --release 1.19 --workload-architectures amd64 --control-plane-architectures amd64 --add-architecture arm64"},
		{"a configuration", "--live DIR/dump.yaml --config DIR/config.yaml --add-architecture arm64"},
		{"the CR of a path", "--live DIR/shown.yaml DIR/hco.yaml --release 1.19 --workload-architectures amd64,arm64 --control-plane-architectures amd64"},
		{
			"the CR of a part of a file",
			"--live DIR/shown.yaml --cr-path DIR/values.yaml#hco --release 1.19 --workload-architectures amd64,arm64 --control-plane-architectures amd64",
		},
	} {
		status, stdout, stderr := runFed(t, "", strings.Fields("plan "+strings.ReplaceAll(tc.args, "DIR", dir)+" --set existing=Keep")...)
		_, appear, _ := strings.Cut(stdout, "Appear:")
		if status != 0 || !strings.Contains(appear, "-arm64: SSP makes it") {
			t.Errorf("%s: status %d\n%s%s", tc.reason, status, stdout, stderr)
		}
	}
}

// TestPlanFollowsTheFleet: a plan knows what check knows of a cluster.
func TestPlanFollowsTheFleet(t *testing.T) {
	t.Parallel()
	dir := writeTree(t, map[string]string{
		"goldenarch.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n- paths: [a]\n  release: \"1.19\"\n" +
			"  workloadArchitectures: [amd64, arm64]\n  controlPlaneArchitectures: [amd64]\n",
		"a/hco.yaml": strings.Replace(plainCR, "spec: {}", "spec: {featureGates: {enableMultiArchBootImageImport: true}}", 1),
	})
	status, stdout, stderr := runFed(t, "", "plan", filepath.Join(dir, "a"))
	if status != 0 || !strings.Contains(stdout, "-arm64") {
		t.Errorf("status %d\n%s%s", status, stdout, stderr)
	}
}
