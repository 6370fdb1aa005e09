package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestInitWorks: what init writes is what its host runs. Without a host each kustomization
// still builds without flags, and is right as committed. With one, kustomize builds each
// kustomization with goldenarch as its function, and each Kptfile is one that kpt reads.
func TestInitWorks(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob("testdata/init/*")
	if err != nil {
		t.Fatal(err)
	}
	plain, built, packages := 0, 0, 0
	for _, dir := range dirs {
		args := strings.Fields(golden(t, dir, "args.txt"))
		tree := repository(t, dir)
		if _, _, status := runIn(t, tree, append([]string{"init"}, args...)...); status != statusOK {
			continue // TestInit holds why
		}
		named := filepath.Join(tree, args[0])
		as, list := "rendered", filepath.Join(named, "golden-images.yaml")
		switch own, _ := filepath.Glob(filepath.Join(named, "mine.yaml")); {
		case !files.Exists(list) && (len(own) == 0 || files.Exists(filepath.Join(tree, "goldenarch.yaml"))):
			as, plain = "committed", plain+1
			for _, one := range []string{named, filepath.Join(named, "overlays/a"), filepath.Join(named, "overlays/b")} {
				if !kustomize.In(one) {
					continue
				}
				if out := kustomizeOutput(t, "--plain", one); !strings.Contains(out, "kind: HyperConverged") ||
					!strings.Contains(out, "enableMultiArchBootImageImport: true") && !strings.Contains(dir, "beside") {
					t.Errorf("%s: kustomize builds\n%s", dir, out)
				}
			}
		case kustomize.In(named):
			built++
			if out := kustomizeOutput(t, named); !strings.Contains(out, "kind: HyperConverged") || !strings.Contains(out, "name: kubevirt-hyperconverged") {
				t.Errorf("%s: kustomize builds\n%s", dir, out)
			} else if both := strings.Contains(golden(t, dir, "args.txt"), "amd64,arm64 "); both &&
				!strings.Contains(out, "enableMultiArchBootImageImport: true") && !strings.Contains(dir, "beside") {
				t.Errorf("%s: goldenarch did not run:\n%s", dir, out)
			}
		case files.Exists(filepath.Join(named, "Kptfile")):
			packages++
			kptReads(t, named)
		}
		check := []string{"check", "--offline", args[0], "--as", as}
		if as == "committed" && !files.Exists(filepath.Join(tree, "goldenarch.yaml")) {
			check = append(check, args[1:]...) // nothing in the repository may say it
		}
		// Nothing is rendered yet: kpt does that in place, the other hosts on the way.
		if out, messages, status := runIn(t, tree, check...); status != statusOK {
			t.Errorf("%s: check fails with %d:\n%s%s", dir, status, out, messages)
		}
	}
	if plain < 10 || built < 8 || packages < 3 {
		t.Errorf("only %d directories of files, %d kustomizations and %d packages were tried", plain, built, packages)
	}
}

// kustomizeOutput returns what kustomize builds with goldenarch in the PATH.
func kustomizeOutput(t *testing.T, args ...string) string {
	t.Helper()
	dir := programDir(t)
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "kustomize"), args...)
	cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	if err := cmd.Run(); err != nil {
		t.Errorf("kustomize fails: %v\n%s", err, &messages)
	}
	return out.String()
}

