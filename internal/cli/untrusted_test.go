package cli

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// strangersCR is a CR that declares architectures of an image.
const strangersCR = `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}
spec:
  dataImportCronTemplates:
  - metadata: {name: own, annotations: {ssp.kubevirt.io/dict.architectures: "amd64,arm64"}}
    spec:
      managedDataSource: own
      schedule: "0 0 * * *"
      template: {spec: {source: {registry: {url: "docker://quay.example/own:1"}}, storage: {resources: {requests: {storage: 10Gi}}}}}
`

// configured is a GoldenImages.
func configured(spec string) string {
	return "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: c}\nspec: {" + spec + "}\n"
}

// aboutPods is a WorkloadArchitectures.
func aboutPods(spec string) string {
	return "apiVersion: goldenarch.dev/v1alpha1\nkind: WorkloadArchitectures\nmetadata: {name: w}" +
		"\nspec: {mode: Check, clusterArchitectures: [amd64, arm64]" + spec + "}\n"
}

// armPod is a Deployment on arm64 nodes, whose image is in the lock for amd64 only.
const armPod = `apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec:
  selector: {matchLabels: {app: shop}}
  template:
    metadata: {labels: {app: shop}}
    spec:
      nodeSelector: {kubernetes.io/arch: arm64}
      containers: [{name: a, image: "quay.example/own:1"}]
`

const twoNodes = "cluster: {workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}"

func statedNodes(architectures string) string {
	return "apiVersion: goldenarch.dev/v1alpha1\nkind: ClusterArchitectures\nmetadata: {name: nodes}" +
		"\nspec: {workload: [" + architectures + "], controlPlane: [amd64]}\n"
}

