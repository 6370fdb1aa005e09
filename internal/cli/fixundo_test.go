package cli

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFixUndo: --undo takes out exactly what fix wrote.
func TestFixUndo(t *testing.T) {
	t.Parallel()
	cr := "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged # ours\nmetadata:\n  name: kubevirt-hyperconverged\n  namespace: kubevirt-hyperconverged\n" +
		"spec:\n  featureGates:\n    enableMultiArchBootImageImport: true\n  dataImportCronTemplates:\n  - metadata:\n      name: app # of acme\n" +
		"    spec:\n      managedDataSource: app\n      schedule: \"0 0 * * *\"\n" +
		"      template: {spec: {source: {registry: {url: \"docker://quay.io/acme/web:1\"}}, storage: {resources: {requests: {storage: 10Gi}}}}}\n"
	const claim = "ssp.kubevirt.io/dict.architectures: "
	withCR := map[string]string{"base/kustomization.yaml": "resources: [web.yaml, db.yaml, lock.yaml, pods.yaml, hco.yaml]\n", "base/hco.yaml": cr}
	const gate = "  featureGates:\n    enableMultiArchBootImageImport: true\n"
	without, off := maps.Clone(withCR), maps.Clone(withCR)
	without["base/hco.yaml"] = strings.Replace(cr, gate, "", 1)
	off["base/hco.yaml"] = strings.Replace(cr, "Import: true", "Import: false", 1)
	declared := func(value string) map[string]string {
		return map[string]string{
			"base/kustomization.yaml": withCR["base/kustomization.yaml"],
			"base/hco.yaml":           strings.Replace(cr, "name: app # of acme\n", "name: app # of acme\n      annotations: {"+claim+value+"}\n", 1),
		}
	}
	for name, tc := range map[string]struct {
		reason string
		more   map[string]string
		args   []string
		want   string // in the messages
	}{
		"Pods":                 {reason: "affinity and its record", args: []string{"."}},
		"CR":                   {reason: "the declared architectures; a person turned the gate on", more: withCR, args: []string{"."}, want: "GA824"},
		"Gate":                 {reason: "goldenarch turned the gate on", more: without, args: []string{"."}},
		"GateOff":              {reason: "goldenarch turned a person's gate on", more: off, args: []string{".", "--set", "gate=Enable"}},
		"GateInPatches":        {reason: "goldenarch turned the gate on in patches", more: without, args: []string{".", "--patch"}},
		"Patches":              {reason: "the patches of the overlays and their entries", args: []string{".", "--patch"}},
		"PersonsDeclared":      {reason: "a person declared the architectures", more: declared("amd64"), args: []string{"."}},
		"PersonsNarrowed":      {reason: "the image has fewer than a person declared", more: declared("'amd64,s390x'"), args: []string{"."}},
		"PersonsNarrowedToAll": {reason: "the image has fewer, and all of them are declared", more: declared("'amd64,arm64,s390x'"), args: []string{"."}},
		"PersonsForm":          {reason: "a person declared an alias", more: declared("x86_64"), args: []string{"."}},
		"PersonsReplaced":      {reason: "goldenarch declared more", more: declared("'amd64'"), args: []string{".", "--set", "existing=Replace"}},
		"PersonsEmpty":         {reason: "a person declared nothing", more: declared(`""`), args: []string{"."}},
		"PersonsInPatches":     {reason: "patches narrow what a person declared", more: declared("'amd64,s390x'"), args: []string{".", "--patch"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := sharedBase(t, tc.more)
			before := filesBelow(t, dir)
			flags := []string{"--offline", "--workload-architectures", "amd64,arm64", "--set", "predefined=none"}
			if _, messages, status := runIn(t, dir, append(append([]string{"fix"}, tc.args...), flags...)...); status != statusOK {
				t.Fatalf("%s: fix: %s", tc.reason, messages)
			}
			if len(changedIn(before, filesBelow(t, dir))) == 0 {
				t.Fatalf("%s: fix changes nothing", tc.reason)
			}
			_, messages, status := runIn(t, dir, "fix", ".", "--undo", "--offline")
			if status != statusOK || !strings.Contains(messages, tc.want) {
				t.Errorf("%s: status %d, want %q\n%s", tc.reason, status, tc.want, messages)
			}
			if diff := cmp.Diff(before, filesBelow(t, dir)); diff != "" {
				t.Errorf("%s:\n%s", tc.reason, diff)
			}
			if _, messages, status := runIn(t, dir, "fix", ".", "--undo", "--check", "--offline"); status != statusOK {
				t.Errorf("%s: the second --undo: status %d\n%s", tc.reason, status, messages)
			}
		})
	}
}