// kptReads fails unless a Kptfile has the fields that kpt knows, and its pipeline names
// goldenarch once with a configuration that exists.
func kptReads(t *testing.T, dir string) {
	t.Helper()
	data := filetest.Read(t, filepath.Join(dir, "Kptfile"))
	var file struct {
		APIVersion string         `yaml:"apiVersion"`
		Kind       string         `yaml:"kind"`
		Metadata   map[string]any `yaml:"metadata"`
		Info       map[string]any `yaml:"info"`
		Pipeline   struct {
			Mutators []struct {
				Image, Exec string
				ConfigPath  string            `yaml:"configPath"`
				ConfigMap   map[string]string `yaml:"configMap"`
			} `yaml:"mutators"`
			Validators []any `yaml:"validators"`
		} `yaml:"pipeline"`
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(&file); err != nil {
		t.Fatalf("%s: %v\n%s", dir, err, data)
	}
	ours := 0
	for _, mutator := range file.Pipeline.Mutators {
		if strings.Contains(mutator.Image+mutator.Exec, "goldenarch") {
			ours++
			if _, err := os.Stat(filepath.Join(dir, mutator.ConfigPath)); mutator.ConfigPath == "" || err != nil {
				t.Errorf("%s: configPath %q: %v", dir, mutator.ConfigPath, err)
			}
		}
	}
	if ours != 1 {
		t.Errorf("%s: the pipeline runs goldenarch %d times:\n%s", dir, ours, data)
	}
}

// TestInitOfClustersThatAreSetUp: in a repository whose clusters all run goldenarch, init has
// nothing to write, and does not say that there is no CR.
func TestInitOfClustersThatAreSetUp(t *testing.T) {
	t.Parallel()
	dir := repository(t, "testdata/init/host_files_for_a_kustomization_that_lists_goldenarch")
	out, messages, status := runIn(t, dir, "init", ".")
	want := "goldenarch: there is nothing to write\n" +
		"goldenarch: the repository has neither .github/workflows nor .gitlab-ci.yml, so no pipeline gets a check: " +
		"create one of them and run init again, or see docs/ci.md\n" +
		"goldenarch: check now says: All 3 golden images boot on amd64. The check fails for 1 reason. Errors: GA863.\n" + // nothing states as: rendered
		"goldenarch: next, run: goldenarch check .\n"
	if out != "" || messages != want || status != statusOK {
		t.Errorf("init ends with %d:\n%s%s", status, out, messages)
	}
}

// TestInitKeepsThePluginOutOfTheManifests: goldenarch cannot render plain files with the
// kustomization of the plugin below them.
func TestInitKeepsThePluginOutOfTheManifests(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, dir, argocd string
		want                int
	}{
		{reason: "below the plain files", dir: "cnv", argocd: "cnv/plugin", want: statusFailed},
		{reason: "the directory of the plain files", dir: "cnv", argocd: "cnv", want: statusFailed},
		{reason: "beside them", dir: "cnv", argocd: "plugin", want: statusOK},
	} {
		dir := repository(t, "testdata/init/plain_files_for_argocd")
		if err := os.MkdirAll(filepath.Join(dir, tc.argocd), 0o700); err != nil {
			t.Fatal(err)
		}
		args := append(strings.Fields(golden(t, "testdata/init/plain_files_for_argocd", "args.txt")),
			"--argocd", tc.argocd, "--argocd-image", "registry.example.com/goldenarch:1")
		_, messages, status := runIn(t, dir, append([]string{"init"}, args...)...)
		if status != tc.want || status != statusOK && !strings.Contains(messages, "GA845 (cnv): flag --argocd") {
			t.Errorf("%s: init ends with %d: %s", tc.reason, status, messages)
		}
		if out, messages, again := runIn(t, dir, "render", "cnv", "--offline", "--set", "lock=Require"); status == statusOK && again != statusOK {
			t.Errorf("%s: render ends with %d: %s%s", tc.reason, again, out, messages)
		}
	}
}

// TestInitWritesThePluginOfArgoCD: the directory gets the files of the example, and the kustomization that
// is there lists them.
func TestInitWritesThePluginOfArgoCD(t *testing.T) {
	t.Parallel()
	dir := repository(t, "testdata/init/application_of_argocd")
	own := "# ours\n"
	if err := os.MkdirAll(filepath.Join(dir, "argocd"), 0o700); err != nil {
		t.Fatal(err)
	}
	filetest.File(t, filepath.Join(dir, "argocd", "kustomization.yaml"), own)
	args := append([]string{"init", "--argocd", "argocd", "--argocd-image", "registry.example.com/goldenarch:1"},
		strings.Fields(golden(t, "testdata/init/application_of_argocd", "args.txt"))...)
	if _, messages, status := runIn(t, dir, append(args[:3:3], args[5:]...)...); status != statusFailed || !strings.Contains(messages, "--argocd-image") {
		t.Errorf("without an image that can be pulled, init ends with %d: %s", status, messages)
	}
	if _, messages, status := runIn(t, dir, args...); status != statusOK || strings.Contains(messages, "GA845") {
		t.Fatalf("init ends with %d: %s", status, messages)
	}
	lists := own + "configMapGenerator:\n- name: goldenarch-plugin\n  files: [plugin.yaml]\npatches:\n- path: repo-server.yaml\n"
	want, got := map[string]string{"kustomization.yaml": lists}, filesBelow(t, filepath.Join(dir, "argocd"))
	for _, name := range []string{"plugin.yaml", "repo-server.yaml"} {
		text := filetest.Read(t, filepath.Join("../../examples/argocd/plugin", name))
		want[name] = strings.ReplaceAll(string(text), "ghcr.io/goldenarch/goldenarch:v0.1.0", "registry.example.com/goldenarch:1")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the plugin (-want +got):\n%s", diff)
	}
	if _, messages, status := runIn(t, dir, args...); status != statusOK || !strings.Contains(messages, "there is nothing to write") {
		t.Errorf("the second run ends with %d: %s", status, messages)
	}
}