// commitTree commits the files of a directory, and those that more has, and returns the
// directory.
func commitTree(t *testing.T, root string, files map[string]string) {
	t.Helper()
	filetest.Write(t, root, files)
	git(t, root, "", "add", "--all")
	git(t, root, "", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--allow-empty", "--message", "a")
}

// inTree runs the program in a directory.
func inTree(t *testing.T, root string, env []string, args ...string) (output string, status int) {
	t.Helper()
	cmd := goldenarch(t, args...)
	var out bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = root, &out, &out
	cmd.Env = append(append(cmd.Environ(), "PATH="+os.Getenv("PATH")), env...)
	_ = cmd.Run() // the status says it
	return out.String(), cmd.ProcessState.ExitCode()
}

// initialised makes a Git repository of a directory. Its first commit, with the tag "empty", states nothing.
func initialised(t *testing.T, root string) {
	t.Helper()
	git(t, root, "", "init", "--quiet")
	commitTree(t, root, map[string]string{"README.md": "nothing\n"})
	git(t, root, "", "tag", "empty")
}

// TestUntrustedTreesLowerNothing: what a tree states to make a wrong CR pass has no effect
// under --untrusted, is reported, and counts if the commit of --base has it as well.
func TestUntrustedTreesLowerNothing(t *testing.T) {
	t.Parallel()
	amdPod := strings.NewReplacer("arm64", "amd64", "shop", "other").Replace(armPod)
	lock := lockOf("quay.example/own:1", "amd64")
	for _, tc := range []struct {
		reason  string
		files   map[string]string // that lower the verdict
		rest    map[string]string // of the tree
		reports string            // the id of the finding about it, and what else it says
		fails   string            // the id of the error
		args    []string
	}{
		{
			reason: "an override proves what the image has", reports: "GA852 spec.overrides", fails: "GA601",
			files: map[string]string{"config.yaml": configured(twoNodes + `, overrides: [{image: "quay.example/own:1", architectures: [amd64, arm64]}]`)},
			rest:  map[string]string{"hco.yaml": strangersCR},
		},
		{
			reason: "an unknown image is a warning", reports: "GA852 spec.unresolved", fails: "GA601",
			files: map[string]string{"config.yaml": configured(twoNodes + `, unresolved: Keep`)},
			rest:  map[string]string{"hco.yaml": strangersCR},
		},
		{
			reason: "the images of pods are stated", reports: "GA852 spec.imageArchitectures", fails: "GA7",
			files: map[string]string{"w.yaml": aboutPods(`, imageArchitectures: {"quay.example/own:1": [arm64]}`)},
			rest:  map[string]string{"pod.yaml": armPod, "lock.yaml": lock},
		},
		{
			reason: "an image is ignored", reports: "GA852 spec.ignoreImages", fails: "GA7",
			files: map[string]string{"w.yaml": aboutPods(`, ignoreImages: [quay.example/own]`)},
			rest:  map[string]string{"pod.yaml": armPod, "lock.yaml": lock},
		},
		{
			reason: "a pod is not selected", reports: "GA852 spec.selectors", fails: "GA7",
			files: map[string]string{"w.yaml": aboutPods(`, selectors: {names: [other]}`)},
			rest:  map[string]string{"pod.yaml": armPod, "other.yaml": amdPod, "lock.yaml": lock},
		},
		{
			reason: "pods are left out", reports: "GA852 spec.workloads", fails: "GA7",
			files: map[string]string{"config.yaml": configured("workloads: None, " + twoNodes)},
			rest: map[string]string{
				"pod.yaml": armPod, "lock.yaml": lock, "w.yaml": aboutPods(""),
				"hco.yaml": strings.Replace(strangersCR, "amd64,arm64", "amd64", 1),
			},
		},
		{
			reason: "a Fleet states the nodes", reports: "GA852 goldenarch.yaml", fails: "GA114",
			files: map[string]string{"goldenarch.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\n" +
				"clusters:\n- paths: [prod]\n  workloadArchitectures: [amd64]\n  controlPlaneArchitectures: [amd64]\n"},
			rest: map[string]string{"prod/hco.yaml": strangersCR, "prod/lock.yaml": lock, "prod/kustomization.yaml": "resources: [hco.yaml, lock.yaml]\n"},
		},
		{
			reason: "a .krmignore hides a pod", reports: "GA852 .krmignore", fails: "GA7",
			files: map[string]string{".krmignore": "wrong.yaml\n"},
			rest:  map[string]string{"w.yaml": aboutPods(""), "lock.yaml": lock, "pod.yaml": amdPod, "wrong.yaml": armPod},
		},
		{
			reason: "an annotation hides the CR", reports: "GA856 local-config", fails: "GA856",
			files: map[string]string{
				"hco.yaml": strings.Replace(strangersCR, "{name: kubevirt-hyperconverged,",
					`{annotations: {config.kubernetes.io/local-config: "true"}, name: kubevirt-hyperconverged,`, 1),
			},
			rest: map[string]string{"w.yaml": aboutPods(""), "pod.yaml": amdPod, "lock.yaml": lock},
			args: []string{"--workload-architectures", "amd64"},
		},
	} {
		root := t.TempDir()
		initialised(t, root)
		commitTree(t, root, tc.rest)
		commitTree(t, root, tc.files)
		check := func(more ...string) (string, int) {
			return inTree(t, root, nil, slices.Concat([]string{"check", ".", "--as", "rendered"}, tc.args, more)...)
		}
		if out, status := check("--offline"); status != statusOK {
			t.Errorf("%s: it is no case, because the trusted check does not pass: %d\n%s", tc.reason, status, out)
		}
		out, status := check("--untrusted", "--base", "HEAD~1")
		if status != statusFailed || !strings.Contains(out, "\nerror "+tc.fails) && !strings.HasPrefix(out, "error "+tc.fails) {
			t.Errorf("%s: want the error %s, got status %d and\n%s", tc.reason, tc.fails, status, out)
		}
		for word := range strings.FieldsSeq(tc.reports) {
			if !strings.Contains(out, word) {
				t.Errorf("%s: want a finding with %q, got\n%s", tc.reason, word, out)
			}
		}
		if out, status := check("--untrusted", "--base", "HEAD"); status != statusOK {
			t.Errorf("%s: want a pass with a policy that states the same, got status %d and\n%s", tc.reason, status, out)
		}
	}
}

// TestUntrustedFlags: flags that contradict --untrusted are a misuse, and no file of the tree
// is the operator's, by whatever name.
func TestUntrustedFlags(t *testing.T) {
	t.Parallel()
	root, outside, temporary := t.TempDir(), t.TempDir(), t.TempDir()
	initialised(t, root)
	commitTree(t, root, map[string]string{
		"hco.yaml": strangersCR, "config.yaml": configured(twoNodes), "mirrors.conf": "", "nodes.json": "{}",
		"lock.yaml": lockOf("quay.example/own:1", "amd64", "arm64"),
	})
	link := filepath.Join(outside, "link.yaml")
	if err := os.Symlink(filepath.Join(root, "config.yaml"), link); err != nil {
		t.Fatal(err)
	}
	good := filepath.Join(outside, "config.yaml")
	filetest.File(t, good, configured(twoNodes))
	for _, tc := range []struct {
		args   string
		status int
		says   string
	}{
		{"check . --untrusted", statusMisuse, "add --base origin/main"},
		{"lock --check . --base HEAD", statusMisuse, "--base needs --untrusted"},
		{"check . --untrusted --base empty --authfile x", statusMisuse, "--authfile"},
		{"check . --untrusted --base empty --allow-insecure-credentials", statusMisuse, "--allow-insecure-credentials"},
		{"check . --untrusted --base empty --set lock=Prefer", statusMisuse, "--registry-allow"},
		{"check . --untrusted --base empty --config config.yaml", statusMisuse, "empty has no file"},
		{"check . --untrusted --base empty --config " + link, statusMisuse, "empty has no file"},
		{"check . --untrusted --base empty --live hco.yaml", statusMisuse, "empty has no file"},
		{"check . --untrusted --base empty --nodes nodes.json", statusMisuse, "empty has no file"},
		{"check . --untrusted --base empty --facts nodes.json", statusMisuse, "empty has no file"},
		{"check . --untrusted --facts other.yaml --base HEAD", statusMisuse, "no file"},
		{"check . --untrusted --base empty --fleet config.yaml", statusMisuse, "empty has no file"},
		{"check . --untrusted --registries-conf mirrors.conf --base HEAD", statusMisuse, "part of the untrusted input"},
		{"check . --untrusted --base missing", statusFailed, `"missing" is not a commit`},
		{"check . --untrusted --base HEAD --config other.yaml", statusMisuse, "no file"},
		{"check " + outside + " --untrusted --base HEAD", statusMisuse, "Git work tree"},
		{"lock . --untrusted", statusMisuse, "lock --check"},
		{"lock --check . --untrusted --base empty", statusMisuse, "--registry-allow"},
		{"check . --untrusted --base empty --as rendered --config " + good, statusFailed, "only the lock of the checked commit says what is in 1 image"},
		{"check . --untrusted --base HEAD --as rendered --config " + good, statusOK, "passed"},
		{"check . --untrusted --as rendered --config config.yaml --base HEAD", statusOK, "passed"},
	} {
		if out, status := inTree(t, root, []string{"TMPDIR=" + temporary},
			strings.Fields(tc.args)...); status != tc.status || !strings.Contains(out, tc.says) {
			t.Errorf("%s: want status %d and %q, got %d and\n%s", tc.args, tc.status, tc.says, status, out)
		}
	}
	if left, err := filepath.Glob(filepath.Join(temporary, "*")); err != nil || len(left) > 0 {
		t.Errorf("files of the policy are left: %q, %v", left, err)
	}
}

// TestUntrustedFacts: facts about the cluster of machines count from the policy. Those of the
// checked commit count if nobody else states them, and the report says so.
func TestUntrustedFacts(t *testing.T) {
	t.Parallel()
	const facts = "apiVersion: goldenarch.dev/v1alpha1\nkind: ClusterFacts\nmetadata: {name: facts}\nspec:\n" +
		"  source: {kind: HyperConverged, namespace: kubevirt-hyperconverged, name: kubevirt-hyperconverged}\n  release: \"1.19\"\n" +
		"  workloadArchitectures: [ARCH]\n  controlPlaneArchitectures: [amd64]\n"
	const vm = "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a, namespace: vms}\nspec:\n  template:\n    spec:\n" +
		"      architecture: amd64\n      domain: {devices: {}}\n"
	root := t.TempDir()
	initialised(t, root)
	commitTree(t, root, map[string]string{"vms/vm.yaml": vm, "vms/facts.yaml": strings.Replace(facts, "ARCH", "s390x", 1)})
	filetest.File(t, filepath.Join(root, "vms/facts.yaml"), strings.Replace(facts, "ARCH", "amd64", 1))
	for _, tc := range []struct {
		args   string
		status int
		says   []string
	}{
		{"check vms --untrusted --base empty", statusOK, []string{"info GA853", "ClusterFacts/facts"}},
		{"check vms --untrusted --base HEAD", statusFailed, []string{"error GA903", "info GA855 ClusterFacts/facts"}},
		{"check vms/vm.yaml --untrusted --base HEAD --facts vms/facts.yaml", statusFailed, []string{"error GA903"}},
	} {
		out, status := inTree(t, root, nil, strings.Fields(tc.args)...)
		for _, says := range tc.says {
			if status != tc.status || !strings.Contains(out, says) {
				t.Errorf("%s: want status %d and %q, got %d and\n%s", tc.args, tc.status, says, status, out)
			}
		}
	}
}

// TestUntrustedSources: the report says what comes from the checked commit, and what the
// policy states wins.
func TestUntrustedSources(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	initialised(t, root)
	commitTree(t, root, map[string]string{
		"hco.yaml":   strings.Replace(strangersCR, "spec:", "status: {nodeInfo: {workloadsArchitectures: [s390x]}}\nspec:", 1),
		"nodes.yaml": statedNodes("amd64, arm64"),
		"lock.yaml":  lockOf("quay.example/own:1", "amd64", "arm64"),
	})
	commitTree(t, root, map[string]string{"nodes.yaml": statedNodes("amd64"), "lock.yaml": lockOf("quay.example/own:1", "amd64", "arm64", "s390x")})
	for _, tc := range []struct {
		reason   string
		args     []string
		has, not []string
	}{
		{
			reason: "nobody states anything else", args: []string{"--base", "empty"}, has: []string{
				"info GA853", "ClusterArchitectures/nodes", "error GA854",
				"quay.example/own:1", "\nworkload amd64,",
			},
			not: []string{"GA855", "workload s390x", "  s390x"},
		},
		{
			reason: "the policy has other nodes and another lock", args: []string{"--base", "HEAD~1"},
			has: []string{"info GA855", "\nworkload amd64,arm64,", "error GA854"}, not: []string{"GA853"},
		},
		{reason: "the policy has the same", args: []string{"--base", "HEAD"}, not: []string{"GA853", "GA854", "GA855"}},
		{reason: "a flag states the nodes", args: []string{"--base", "empty", "--workload-architectures", "arm64"}, has: []string{
			"\nworkload arm64",
			"info GA855", "GA854",
		}, not: []string{"GA853"}},
	} {
		out, _ := inTree(t, root, nil, slices.Concat([]string{"check", ".", "--untrusted", "--set", "predefined=none"}, tc.args)...)
		prints(t, tc.reason, out, tc.has, tc.not)
	}
}

// TestForgedLock: a pull request that writes into the lock what the image does not have, and declares it, does not pass.
func TestForgedLock(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	initialised(t, root)
	cr := strings.Replace(strangersCR, "dict.architectures: \"amd64,arm64\"", "dict.architectures: \"amd64\"", 1)
	commitTree(t, root, map[string]string{"hco.yaml": cr, "config.yaml": configured(twoNodes), "lock.yaml": lockOf("quay.example/own:1", "amd64")})
	commitTree(t, root, map[string]string{"hco.yaml": strangersCR, "lock.yaml": lockOf("quay.example/own:1", "amd64", "arm64")})
	for _, tc := range []struct {
		reason, base string
		status       int
		says         string
	}{
		{"nobody whom the run trusts says so", "HEAD~1", statusFailed, "error GA854"},
		{"the lock of the base says the same", "HEAD", statusOK, "passed"},
	} {
		out, status := inTree(t, root, nil, "check", ".", "--as", "rendered", "--untrusted", "--base", tc.base)
		if status != tc.status || !strings.Contains(out, tc.says) {
			t.Errorf("%s: want status %d and %q, got %d and\n%s", tc.reason, tc.status, tc.says, status, out)
		}
	}
}

// TestUntrustedNamesEachRegistry: the advised flag lets goldenarch ask about all images.
func TestUntrustedNamesEachRegistry(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	initialised(t, root)
	if err := os.CopyFS(filepath.Join(root, "source"), os.DirFS("../../examples/flux/source")); err != nil {
		t.Fatal(err)
	}
	out, messages, status := runIn(t, root, "check", "source", "--as", "rendered", "--untrusted", "--base", "empty")
	if !strings.Contains(out, "--registry-allow mirror.example.com,registry.example.com. Or ") || status != statusFailed {
		t.Errorf("status %d\n%s%s", status, out, messages)
	}
}

// TestUntrustedStepsLowerNothing: the same of configurations that a kustomization lists, in
// each order. None of them lowers what another one, or no one, states.
func TestUntrustedStepsLowerNothing(t *testing.T) {
	t.Parallel()
	named := func(name, config string) string {
		return strings.NewReplacer("{name: c}", "{name: "+name+"}", "{name: w}", "{name: "+name+"}").Replace(config)
	}
	lock := lockOf("quay.example/own:1", "amd64")
	override := `, overrides: [{image: "quay.example/own:1", architectures: [amd64, arm64]}]`
	for name, tc := range map[string]struct {
		reason  string
		lowers  string // the configuration that lowers the verdict
		beside  string // another one
		rest    map[string]string
		reports string // the setting that GA852 names
		fails   string // the id of the error
		// unproven says that the image counts as not resolved, which need not be an error.
		unproven bool
	}{
		"OverridesBesidePods": {
			reason: "an override proves what the image has", lowers: configured(twoNodes + override), beside: aboutPods(""),
			rest: map[string]string{"hco.yaml": strangersCR}, reports: "spec.overrides", fails: "GA601",
		},
		"OverridesTwice": {
			reason: "both state it", lowers: configured(twoNodes + override), beside: named("second", configured(twoNodes+override)),
			rest: map[string]string{"hco.yaml": strangersCR}, reports: "spec.overrides", fails: "GA601",
		},
		"Unresolved": {
			reason: "an unknown image is a warning", lowers: configured(twoNodes + ", unresolved: Keep"),
			beside: named("second", configured(twoNodes+", unresolved: Keep")),
			rest:   map[string]string{"hco.yaml": strangersCR}, reports: "spec.unresolved", fails: "GA601",
		},
		"ImageArchitectures": {
			reason: "the images of pods are stated", lowers: aboutPods(`, imageArchitectures: {"quay.example/own:1": [arm64]}`),
			beside: named("second", configured(twoNodes)),
			rest:   map[string]string{"pod.yaml": armPod, "lock.yaml": lock}, reports: "spec.imageArchitectures", fails: "GA7",
		},
		"IgnoreImages": {
			reason: "an image is ignored", lowers: aboutPods(`, ignoreImages: [quay.example/own]`),
			beside: named("second", aboutPods(`, ignoreImages: [quay.example/own]`)),
			rest:   map[string]string{"pod.yaml": armPod, "lock.yaml": lock}, reports: "spec.ignoreImages", fails: "GA7",
		},
		"Use": {
			reason: "an image that cannot be resolved has what the configuration says", lowers: aboutPods(", unresolved: Use, use: [arm64]"),
			beside: named("second", aboutPods(", unresolved: Use, use: [arm64]")),
			rest:   map[string]string{"pod.yaml": armPod}, reports: "spec.use", unproven: true,
		},
		"Selectors": {
			reason: "no configuration selects the pod", lowers: aboutPods(`, selectors: {names: [other]}`),
			beside: named("second", aboutPods(`, selectors: {names: [other]}`)),
			rest: map[string]string{
				"pod.yaml": armPod, "lock.yaml": lock, "other.yaml": strings.NewReplacer("arm64", "amd64", "shop", "other").Replace(armPod),
			},
			reports: "spec.selectors", fails: "GA7",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, order := range [][2]string{{"lowers.yaml", "beside.yaml"}, {"beside.yaml", "lowers.yaml"}} {
				root := t.TempDir()
				initialised(t, root)
				rest := slices.Sorted(maps.Keys(tc.rest))
				files := map[string]string{
					"lowers.yaml": tc.lowers, "beside.yaml": tc.beside,
					"kustomization.yaml": "resources: [" + strings.Join(rest, ", ") + "]\ntransformers: [" + order[0] + ", " + order[1] + "]\n",
				}
				maps.Copy(files, tc.rest)
				commitTree(t, root, files)
				out, status := inTree(t, root, nil, "check", ".", "--offline", "--as", "rendered")
				if status != statusOK || tc.unproven && !strings.Contains(out, "taken to have arm64") {
					t.Errorf("%s: %q: it is no case, because the trusted check does not pass: %d\n%s", tc.reason, order, status, out)
				}
				out, status = inTree(t, root, nil, "check", ".", "--untrusted", "--base", "empty", "--as", "rendered")
				failed := status == statusFailed && strings.Contains("\n"+out, "\nerror "+tc.fails)
				if tc.unproven {
					failed = strings.Contains(out, "GA201") && !strings.Contains(out, "taken to have arm64")
				}
				if !failed || !strings.Contains(out, "GA852") || !strings.Contains(out, tc.reports) {
					t.Errorf("%s: %q: want the error %s and %q named, got status %d and\n%s", tc.reason, order, tc.fails, tc.reports, status, out)
				}
			}
		})
	}
}