// TestFixUndoOfCRs: what a person changed since stays.
func TestFixUndoOfCRs(t *testing.T) {
	t.Parallel()
	const head = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata:\n  name: kubevirt-hyperconverged\n"
	template := func(annotations, spec string) string {
		return head + "spec:\n  dataImportCronTemplates:\n  - metadata:\n      name: app\n" + annotations + spec
	}
	const spec, notes = "    spec: {managedDataSource: app}\n", "      annotations:\n"
	const claim, written = "        ssp.kubevirt.io/dict.architectures: amd64\n", "        goldenarch.dev/claim: amd64\n"
	const wasUnset, on = "  annotations:\n    goldenarch.dev/gate-before-enable: unset\n", "spec:\n  featureGates:\n    enableMultiArchBootImageImport: true\n"
	const v1 = "apiVersion: hco.kubevirt.io/v1\nkind: HyperConverged\nmetadata:\n  name: kubevirt-hyperconverged\n"
	const other, entry = "spec:\n  featureGates:\n  - name: downwardMetrics\n", "  - name: enableMultiArchBootImageImport\n    state: Enabled\n"
	const off, because = "        dataimportcrontemplate.kubevirt.io/enable: \"false\"\n", "        goldenarch.dev/disabled-because: no-supported-architecture\n"
	for name, tc := range map[string]struct{ reason, before, after, want string }{
		"Written": {reason: "goldenarch wrote both", before: template(notes+claim+written, spec), after: template("", spec)},
		"ClaimChanged": {
			reason: "a person changed the architectures",
			before: template(notes+claim+strings.Replace(written, "amd64", "arm64", 1), spec), after: template(notes+claim, spec),
		},
		"Narrowed": {
			reason: "goldenarch changed what a person declared",
			before: template(notes+claim+written+"        goldenarch.dev/claim-changed: amd64 from \"amd64,s390x\"\n", spec),
			after:  template(notes+strings.Replace(claim, "amd64", "amd64,s390x", 1), spec),
		},
		"NarrowedToSome": {
			reason: "goldenarch recorded no value as its own",
			before: template(notes+claim+"        goldenarch.dev/claim-changed: amd64 from \"x86_64, s390x\"\n", spec),
			after:  template(notes+strings.Replace(claim, "amd64", "x86_64, s390x", 1), spec),
		},
		"Dropped": {
			reason: "goldenarch removed what a person declared", before: template(notes+"        goldenarch.dev/claim-changed: none from \"amd64\"\n", spec),
			after: template(notes+claim, spec),
		},
		"NarrowedThenChanged": {
			reason: "a person changed the architectures since", before: template(notes+claim+"        goldenarch.dev/claim-changed: arm64 from \"arm64,s390x\"\n", spec),
			after: template(notes+claim, spec),
		},
		"Disabled": {reason: "goldenarch disabled it", before: template(notes+off+because, spec), after: template("", spec)},
		"EnabledBefore": {
			reason: "a person had enabled it in so many words", before: template(notes+off+because+"        goldenarch.dev/enable-before: \"true\"\n", spec),
			after: template(notes+strings.Replace(off, "false", "true", 1), spec),
		},
		"EnabledSince": {
			reason: "a person enabled it since",
			before: template(notes+strings.Replace(off, "false", "True", 1)+because+"        goldenarch.dev/enable-before: \"true\"\n", spec),
			after:  template(notes+strings.Replace(off, "false", "True", 1), spec),
		},
		"OffByPerson": {reason: "a person disabled it", before: template(notes+off, spec), after: template(notes+off, spec)},
		"Stub":        {reason: "goldenarch added the entry", before: template(notes+off+because, ""), after: head + "spec: {}\n"},
		"GateOff": {
			reason: "goldenarch turned the gate off", before: head + "  annotations:\n    goldenarch.dev/gate-before-disable: enabled\n" +
				"spec:\n  featureGates:\n    enableMultiArchBootImageImport: false\n", after: head + "spec:\n  featureGates:\n    enableMultiArchBootImageImport: true\n",
		},
		"Nothing": {reason: "goldenarch wrote nothing", before: template("", spec), after: template("", spec)},
		"GateOn":  {reason: "goldenarch turned the gate on", before: head + wasUnset + on, after: head + "spec: {}\n"},
		"GateOverOff": {
			reason: "goldenarch turned a person's gate on", before: head + strings.Replace(wasUnset, "unset", "disabled", 1) + on,
			after: head + strings.Replace(on, "true", "false", 1),
		},
		"GateByPerson": {reason: "a person turned the gate on", before: head + on, after: head + on, want: "GA824"},
		"GateChanged": {
			reason: "a person turned the gate off after goldenarch turned it on",
			before: head + wasUnset + strings.Replace(on, "true", "false", 1), after: head + strings.Replace(on, "true", "false", 1),
		},
		"GateRemoved": {reason: "a person removed the gate", before: head + wasUnset + template("", spec)[len(head):], after: template("", spec)},
		"GateList": {
			reason: "goldenarch turned the gate on in the list of a v1 CR", before: v1 + wasUnset + other + entry, after: v1 + other,
		},
		"GateRecordByPerson": {
			reason: "goldenarch writes no such record", before: head + strings.Replace(wasUnset, "unset", "maybe", 1) + on,
			after: head + strings.Replace(wasUnset, "unset", "maybe", 1) + on, want: "GA824",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, "hco.yaml")
			if err := os.WriteFile(path, []byte(tc.before), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, messages, status := runIn(t, dir, "fix", "hco.yaml", "--undo"); status != statusOK || strings.Contains(messages, "GA824") != (tc.want != "") {
				t.Fatalf("%s: status %d\n%s", tc.reason, status, messages)
			}
			got, err := os.ReadFile(path)
			if diff := cmp.Diff(tc.after, string(got)); err != nil || diff != "" {
				t.Errorf("%s: %v\n%s", tc.reason, err, diff)
			}
		})
	}
}