// TestInitSaysWhatToList: a component of its own is nothing that Argo CD's installation has, until its kustomization lists it.
func TestInitSaysWhatToList(t *testing.T) {
	t.Parallel()
	dir := repository(t, "testdata/init/plain_files_for_argocd")
	if err := os.MkdirAll(filepath.Join(dir, "plugin"), 0o700); err != nil {
		t.Fatal(err)
	}
	args := append(strings.Fields(golden(t, "testdata/init/plain_files_for_argocd", "args.txt")),
		"--argocd", "plugin", "--argocd-image", "registry.example.com/goldenarch:1")
	for _, tc := range []struct {
		reason string
		says   bool
	}{{"it is new", true}, {"it is there", false}} {
		_, messages, status := runIn(t, dir, append([]string{"init"}, args...)...)
		says := strings.Contains(messages, "list plugin under components of the kustomization that installs Argo CD")
		if status != statusOK || says != tc.says {
			t.Errorf("%s: init ends with %d\n%s", tc.reason, status, messages)
		}
	}
	if out := filesBelow(t, filepath.Join(dir, "plugin")); len(out) != 3 {
		t.Errorf("the component has %d files", len(out))
	}
}

// TestInitForOneDirectory: a host runs goldenarch in one directory, so of several init asks for one.
func TestInitForOneDirectory(t *testing.T) {
	t.Parallel()
	stated := []string{"--offline", "--release", "1.19", "--workload-architectures", "amd64", "--control-plane-architectures", "amd64"}
	for _, flags := range [][]string{
		{"--host", "kustomize"}, {"--host", "kpt"}, {"--host", "argocd"}, {"--argocd", "plugin", "--argocd-image", "registry.example.com/goldenarch:1"},
	} {
		dir := writeTree(t, map[string]string{
			"a/hco.yaml": plainCR, "a/kustomization.yaml": "resources: [hco.yaml]\n", "b/hco.yaml": plainCR, "b/Kptfile": "kind: Kptfile\n", "plugin/a.txt": "",
		})
		_, messages, status := runIn(t, dir, append(append([]string{"init", "."}, flags...), stated...)...)
		if status != statusMisuse || !strings.Contains(messages, "sets up one directory, and . has 2 clusters") ||
			!strings.Contains(messages, "goldenarch init a ") || !strings.Contains(messages, strings.Join(flags, " ")) {
			t.Errorf("%v: init ends with %d\n%s", flags, status, messages)
		}
	}
}

// TestInitWhereFluxApplies: kustomize-controller runs no functions, so init sets up no host for them.
func TestInitWhereFluxApplies(t *testing.T) {
	t.Parallel()
	stated := []string{"--offline", "--release", "1.19", "--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64"}
	for _, tc := range []struct {
		reason, host string
		refused      bool
	}{
		{"kustomize", "kustomize", true},
		{"the plugin of Argo CD", "argocd", true},
		{"no host", "files", false},
	} {
		dir := writeTree(t, map[string]string{
			"virt/hco.yaml": plainCR, "virt/kustomization.yaml": "resources: [hco.yaml]\n", "apps/virt.yaml": fluxApplies,
		})
		git(t, dir, "", "init", "--quiet")
		out, errs, status := runIn(t, dir, append([]string{"init", "virt", "--host", tc.host}, stated...)...)
		refused := status == statusFailed && strings.Contains(errs, "kustomize-controller runs no functions") &&
			strings.Contains(errs, "goldenarch init virt --host files --control-plane-architectures amd64 --offline")
		if refused != tc.refused || !tc.refused && status != statusOK {
			t.Errorf("%s: status %d, refused: %v\n%s%s", tc.reason, status, refused, out, errs)
		}
	}
}