// TestUntrustedNamesFilesOfThePolicy: messages about a file of the commit of the policy name that
// commit, and not the directory that has a copy of it for the time of the run.
func TestUntrustedNamesFilesOfThePolicy(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	initialised(t, root)
	commitTree(t, root, map[string]string{
		"hco.yaml": plainCR, "unknown.yaml": configured("relese: \"1.19\""), "two.yaml": configured("") + "---\n" + configured(""), "broken.yaml": "a: [",
		"inputs.yaml": configured("inputs: [none.yaml]"),
	})
	for _, tc := range []struct{ flag, file, want string }{
		{"--config", "unknown.yaml", "(HEAD:unknown.yaml:4): unknown field"},
		{"--config", "two.yaml", "HEAD:two.yaml: has 2 documents"},
		{"--config", "broken.yaml", "--config: HEAD:broken.yaml: the document"},
		{"--nodes", "hco.yaml", "(HEAD:hco.yaml:1): --nodes accepts only Nodes"},
		{"--live", "hco.yaml", "(HEAD:hco.yaml): the HyperConverged of --live has no status"},
		{"--config", "inputs.yaml", `"none.yaml"`},
	} {
		for _, format := range []string{"text", "json", "sarif"} {
			out, status := inTree(t, root, nil, "check", "hco.yaml", "--untrusted", "--base", "HEAD", tc.flag, tc.file, "-o", format)
			if status != statusFailed || strings.Contains(out, "goldenarch-policy-") || format == "text" && !strings.Contains(out, tc.want) {
				t.Errorf("%s %s -o %s: status %d, want %q\n%s", tc.flag, tc.file, format, status, tc.want, out)
			}
		}
	}
}
