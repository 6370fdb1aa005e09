package cli

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// overlayOfBoth has a CR and two Deployments in a shared base, and configurations beside it.
func overlayOfBoth(t *testing.T, more map[string]string) string {
	t.Helper()
	read := func(path string) string {
		text := filetest.Read(t, filepath.FromSlash("testdata/"+path))
		return string(text)
	}
	web := read("fix/repository_of_pods/tree/base/web.yaml")
	workloads := read("fix/repository_of_pods/tree/overlays/own/workloads.yaml")
	files := map[string]string{
		"base/kustomization.yaml":             "resources: [hyperconverged.yaml, web.yaml, api.yaml]\n",
		"base/hyperconverged.yaml":            read("fix/overlay_gets_a_patch/tree/base/hyperconverged.yaml"),
		"base/web.yaml":                       web,
		"base/api.yaml":                       strings.ReplaceAll(web, "web}", "api}"),
		"overlays/stage/kustomization.yaml":   "resources: [../../base]\n",
		"overlays/prod/kustomization.yaml":    "resources: [../../base, workloads.yaml]\n",
		".configurations/golden-images.yaml":  read("shared/fix/golden-images.yaml"),
		"overlays/prod/workloads.yaml":        strings.Replace(workloads, "mode: Affinity", "mode: None", 1),
		".configurations/pods.yaml":           workloads,
		".configurations/pods-of-api.yaml":    workloads + "  selectors: {names: [api]}\n",
		".configurations/check-pods.yaml":     strings.Replace(workloads, "mode: Affinity", "mode: Check", 1),
		".configurations/pods-replicas.yaml":  workloads + "  selectors: {kinds: [ReplicaSet]}\n",
		".configurations/pods-in-a-list.yaml": workloads + "  selectors: {namespaces: [other]}\n",
	}
	maps.Copy(files, more)
	dir := filetest.New(t, files)
	git(t, dir, "", "init", "-q")
	return dir
}

// TestFixKeepsPatches: a run keeps the patches of objects that it does not decide on, and
// check does not report them.
func TestFixKeepsPatches(t *testing.T) {
	t.Parallel()
	const prod = "overlays/prod"
	golden := []string{"--config", ".configurations/golden-images.yaml"}
	pods := []string{"--config", ".configurations/pods.yaml"}
	both := append([]string{"--workloads", "Affinity"}, golden...)
	for name, tc := range map[string]struct {
		reason        string
		first, second []string // the flags of the runs
		changes       bool     // the second run writes patches, too
	}{
		"GoldenImagesAfterBoth": {reason: "the second run does not decide on pods", first: both, second: golden},
		"PodsAfterBoth":         {reason: "the second run does not decide on the CR", first: both, second: pods},
		"PodsAfterGoldenImages": {reason: "the patches of pods take other names", first: golden, second: pods, changes: true},
		"GoldenImagesAfterPods": {reason: "the patches of the CR take other names", first: pods, second: golden, changes: true},
		"CheckPodsAfterBoth":    {reason: "a check of pods decides nothing", first: both, second: append([]string{"--workloads", "Check"}, golden...)},
		"CheckPodsAfterPods":    {reason: "the same without the CR", first: pods, second: []string{"--config", ".configurations/check-pods.yaml"}},
		"OnePodAfterAll":        {reason: "the selectors leave out the other pod", first: both, second: []string{"--config", ".configurations/pods-of-api.yaml"}},
		"NoPodAfterAll":         {reason: "the selectors leave out all pods", first: both, second: []string{"--config", ".configurations/pods-replicas.yaml"}},
		"NoNamespaceAfterAll":   {reason: "the same by the namespace", first: both, second: []string{"--config", ".configurations/pods-in-a-list.yaml"}},
		"BothAfterBoth":         {reason: "the run decides on everything", first: both, second: both},
	} {
		for _, place := range []string{prod, "."} {
			t.Run(name+"/"+filepath.Base(place), func(t *testing.T) {
				t.Parallel()
				dir := overlayOfBoth(t, nil)
				if place == "." {
					// The other overlay is no cluster of this repository.
					if err := os.RemoveAll(filepath.Join(dir, "overlays", "stage")); err != nil {
						t.Fatal(err)
					}
				}
				run := func(verb string, flags []string, want int) string {
					t.Helper()
					args := append([]string{verb, place, "--offline"}, flags...)
					if verb == "fix" {
						args = append(args, "--patch")
					}
					out, messages, status := runIn(t, dir, args...)
					if status != want {
						t.Fatalf("%s: %v: status %d\n%s%s", tc.reason, args, status, out, messages)
					}
					return out + messages
				}
				run("fix", tc.first, statusOK)
				before := patchesIn(t, dir)
				run("fix", tc.second, statusOK)
				after := patchesIn(t, dir)
				kept := maps.Clone(after)
				maps.DeleteFunc(kept, func(name, _ string) bool { return before[name] == "" })
				if diff := cmp.Diff(before, kept); diff != "" || tc.changes != (len(after) > len(before)) {
					t.Errorf("%s: the second run changes the patches of the first one: %s", tc.reason, diff)
				}
				for _, flags := range [][]string{tc.first, tc.second} {
					if out, _, _ := runIn(t, dir, append([]string{"check", place, "--offline"}, flags...)...); strings.Contains(out, " GA80") {
						t.Errorf("%s: check %v:\n%s", tc.reason, flags, out)
					}
					run("fix", append(flags, "--check"), statusOK)
				}
			})
		}
	}
}