// TestInitNamesTheNextCommand: the next command has the flags that init had and stores nowhere, and
// no lock that would need the network.
func TestInitNamesTheNextCommand(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, want string
		flags        []string
	}{
		{"nothing is missing", "next, run: goldenarch check virt\n", nil},
		{"no network", "next, run: goldenarch check virt --offline --set registryRetries=3\n", []string{"--offline", "--set", "registryRetries=3"}},
		{"a switch", "next, run: goldenarch check virt --strict\n", []string{"--strict"}},
		{"a setting that the Fleet keeps", "next, run: goldenarch check virt --set lock=Prefer\n", []string{"--set=release=1.19", "--set=lock=Prefer"}},
		{"a kustomization that runs goldenarch", "next, run: goldenarch lock virt && goldenarch check virt --as rendered\n", []string{"--host", "kustomize"}},
		{
			"one without a network", "where the registries answer, run goldenarch lock virt, and commit the lock\n" +
				"goldenarch: next, run: goldenarch check virt --as rendered --offline\n", []string{"--host", "kustomize", "--offline"},
		},
		{
			"kpt renders in place", "next, run: goldenarch lock virt && kpt fn render virt --allow-exec && goldenarch check virt\n",
			[]string{"--host", "kpt"},
		},
	} {
		files := map[string]string{"virt/hco.yaml": plainCR, "virt/kustomization.yaml": "resources: [hco.yaml]\n"}
		if slices.Contains(tc.flags, "kpt") {
			files = map[string]string{"virt/hco.yaml": plainCR, "virt/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: virt}\n"}
		}
		dir := writeTree(t, files)
		args := append([]string{"init", "virt", "--workload-architectures", "amd64", "--control-plane-architectures", "amd64"}, tc.flags...)
		if _, messages, status := runIn(t, dir, args...); status != statusOK || !strings.HasSuffix(messages, tc.want) {
			t.Errorf("%s: status %d, want %q\n%s", tc.reason, status, tc.want, messages)
		}
	}
}

// TestInitSaysNone: no architecture has a word, as the flag has.
func TestInitSaysNone(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, states, flag, want string }{
		{"the files state none", "[]", "amd64", "the control-plane nodes have none, and the command line states amd64"},
		{"the command line states none", "[amd64]", "none", "the control-plane nodes have amd64, and the command line states none"},
	} {
		dir := writeTree(t, map[string]string{
			"virt/hco.yaml": plainCR,
			"virt/nodes.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: ClusterArchitectures\n" +
				"metadata: {name: a, annotations: {config.kubernetes.io/local-config: 'true'}}\nspec: {workload: [amd64], controlPlane: " + tc.states + "}\n",
		})
		_, messages, status := runIn(t, dir, "init", "virt", "--release", "1.19", "--control-plane-architectures", tc.flag)
		if status != statusFailed || !strings.Contains(messages, "GA845") || !strings.Contains(messages, tc.want) {
			t.Errorf("%s: status %d, want %q in\n%s", tc.reason, status, tc.want, messages)
		}
	}
}

