package repo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/manifest/unread"
	"github.com/goldenarch/goldenarch/test/filetest"
)

func TestGlobOfAnApplication(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, glob, name string
		want               bool
	}{
		{"the same", "a.yaml", "a.yaml", true},
		{"* crosses directories", "*.yaml", "b/a.yaml", true},
		{"one character", "?.yaml", "a.yaml", true},
		{"alternatives", "{old/*,*.json}", "old/a.yaml", true},
		{"alternatives, the second", "{old/*,*.json}", "a.json", true},
		{"none of them", "{old/*,*.json}", "a.yaml", false},
		{"a character of a regular expression", "a.yaml", "aXyaml", false},
		{"a brace without an end", "{a,b", "b", true},
		{"a comma outside of braces", "a,b", "a,b", true},
		{"one of some characters", "[ab^-].yaml", "b.yaml", true},
		{"one of some characters, none of them", "[ab].yaml", "c.yaml", false},
		{"- in a list is a character", "[ab-d].yaml", "c.yaml", false},
		{"^ in a list is a character", "[^ab].yaml", "c.yaml", false},
		{"a range", "v[1-3].yaml", "v2.yaml", true},
		{"not a range", "v[!1-3].yaml", "v2.yaml", false},
		{"not some characters", "[!ab].yaml", "c.yaml", true},
		{"an escaped character", `\*.yaml`, "a.yaml", false},
		{"an escaped character, the same", `\*[\]].yaml`, "*].yaml", true},
		{"a class without an end is not valid", "a[b", "a[b", false},
		{"an empty class is not valid", "a[]", "a", false},
		{"a directory is needed before /", "**/a.yaml", "a.yaml", false},
	} {
		pattern := compileGlob(tc.glob)
		if got := pattern != nil && pattern.MatchString(tc.name); got != tc.want {
			t.Errorf("%s: %q matches %q: want %v, got %v", tc.reason, tc.glob, tc.name, tc.want, got)
		}
	}
}

// TestPlainFilesAreReadOnce: what looks for CRs in plain files reads none of them again,
// so the limit on what goldenarch reads holds.
func TestPlainFilesAreReadOnce(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, name := range []string{"a", "b"} {
		write(t, root, name+"/hco.yaml", "apiVersion: hco.kubevirt.io/v1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged}\n")
	}
	s := newScan(root, Options{})
	if err := s.read(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(root, "b", "hco.yaml")); err != nil {
		t.Fatal(err)
	}
	s.plain()
	if len(s.out.Found) > 0 || len(s.out.Places) != 2 {
		t.Errorf("want two clusters and no findings, got %v and %v", s.out.Places, s.out.Found)
	}
}

// TestEachFileIsReadOnce: however many overlays share a base, its files count once.
func TestEachFileIsReadOnce(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, "base/kustomization.yaml", "resources: [hco.yaml]\n")
	write(t, root, "base/hco.yaml", "apiVersion: hco.kubevirt.io/v1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged}\n")
	for _, name := range []string{"a", "b", "c"} {
		write(t, root, "overlays/"+name+"/kustomization.yaml", "resources: [../../base]\n")
	}
	layout, err := Scan(root, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var places []string
	for _, p := range layout.Places {
		places = append(places, filepath.Base(p.Path))
	}
	if diff := cmp.Diff([]string{"a", "b", "c"}, places); diff != "" {
		t.Errorf("the clusters (-want +got):\n%s", diff)
	}
	if layout.Files != 1 {
		t.Errorf("want 1 file read, got %d", layout.Files)
	}
}

