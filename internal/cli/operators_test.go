package cli

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/registrytest"
)

const (
	operatorCSV = "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata:\n  name: acme.v1\nspec:\n" +
		"  install:\n    spec:\n      deployments:\n      - name: acme\n        spec:\n          template:\n            spec:\n              containers:\n" +
		"              - name: manager\n                image: quay.io/acme/manager:1\n  relatedImages:\n  - name: db\n    image: quay.io/acme/db:1\n"
	operatorPods = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: manager\nspec:\n  template:\n    spec:\n      containers:\n" +
		"      - name: manager\n        image: quay.io/acme/manager:1\n        env:\n        - name: RELATED_IMAGE_DB\n          value: quay.io/acme/db:1\n"
)

// operatorTree is the repository of an operator as kubebuilder and operator-sdk make it.
func operatorTree() map[string]string {
	return map[string]string{
		"PROJECT": "layout: [go.kubebuilder.io/v4]\nversion: \"3\"\n", "config/default/kustomization.yaml": "resources: [../manager]\n",
		"config/manager/kustomization.yaml": "resources: [manager.yaml]\n", "config/manager/manager.yaml": operatorPods,
		"bundle/metadata/annotations.yaml": bundleAnnotations, "bundle/manifests/acme.clusterserviceversion.yaml": operatorCSV,
	}
}

