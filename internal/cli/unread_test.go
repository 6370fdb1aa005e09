package cli

import (
	"encoding/base64"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// below returns a text with blanks before each line.
func below(by int, text string) string {
	pad := strings.Repeat(" ", by)
	return pad + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+pad) + "\n"
}

// heredoc is a script that applies a CR.
const heredoc = "oc apply -f - <<EOF\n" + plainCR + "EOF\n"

// unreadForms are files beside a cluster, and what a check says of them: an error, a warning, or nothing.
var unreadForms = []struct {
	reason, file, text string
	says               string // "" for nothing
}{
	{"a task of Ansible", "ansible/play.yml", "- hosts: a\n  tasks:\n  - kubernetes.core.k8s:\n      definition:\n" + below(8, plainCR), "error GA830"},
	{"a variable of Ansible", "roles/virt/defaults/main.yml", "virt:\n  extra:\n    hco:\n" + below(6, plainCR), "error GA830"},
	{"a kind that nobody opens", "x/object.yaml", "apiVersion: e.com/v1\nkind: Object\nmetadata: {name: a}\nspec:\n" +
		"  manifest:\n" + below(4, plainCR), "error GA830"},
	{"JSON at any depth", "x/a.json", `{"a": [{"b": {"apiVersion": "hco.kubevirt.io/v1", "kind": "HyperConverged", "spec": {}}}]}`, "error GA830"},
	{"escapes", "x/a.yaml", "a:\n" + below(2, strings.Replace(plainCR, "HyperConverged", `"\x48yperC\u006fnverged"`, 1)), "error GA830"},
	{"UTF-16", "x/a.yaml", wide("a:\n" + below(2, plainCR)), "error GA865"},
	{"a variable of Flux as the kind", "x/a.yaml", strings.Replace(plainCR, "HyperConverged", "${KIND}", 1), "error GA830"},
	{"a ConfigMap", "x/cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  hco.yaml: |\n" + below(4, plainCR), "error GA830"},
	{
		"a ConfigMap of a ClusterResourceSet elsewhere", "x/cm.yaml",
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: vm, namespace: fleet}\ndata:\n  hco.yaml: |\n" + below(4, plainCR), "error GA830",
	},
	{
		"a Secret", "x/secret.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {a: " +
			"" + base64.StdEncoding.EncodeToString([]byte("#\n"+plainCR)) + "}\n",
		"error GA830",
	},
	{"Terraform", "tf/main.tf", "resource \"kubectl_manifest\" \"hco\" {\n  yaml_body = <<YAML\n" + below(4, plainCR) + "YAML\n}\n", "error GA865"},
	{"CUE", "x/a.cue", "hco: {\n\tapiVersion: \"hco.kubevirt.io/v1\"\n\tkind: \"HyperConverged\"\n\tspec: {}\n}\n", "error GA865"},
	{"Jsonnet", "x/a.jsonnet", "{\n  apiVersion: 'hco.kubevirt.io/v1',\n  kind: 'HyperConverged',\n  spec: {},\n}\n", "error GA865"},
	{"a library of Jsonnet", "x/a.libsonnet", "{ apiVersion: 'hco.kubevirt.io/v1', kind: 'HyperConverged', spec: {} }\n", "error GA865"},
	{"Jinja", "x/hco.yaml.j2", "{% if x %}\n" + plainCR + "{% endif %}\n", "error GA865"},
	{"a template", "x/hco.tpl", plainCR, "error GA865"},
	{"a template that is called YAML", "x/hco.yaml", "{{- if .x }}\n" + plainCR + "{{- end }}\n", "error GA865"},
	{"values", "x/values.yaml", "virt:\n  spec:\n    dataImportCronTemplates: [{metadata: {name: a}}]\n", "--cr-path virt.spec@v1beta1"},
	{
		"values of an Application", "x/app.yaml",
		"apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec: {source: {helm: {valuesObject: {virt: " +
			"{dataImportCronTemplates: [{a: b}]}}}}}\n",
		"--cr-path spec.source.helm.valuesObject.virt@v1beta1",
	},
	{
		"values of a HelmRelease", "x/hr.yaml",
		"apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a}\nspec: {values: {virt: {dataImportCronTemplates: [{a: b}]}}}\n",
		"--cr-path spec.values.virt@v1beta1",
	},
	{"a hidden directory", ".clusters/prod/hco.yaml", plainCR, "error GA830"},
	{"a hidden file", "x/.hco.yaml", plainCR, "error GA830"},
	{"a component that nothing includes", "x/hco.yaml", plainCR, ""}, // its kustomization is written by the test
	{"a chart", "chart/templates/hco.yaml", plainCR, "error GA002"},
	{"a helper of a chart", "chart/templates/_hco.tpl", "{{ define \"hco\" }}\n" + plainCR + "{{ end }}\n", "error GA002"},
	{"values of a chart", "chart/values.yaml", "virt: {dataImportCronTemplates: [{metadata: {name: a}}]}\n", "--cr-path virt@v1beta1"},

	{"a script", "hack/install.sh", "#!/bin/sh\n" + heredoc, "warning GA830"},
	{"a Makefile", "Makefile", "install:\n" + below(2, heredoc), "warning GA830"},
	{"a workflow of GitHub", ".github/workflows/e2e.yaml", "jobs: {a: {steps: [{run: \"oc apply -f x\"}]}}\nx: |\n" + below(2, heredoc), "warning GA830"},
	{"a pipeline of GitLab", ".gitlab-ci.yml", "a:\n  script:\n  - |\n" + below(4, heredoc), "warning GA830"},
	{
		"Tekton", "x/task.yaml",
		"apiVersion: tekton.dev/v1\nkind: Task\nmetadata: {name: a}\nspec:\n  steps:\n  - image: a\n    script: |\n" + below(6, heredoc), "warning GA830",
	},
	{
		"examples of an operator", "x/csv.yaml",
		"apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata:\n  name: a\n  annotations:\n    alm-examples: |\n" +
			`      [{"apiVersion": "hco.kubevirt.io/v1beta1", "kind": "HyperConverged", "spec": {}}]` + "\n", "warning GA830",
	},
	{"source code", "main.go", "package main\n\nconst cr = `" + plainCR + "`\n", "warning GA830"},
	{"test data", "test/fixtures/play.yaml", "- definition:\n" + below(4, plainCR), "warning GA830"},
	{"a script of Ansible", "x/play.yml", "- shell: |\n" + below(4, heredoc), "warning GA830"},
	{
		"a script in a ConfigMap", "x/cm.yaml",
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a.sh: |\n" + below(4, "#!/bin/sh\n"+heredoc), "warning GA830",
	},

	{
		"a schema", "x/crd.yaml",
		"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: hyperconvergeds.hco.kubevirt.io}\n" +
			"spec: {group: hco.kubevirt.io, names: {kind: HyperConverged}, versions: [{name: v1, schema: {dataImportCronTemplates: {type: array}}}]}\n", "",
	},
	{
		"roles", "x/rbac.yaml",
		"apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: HyperConverged}\nrules: [{apiGroups: [hco.kubevirt.io], " +
			"resources: [hyperconvergeds]}]\n", "",
	},
	{
		"a rule", "x/rule.yaml",
		"apiVersion: monitoring.coreos.com/v1\nkind: PrometheusRule\nmetadata: {name: a}\nspec: {groups: [{rules: [{expr: " +
			"'x{kind=\"HyperConverged\"}'}]}]}\n", "",
	},
	{"a dashboard", "x/board.json", `{"panels": [{"title": "HyperConverged", "expr": "kubevirt_hco_x{kind=\"HyperConverged\"}"}]}`, ""},
	{"prose", "docs/install.md", "# Install\n\n```yaml\n" + plainCR + "```\n", ""},
	{"prose of another form", "docs/install.adoc", plainCR, ""},
	{"a drawing", "docs/a.drawio", plainCR, ""},
	{
		"ignored differences", "x/app.yaml",
		"apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\n" +
			"spec: {ignoreDifferences: [{group: hco.kubevirt.io, kind: HyperConverged, jsonPointers: [/spec/version]}]}\n", "",
	},
	{
		"a whitelist", "x/project.yaml",
		"apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {name: a}\nspec: {namespaceResourceWhitelist: [{group: hco.kubevirt.io, " +
			"kind: HyperConverged}]}\n", "",
	},
	{
		"a health check", "x/flux.yaml",
		"apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a}\n" +
			"spec: {path: ./gone, healthChecks: [{apiVersion: hco.kubevirt.io/v1beta1, kind: HyperConverged, name: a, namespace: b}]}\n", "",
	},
	{"a file name in a list", "x/list.yaml", "files: [HyperConverged.yaml]\n", ""},
	{"a comment", "x/a.yaml", "a: b\n# apiVersion: hco.kubevirt.io/v1\n# kind: HyperConverged\n# spec: {}\n", ""},
	{"a template that mentions it", "x/rbac.yaml", "{{- if .x }}\nrules:\n- apiGroups: [hco.kubevirt.io]\n  resourceNames: [HyperConverged]\n" +
		"{{- end }}\n", ""},
	{"a broken file that mentions it", "x/a.yaml", "a: [\n# HyperConverged\n", ""},
	{"a chart that mentions it", "chart/templates/rbac.yaml", "{{- if .x }}\nrules:\n- apiGroups: [hco.kubevirt.io]\n  kinds: [HyperConverged]\n" +
		"{{- end }}\n", ""},
	{"values without templates", "x/values.yaml", "virt: {dataImportCronTemplates: []}\n", ""},
	{
		"a policy that asks for the CR", "x/policy.yaml",
		"apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: {name: a}\nspec: {rules: [{match: {any: [{resources: {kinds: " +
			"[HyperConverged]}}]}}]}\n", "",
	},
}