// patchesIn returns the patches of goldenarch in the overlay: the text of each file that its
// kustomization lists.
func patchesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	files := filesBelow(t, filepath.Join(dir, "overlays", "prod"))
	for name, text := range files {
		if strings.HasPrefix(name, "goldenarch-patch") {
			if !strings.Contains(files["kustomization.yaml"], "path: "+name+"\n") {
				t.Errorf("the kustomization does not list %s", name)
			}
			out[name] = text
		}
	}
	if len(out) == 0 {
		t.Error("the overlay has no patch")
	}
	return out
}

// TestCheckPatchesOfPods: what the base gets after the run is in the build, or check fails.
// Then fix makes it right.
func TestCheckPatchesOfPods(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason, old, now string // an edit of the base
		want             string // the finding; "" for none
		status           int
	}{
		"Renamed": {
			reason: "the target of the patch is no object, and kustomize accepts that",
			old:    "name: web}\nspec:", now: "name: site}\nspec:", want: "warning GA806", status: statusFailed,
		},
		"AnotherKind": {
			reason: "no Deployment lacks its decisions",
			old:    "kind: Deployment", now: "kind: Other",
		},
		"SecondPort": {
			reason: "the merge patch joins the two ports",
			old:    "      - name: app\n", now: "      - name: app\n        ports: [{containerPort: 53, protocol: UDP}, {containerPort: 53}]\n",
			want: "warning GA806",
		},
		"FieldWithoutAValue": {
			reason: "a merge patch would leave out the field, so fix writes a JSON patch alone",
			old:    "spec:\n  selector", now: "status:\nspec:\n  selector", want: "warning GA806",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := overlayOfBoth(t, nil)
			const prod = "overlays/prod"
			flags := []string{prod, "--offline", "--config", ".configurations/pods.yaml"}
			succeeds(t, dir, append([]string{"fix", "--patch"}, flags...)...)
			path := filepath.Join(dir, "base", "web.yaml")
			filetest.Replace(t, path, tc.old, tc.now)
			out, _, status := runIn(t, dir, append([]string{"check"}, flags...)...)
			if !strings.Contains(out, tc.want) || status != tc.status {
				t.Errorf("%s: check: want %q and status %d, got %d:\n%s", tc.reason, tc.want, tc.status, status, out)
			}
			_, messages, status := runIn(t, dir, append([]string{"fix"}, flags...)...)
			if status != statusOK {
				t.Fatalf("%s: fix: %s", tc.reason, messages)
			}
			if out, _, status := runIn(t, dir, append([]string{"check"}, flags...)...); status != statusOK || strings.Contains(out, " GA80") {
				t.Errorf("%s: after fix (%d):\n%s", tc.reason, status, out)
			}
		})
	}
}