// TestOperators: at the root of an operator's repository, and in its parts, a check says which architectures the operator supports,
// and why not others, in each format. A repository of anything else needs a CR as before.
func TestOperators(t *testing.T) {
	t.Parallel()
	const lacks = "because the image quay.io/acme/db:1 lacks it"
	const unlabelled = "because no label names it"
	db := func(architectures string) []string {
		return []string{"--image", "quay.io/acme/manager:1=amd64,arm64", "--image", "quay.io/acme/db:1=" + architectures}
	}
	for _, tc := range []struct {
		reason string
		files  map[string]string // beside those of the operator; "" takes one away
		args   []string
		status int
		want   []string // one with - must be absent
	}{
		{"an operand lacks it, which is right as it is", nil, append([]string{"check", "."}, db("amd64")...), statusOK, []string{lacks, "2 objects with pods", "-GA003"}},
		{"and wrong if somebody requires it", nil, append([]string{"check", ".", "--require", "arm64"}, db("amd64")...), statusFailed, []string{lacks, "GA738"}},
		{"all have it, and no label says so", nil, append([]string{"check", "."}, db("amd64,arm64")...), statusOK, []string{unlabelled, "csvLabels=Write"}},
		{
			"the missing label is an error for who requires it, and one finding", nil,
			append([]string{"check", "bundle", "--require", "arm64"}, db("amd64,arm64")...), statusFailed,
			[]string{unlabelled, "error GA713", "-GA738"},
		},
		{"config alone has no labels", nil, append([]string{"check", "config/default", "--require", "arm64"}, db("amd64,arm64")...), statusOK, []string{
			"The operator supports amd64 and arm64.", "env RELATED_IMAGE_DB",
		}},
		{"as JSON", nil, append([]string{"check", "bundle", "-o", "json"}, db("amd64")...), statusOK, []string{`"supports": {`, `"arm64": "no"`, lacks}},
		{"as Markdown", nil, append([]string{"check", "bundle", "-o", "markdown"}, db("amd64")...), statusOK, []string{"| supported | - | yes | no |", lacks}},
		{"as a page", nil, append([]string{"check", "bundle", "-o", "html"}, db("amd64")...), statusOK, []string{"<h2 id=\"operators\">", `<td class="bad">no</td>`}},
		{
			"a bundle elsewhere makes a repository that of an operator",
			map[string]string{"PROJECT": "", "bundle/metadata/annotations.yaml": "", "v1/metadata/annotations.yaml": bundleAnnotations, "v1/manifests/csv.yaml": operatorCSV},
			append([]string{"check", "."}, db("amd64")...), statusOK,
			[]string{lacks},
		},
		{
			"any other repository with pods alone has nothing to check",
			map[string]string{"PROJECT": "", "bundle/metadata/annotations.yaml": "", "bundle/manifests/acme.clusterserviceversion.yaml": ""},
			append([]string{"check", "."}, db("amd64")...), statusFailed,
			[]string{"GA003", "NothingChecked"},
		},
		{
			"whoever configures golden images means these",
			map[string]string{"golden.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec: {release: '1.18'}\n"},
			append([]string{"check", "."}, db("amd64")...), statusFailed,
			[]string{"GA003"},
		},
		{"so does who states a release", nil, append([]string{"check", ".", "--release", "1.18"}, db("amd64")...), statusFailed, []string{"GA003"}},
		{"None is what a person says", nil, append([]string{"check", ".", "--workloads", "None"}, db("amd64")...), statusFailed, []string{"GA003"}},
		{"a required name must be one", nil, []string{"check", ".", "--require", "vax"}, statusMisuse, []string{"flag --require"}},
		{
			"labels are written with one key, and the affinity with them", nil,
			append([]string{"fix", "bundle", "--set", "csvLabels=Write", "--diff"}, db("amd64,arm64")...), statusDiffers,
			[]string{"+    operatorframework.io/arch.arm64: supported", "+                      - key: kubernetes.io/os"},
		},
		{
			"where they cannot be, that is said", nil, append([]string{"fix", "bundle", "--set", "csvLabels=Write", "--diff"}, db("amd64")...), statusDiffers,
			[]string{"-arch.arm64: supported", "goldenarch writes no label for arm64, because not all images have it: quay.io/acme/db:1 has amd64"},
		},
		{
			"config gets what the bundle gets", nil, append([]string{"fix", "config/default", "--workloads", "Affinity", "--diff"}, db("amd64")...), statusDiffers,
			[]string{"+              - key: kubernetes.io/os"},
		},
		{
			"init writes both", nil, append([]string{"init", ".", "--diff"}, db("amd64")...), statusDiffers,
			[]string{"b/bundle/manifests/acme.clusterserviceversion.yaml", "b/config/manager/manager.yaml", "-GA003"},
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			tree := operatorTree()
			maps.Copy(tree, tc.files)
			maps.DeleteFunc(tree, func(_, text string) bool { return text == "" })
			stdout, stderr, status := runIn(t, writeTree(t, tree), tc.args...)
			if status != tc.status {
				t.Errorf("want status %d, got %d", tc.status, status)
			}
			for _, want := range tc.want {
				part, absent := strings.CutPrefix(want, "-")
				if strings.Contains(stdout+stderr, part) == absent {
					t.Errorf("want %q, got\n%s%s", want, stdout, stderr)
				}
			}
		})
	}
}

// TestInitOfAnOperator: what init writes is right, and a second run writes nothing.
func TestInitOfAnOperator(t *testing.T) {
	t.Parallel()
	dir := writeTree(t, operatorTree())
	images := []string{"--image", "quay.io/acme/manager:1=amd64,arm64", "--image", "quay.io/acme/db:1=amd64"}
	for _, args := range [][]string{{"init", "."}, {"init", ".", "--check"}, {"check", ".", "--fail-on", "warning"}} {
		if stdout, stderr, status := runIn(t, dir, append(args, images...)...); status != statusOK {
			t.Errorf("%v: status %d\n%s%s", args, status, stdout, stderr)
		}
	}
}

// baseCSV is the base from which operator-sdk makes a ClusterServiceVersion, with labels.
func baseCSV(labels string) string {
	if labels != "" {
		labels = "  labels: {" + labels + "}\n"
	}
	return "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata:\n  name: acme.v0.0.0\n" + labels +
		"spec:\n  install:\n    spec:\n      deployments: null\n    strategy: \"\"\n"
}