// TestUnreadForms: what a check does not read is an error, a warning or nothing, by its form. It is the same beside
// the only cluster, beside two, below a kustomization at the root, and with a Fleet.
func TestUnreadForms(t *testing.T) {
	t.Parallel()
	chart := "apiVersion: v2\nname: c\nversion: 1.0.0\n"
	for _, around := range []struct {
		reason string
		files  map[string]string
	}{
		{"one cluster", map[string]string{"a/hco.yaml": plainCR}},
		{"two clusters", map[string]string{"a/hco.yaml": plainCR, "b/hco.yaml": plainCR}},
		{"a kustomization at the root", map[string]string{"kustomization.yaml": "resources: [a/hco.yaml]\n", "a/hco.yaml": plainCR}},
		{"a Fleet", map[string]string{
			"a/hco.yaml":      plainCR,
			"goldenarch.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n- {paths: [a]}\n",
		}},
	} {
		for _, form := range unreadForms {
			t.Run(around.reason+"/"+form.reason, func(t *testing.T) {
				t.Parallel()
				files := maps.Clone(around.files)
				files[form.file] = form.text
				switch {
				case strings.HasPrefix(form.file, "chart/"):
					files["chart/Chart.yaml"] = chart
				case form.reason == "a component that nothing includes":
					files["x/kustomization.yaml"] = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [hco.yaml]\n"
					form.says = "error GA830"
				}
				status, out := checkUnread(t, files)
				want, says := 0, form.says
				if place, ok := strings.CutPrefix(says, "--cr-path "); ok {
					says = "error GA830"
					if !strings.Contains(out, "/"+form.file+"#"+place+"'") {
						t.Errorf("want --cr-path with %q", place)
					}
				}
				if strings.HasPrefix(says, "error") {
					want = 1
				}
				if status != want || says != "" && !strings.Contains(out, says) || says == "" && strings.Contains(out, filepath.Base(form.file)) {
					t.Errorf("want status %d and %q, got %d\n%s", want, says, status, out)
				}
				if want == 0 || around.reason != "one cluster" {
					return
				}
				files[".krmignore"] = form.file + "\n"
				if status, out := checkUnread(t, files); status != 0 {
					t.Errorf("a person excludes the file: want status 0, got %d\n%s", status, out)
				}
			})
		}
	}
}