// TestFixUndoOfPods: --undo finds the pods by the records, also where spec.additionalPaths
// names their place, and reports what it cannot know.
func TestFixUndoOfPods(t *testing.T) {
	t.Parallel()
	const pod = "      containers:\n      - name: app\n        image: quay.io/acme/web:1\n"
	const game = "apiVersion: example.com/v1\nkind: Game\nmetadata:\n  name: web\nspec:\n  players:\n    pod:\n" + pod
	const deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n    spec:\n" + pod
	paths := func(group, kind, path string) string {
		return podsConfig + "  mode: Affinity\n  additionalPaths:\n  - {group: " + group + ", kind: " + kind + ", path: " + path + "}\n"
	}
	players := paths("example.com", "Game", "spec.players.pod")
	const csv = "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata:\n  name: acme.v1\n  labels:\n" +
		"    operatorframework.io/arch.arm64: supported\nspec: {}\n"
	for name, tc := range map[string]struct {
		reason, text       string
		fixed, again, undo string // the configurations of fix, of a second fix, and of fix --undo; "" for no such run, or none
		want               string // in the messages
	}{
		"Configured": {reason: "the configuration names the place", text: game, fixed: players, undo: players},
		"Discovered": {reason: "the place has containers", text: game, fixed: players},
		"Unknown": {
			reason: "nothing names the place", text: "apiVersion: example.com/v1\nkind: Game\nmetadata:\n  name: web\n" +
				"  annotations:\n    goldenarch.dev/node-affinity: amd64\nspec: {}\n", want: "GA824",
		},
		"KnownPlace": {reason: "a place of a known kind has another name beside a second one", text: deployment, fixed: paths("apps", "Deployment", "spec.more")},
		"NewPath": {
			reason: "a path that somebody adds changes no record", text: deployment,
			fixed: podsConfig + "  mode: Affinity\n", again: paths("apps", "Deployment", "spec.more"),
		},
		"Labels": {reason: "nothing records who wrote the labels", text: csv, want: "GA824"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write := func(name, text string) {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			run := func(config string, args ...string) (string, int) {
				if config != "" {
					write("pods.yaml", config)
					args = append(args, "--config", "pods.yaml")
				}
				_, messages, status := runIn(t, dir, append([]string{"fix", "web.yaml"}, args...)...)
				return messages, status
			}
			write("web.yaml", tc.text)
			if tc.fixed != "" {
				if messages, status := run(tc.fixed, "--offline", "--image", "quay.io/acme/web:1=amd64"); status != statusOK {
					t.Fatalf("%s: fix: %s", tc.reason, messages)
				}
				if text := golden(t, dir, "web.yaml"); text == tc.text {
					t.Fatalf("%s: fix changes nothing", tc.reason)
				}
			}
			if tc.again != "" {
				if messages, status := run(tc.again, "--offline", "--image", "quay.io/acme/web:1=amd64", "--check"); status != statusOK {
					t.Errorf("%s: a second run: status %d\n%s", tc.reason, status, messages)
				}
			}
			messages, status := run(tc.undo, "--undo")
			if status != statusOK || strings.Contains(messages, "GA824") != (tc.want != "") {
				t.Errorf("%s: status %d, want %q\n%s", tc.reason, status, tc.want, messages)
			}
			if got := golden(t, dir, "web.yaml"); got != tc.text {
				t.Errorf("%s: %s", tc.reason, got)
			}
		})
	}
}