// withoutBundle is the repository of an operator before operator-sdk has made its bundle. base is the ClusterServiceVersion, "" for none,
// and pods has the Deployment.
func withoutBundle(base, pods string) map[string]string {
	tree := operatorTree()
	delete(tree, "bundle/metadata/annotations.yaml")
	delete(tree, "bundle/manifests/acme.clusterserviceversion.yaml")
	tree["config/manager/manager.yaml"] = pods
	if base != "" {
		tree["config/manifests/kustomization.yaml"] = "resources: [bases/acme.clusterserviceversion.yaml, ../default]\n"
		tree["config/manifests/bases/acme.clusterserviceversion.yaml"] = base
	}
	return tree
}

// TestRequiredIsSupportedOrAnError: whatever the labels, the images and the constraints are, no check that requires an architecture
// passes and says that the operator does not support it.
func TestRequiredIsSupportedOrAnError(t *testing.T) {
	t.Parallel()
	const label = "operatorframework.io/arch."
	affinity := func(names string) string {
		return "      affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: " +
			"[{key: kubernetes.io/arch, operator: In, values: [" + names + "]}]}]}}}\n"
	}
	labels := map[string]string{
		"no label": "", "amd64": label + "amd64: supported", "both": label + "amd64: supported, " + label + "arm64: supported",
		"a label that OLM ignores": label + "arm64: Supported", "another system": label + "arm64: supported, operatorframework.io/os.windows: supported",
	}
	constraints := map[string]string{"no constraint": "", "both": affinity("amd64, arm64"), "amd64": affinity("amd64")}
	images := map[string][]string{
		"both":              {"--image", "quay.io/acme/manager:1=amd64,arm64", "--image", "quay.io/acme/db:1=amd64,arm64"},
		"an operand lacks":  {"--image", "quay.io/acme/manager:1=amd64,arm64", "--image", "quay.io/acme/db:1=amd64"},
		"the manager lacks": {"--image", "quay.io/acme/manager:1=amd64", "--image", "quay.io/acme/db:1=amd64,arm64"},
		"one is unknown":    {"--image", "quay.io/acme/manager:1=amd64,arm64"},
	}
	passed := 0
	check := func(what, dir, path string, more ...string) {
		out, _, status := runIn(t, dir, append([]string{"check", path, "--require", "arm64", "--offline"}, more...)...)
		first, _, _ := strings.Cut(out, "\n")
		if strings.Contains(first, "not support arm64") && status == statusOK {
			t.Errorf("%s, %s: passes with %q", path, what, first)
		}
		if status == statusOK {
			passed++
		}
	}
	for ofLabels, written := range labels {
		for ofConstraint, constraint := range constraints {
			dir := writeTree(t, withoutBundle(baseCSV(written), operatorPods+constraint))
			for ofImages, stated := range images {
				check(strings.Join([]string{ofLabels, ofConstraint, ofImages}, ", "), dir, ".", stated...)
			}
			check(ofLabels+", the nodes have amd64", dir, ".", append(images["both"], "--workload-architectures", "amd64")...)
			if constraint == "" {
				check(ofLabels, dir, "config/manifests/bases")
			}
		}
	}
	if passed == 0 {
		t.Error("no check passes")
	}
}