// TestCheckPatchesOfTerms: a base that gets another term, which is enough for a node, never
// passes. Earlier versions tested only the term that they changed.
func TestCheckPatchesOfTerms(t *testing.T) {
	t.Parallel()
	const (
		affinity = "      affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [\n" +
			"        {matchExpressions: [{key: zone, operator: In, values: [x]}]},\n        ]}}}\n"
		another = "        {matchExpressions: [{key: disk, operator: Exists}]},\n"
		list    = "/spec/template/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms"
	)
	for name, tc := range map[string]struct {
		reason     string
		old, grown bool
		want       string
		status     int
	}{
		"Grown":       {reason: "the patch tests the whole list", grown: true, want: "error GA806", status: statusFailed},
		"OldAndGrown": {reason: "the new term has no decision", old: true, grown: true, want: "warning GA806", status: statusFailed},
		"Old":         {reason: "the build is what goldenarch decides", old: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := overlayOfBoth(t, nil)
			edit := func(path, old, now string) { filetest.Replace(t, filepath.Join(dir, path), old, now) }
			edit("base/web.yaml", "      containers:\n", affinity+"      containers:\n")
			flags := []string{"overlays/prod", "--offline", "--config", ".configurations/pods.yaml"}
			succeeds(t, dir, append([]string{"fix", "--patch"}, flags...)...)
			if tc.old {
				for name, text := range patchesIn(t, dir) {
					if strings.Contains(text, "key: zone") {
						edit("overlays/prod/"+name, "path: "+list+"\n  value:\n  - matchExpressions:\n    - key: zone\n      operator: In\n      values:\n      - x\n",
							"path: "+list+"/0\n  value:\n    matchExpressions:\n    - key: zone\n      operator: In\n      values:\n      - x\n")
					}
				}
			}
			if tc.grown {
				edit("base/web.yaml", "        ]}}}\n", another+"        ]}}}\n")
			}
			if out, _, status := runIn(t, dir, append([]string{"check"}, flags...)...); !strings.Contains(out, tc.want) || status != tc.status {
				t.Errorf("%s: check: want %q and status %d, got %d:\n%s", tc.reason, tc.want, tc.status, status, out)
			}
			succeeds(t, dir, append([]string{"fix"}, flags...)...)
			if out, _, status := runIn(t, dir, append([]string{"check"}, flags...)...); status != statusOK || strings.Contains(out, " GA80") {
				t.Errorf("%s: after fix (%d):\n%s", tc.reason, status, out)
			}
		})
	}
}

// TestFixKeepsWhatItLeaves: an earlier decision stays where a run leaves an object as it is,
// in a patch and in the file itself.
func TestFixKeepsWhatItLeaves(t *testing.T) {
	t.Parallel()
	skip := func(text string) string {
		return strings.Replace(text, "    quay.io/acme/web:1: [amd64]\n", "", 1) + "  unresolved: Skip\n"
	}
	annotate := func(mode string) func(string) string {
		return func(text string) string {
			return strings.Replace(text, "metadata: {name: web}", "metadata: {name: web, annotations: {goldenarch.dev/workloads: "+mode+"}}", 1)
		}
	}
	field := func(line string) func(string) string {
		return func(text string) string {
			return strings.Replace(text, "      containers:\n", "      "+line+"\n      containers:\n", 1)
		}
	}
	const pods, golden = ".configurations/pods.yaml", ".configurations/golden-images.yaml"
	for name, tc := range map[string]struct {
		reason       string
		config, edit string
		with         func(string) string
	}{
		"Unresolved": {reason: "nothing is known of the image now", config: pods, edit: pods, with: skip},
		"None":       {reason: "the pod opts out", config: pods, edit: "base/web.yaml", with: annotate("None")},
		"Check":      {reason: "the pod is only checked", config: pods, edit: "base/web.yaml", with: annotate("Check")},
		"NodeName":   {reason: "no scheduler reads the affinity", config: pods, edit: "base/web.yaml", with: field("nodeName: node-1")},
		"Windows":    {reason: "goldenarch decides on pods for Linux", config: pods, edit: "base/web.yaml", with: field("os: {name: windows}")},
		"Template": {
			reason: "nothing is known of the image of the template now", config: golden, edit: golden,
			with: func(text string) string {
				return strings.Replace(text, "    - template: app\n      architectures: [amd64, arm64]\n", "", 1) + "  unresolved: Keep\n"
			},
		},
	} {
		for _, how := range []string{"overlays/prod", ".", "base"} {
			t.Run(name+"/"+filepath.Base(how), func(t *testing.T) {
				t.Parallel()
				dir := overlayOfBoth(t, nil)
				if how == "." {
					if err := os.RemoveAll(filepath.Join(dir, "overlays", "stage")); err != nil {
						t.Fatal(err)
					}
				}
				args := []string{"fix", how, "--offline", "--config", tc.config}
				if how == "base" { // plain files
					for _, path := range []string{"overlays", "base/kustomization.yaml"} {
						if err := os.RemoveAll(filepath.Join(dir, filepath.FromSlash(path))); err != nil {
							t.Fatal(err)
						}
					}
				} else {
					args = append(args, "--patch")
				}
				succeeds(t, dir, args...)
				path := filepath.Join(dir, filepath.FromSlash(tc.edit))
				text := filetest.Read(t, path)
				now := tc.with(string(text))
				if now == string(text) && how != "base" {
					t.Fatal("the test edits nothing")
				}
				if how == "base" && (name == "None" || name == "Check") {
					now = strings.Replace(now, "metadata: {name: web,", "metadata: {name: web, ", 1)
					now = strings.Replace(now, "annotations: {", "annotations: {goldenarch.dev/workloads: "+name+", ", 1)
				}
				filetest.File(t, path, now)
				before := filesBelow(t, dir)
				_, messages, status := runIn(t, dir, args...)
				if diff := cmp.Diff(before, filesBelow(t, dir)); diff != "" || status != statusOK {
					t.Errorf("%s: status %d: %s\n%s", tc.reason, status, messages, diff)
				}
				args = slices.DeleteFunc(args, func(arg string) bool { return arg == "--patch" })
				args[0] = "check"
				if out, _, _ := runIn(t, dir, args...); strings.Contains(out, " GA80") {
					t.Errorf("%s: check:\n%s", tc.reason, out)
				}
			})
		}
	}
}