// checkUnread checks a repository of one architecture, where each CR is right.
func checkUnread(t *testing.T, files map[string]string) (status int, out string) {
	t.Helper()
	dir := writeTree(t, maps.Clone(files))
	status, product, messages := runFed(t, "",
		"check", dir, "--offline", "--workload-architectures", "amd64", "--control-plane-architectures", "amd64", "--release", "1.19")
	return status, product + messages
}

// TestInitKeepsMachinesInSight: what a check says of machines in a repository with one CR, it says with the Fleet of
// init, too. A machine that the Fleet does not cover is named with the word to add, and to what.
func TestInitKeepsMachinesInSight(t *testing.T) {
	t.Parallel()
	machineOf := func(source string) string {
		return "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a}\nspec:\n  runStrategy: Always\n  dataVolumeTemplates:\n" +
			"  - metadata: {name: d}\n    spec: {sourceRef: {kind: DataSource, name: " + source + ", namespace: kubevirt-os-images}, storage: {}}\n" +
			"  template: {spec: {architecture: amd64, domain: {devices: {disks: [{name: d, disk: {bus: virtio}}]}}, volumes: [{name: d, dataVolume: {name: d}}]}}\n"
	}
	onZ := strings.Replace(oneMachine, "amd64", "s390x", 1)
	const listed = "resources: [vm.yaml]\n"
	for _, tc := range []struct {
		reason string
		files  map[string]string
		// paths are those of the entry, and says is what the check says before init and after it.
		paths, says string
		status      int
		// more are files that come later, and word is what the check then says of them.
		more map[string]string
		word string
	}{
		{
			"no node has its architecture",
			map[string]string{"virt/hco.yaml": gateOn, "vms/vm.yaml": onZ},
			"[virt, vms]", "error GA903 VirtualMachine/a", 1,
			map[string]string{"more/vm.yaml": oneMachine},
			"files with machines that the only HyperConverged CR judges (a Fleet states another cluster): 1 (more/vm.yaml)\n" +
				"failed: NotRight, 1 cluster, 1 HyperConverged CR, 2 machines: 1 starts, 1 fails,",
		},
		{
			"the CR does not make its disk",
			map[string]string{"virt/hco.yaml": gateOn, "vms/vm.yaml": machineOf("gone")},
			"[virt, vms]",
			"error GA904 VirtualMachine/a", 1, nil, "",
		},
		{
			"the CR makes its disk",
			map[string]string{"virt/hco.yaml": gateOn, "vms/vm.yaml": machineOf("fedora")},
			"[virt, vms]",
			"1 machine: 1 starts", 0, nil, "",
		},
		{
			"directories in each other are one path",
			map[string]string{"virt/hco.yaml": gateOn, "vms/vm.yaml": oneMachine, "vms/deep/vm.yaml": strings.Replace(onZ, "name: a", "name: b", 1)},
			"[virt, vms]", "error GA903 VirtualMachine/b", 1, nil, "",
		},
		{
			"a machine at the root", map[string]string{"virt/hco.yaml": gateOn, "vm.yaml": onZ}, "[virt, .]", "error GA903 VirtualMachine/a", 1, nil, "",
		},
		{
			"the machines of a kustomization stay a guess",
			map[string]string{"virt/hco.yaml": gateOn, "vms/vm.yaml": oneMachine, "vms/kustomization.yaml": listed},
			"[virt]", "files with machines that the only HyperConverged CR judges", 0, nil, "",
		},
		{
			"several clusters: nobody says whose machine it is",
			map[string]string{"a/hco.yaml": gateOn, "b/hco.yaml": gateOn, "vms/vm.yaml": oneMachine},
			"[a]", "files with machines of no cluster", 0, nil, "",
		},
	} {
		dir := writeTree(t, tc.files)
		stated := []string{"--offline", "--release", "1.19", "--workload-architectures", "amd64", "--control-plane-architectures", "amd64"}
		check := func(when, says string, status int, args ...string) {
			t.Helper()
			if out, errs, got := runIn(t, dir, append([]string{"check", "."}, args...)...); got != status || !strings.Contains(out, says) {
				t.Errorf("%s, %s: status %d, want %d and %q\n%s%s", tc.reason, when, got, status, says, out, errs)
			}
		}
		check("before", tc.says, tc.status, stated...)
		if out, errs, status := runIn(t, dir, append([]string{"init", "."}, stated...)...); status != 0 || !strings.Contains(out, "- paths: "+tc.paths+"\n") || strings.Contains(errs, "GA810") {
			t.Errorf("%s, init: status %d, want %s\n%s%s", tc.reason, status, tc.paths, out, errs)
		}
		check("after", tc.says, tc.status, "--offline")
		if tc.word != "" {
			filetest.Write(t, dir, tc.more)
			check("later", tc.word, tc.status, "--offline")
		}
	}
}