// TestBaseOfACSV: a ClusterServiceVersion without deployments has the images of the Deployments beside it. Where fix writes no label,
// it says so, and what check says of the same files is the same.
func TestBaseOfACSV(t *testing.T) {
	t.Parallel()
	const base, labels = "config/manifests/bases/acme.clusterserviceversion.yaml", "operatorframework.io/arch.arm64: supported"
	both := []string{"--offline", "--image", "quay.io/acme/manager:1=amd64,arm64", "--image", "quay.io/acme/db:1=amd64,arm64"}
	one := []string{"--offline", "--image", "quay.io/acme/manager:1=amd64,arm64", "--image", "quay.io/acme/db:1=amd64"}
	for _, tc := range []struct {
		reason, base, path string
		images             []string
		says               string // by fix
		writes             bool
		then               string // the first line of check for the same path
	}{
		{"from the root", baseCSV(""), ".", both, "goldenarch adds to the labels", true, "The operator supports amd64 and arm64."},
		{"from its kustomization", baseCSV(""), "config/manifests", both, "goldenarch adds to the labels", true, "The operator supports amd64 and arm64."},
		{
			"an operand lacks it", baseCSV(""), ".", one, "goldenarch writes no label for arm64, because not all images have it: quay.io/acme/db:1", false,
			"It does not support arm64, because the image quay.io/acme/db:1 lacks it. The check fails for 1 reason.",
		},
		{
			"what a label promises, an operand lacks", baseCSV("operatorframework.io/arch.arm64: supported"), ".", one, "error GA713", true,
			"It does not support arm64, because the image quay.io/acme/db:1 lacks it. The check fails for 2 reasons.",
		},
		{
			"the base alone", baseCSV(""), "config/manifests/bases", both,
			"goldenarch writes no label, because the ClusterServiceVersion has no deployments", false, "It does not support arm64, because no label names it.",
		},
		{
			"another kustomization", baseCSV(""), "config/default", both,
			"none of the objects that it reads is a ClusterServiceVersion. Pass the bundle, or the kustomization with the base of the ClusterServiceVersion, " +
				"or add to its labels operatorframework.io/arch.amd64: supported, operatorframework.io/arch.arm64: supported, operatorframework.io/os.linux: supported",
			false, "The operator supports amd64 and arm64.",
		},
		{"no base", "", ".", both, "none of the objects that it reads is a ClusterServiceVersion", false, "The operator supports amd64 and arm64."},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			tree := withoutBundle(tc.base, operatorPods)
			dir := writeTree(t, tree)
			_, said, _ := runIn(t, dir, slices.Concat([]string{"fix", tc.path, "--set", "csvLabels=Write"}, tc.images)...)
			if !strings.Contains(said, tc.says) {
				t.Errorf("want %q, got\n%s", tc.says, said)
			}
			if data, _ := os.ReadFile(filepath.Join(dir, filepath.FromSlash(base))); strings.Contains(string(data), labels) != tc.writes {
				t.Errorf("want a label: %v, got\n%s", tc.writes, data)
			}
			out, _, _ := runIn(t, dir, slices.Concat([]string{"check", tc.path, "--require", "arm64"}, tc.images)...)
			if first, _, _ := strings.Cut(out, "\n"); !strings.Contains(first, tc.then) {
				t.Errorf("want %q, got %q", tc.then, first)
			}
		})
	}
}

// TestEachImageThatLacks: there is an error for each image that lacks a required architecture, at its own line, and as many reasons.
func TestEachImageThatLacks(t *testing.T) {
	t.Parallel()
	const manager, db = "quay.io/acme/manager:1", "quay.io/acme/db:1"
	pods := strings.Replace(operatorPods, "kind: Deployment", "kind: StatefulSet", 1)
	for _, tc := range []struct {
		reason, pods, require string
		images                []string // what they have
		reasons               string
		want                  []string
	}{
		{
			"both images, and several architectures", operatorPods, "arm64,s390x",
			[]string{"amd64", "amd64,arm64"},
			"2 reasons",
			[]string{
				"containers[0].image (config/manager/manager.yaml:10 in config/default): the operator does not support arm64, s390x",
				"containers[0].env[0].value (config/manager/manager.yaml:13 in config/default): the operator does not support s390x",
			},
		},
		{
			"an operand alone", operatorPods, "arm64",
			[]string{"amd64,arm64", "amd64"},
			"1 reason",
			[]string{"containers[0].env[0].value (config/manager/manager.yaml:13 in config/default): the operator does not support arm64"},
		},
		{
			"the pods of something else", pods, "arm64",
			[]string{"amd64", "amd64"},
			"",
			[]string{"containers[0].image (config/manager/manager.yaml:10 in config/default): this pod does not support arm64"},
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			dir := writeTree(t, withoutBundle("", tc.pods))
			out, _, status := runIn(t, dir, "check", ".", "--offline", "--require", tc.require, "--image", manager+"="+tc.images[0], "--image", db+"="+tc.images[1])
			if status != statusFailed || !strings.Contains(out, tc.reasons) {
				t.Errorf("want status 1 for %s, got %d\n%s", tc.reasons, status, out)
			}
			if got := strings.Count(out, "error GA738"); got != len(tc.want) {
				t.Errorf("want %d errors, got %d", len(tc.want), got)
			}
			for _, want := range tc.want {
				if !strings.Contains(out, want) {
					t.Errorf("want %q, got\n%s", want, out)
				}
			}
		})
	}
}