// TestUndoOfADisabledTemplate: what a person gave the annotation that enables a template
// returns, by --undo and when the nodes can use the image again.
func TestUndoOfADisabledTemplate(t *testing.T) {
	t.Parallel()
	const before = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata:\n  name: kubevirt-hyperconverged\nspec:\n" +
		"  dataImportCronTemplates:\n  - metadata:\n      name: app\n      annotations:\n        dataimportcrontemplate.kubevirt.io/enable: \"true\"\n" +
		"    spec:\n      schedule: 0 0 * * *\n      managedDataSource: app\n" +
		"      template: {spec: {source: {registry: {url: docker://quay.io/acme/app:1}}, storage: {resources: {requests: {storage: 1Gi}}}}}\n"
	with := func(has string) []string {
		return []string{
			"fix", "hco.yaml", "--offline", "--set", "predefined=none", "--release", "1.19", "--set", "gate=Keep", "--workload-architectures", "amd64",
			"--control-plane-architectures", "amd64", "--image", "quay.io/acme/app:1=" + has,
		}
	}
	for reason, again := range map[string][]string{"undone": {"fix", "hco.yaml", "--undo"}, "enabled again": with("amd64")} {
		dir := writeTree(t, map[string]string{"hco.yaml": before})
		for _, args := range [][]string{with("s390x"), with("s390x"), again, {"fix", "hco.yaml", "--undo"}} {
			if _, messages, status := runIn(t, dir, args...); status != statusOK {
				t.Fatalf("%s: %v: status %d\n%s", reason, args, status, messages)
			}
		}
		if after := filesBelow(t, dir)["hco.yaml"]; after != before {
			t.Errorf("%s: %s", reason, cmp.Diff(before, after))
		}
	}
}

// TestFixUndoOfNoSpec: a CR that had no spec has none again, in its own bytes, also after the gate
// was turned on and off.
func TestFixUndoOfNoSpec(t *testing.T) {
	t.Parallel()
	const head = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata:\n  name: kubevirt-hyperconverged\n"
	fix := []string{"--release", "1.19", "--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64", "--set", "predefined=none"}
	off := append(slices.Clone(fix), "--set", "gate=Disable")
	for _, spec := range []string{"", "spec:\n", "spec: # later\n", "spec: {}\n"} {
		for _, runs := range [][][]string{{fix}, {off}, {fix, off}, {off, fix}} {
			dir := writeTree(t, map[string]string{"hco.yaml": head + spec})
			for _, args := range append(runs, []string{"--undo"}) {
				_, messages, status := runIn(t, dir, append([]string{"fix", "hco.yaml", "--offline"}, args...)...)
				if undone := filesBelow(t, dir)["hco.yaml"] == head+spec; status != statusOK || undone != (len(args) == 1) {
					t.Errorf("%q, fix %q: status %d\n%s\n%s", spec, args, status, filesBelow(t, dir)["hco.yaml"], messages)
				}
			}
		}
	}
}

// TestNoRecordInSharedAnnotations: annotations that another object has, too, get no record
// of the gate, and stay.
func TestNoRecordInSharedAnnotations(t *testing.T) {
	t.Parallel()
	const before = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: other\n    annotations: &x {}\n" +
		"- apiVersion: hco.kubevirt.io/v1beta1\n  kind: HyperConverged\n  metadata:\n    name: kubevirt-hyperconverged\n    annotations: *x\n  spec:\n    live: 1\n"
	dir := writeTree(t, map[string]string{"hco.yaml": before})
	args := []string{
		"fix", "hco.yaml", "--offline", "--set", "predefined=none", "--release", "1.19", "--workload-architectures", "amd64,arm64",
		"--control-plane-architectures", "amd64",
	}
	if _, messages, status := runIn(t, dir, args...); status != statusOK {
		t.Fatalf("status %d\n%s", status, messages)
	}
	want := before + "    featureGates:\n      enableMultiArchBootImageImport: true\n"
	if diff := cmp.Diff(want, filesBelow(t, dir)["hco.yaml"]); diff != "" {
		t.Error(diff)
	}
}