// TestFixKeepsPatchesOfOneItem: an item with a CR and pods has patches for both. A run that
// decides on one of them keeps the patches, and check does not report them.
func TestFixKeepsPatchesOfOneItem(t *testing.T) {
	t.Parallel()
	indented := func(path string) string {
		text := filetest.Read(t, filepath.FromSlash("testdata/fix/"+path))
		return "    - " + strings.ReplaceAll(strings.TrimSpace(string(text)), "\n", "\n      ") + "\n"
	}
	work := "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata: {name: both, namespace: edge}\nspec:\n  workload:\n    manifests:\n" +
		indented("overlay_gets_a_patch/tree/base/hyperconverged.yaml") + indented("repository_of_pods/tree/base/web.yaml")
	golden := []string{"--config", ".configurations/golden-images.yaml"}
	pods := []string{"--config", ".configurations/pods.yaml"}
	both := append([]string{"--workloads", "Affinity"}, golden...)
	for name, second := range map[string][]string{"GoldenImages": golden, "Pods": pods, "Both": both} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := overlayOfBoth(t, map[string]string{"base/kustomization.yaml": "resources: [work.yaml]\n", "base/work.yaml": work})
			flags := []string{"overlays/prod", "--offline"}
			succeeds(t, dir, slices.Concat([]string{"fix", "--patch"}, flags, both)...)
			all := strings.Join(slices.Collect(maps.Values(patchesIn(t, dir))), "")
			for _, decision := range []string{"ssp.kubevirt.io/dict.architectures: amd64,arm64", "enableMultiArchBootImageImport: true", "key: kubernetes.io/arch"} {
				if !strings.Contains(all, decision) {
					t.Fatalf("the patches lack %q:\n%s", decision, all)
				}
			}
			before := filesBelow(t, dir)
			_, messages, status := runIn(t, dir, slices.Concat([]string{"fix", "--patch"}, flags, second)...)
			if diff := cmp.Diff(before, filesBelow(t, dir)); diff != "" || status != statusOK {
				t.Errorf("status %d: %s\n%s", status, messages, diff)
			}
			if out, _, status := runIn(t, dir, slices.Concat([]string{"check"}, flags, second)...); strings.Contains(out, " GA80") || status != statusOK {
				t.Errorf("check: status %d\n%s", status, out)
			}
		})
	}
}