// TestOperands: a check and a fix say that nothing restricts the pods that the operator makes, where it may run on nodes that their
// image lacks.
func TestOperands(t *testing.T) {
	t.Parallel()
	const says = "info GA735 Deployment/manager spec.template.spec.containers[0].env[0].value (config/manager/manager.yaml:13"
	for _, tc := range []struct {
		reason, manager, db string
		more                []string
		said                bool
	}{
		{"the operand lacks what the manager has", "amd64,arm64", "amd64", nil, true},
		{"it has what the manager has", "amd64,arm64", "amd64,arm64", nil, false},
		{"the manager runs where the operand runs", "amd64", "amd64", nil, false},
		{"no node has the architecture", "amd64,arm64", "amd64", []string{"--workload-architectures", "amd64"}, false},
	} {
		for _, verb := range [][]string{{"check", "config/default"}, {"fix", "config/default", "--workloads", "Affinity", "--diff"}} {
			dir := writeTree(t, withoutBundle("", operatorPods))
			out, messages, _ := runIn(t, dir, slices.Concat(verb, tc.more, []string{
				"--offline", "--image", "quay.io/acme/manager:1=" + tc.manager, "--image", "quay.io/acme/db:1=" + tc.db,
			})...)
			if strings.Contains(out+messages, says) != tc.said {
				t.Errorf("%s, %s: want %v, got\n%s%s", tc.reason, verb[0], tc.said, out, messages)
			}
		}
	}
}

// TestConstraintInTheTable: the table of an operator has a row for the node affinity only if one is about architectures.
func TestConstraintInTheTable(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, constraint, want string }{
		{"none", "", "no architecture constraint  -                     -      -"},
		{"one about something else", "      nodeSelector: {disk: ssd}\n", "no architecture constraint  -                     -      -"},
		{"a selector", "      nodeSelector: {kubernetes.io/arch: amd64}\n", "node affinity           -                     yes    no"},
	} {
		dir := writeTree(t, withoutBundle("", operatorPods+tc.constraint))
		out, _, _ := runIn(t, dir, "check", ".", "--offline", "--image", "quay.io/acme/manager:1=amd64,arm64", "--image", "quay.io/acme/db:1=amd64,arm64")
		if !strings.Contains(out, tc.want) {
			t.Errorf("%s: want %q, got\n%s", tc.reason, tc.want, out)
		}
	}
}