// TestInitKeepsTheGateOff: where a person turned the multi-arch gate off although several architectures need it,
// init says so in the configuration, and the next check accepts what HCO alerts on. Nothing else gets the word.
func TestInitKeepsTheGateOff(t *testing.T) {
	t.Parallel()
	off := strings.Replace(gateOn, "true", "false", 1)
	offInV1 := strings.NewReplacer("v1beta1", "v1", "spec: {}", "spec: {workloadSources: {enableMultiArchBootImageImport: false}}").Replace(plainCR)
	two := []string{"--workload-architectures", "amd64,arm64"}
	const fleetFile, listed = "goldenarch.yaml", "resources: [hco.yaml]\n"
	configured := func(spec string) string { return strings.Replace(imagesConfig, "spec: {}", "spec: {"+spec+"}", 1) }
	for _, tc := range []struct {
		reason string
		files  map[string]string
		dir    string
		flags  []string
		// in is the file that has the word, or "command"; "" if nothing has it. words is how often.
		in    string
		words int
		// accepted says that the check has the finding, as information.
		accepted bool
	}{
		{"one CR below the root", map[string]string{"virt/hco.yaml": off}, "virt", two, fleetFile, 1, true},
		{"a repository with one CR", map[string]string{"virt/hco.yaml": off}, ".", two, fleetFile, 1, true},
		{"a v1 CR", map[string]string{"virt/hco.yaml": offInV1}, "virt", two, fleetFile, 1, true},
		{"a kustomization", map[string]string{"virt/hco.yaml": off, "virt/kustomization.yaml": listed}, "virt", two, fleetFile, 1, true},
		{"files at the root, which get no Fleet", map[string]string{"hco.yaml": off}, ".", two, "command", 1, true},
		{
			"a kustomization that runs goldenarch",
			map[string]string{"virt/hco.yaml": off, "virt/kustomization.yaml": listed},
			"virt", append([]string{"--host", "kustomize"}, two...), "virt/golden-images.yaml", 1, true,
		},
		{
			"the clusters of a repository, each for itself",
			map[string]string{"a/hco.yaml": off, "b/hco.yaml": plainCR, "c/hco.yaml": off},
			".", two, fleetFile, 2, true,
		},
		{
			"a configuration that leaves the gate to Auto",
			map[string]string{"virt/hco.yaml": off, "virt/mine.yaml": imagesConfig, "virt/kustomization.yaml": listed},
			"virt", two, fleetFile, 1, true,
		},
		{
			"a configuration says what to do",
			map[string]string{"virt/hco.yaml": off, "virt/mine.yaml": configured("gate: Disable")},
			"virt", two, "", 0, true,
		},
		{"nobody turned it off, so init turns it on", map[string]string{"virt/hco.yaml": plainCR}, "virt", two, "", 0, false},
		{"it is on", map[string]string{"virt/hco.yaml": gateOn}, "virt", two, "", 0, false},
		{
			"the false of a dump is the default",
			map[string]string{"virt/hco.yaml": strings.Replace(off, "metadata: {", "metadata: {uid: a, ", 1)},
			"virt", two, "", 0, false,
		},
		{
			"one architecture may have it off",
			map[string]string{"virt/hco.yaml": off},
			"virt",
			[]string{"--workload-architectures", "amd64"},
			"", 0, false,
		},
		{
			"plain Kubernetes makes no golden images",
			map[string]string{"virt/hco.yaml": off, "virt/mine.yaml": configured("platform: kubernetes")},
			"virt", two, "", 0, false,
		},
	} {
		dir := writeTree(t, tc.files)
		init := []string{"init", tc.dir, "--offline", "--release", "1.19", "--control-plane-architectures", "amd64"}
		_, messages, status := runIn(t, dir, append(init, tc.flags...)...)
		_, next, _ := strings.Cut(messages, "next, run: goldenarch ")
		if status != statusOK {
			t.Errorf("%s: init ends with %d\n%s", tc.reason, status, messages)
			continue
		}
		texts := filesBelow(t, dir)
		texts["command"] = strings.Replace(next, "gate=", "gate: ", 1)
		for name, text := range texts {
			want := 0
			if name == tc.in {
				want = tc.words
			}
			if got := strings.Count(text, "gate: Keep"); got != want {
				t.Errorf("%s: %s has the word %d times, want %d\n%s", tc.reason, name, got, want, text)
			}
		}
		out, errs, status := runIn(t, dir, strings.Fields(next)...)
		if status != statusOK || strings.Contains(out, "info GA430") != tc.accepted {
			t.Errorf("%s: %s ends with %d, accepted is %t\n%s%s", tc.reason, next, status, tc.accepted, out, errs)
		}
		if _, messages, status := runIn(t, dir, append(init, tc.flags...)...); status != statusOK || !strings.Contains(messages, "nothing to write") {
			t.Errorf("%s: the second run ends with %d\n%s", tc.reason, status, messages)
		}
	}
}

// TestInitBelowAnApplication: the entry that init writes is that of the cluster which check finds, also where an
// Application applies a directory above the one with the CR.
func TestInitBelowAnApplication(t *testing.T) {
	t.Parallel()
	const application = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: all}\n" +
		"spec: {source: {path: virt, repoURL: https://git.example/acme/r, directory: {recurse: true}}}\n"
	for _, dir := range []string{"virt", "virt/deep", "."} {
		root := writeTree(t, map[string]string{
			"apps/all.yaml": application, "virt/deep/hco.yaml": plainCR, ".git/HEAD": "ref: refs/heads/main\n",
			".git/config": "[remote \"origin\"]\n\turl = https://git.example/acme/r\n",
		})
		if out, errs, status := runIn(t, root, "init", dir, "--offline", "--release", "1.19", "--workload-architectures", "amd64,arm64",
			"--control-plane-architectures", "amd64"); status != statusOK {
			t.Fatalf("init %s ends with %d\n%s%s", dir, status, errs, out)
		}
		for _, checked := range []string{".", dir} {
			if out, errs, status := runIn(t, root, "check", checked, "--offline"); status != statusOK || !strings.Contains(out, "1 HyperConverged CR") {
				t.Errorf("after init %s, check %s ends with %d\n%s%s", dir, checked, status, errs, out)
			}
		}
	}
}