// TestFixUndoOfUnreadRecords: what --undo cannot read of a record stays, and is named.
func TestFixUndoOfUnreadRecords(t *testing.T) {
	t.Parallel()
	const pod = "spec:\n  template:\n    spec:\n      containers:\n      - {name: a, image: quay.io/acme/web:1}\n"
	const affinity = "      affinity:\n        nodeAffinity:\n          requiredDuringSchedulingIgnoredDuringExecution:\n            nodeSelectorTerms:\n" +
		"            - matchExpressions:\n              - key: kubernetes.io/arch\n                operator: In\n                values: [amd64]\n"
	deployment := func(record, spec string) string {
		return "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  annotations:\n    goldenarch.dev/node-affinity: " + record + "\n" + spec
	}
	for _, tc := range []struct{ reason, before, after, says string }{
		{"an architecture that nobody knows", deployment("vax", pod), deployment("vax", pod), `"vax"`},
		{"beside one that it undoes", deployment("'amd64; other: vax'", pod+affinity), deployment("'other: vax'", pod), `"other: vax"`},
	} {
		dir := writeTree(t, map[string]string{"web.yaml": tc.before})
		_, messages, status := runIn(t, dir, "fix", "--undo", "web.yaml")
		got := filesBelow(t, dir)["web.yaml"]
		if diff := cmp.Diff(strings.ReplaceAll(tc.after, "'", ""), strings.NewReplacer("'", "", `"`, "").Replace(got)); diff != "" || status != statusOK {
			t.Errorf("%s: status %d\n%s\n%s", tc.reason, status, diff, messages)
		}
		if !strings.Contains(messages, "GA824") || !strings.Contains(messages, tc.says) {
			t.Errorf("%s: want GA824 about %s, got\n%s", tc.reason, tc.says, messages)
		}
	}
}

// TestFixUndoInARepository: --undo finds what fix wrote in each directory, and needs no flag
// about pods.
func TestFixUndoInARepository(t *testing.T) {
	t.Parallel()
	const cr = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata:\n  name: kubevirt-hyperconverged\n" +
		"  namespace: kubevirt-hyperconverged\nspec: {}\n"
	const pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n  - {name: app, image: \"quay.io/acme/web:1\"}\n"
	const csv = "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata: {name: acme.v1.0.0}\nspec:\n  version: 1.0.0\n" +
		"  install:\n    strategy: deployment\n    spec:\n      deployments:\n      - name: acme\n        spec:\n          selector: {matchLabels: {a: b}}\n" +
		"          template:\n            metadata: {labels: {a: b}}\n            spec:\n              containers:\n" +
		"              - {name: app, image: \"quay.io/acme/web:1\"}\n"
	bundle := map[string]string{
		"a/hco.yaml": cr, "b/hco.yaml": cr,
		"bundle/manifests/acme.clusterserviceversion.yaml": csv,
		"bundle/metadata/annotations.yaml": "annotations:\n  operators.operatorframework.io.bundle.mediatype.v1: registry+v1\n" +
			"  operators.operatorframework.io.bundle.manifests.v1: manifests/\n  operators.operatorframework.io.bundle.metadata.v1: metadata/\n" +
			"  operators.operatorframework.io.bundle.package.v1: acme\n  operators.operatorframework.io.bundle.channels.v1: stable\n",
	}
	const readme = "mentions: a text\n" // no object, so the directory is no single input
	for _, tc := range []struct {
		reason string
		files  map[string]string
	}{
		{"pods beside several CRs", map[string]string{"a/hco.yaml": cr, "b/hco.yaml": cr, "deploy/web.yaml": pod}},
		{"pods alone", map[string]string{"values.yaml": readme, "deploy/web.yaml": pod}},
		{"a bundle beside several CRs", bundle},
	} {
		dir := writeTree(t, tc.files)
		before := filesBelow(t, dir)
		if _, messages, status := runIn(t, dir, "fix", ".", "--workloads", "Affinity", "--offline", "--image", "quay.io/acme/web:1=amd64",
			"--release", "1.19", "--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64"); status != statusOK {
			t.Fatalf("%s: fix: %s", tc.reason, messages)
		}
		pods := func(name string) bool { return !strings.HasSuffix(name, "hco.yaml") }
		if changed := changedIn(before, filesBelow(t, dir)); !slices.ContainsFunc(changed, pods) {
			t.Fatalf("%s: fix changes %q", tc.reason, changed)
		}
		for _, run := range []string{"the first", "the second"} {
			if _, messages, status := runIn(t, dir, "fix", ".", "--undo"); status != statusOK {
				t.Errorf("%s: %s --undo: status %d\n%s", tc.reason, run, status, messages)
			}
			if diff := cmp.Diff(before, filesBelow(t, dir)); diff != "" {
				t.Errorf("%s: %s --undo:\n%s", tc.reason, run, diff)
			}
		}
	}
}