// TestDirectoriesNotRead: a directory that something names and that a check cannot look into is an error.
func TestDirectoriesNotRead(t *testing.T) {
	t.Parallel()
	applies := func(path string) string { return strings.Replace(application+"}}\n", "path: virt", "path: "+path, 1) }
	const submodule = "[submodule \"x\"]\n\tpath = sub\n\turl = https://e.com/x.git\n"
	fleet := "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n- {paths: [a, .c]}\n"
	for _, tc := range []struct {
		reason string
		files  map[string]string
		says   string
	}{
		{"an Application and a submodule", map[string]string{".gitmodules": submodule, "apps/a.yaml": applies("sub/virt")}, "in a submodule that is not checked out"},
		{
			"Flux and a submodule",
			map[string]string{".gitmodules": submodule, "apps/a.yaml": strings.Replace(fluxApplies, "./virt", "./sub", 1)},
			"in a submodule that is not checked out",
		},
		{
			"a kustomization and a submodule",
			map[string]string{".gitmodules": submodule, "o/kustomization.yaml": "resources: [../sub/virt]\n"},
			"in a submodule that is not checked out",
		},
		{"a hidden directory", map[string]string{".c/hco.yaml": plainCR, "apps/a.yaml": applies(".c")}, "it is hidden"},
		{"a hidden directory of the Fleet", map[string]string{".c/hco.yaml": plainCR, "goldenarch.yaml": fleet}, "it is hidden"},
		{"a hidden directory without a CR", map[string]string{".c/cm.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " +
			"a}\n", "apps/a.yaml": applies(".c")}, ""},
		{"a directory that is not there", map[string]string{"apps/a.yaml": applies("gone")}, ""},
		{
			"an Application and a remote base",
			map[string]string{"apps/a.yaml": applies("far"), "far/kustomization.yaml": "resources: [https://example.com/x.yaml]\n"},
			"far): the directory gets to a cluster, and goldenarch cannot look into it: it names https://example.com/x.yaml, which is remote",
		},
		{
			"Flux and a kustomization that is no YAML",
			map[string]string{"apps/a.yaml": strings.Replace(fluxApplies, "./virt", "./far", 1), "far/kustomization.yaml": "resources: [a\n"},
			"cannot look into it: kustomize cannot read it",
		},
	} {
		files := maps.Clone(tc.files)
		files["a/hco.yaml"] = plainCR
		status, out := checkUnread(t, files)
		if want := tc.says != ""; want != (status == 1) || want != strings.Contains(out, "error GA813") || !strings.Contains(out, tc.says) {
			t.Errorf("%s: status %d, want %q\n%s", tc.reason, status, tc.says, out)
		}
	}
}