// TestCronsInGit: a DataImportCron that somebody has written is checked without a CR and without machines.
func TestCronsInGit(t *testing.T) {
	t.Parallel()
	cron := func(name, dataSource, source string) string {
		return "apiVersion: cdi.kubevirt.io/v1beta1\nkind: DataImportCron\nmetadata: {name: " + name + ", namespace: images}\nspec:\n" +
			"  schedule: '0 0 * * *'\n  managedDataSource: " + dataSource + "\n  template: {spec: {source: " + source +
			", storage: {resources: {requests: {storage: 5Gi}}}}}\n---\n"
	}
	registry := func(more string) string { return "{registry: {url: 'docker://quay.io/acme/fedora:1'" + more + "}}" }
	const arm = ", platform: {architecture: arm64}"
	for _, tc := range []struct {
		reason, text, has string
		status            int
		want              string
	}{
		{"right", cron("a", "a", registry(arm)), "amd64,arm64", statusOK, "Nothing is wrong with 1 DataImportCron."},
		{"CDI refuses its source", cron("a", "a", "{http: {url: 'http://x/y'}}"), "amd64", statusFailed, "error GA501 DataImportCron/a"},
		{"the image lacks what it asks for", cron("a", "a", registry(arm)), "amd64", statusFailed, "has amd64, and the DataImportCron asks for arm64"},
		{
			"another one manages its DataSource", cron("a", "d", registry("")) + cron("b", "d", registry("")), "amd64", statusFailed,
			`error GA501 DataImportCron/b (crons.yaml:9): DataImportCron "a" manages DataSource "images/d", too`,
		},
		{"two with DataSources of their own", cron("a", "d", registry("")) + cron("b", "e", registry("")), "amd64", statusOK, "2 DataImportCrons"},
		{"nothing proves what the image has", cron("a", "a", registry("")), "", statusFailed, "error GA201 DataImportCron/a"},
		{"values that a tool fills in", cron("a", "a", registry(", platform: {architecture: '${ARCH}'}")), "amd64", statusOK, "1 DataImportCron"},
		{
			"a node that may import has no entry of the image", cron("a", "a", registry("")), "amd64 --workload-architectures amd64,s390x", statusOK,
			"warning GA501 DataImportCron/a (crons.yaml:1): the import may fail: nothing asks for an architecture",
		},
		{
			"no node has one of the image", cron("a", "a", registry("")), "amd64 --workload-architectures s390x", statusFailed,
			"error GA501 DataImportCron/a (crons.yaml:1): the import fails: nothing asks for an architecture",
		},
	} {
		args := []string{"check", "crons.yaml", "--offline"}
		if tc.has != "" {
			args = append(args, strings.Fields("--image quay.io/acme/fedora:1="+tc.has)...)
		}
		stdout, stderr, status := runIn(t, writeTree(t, map[string]string{"crons.yaml": tc.text}), args...)
		if status != tc.status || !strings.Contains(stdout, tc.want) {
			t.Errorf("%s: status %d\n%s%s", tc.reason, status, stdout, stderr)
		}
	}
}

// TestLabelsOfCrons: CDI gives the labels of a DataImportCron to its DataSource, and KubeVirt the architecture there to machines. The
// golden images of the CR have DataImportCrons, too.
func TestLabelsOfCrons(t *testing.T) {
	t.Parallel()
	cron := func(name, dataSource, label, platform string) string {
		return "apiVersion: cdi.kubevirt.io/v1beta1\nkind: DataImportCron\nmetadata: {name: " + name + ", namespace: kubevirt-os-images" +
			", labels: {template.kubevirt.io/architecture: " + label + "}}\nspec:\n  schedule: '0 0 * * *'\n  managedDataSource: " + dataSource +
			"\n  template: {spec: {source: {registry: {url: 'docker://quay.io/acme/fedora:1'" + platform +
			"}}, storage: {resources: {requests: {storage: 5Gi}}}}}\n---\n"
	}
	const (
		arm = ", platform: {architecture: arm64}"
		hco = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}\n" +
			"spec:\n  featureGates: {enableMultiArchBootImageImport: true}\n  dataImportCronTemplates:\n  - metadata:\n      name: mine\n" +
			"      annotations: {ssp.kubevirt.io/dict.architectures: 'amd64,arm64'}\n    spec:\n      schedule: '0 0 * * *'\n" +
			"      managedDataSource: mine\n      template: {spec: {source: {registry: {url: 'docker://quay.io/acme/fedora:1'}}, " +
			"storage: {resources: {requests: {storage: 5Gi}}}}}\n---\n"
	)
	for _, tc := range []struct {
		reason, text, has string
		status            int
		want              string
	}{
		{"the label is what it imports", cron("a", "a", "arm64", arm), "amd64,arm64", statusOK, "Nothing is wrong with 1 DataImportCron."},
		{"the only architecture of the image", cron("a", "a", "arm64", ""), "arm64", statusOK, "Nothing is wrong with 1 DataImportCron."},
		{
			"the image lacks the label's", cron("a", "a", "arm64", ""), "amd64", statusFailed,
			`says arm64, and the DataImportCron imports amd64: machines from DataSource "a" get arm64, and cannot boot from it`,
		},
		{"it asks for another one", cron("a", "a", "amd64", arm), "amd64,arm64", statusFailed, "says amd64, and the DataImportCron imports arm64"},
		{
			"it asks for none", cron("a", "a", "arm64", ""), "amd64,arm64", statusOK,
			"imports one of amd64,arm64. Set spec.template.spec.source.registry.platform.architecture: arm64",
		},
		{
			"SSP makes one of that name", hco + cron("mine-arm64", "mine-arm64", "arm64", arm), "amd64,arm64", statusFailed,
			`error GA501 DataImportCron/mine-arm64 (crons.yaml:15): SSP makes a DataImportCron of this name of template "mine" of the CR`,
		},
		{
			"SSP makes one for its DataSource", hco + cron("other", "mine-arm64", "arm64", arm), "amd64,arm64", statusFailed,
			`error GA501 DataImportCron/other (crons.yaml:15): DataImportCron "mine-arm64" manages DataSource "kubevirt-os-images/mine-arm64", too`,
		},
		{"beside the CR", hco + cron("other", "other", "arm64", arm), "amd64,arm64", statusOK, "passed: RightAsCommitted"},
	} {
		stdout, stderr, status := runIn(t, writeTree(t, map[string]string{"crons.yaml": tc.text}), "check", "crons.yaml", "--offline", "--release", "1.18",
			"--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64", "--image", "quay.io/acme/fedora:1="+tc.has)
		if status != tc.status || !strings.Contains(stdout, tc.want) {
			t.Errorf("%s: status %d\n%s%s", tc.reason, status, stdout, stderr)
		}
	}
}