// TestTemplatesByName: a file that only a template engine reads is unread if it may make a CR.
func TestTemplatesByName(t *testing.T) {
	t.Parallel()
	const cr = "apiVersion: hco.kubevirt.io/v1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged}\n"
	for _, tc := range []struct {
		reason, name, text string
		want               bool
	}{
		{"Jinja", "a.yaml.j2", cr, true},
		{"Jinja by its long name", "a.yml.jinja2", cr, true},
		{"no name of a manifest", "a.j2", cr, true},
		{"Helm or Terraform", "a.yaml.tpl", cr, true},
		{"Go", "a.tmpl", cr, true},
		{"Go, of helmfile", "a.yaml.gotmpl", cr, true},
		{"Ruby", "a.erb", cr, true},
		{"upper case", "A.YAML.J2", cr, true},
		{"a manifest that configure fills in", "a.yaml.in", cr, true},
		{"not a manifest", "a.conf.in", cr, false},
		{"HCL", "a.tftpl", "apiVersion = \"hco.kubevirt.io/v1\"\nkind = \"HyperConverged\"\n", true},
		{"the kind alone", "a.tftpl", "kind = \"HyperConverged\"\n", false},
		{"a policy that wraps the CR", "a.j2", "x:\n  - object:\n      kind: HyperConverged\n      apiVersion: hco.kubevirt.io/v1\n{% if x %}\n", true},
		{"the engine gives the version", "a.j2", "apiVersion: {{ 'hco.kubevirt.io/v1' }}\nkind: {{ k }}\n", true},
		{"valid YAML with a CR", "a.j2", strings.Replace(cr, "kubevirt-hyperconverged", "'{{ x }}'", 1), true},
		{"UTF-16", "a.j2", strings.Join(strings.Split(cr, ""), "\x00"), true},
		{"a comment", "a.j2", "# kind: HyperConverged\n{{ x }}\n", false},
		{"a page", "a.md.j2", cr, false},
		{"another kind", "a.j2", "apiVersion: v1\nkind: ConfigMap\nmetadata: {{ x }}\ndata: {a: hco.kubevirt.io}\n", false},
		{"valid YAML of another kind", "a.j2", "apiVersion: v1\nkind: A\nmetadata: {name: a}\nspec: {kind: HyperConverged}\n", false},
		{"code", "a.go.tmpl", "func f(h HyperConverged) {\n", false},
	} {
		root := t.TempDir()
		write(t, root, "d/"+tc.name, tc.text)
		layout, err := Scan(root, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := layout.Unread.Failed(); got != tc.want || len(layout.Found) > 0 {
			t.Errorf("%s: want %v, got %v and %v", tc.reason, tc.want, layout.Unread, layout.Found)
		}
	}
}

// TestTemplateOfAKustomization: kustomize reads a file whatever its name is.
func TestTemplateOfAKustomization(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, "kustomization.yaml", "resources: [hco.tpl]\n")
	write(t, root, "hco.tpl", "apiVersion: hco.kubevirt.io/v1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged}\n")
	layout, err := Scan(root, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(layout.Unread) > 0 || len(layout.Places) != 1 {
		t.Errorf("want one cluster and nothing unread, got %v and %v", layout.Places, layout.Unread)
	}
}

// TestVendorIsNotRead: the modules that Go has copied are no part of a repository, and nobody has
// excluded them.
func TestVendorIsNotRead(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	cr := "apiVersion: hco.kubevirt.io/v1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged}\n"
	for name, text := range map[string]string{"hco.yaml": cr, "vendor/modules.txt": "", "vendor/a/hco.yaml": cr, "vendor/a/hco.go": "// HyperConverged\n"} {
		write(t, root, name, text)
	}
	layout, err := Scan(root, Options{})
	if err != nil || len(layout.Places) != 1 || len(layout.Excluded) > 0 || layout.Files != 1 {
		t.Errorf("want one cluster, one file and nothing excluded, got %v, %d, %v and %v", layout.Places, layout.Files, layout.Excluded, err)
	}
}

func write(t *testing.T, root, name, text string) {
	t.Helper()
	filetest.File(t, filepath.Join(root, filepath.FromSlash(name)), text)
}

// TestMayHaveMachines: the text of a file says whether it has a machine, in each form of YAML.
func TestMayHaveMachines(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, text string
		want         bool
	}{
		{"a machine", "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\n", true},
		{"a pool, with the line ends of Windows", "apiVersion: pool.kubevirt.io/v1beta1\r\nkind: VirtualMachinePool\r\n", true},
		{"a set of instances", "apiVersion: kubevirt.io/v1\nkind: VirtualMachineInstanceReplicaSet\n", true},
		{"what copies a machine", "apiVersion: clone.kubevirt.io/v1beta1\nkind: VirtualMachineClone\n", true},
		{"in quotes, in a List", "apiVersion: v1\nkind: List\nitems:\n- 'kind': \"VirtualMachine\"\n  apiVersion: 'kubevirt.io/v1'\n", true},
		{"before a comment", "apiVersion: kubevirt.io/v1\nkind: VirtualMachine # prod\n", true},
		{"JSON over several lines", "{\n  \"kind\": \"VirtualMachine\",\n  \"apiVersion\": \"kubevirt.io/v1\"\n}", true},
		{"JSON in one line", `{"apiVersion":"kubevirt.io/v1","kind":"VirtualMachine","metadata":{"name":"a"}}`, true},
		{"flow style", "apiVersion: v1\nkind: List\nitems:\n- {kind: DataVolume, apiVersion: cdi.kubevirt.io/v1beta1}\n", true},
		{
			"in a ConfigurationPolicy",
			"apiVersion: policy.open-cluster-management.io/v1\nkind: ConfigurationPolicy\nmetadata: {name: p}\nspec:\n  object-templates:\n" +
				"  - complianceType: musthave\n    objectDefinition: {apiVersion: kubevirt.io/v1, kind: VirtualMachine, metadata: {name: a}}\n",
			true,
		},
		{"a template of a List", "kind: List\nitems:\n{{ range }}\n- kind: VirtualMachine\n  apiVersion: kubevirt.io/v1\n", true},
		{
			"what an autoscaler scales",
			"apiVersion: autoscaling/v1\nkind: HorizontalPodAutoscaler\nspec:\n" +
				"  scaleTargetRef:\n    apiVersion: pool.kubevirt.io/v1alpha1\n    kind: VirtualMachinePool\n",
			false,
		},
		{
			"the text from which a pipeline makes a machine",
			"apiVersion: tekton.dev/v1\nkind: Pipeline\nspec:\n  manifest: |\n    apiVersion: kubevirt.io/v1\n    kind: VirtualMachine\n",
			false,
		},
		{"a task of a playbook", "- name: look\n  kubernetes.core.k8s_info:\n    api_version: kubevirt.io/v1\n    kind: VirtualMachine\n", false},
		{"the last field", "{apiVersion: kubevirt.io/v1, kind: VirtualMachine}\n", true},
		{"with an anchor", "apiVersion: kubevirt.io/v1\nkind: &kind VirtualMachine\n", true},
		{"with a tag", "apiVersion: kubevirt.io/v1\nkind: !!str VirtualMachine\n", true},
		{"at the end of the text", "apiVersion: kubevirt.io/v1\nkind: VirtualMachine", true},
		{"a rule about machines", "for: kubevirt.io/v1\nrules:\n- resources: [virtualmachines]\n  kinds: [VirtualMachine]\n", false},
		{"a text about machines", "description: a kind: VirtualMachine of kubevirt.io/v1\n", false},
		{"another kind", "apiVersion: kubevirt.io/v1\nkind: VirtualMachineX-y\n", false},
		{"what machines refer to", "apiVersion: instancetype.kubevirt.io/v1beta1\nkind: VirtualMachineInstancetype\n", false},
		{"a copy of the disks of a machine", "apiVersion: snapshot.kubevirt.io/v1beta1\nkind: VirtualMachineSnapshot\n", false},
		{
			"the definition of the kind",
			"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: kubevirt.io\n  names:\n    kind: VirtualMachine\n",
			false,
		},
	} {
		if got, _ := mayHaveMachines([]byte(tc.text)); got != tc.want {
			t.Errorf("%s: want %v, got %v", tc.reason, tc.want, got)
		}
	}
}

// TestMentionsContainers: the text of a file says whether it has containers, in YAML and in JSON.
func TestMentionsContainers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"containers:\n- name: a\n": true, `{"containers":[{"name":"a"}]}`: true, "{'initContainers' : [], 'containers' : []}": true,
		"image: quay.io/containers/a\n": false, "# all containers\n": false,
	} {
		if got := newText([]byte(text), unread.Want{}).containers; got != want {
			t.Errorf("%q: want %v, got %v", text, want, got)
		}
	}
}