// TestImagesOfContainerDisks: kustomize.images of an Application replaces images of pods, and none of a container disk.
func TestImagesOfContainerDisks(t *testing.T) {
	t.Parallel()
	const image = "quay.io/containerdisks/fedora:42"
	app := application + ", kustomize: {images: ['" + image + "=quay.io/x/y:1']}}}\n"
	machine := "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a}\nspec: {template: {spec: {domain: {devices: {}}, " +
		"volumes: [{name: d, containerDisk: {image: '" + image + "'}}]}}}\n"
	pod := "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: '" + image + "'}]}\n"
	for reason, tc := range map[string]struct {
		text     string
		replaced bool
	}{"a machine": {machine, false}, "a pod": {pod, true}} {
		dir := writeTree(t, map[string]string{
			"apps/a.yaml": app, "virt/a.yaml": tc.text, "virt/kustomization.yaml": "resources: [a.yaml]\n", "virt/hco.yaml": plainCR,
		})
		out, _, _ := runIn(t, dir, "check", ".", "--offline", "--release", "1.19", "--workload-architectures", "amd64", "--control-plane-architectures", "amd64",
			"--workloads", "Check", "--image", image+"=amd64")
		if strings.Contains(out, "replaces an image") != tc.replaced {
			t.Errorf("%s: want %t\n%s", reason, tc.replaced, out)
		}
	}
}