// TestKeptPatchDoesNotFit: the base has changed below a patch of an object that the run does
// not decide on. The message names the patch, and the configuration that it needs.
func TestKeptPatchDoesNotFit(t *testing.T) {
	t.Parallel()
	const crBase, podsBase = "base/hyperconverged.yaml", "base/web.yaml"
	golden := []string{"--config", ".configurations/golden-images.yaml"}
	pods := []string{"--config", ".configurations/pods.yaml"}
	affinity := "      affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: " +
		"{nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: Exists}]}]}}}\n"
	for name, tc := range map[string]struct {
		reason          string
		file, old, now  string
		runs, wrote     []string // the flags of the run, and of the one that wrote the patch
		patch, decision string
	}{
		"CR": {
			reason: "the run decides on pods, and a template got annotations", runs: pods, wrote: golden,
			file: crBase, old: "name: app\n", now: "name: app\n        annotations: {owner: me}\n", decision: "dict.architectures",
		},
		"Pods": {
			reason: "the run decides on the CR, and a pod got terms", runs: golden, wrote: pods,
			file: podsBase, old: "      containers:\n", now: affinity + "      containers:\n", decision: "name: web\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := overlayOfBoth(t, nil)
			fix := func(flags []string) (string, int) {
				t.Helper()
				_, messages, status := runIn(t, dir, append([]string{"fix", "overlays/prod", "--patch", "--offline"}, flags...)...)
				return messages, status
			}
			for _, flags := range [][]string{golden, pods} {
				if messages, status := fix(flags); status != statusOK {
					t.Fatal(messages)
				}
			}
			path := filepath.Join(dir, tc.file)
			filetest.Replace(t, path, tc.old, tc.now)
			before := filesBelow(t, dir)
			messages, status := fix(tc.runs)
			if status != statusFailed || !strings.Contains(messages, "error GA806 (overlays/prod/goldenarch-patch") ||
				!strings.Contains(messages, "this run does not decide on the objects of goldenarch-patch") || !strings.Contains(messages, "--workloads Affinity") {
				t.Errorf("%s: status %d: %s", tc.reason, status, messages)
			}
			if diff := cmp.Diff(before, filesBelow(t, dir)); diff != "" {
				t.Errorf("%s: the run that failed has changed files:\n%s", tc.reason, diff)
			}
			if messages, status := fix(tc.wrote); status != statusOK {
				t.Errorf("%s: the run that the message names fails: %s", tc.reason, messages)
			}
			if messages, status := fix(tc.runs); status != statusOK {
				t.Errorf("%s: then the run still fails: %s", tc.reason, messages)
			}
		})
	}
}

// TestPatchesOfACSV: what the patches of a ClusterServiceVersion keep when its base or the
// answers change.
func TestPatchesOfACSV(t *testing.T) {
	t.Parallel()
	const file, config = "base/operator.clusterserviceversion.yaml", "overlays/prod/workloads.yaml"
	for name, tc := range map[string]struct {
		reason, file, old, now string
		kept                   bool     // the patches stay as they are
		has                    []string // what the overlay has then
	}{
		"OtherSystem": {
			reason: "a person names the systems in the base, so goldenarch adds none", file: file,
			old: "    operatorframework.io/arch.s390x", now: "    operatorframework.io/os.windows: supported\n    operatorframework.io/arch.s390x",
			has: []string{"operatorframework.io/os.windows: supported\n  name:", "operatorframework.io/arch.arm64: supported"},
		},
		"NodeName": {
			reason: "a pod with a node has no affinity of ours, and the other one keeps it", file: file,
			old:  "              containers:\n              - name: webhook\n",
			now:  "              nodeName: node-1\n              containers:\n              - name: webhook\n",
			kept: true, has: []string{"nodeName: node-1", "operatorframework.io/arch.arm64: supported", "- arm64"},
		},
		"Unresolved": {
			reason: "nothing is known of an image", file: config, old: "    quay.io/acme/proxy:1: [amd64, arm64]\n", now: "  unresolved: Skip\n",
			kept: true, has: []string{"operatorframework.io/arch.arm64: supported"},
		},
		"AnotherAnswer": {
			reason: "an image has one architecture less", file: config, old: "    quay.io/acme/proxy:1: [amd64, arm64]\n", now: "    quay.io/acme/proxy:1: [amd64]\n",
			has: []string{"operatorframework.io/arch.amd64: supported"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := repository(t, filepath.Join("testdata", "fix", "overlay_gets_patches_of_a_csv"))
			args := []string{"fix", "overlays/prod", "--patch", "--offline", "--workloads", "Affinity"}
			succeeds(t, dir, args...)
			path := filepath.Join(dir, tc.file)
			filetest.Replace(t, path, tc.old, tc.now)
			before := patchesIn(t, dir)
			succeeds(t, dir, args...)
			if diff := cmp.Diff(before, patchesIn(t, dir)); tc.kept != (diff == "") {
				t.Errorf("%s: want the patches kept %v, got\n%s", tc.reason, tc.kept, diff)
			}
			out, messages, _ := runIn(t, dir, "render", "overlays/prod", "--offline", "--workloads", "None")
			for _, part := range tc.has {
				if !strings.Contains(out, part) {
					t.Errorf("%s: the overlay has no %q:\n%s%s", tc.reason, part, messages, out)
				}
			}
			args[0] = "check"
			if out, _, _ := runIn(t, dir, slices.DeleteFunc(args, func(arg string) bool { return arg == "--patch" })...); strings.Contains(out, " GA80") {
				t.Errorf("%s: check:\n%s", tc.reason, out)
			}
		})
	}
}