// TestBootcImages: an image for bootc is no container disk, and a pod may run it.
func TestBootcImages(t *testing.T) {
	t.Parallel()
	s, err := registrytest.Start(registrytest.Options{PlainHTTP: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	labelled := func(labels string) registrytest.Artifact {
		return registrytest.ImageWithConfig([]byte(`{"os":"linux","architecture":"amd64","config":{"Labels":` + labels + `}}`))
	}
	s.Push("x/bootc:1", labelled(`{"a":"b","containers.bootc":"1"}`)).Push("x/ostree:1", labelled(`{"ostree.bootable":"1"}`)).
		Push("x/off:1", labelled(`{"containers.bootc":"0"}`))
	cron := "apiVersion: cdi.kubevirt.io/v1beta1\nkind: DataImportCron\nmetadata: {name: a, namespace: images}\nspec:\n  schedule: '0 0 * * *'\n" +
		"  managedDataSource: a\n  template: {spec: {source: {registry: {url: 'docker://IMAGE'}}, storage: {resources: {requests: {storage: 5Gi}}}}}\n"
	pod := "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: 'IMAGE'}]}\n"
	cr := (&lockedTree{t: t, registry: s}).cr("x/bootc:1")
	for _, tc := range []struct {
		reason, text, image string
		args                []string
		want                bool
	}{
		{"of a template", cr, "x/bootc:1", []string{"--release", "1.18", "--workload-architectures", "amd64", "--control-plane-architectures", "amd64"}, true},
		{"of a DataImportCron", cron, "x/bootc:1", nil, true},
		{"by the other label", cron, "x/ostree:1", nil, true},
		{"a label with another value", cron, "x/off:1", nil, false},
		{"of a pod", pod, "x/bootc:1", []string{"--workloads", "Check"}, false},
	} {
		text := strings.ReplaceAll(tc.text, "IMAGE", s.Host()+"/"+tc.image)
		args := slices.Concat([]string{"check", "a.yaml", "--set", "registryInsecure=" + s.Host()}, tc.args)
		stdout, stderr, _ := runIn(t, writeTree(t, map[string]string{"a.yaml": text}), args...)
		if strings.Contains(stdout, "warning GA220") != tc.want {
			t.Errorf("%s: want %v, got\n%s%s", tc.reason, tc.want, stdout, stderr)
		}
	}
}