// TestBaseWithoutKustomization: kustomize does not build a directory of plain files as a base, so its CR does not get anywhere.
func TestBaseWithoutKustomization(t *testing.T) {
	t.Parallel()
	status, out := checkUnread(t, map[string]string{"a/hco.yaml": plainCR, "far/kustomization.yaml": "resources: [../a]\n"})
	if status != 1 || !strings.Contains(out, "/far: accumulating resources") {
		t.Errorf("status %d\n%s", status, out)
	}
}

// TestUnreadPods: with --workloads Check, pods that a check does not read are an error, and nobody asks for them without.
func TestUnreadPods(t *testing.T) {
	t.Parallel()
	const pods = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n" +
		"spec: {template: {spec: {containers: [{name: a, image: quay.io/a/b:1}]}}}\n"
	for _, tc := range []struct {
		reason string
		files  map[string]string
		says   string
	}{
		{"a playbook", map[string]string{"p/play.yml": "- k8s:\n    definition:\n" + below(6, pods)}, "error GA867"},
		{"a template", map[string]string{"p/web.yaml.j2": "{{ x }}\n---\n" + pods}, "error GA867"},
		{
			"a file that its kustomization does not list",
			map[string]string{"k/kustomization.yaml": "resources: [cm.yaml]\n", "k/cm.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " +
				"a}\n", "k/web.yaml": pods},
			"error GA867",
		},
		{"a chart", map[string]string{"c/Chart.yaml": "apiVersion: v2\nname: c\nversion: " +
			"1.0.0\n", "c/templates/web.yaml": "{{ x }}\n---\n" + pods}, "error GA002"},
	} {
		files := maps.Clone(tc.files)
		files["a/hco.yaml"] = plainCR
		dir := writeTree(t, files)
		args := []string{"check", dir, "--offline", "--workload-architectures", "amd64", "--control-plane-architectures", "amd64", "--release", "1.19"}
		if out, errs, status := runIn(t, ".", append(args, "--workloads", "Check")...); status != 1 || !strings.Contains(out, tc.says) {
			t.Errorf("%s: status %d, want %q\n%s%s", tc.reason, status, tc.says, out, errs)
		}
		if out, errs, status := runIn(t, ".", args...); status != 0 {
			t.Errorf("%s, not asked for: status %d\n%s%s", tc.reason, status, out, errs)
		}
	}
}

// TestRootHidesNothing: a kustomization at the root that does not build is a finding, and the clusters below are
// judged. A chart there is nothing checked.
func TestRootHidesNothing(t *testing.T) {
	t.Parallel()
	status, out := checkUnread(t, map[string]string{"kustomization.yaml": "resources: [gone.yaml]\n", "a/hco.yaml": plainCR, "b/hco.yaml": plainCR})
	if status != 1 || !strings.Contains(out, "error GA001") || !strings.Contains(out, "2 clusters, 2 HyperConverged CRs") {
		t.Errorf("a broken kustomization: status %d\n%s", status, out)
	}
	chart := map[string]string{"Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n", "templates/hco.yaml": plainCR}
	if status, out := checkUnread(t, chart); status != 1 || !strings.Contains(out, "failed: NothingChecked") || !strings.Contains(out, "helm template") {
		t.Errorf("a chart: status %d\n%s", status, out)
	}
}
