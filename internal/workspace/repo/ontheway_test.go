package repo

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/wrapper"
)

// The objects that a check judges, of which the tests below say whether a field touches them.
var (
	theCR = Checked{Object: finding.Object{
		APIVersion: "hco.kubevirt.io/v1beta1", Kind: "HyperConverged", Name: "kubevirt-hyperconverged", Namespace: "openshift-cnv",
	}}
	theMachine = Checked{
		Object:  finding.Object{APIVersion: "kubevirt.io/v1", Kind: "VirtualMachine", Name: "fedora", Namespace: "vms"},
		Machine: true,
	}
	thePods = Checked{
		Object: finding.Object{APIVersion: "apps/v1", Kind: "Deployment", Name: "web", Namespace: "web"},
		Pods:   true, Images: []string{"quay.io/acme/web@sha256:00"},
	}
	theWrapped = Checked{
		Object:  theCR.Object,
		Wrapper: finding.Object{APIVersion: "policy.open-cluster-management.io/v1", Kind: "Policy", Name: "virt", Namespace: "policies"},
	}
	inValues = Checked{Object: theCR.Object, Place: []string{"hyperconverged", "spec"}}
)

func withVariables(o Checked) Checked {
	o.Variables = []string{"spec.template.spec.architecture"}
	return o
}

// wayCase is a field of what applies a directory, with the objects of the directory that it touches and those that it does
// not touch.
type wayCase struct {
	reason, text, want string
	touches, leaves    []Checked
	// files are beside what applies the directory "a".
	files map[string]string
	// plain says that the directory has no kustomization.
	plain bool
}

var patchesWithoutTarget = map[string][2]string{
	"HyperConverged": {"apiVersion: hco.kubevirt.io/v1beta1", "kubevirt-hyperconverged"}, "Deployment": {"apiVersion: apps/v1", "web"},
	"VirtualMachine": {"apiVersion: kubevirt.io/v1", "fedora"},
}

// merge is a strategic merge patch in a literal block, as most repositories have it.
func merge(indent, kind string) string {
	of := patchesWithoutTarget[kind]
	lines := []string{"- patch: |-", "    " + of[0], "    kind: " + kind, "    metadata:", "      name: " + of[1], "    spec:", "      paused: true"}
	return indent + strings.Join(lines, "\n"+indent) + "\n"
}

// operations is a patch of operations with a target.
func operations(indent, target string) string {
	lines := []string{"- target:", "    " + target, "  patch: |-", "    - op: remove", "      path: /spec/replicas"}
	return indent + strings.Join(lines, "\n"+indent) + "\n"
}

var everyObject = []Checked{theCR, theMachine, thePods, theWrapped}

// casesOfKustomize are the cases of the fields that Argo CD and Flux share. prefix and indent are those of the fields.
func casesOfKustomize(prefix, indent string) []wayCase {
	field := func(text string) string { return indent + strings.ReplaceAll(text, "\n", "\n"+indent) + "\n" }
	patches := func(patch string) string { return indent + "patches:\n" + patch }
	return []wayCase{
		{
			reason:  "a patch names its object",
			text:    patches(merge(indent, "HyperConverged")),
			want:    prefix + "patches",
			touches: []Checked{theCR},
			leaves:  []Checked{theMachine, thePods, theWrapped},
		},
		{
			reason:  "a patch of a machine",
			text:    patches(merge(indent, "VirtualMachine")),
			want:    prefix + "patches",
			touches: []Checked{theMachine},
			leaves:  []Checked{theCR, thePods},
		},
		{
			reason:  "a patch of pods",
			text:    patches(merge(indent, "Deployment")),
			want:    prefix + "patches",
			touches: []Checked{thePods},
			leaves:  []Checked{theCR, theMachine},
		},
		{
			reason: "a target by kind", text: patches(operations(indent, "kind: Deployment")), want: prefix + "patches",
			touches: []Checked{thePods}, leaves: []Checked{theCR, theMachine, theWrapped},
		},
		{
			reason: "an expression", text: patches(operations(indent, "kind: (HyperConverged|Virtual.*)")), want: prefix + "patches",
			touches: []Checked{theCR, theMachine}, leaves: []Checked{thePods},
		},
		{
			reason: "a group and a version", text: patches(operations(indent, "{group: hco.kubevirt.io, version: v1beta1}")), want: prefix + "patches",
			touches: []Checked{theCR}, leaves: []Checked{theMachine, thePods},
		},
		{reason: "another version", text: patches(operations(indent, "{group: hco.kubevirt.io, version: v1}")), leaves: everyObject},
		{
			reason: "a name", text: patches(operations(indent, "{kind: HyperConverged, name: kubevirt-.*}")), want: prefix + "patches",
			touches: []Checked{theCR}, leaves: []Checked{theMachine},
		},
		{reason: "another name", text: patches(operations(indent, "{kind: HyperConverged, name: other}")), leaves: everyObject},
		{
			reason: "a name that the kustomization makes longer", text: patches(operations(indent, "{kind: VirtualMachine, name: ^dora$}")),
			want: prefix + "patches", touches: []Checked{theMachine}, leaves: []Checked{theCR},
		},
		{
			reason: "a namespace that the kustomization changes", text: patches(operations(indent, "{kind: VirtualMachine, namespace: default}")),
			want: prefix + "patches", touches: []Checked{theMachine}, leaves: []Checked{theCR},
		},
		{
			reason: "a label, which may select each object", text: patches(operations(indent, "labelSelector: app=virt")), want: prefix + "patches",
			touches: everyObject,
		},
		{
			reason: "what carries a CR", text: patches(operations(indent, "kind: Policy")), want: prefix + "patches",
			touches: []Checked{theWrapped}, leaves: []Checked{theCR, theMachine, thePods},
		},
		{reason: "components", text: field("components:\n- ../components/mixed"), want: prefix + "components", touches: everyObject},
		{reason: "no components", text: field("components: []"), leaves: everyObject},
		{
			reason:  "a prefix",
			text:    field("namePrefix: dr-"),
			want:    prefix + "namePrefix",
			touches: []Checked{theCR, theMachine},
			leaves:  []Checked{thePods, theWrapped},
		},
		{reason: "no prefix", text: field("namePrefix: ''"), leaves: everyObject},
		{
			reason:  "a suffix",
			text:    field("nameSuffix: -prod"),
			want:    prefix + "nameSuffix",
			touches: []Checked{theCR, theMachine},
			leaves:  []Checked{thePods, theWrapped},
		},
		{reason: "labels and replicas", text: field("commonLabels:\n  team: virt\nreplicas:\n- name: web\n  count: 2"), leaves: everyObject},
	}
}

// inApplication is a source of an Application with fields at its end.
const inApplication = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: a
  namespace: openshift-gitops
spec:
  project: default
  destination:
    server: https://kubernetes.default.svc
    namespace: openshift-cnv
  syncPolicy:
    automated: {prune: true, selfHeal: true}
  source:
    repoURL: https://github.com/acme/fleet.git
    targetRevision: main
    path: a
`

var casesOfApplication = slices.Concat(prefixed("    kustomize:\n", casesOfKustomize("kustomize.", "      ")), []wayCase{
	{
		reason:  "a namespace",
		text:    "    kustomize: {namespace: openshift-cnv}\n",
		want:    "kustomize.namespace",
		touches: []Checked{theMachine},
		leaves:  []Checked{theCR, thePods, theWrapped},
	},
	{
		reason: "an annotation that HCO reads", text: "    kustomize:\n      commonAnnotations:\n        kubevirt.kubevirt.io/jsonpatch: '[]'\n",
		want: "kustomize.commonAnnotations", touches: []Checked{theCR}, leaves: []Checked{theMachine, thePods, theWrapped},
	},
	{reason: "another one", text: "    kustomize:\n      commonAnnotations:\n        argocd.argoproj.io/sync-wave: '5'\n", leaves: everyObject},
	{
		reason: "images", text: "    kustomize:\n      images:\n      - quay.io/acme/web=registry.acme.example/web:2\n      - quay.io/acme/other:3\n",
		want: "kustomize.images", touches: []Checked{thePods}, leaves: []Checked{theCR, theMachine},
	},
	{reason: "other images", text: "    kustomize: {images: ['quay.io/acme/webhook:3']}\n", leaves: everyObject},
	{reason: "the files as they are", text: "    directory: {recurse: true}\n", want: "directory", touches: everyObject},
	{reason: "an empty directory", text: "    directory: {recurse: false, jsonnet: {}}\n", leaves: everyObject},
	{
		reason:  "jsonnet beside a kustomization",
		text:    "    directory: {jsonnet: {tlas: [{name: a, value: b}]}}\n",
		want:    "directory",
		touches: []Checked{theCR},
	},
	{reason: "a directory without a kustomization", text: "    directory: {recurse: true, exclude: b.yaml}\n", leaves: everyObject, plain: true},
	{
		reason: "a patch in a file", text: "    kustomize: {patches: [{path: ../patches/cr.yaml}]}\n", want: "kustomize.patches",
		files:   map[string]string{"patches/cr.yaml": "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\n"},
		touches: []Checked{theCR}, leaves: []Checked{theMachine},
	},
	{
		reason: "a patch of another object in a file", text: "    kustomize: {patches: [{path: ../patches/web.yaml}]}\n", want: "kustomize.patches",
		files: map[string]string{"patches/web.yaml": "apiVersion: apps/v1\nkind: Deployment\n"}, touches: []Checked{thePods}, leaves: []Checked{theCR, theMachine},
	},
	{reason: "a file that nobody can read", text: "    kustomize: {patches: [{path: missing.yaml}]}\n", want: "kustomize.patches", touches: everyObject},
	{
		reason: "values", text: "    helm:\n      values: |\n        hyperconverged:\n          spec: {}\n", want: "helm.values",
		touches: []Checked{inValues}, leaves: everyObject,
	},
	{reason: "other values", text: "    helm:\n      values: |\n        operator: {channel: stable}\n", leaves: []Checked{inValues}},
	{
		reason:  "values as an object",
		text:    "    helm: {valuesObject: {hyperconverged: {}}}\n",
		want:    "helm.valuesObject",
		touches: []Checked{inValues},
		leaves:  everyObject,
	},
	{reason: "other values as an object", text: "    helm: {valuesObject: {operator: {}}}\n", leaves: []Checked{inValues}},
	{
		reason: "a parameter", text: "    helm: {parameters: [{name: hyperconverged.spec.x, value: y}]}\n", want: "helm.parameters",
		touches: []Checked{inValues}, leaves: everyObject,
	},
	{reason: "another parameter", text: "    helm: {parameters: [{name: operator.channel, value: y}]}\n", leaves: []Checked{inValues}},
	{
		reason:  "a parameter of a file",
		text:    "    helm: {fileParameters: [{name: hyperconverged, path: x}]}\n",
		want:    "helm.fileParameters",
		touches: []Checked{inValues},
	},
	{reason: "another parameter of a file", text: "    helm: {fileParameters: [{name: operator, path: x}]}\n", leaves: []Checked{inValues}},
	{
		reason: "a value file", text: "    helm: {valueFiles: [prod.yaml]}\n", want: "helm.valueFiles",
		files: map[string]string{"a/prod.yaml": "hyperconverged: {}\n"}, touches: []Checked{inValues}, leaves: everyObject,
	},
	{
		reason: "a value file about something else", text: "    helm: {valueFiles: [prod.yaml]}\n",
		files: map[string]string{"a/prod.yaml": "operator: {}\n"}, leaves: []Checked{inValues},
	},
	{
		reason: "the Image Updater has written images", text: "", want: ".argocd-source-a.yaml: kustomize.images",
		files:   map[string]string{"a/.argocd-source-a.yaml": "kustomize:\n  images:\n  - quay.io/acme/web:3\n"},
		touches: []Checked{thePods}, leaves: []Checked{theCR, theMachine},
	},
	{
		reason: "a file for each Application", text: "", want: ".argocd-source.yaml: kustomize.namePrefix",
		files:   map[string]string{"a/.argocd-source.yaml": "kustomize: {namePrefix: x-}\npath: b\n"},
		touches: []Checked{theCR, theMachine}, leaves: []Checked{thePods},
	},
	{
		reason: "a file says that a plugin makes the manifests", text: "", want: ".argocd-source.yaml: plugin",
		files: map[string]string{"a/.argocd-source.yaml": "plugin: {}\n"}, touches: everyObject,
	},
	{
		reason: "a file for another Application says that a plugin makes the manifests", text: "",
		files: map[string]string{"a/.argocd-source-b.yaml": "plugin: {}\n"}, leaves: everyObject,
	},
	{
		reason: "a file says which files count", text: "", want: ".argocd-source.yaml: directory", plain: true,
		files: map[string]string{"a/.argocd-source.yaml": "directory: {exclude: hco.yaml}\n"}, touches: everyObject,
	},
	{
		reason: "a file for another Application",
		text:   "",
		files:  map[string]string{"a/.argocd-source-b.yaml": "kustomize: {namePrefix: x-}\n"},
		leaves: everyObject,
	},
})

// prefixed returns cases whose texts are below a field.
func prefixed(above string, all []wayCase) []wayCase {
	out := slices.Clone(all)
	for i := range out {
		out[i].text = above + out[i].text
	}
	return out
}

const inFlux = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: a
  namespace: flux-system
spec:
  interval: 10m
  path: ./a
  prune: true
  sourceRef:
    kind: GitRepository
    name: flux-system
`

var casesOfFlux = slices.Concat(casesOfKustomize("spec.", "  "), []wayCase{
	{
		reason:  "the namespace that the CR has",
		text:    "  targetNamespace: openshift-cnv\n",
		want:    "spec.targetNamespace",
		touches: []Checked{theMachine},
		leaves:  []Checked{theCR, thePods},
	},
	{
		reason:  "another namespace",
		text:    "  targetNamespace: lab\n",
		want:    "spec.targetNamespace",
		touches: []Checked{theCR, theMachine},
		leaves:  []Checked{thePods, theWrapped},
	},
	{reason: "of a CR without one", text: "  targetNamespace: lab\n", leaves: []Checked{{Object: finding.Object{Kind: "HyperConverged"}}}},
	{reason: "labels", text: "  commonMetadata:\n    labels:\n      app.kubernetes.io/name: virt\n", leaves: everyObject},
	{
		reason: "an annotation that HCO reads", text: "  commonMetadata:\n    annotations:\n      ssp.kubevirt.io/jsonpatch: '[]'\n",
		want: "spec.commonMetadata.annotations", touches: []Checked{theCR}, leaves: []Checked{theMachine, thePods, theWrapped},
	},
	{reason: "another one", text: "  commonMetadata:\n    annotations:\n      team: virt\n", leaves: everyObject},
	{
		reason: "an image", text: "  images:\n  - name: quay.io/acme/web\n    newName: registry.acme.example/web\n    newTag: '2'\n", want: "spec.images",
		touches: []Checked{thePods}, leaves: []Checked{theCR, theMachine},
	},
	{
		reason: "merge patches of v1beta2", text: "  patchesStrategicMerge:\n  - apiVersion: hco.kubevirt.io/v1beta1\n    kind: HyperConverged\n",
		want: "spec.patchesStrategicMerge", touches: []Checked{theCR}, leaves: []Checked{theMachine, thePods},
	},
	{
		reason: "operations of v1beta2", text: "  patchesJson6902:\n  - target: {kind: Hyper.*}\n    patch:\n    - {op: remove, path: /spec}\n",
		want: "spec.patchesJson6902", touches: []Checked{theCR}, leaves: []Checked{theMachine, thePods},
	},
	{
		reason: "variables", text: "  postBuild:\n    substituteFrom:\n    - kind: ConfigMap\n      name: cluster-settings\n", want: "spec.postBuild",
		touches: []Checked{withVariables(theMachine), withVariables(thePods)}, leaves: everyObject,
	},
	{reason: "no values for variables", text: "  postBuild: {substitute: {}}\n", leaves: []Checked{withVariables(theMachine)}},
})

const inRelease = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: a
spec:
  interval: 10m
  targetNamespace: openshift-cnv
  chart:
    spec:
      chart: ./a
      sourceRef: {kind: GitRepository, name: flux-system}
`

var casesOfRelease = []wayCase{
	{reason: "nothing", text: "", leaves: append(everyObject, inValues)},
	{reason: "values", text: "  values:\n    hyperconverged:\n      spec: {}\n", want: "spec.values", touches: []Checked{inValues}, leaves: everyObject},
	{reason: "other values", text: "  values:\n    operator:\n      channel: stable\n", leaves: []Checked{inValues}},
	{
		reason:  "values from elsewhere",
		text:    "  valuesFrom:\n  - kind: ConfigMap\n    name: values\n",
		want:    "spec.valuesFrom",
		touches: []Checked{inValues},
		leaves:  everyObject,
	},
	{
		reason: "a value file", text: "      valuesFiles: [./a/values.yaml, ./a/prod.yaml]\n", want: "spec.chart.spec.valuesFiles",
		files: map[string]string{"a/prod.yaml": "hyperconverged: {}\n"}, touches: []Checked{inValues}, leaves: everyObject,
	},
	{
		reason: "a value file about something else", text: "      valuesFiles: [./a/values.yaml, ./a/prod.yaml]\n",
		files: map[string]string{"a/prod.yaml": "operator: {}\n"}, leaves: []Checked{inValues},
	},
	{
		reason: "an annotation that HCO reads", text: "  commonMetadata: {annotations: {ssp.kubevirt.io/jsonpatch: '[]'}}\n", want: "spec.commonMetadata.annotations",
		touches: []Checked{inValues}, leaves: []Checked{theMachine},
	},
	{reason: "another annotation", text: "  commonMetadata: {annotations: {team: a}, labels: {a: b}}\n", leaves: []Checked{inValues}},
	{
		reason: "a patch of what is rendered", text: "  postRenderers:\n  - kustomize:\n      patches:\n" + operations("      ", "kind: HyperConverged"),
		want:    "spec.postRenderers",
		touches: []Checked{inValues}, leaves: []Checked{theMachine, thePods},
	},
	{
		reason: "a patch of something else",
		text:   "  postRenderers:\n  - kustomize:\n      patches:\n" + operations("      ", "kind: Subscription"),
		leaves: []Checked{inValues},
	},
}

func inSet(patch string) string {
	return `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata:
  name: a
spec:
  goTemplate: true
  generators:
  - clusters:
      selector: {matchLabels: {virt: "true"}}
  template:
    metadata: {name: 'virt-{{.name}}'}
    spec:
      destination: {server: '{{.server}}'}
      source:
        repoURL: https://github.com/acme/fleet.git
        path: a
` + patch
}

var casesOfSet = []wayCase{
	{reason: "no patch", text: inSet(""), leaves: everyObject},
	{
		reason: "a patch of the source", text: inSet("  templatePatch: |\n    spec:\n      source:\n        kustomize: {namePrefix: '{{.name}}-'}\n"),
		want:    "templatePatch",
		touches: everyObject,
	},
	{
		reason: "blocks about the source", want: "templatePatch", touches: everyObject,
		text: inSet("  templatePatch: |\n    {{- if .values.prod }}\n    spec:\n      sources: [{path: b}]\n    {{- end }}\n"),
	},
	{
		reason: "a patch of how it syncs",
		text:   inSet("  templatePatch: |\n    spec:\n      syncPolicy:\n        automated: {prune: {{.prune}}}\n"),
		leaves: everyObject,
	},
	{
		reason: "a value that only Argo CD knows", text: inSet("        kustomize: {namePrefix: '{{.name}}-'}\n"), want: "kustomize.namePrefix",
		touches: []Checked{theCR, theMachine}, leaves: []Checked{thePods},
	},
	{
		reason: "a kind that only Argo CD knows", text: inSet("        kustomize: {patches: [{target: {kind: '{{.values.kind}}'}, patch: '[]'}]}\n"),
		want:    "kustomize.patches",
		touches: everyObject,
	},
	{
		reason: "a file for an Application of any name", text: inSet(""), want: ".argocd-source-virt-lab.yaml: kustomize.nameSuffix",
		files: map[string]string{"a/.argocd-source-virt-lab.yaml": "kustomize: {nameSuffix: -x}\n"}, touches: []Checked{theCR}, leaves: []Checked{thePods},
	},
}

// TestOnTheWay: for each field of what applies a directory, and that goldenarch does not follow, which objects it touches. An
// error names the file and the field; other objects stay green.
func TestOnTheWay(t *testing.T) {
	t.Parallel()
	for kind, all := range map[string][]wayCase{
		inApplication: casesOfApplication, inFlux: casesOfFlux, inRelease: casesOfRelease, "": casesOfSet,
	} {
		for _, tc := range all {
			root := t.TempDir()
			write(t, root, "apps/a.yaml", kind+tc.text)
			switch {
			case kind == inRelease || strings.Contains(tc.text, "helm:"):
				write(t, root, "a/Chart.yaml", "apiVersion: v2\nname: a\nversion: 0.1.0\n")
				write(t, root, "a/values.yaml", "hyperconverged: {spec: {}}\n")
			case tc.plain:
				write(t, root, "a/cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
			default:
				write(t, root, "a/kustomization.yaml", "resources: []\n")
			}
			for name, text := range tc.files {
				write(t, root, name, text)
			}
			routes, err := RoutesIn(root, nil)
			if err != nil || len(routes) != 1 || !strings.HasPrefix(routes[0].By, "apps/a.yaml: ") {
				t.Errorf("%s: want one route, got %v, %v\n%s", tc.reason, routes, err, kind+tc.text)
				continue
			}
			for i, o := range slices.Concat(tc.touches, tc.leaves) {
				if o.Place != nil {
					o.File = filepath.ToSlash(filepath.Join(root, "a/values.yaml"))
				}
				want := ""
				if i < len(tc.touches) {
					want = tc.want
				}
				if got := fieldsOf(routes[0].ChangesOf(o)); got != want {
					t.Errorf("%s of %s: want %q, got %q\n%s", tc.reason, o.Object, want, got, kind+tc.text)
				}
			}
		}
	}
}

// written returns the text of a case and those of its files.
func (tc wayCase) written() string {
	return strings.Join(slices.AppendSeq([]string{tc.text}, maps.Values(tc.files)), "\n")
}

func fieldsOf(all []Change) string {
	var out []string
	for _, one := range all {
		out = append(out, one.Field)
	}
	return strings.Join(out, " ")
}

// TestEachRowIsTested: each field of the tables has a case in which it touches an object, and one in which the same
// field, or a file without it, leaves all.
func TestEachRowIsTested(t *testing.T) {
	t.Parallel()
	check := func(kind string, fields []string, all []wayCase) {
		for _, field := range fields {
			if !slices.ContainsFunc(all, func(tc wayCase) bool { return len(tc.touches) > 0 && strings.HasSuffix(tc.want, field) }) {
				t.Errorf("%s: no case for %s", kind, field)
			}
			key := field[strings.LastIndex(field, ".")+1:] + ":"
			if !slices.ContainsFunc(all, func(tc wayCase) bool { return len(tc.leaves) > 0 && strings.Contains(tc.written(), key) }) {
				t.Errorf("%s: no case in which %s leaves an object", kind, field)
			}
		}
	}
	check("Application", slices.Concat(fieldsOfRows(applicationRows), fieldsOfRows(sourceFileRows)), casesOfApplication)
	check("ApplicationSet", fieldsOfRows(applicationSetRows), casesOfSet)
	check("Kustomization", fieldsOfRows(kustomizationRows), casesOfFlux)
	check("HelmRelease", fieldsOfRows(helmReleaseRows), casesOfRelease)
}

func fieldsOfRows[Spec any](rows []row[Spec]) []string {
	var out []string
	for _, one := range rows {
		out = append(out, one.field)
	}
	return out
}

// TestChangesByAPolicyGenerator: of the patches of a PolicyGenerator, those of the entry of the file count.
func TestChangesByAPolicyGenerator(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, patches, want string
		o                     Checked
	}{
		{"none", "[]", "", theCR},
		{"the policy deletes it", "[]\n    remediationAction: enforce\n    complianceType: mustNotHave", "policies[0].manifests[1].complianceType", theCR},
		{"the policy only says that it is there", "[]\n    complianceType: mustnothave", "", theCR},
		{"of the CR", "[{apiVersion: hco.kubevirt.io/v1beta1, kind: HyperConverged, spec: {}}]", "policies[0].manifests[1].patches", theCR},
		{"of the only object", "[{metadata: {labels: {a: b}}}]", "policies[0].manifests[1].patches", theMachine},
		{"of another object", "[{kind: Subscription}]", "", theCR},
		{"of a machine", "[{kind: VirtualMachine}]", "policies[0].manifests[1].patches", theMachine},
		{"of a machine, beside the CR", "[{kind: VirtualMachine}]", "", theCR},
	} {
		root := t.TempDir()
		write(t, root, "kustomization.yaml", "generators: [policies.yaml]\n")
		write(t, root, "policies.yaml", "apiVersion: policy.open-cluster-management.io/v1\nkind: PolicyGenerator\nmetadata: {name: p}\npolicies:\n- name: virt\n"+
			"  manifests:\n  - path: other.yaml\n    patches: [{kind: HyperConverged}, {kind: VirtualMachine}]\n  - path: hco.yaml\n    patches: "+tc.patches+"\n")
		write(t, root, "hco.yaml", "kind: HyperConverged\n")
		write(t, root, "other.yaml", "kind: HyperConverged\n")
		var generators Generators
		carriers := generators.CarriersOf(filepath.Join(root, "hco.yaml"))
		if len(carriers) != 1 {
			t.Fatalf("%s: want one policy, got %v", tc.reason, carriers)
		}
		if got := fieldsOf(ChangesBy(carriers[0], tc.o)); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
	if got := ChangesBy(wrapper.Carrier{}, theCR); got != nil {
		t.Errorf("a policy without patches changes %v", got)
	}
}

// TestChangesAround: an Application and a HelmRelease can change a CR that is in their own values.
func TestChangesAround(t *testing.T) {
	t.Parallel()
	const (
		application = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: x}\nspec:\n  source:\n    helm:\n      valuesObject: {hco: {cr: {a: b}}}\n"
		release     = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: x}\nspec:\n  values: {hco: {cr: {a: b}}}\n"
		other       = "\n---\napiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: y}\nspec: {source: {helm: {parameters: [{name: hco.cr.a}]}}}\n"
	)
	inApplication := []string{"spec", "source", "helm", "valuesObject", "hco", "cr"}
	inRelease := []string{"spec", "values", "hco", "cr"}
	for _, tc := range []struct {
		reason, text, want string
		place              []string
	}{
		{"nothing else", application, "", inApplication},
		{"parameters win over values", application + "      parameters: [{name: hco.cr.a, value: c}]\n", "helm.parameters", inApplication},
		{"parameters of something else", application + "      parameters: [{name: other.a, value: c}]\n", "", inApplication},
		{"Argo CD reads valuesObject in place of values", application + "      values: 'hco: {cr: {a: c}}'\n", "", inApplication},
		{"another document", application + other, "", inApplication},
		{"only the own values", release, "", inRelease},
		{"other values", release + "  valuesFrom: [{kind: ConfigMap, name: v}]\n", "spec.valuesFrom", inRelease},
		{
			"a patch of what the chart makes", release + "  postRenderers: [{kustomize: {patches: [{target: {kind: HyperConverged}, patch: '[]'}]}}]\n",
			"spec.postRenderers", inRelease,
		},
		{"a file of values", "hco: {cr: {a: b}}\n", "", []string{"hco", "cr"}},
	} {
		root := t.TempDir()
		write(t, root, "x.yaml", tc.text)
		o := theCR
		o.File, o.Place = filepath.ToSlash(filepath.Join(root, "x.yaml")), tc.place
		by, got := ChangesAround(o)
		if fieldsOf(got) != tc.want || tc.want != "" && !strings.HasSuffix(by, "/x") {
			t.Errorf("%s: want %q, got %q by %q", tc.reason, tc.want, fieldsOf(got), by)
		}
	}
}

// TestTargetsOfAPlainDirectory: in a directory without a kustomization a patch selects objects as their files have them.
func TestTargetsOfAPlainDirectory(t *testing.T) {
	t.Parallel()
	for target, want := range map[string]string{
		"{namespace: openshift-.*}": "spec.patches", "{namespace: other}": "", "{name: kubevirt}": "", "{name: kubevirt-hyper.*}": "spec.patches",
	} {
		root := t.TempDir()
		write(t, root, "app.yaml", inFlux+"  patches:\n  - {target: "+target+", patch: '[]'}\n")
		write(t, root, "a/cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
		routes, err := RoutesIn(root, nil)
		if err != nil || len(routes) != 1 {
			t.Fatalf("%s: want one route, got %v, %v", target, routes, err)
		}
		if got := fieldsOf(routes[0].ChangesOf(theCR)); got != want {
			t.Errorf("%s: want %q, got %q", target, want, got)
		}
	}
}

// TestFieldsOfAnElement: each field of a source has the values of its element before it counts.
func TestFieldsOfAnElement(t *testing.T) {
	t.Parallel()
	const element = "{dir: a, url: 'https://x/y.git', ns: openshift-cnv, none: '', kind: Deployment, quoted: '\"}'}"
	for _, tc := range []struct{ fields, want string }{
		{"kustomize: {namespace: '{{ns}}'}", ""},
		{"kustomize: {namespace: 'x-{{ns}}'}", "kustomize.namespace"},
		{"kustomize: {namePrefix: '{{none}}'}", ""},
		{"kustomize: {namePrefix: '{{dir}}-'}", "kustomize.namePrefix"},
		{"kustomize: {namePrefix: '{{unknown}}'}", "kustomize.namePrefix"},
		{"kustomize: {patches: [{target: {kind: '{{kind}}'}, patch: '[]'}]}", ""},
		{"kustomize: {patches: [{target: {kind: '{{unknown}}'}, patch: '[]'}]}", "kustomize.patches"},
		{"kustomize: {commonAnnotations: {a: '{{quoted}}'}}", ""},
		{"repoURL: '{{url}}'", ""},
	} {
		s := followedSet(t, "  generators: [{list: {elements: ["+element+"]}}]\n  template: {spec: {source: {path: '{{dir}}', "+tc.fields+"}}}\n")
		if len(s.out.Routes) != 1 {
			t.Errorf("%s: want one route, got %v", tc.fields, s.out.Routes)
			continue
		}
		if got := fieldsOf(s.out.Routes[0].ChangesOf(theCR)); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.fields, tc.want, got)
		}
	}
}

// TestSourceFilesOutside: a file outside of the repository is not read, whether a link or the name of an
// Application leads to it.
func TestSourceFilesOutside(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, "evil.yaml", "kustomize: {namePrefix: x-}\n")
	write(t, root, "tree/app.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: x/../../../evil}\nspec: {source: {path: a}}\n")
	write(t, root, "tree/.git/config", "")
	write(t, root, "tree/a/kustomization.yaml", "resources: []\n")
	write(t, root, "tree/a/.argocd-source-x/x.yaml", "")
	if err := os.Symlink("../../evil.yaml", filepath.Join(root, "tree/a/.argocd-source.yaml")); err != nil {
		t.Fatal(err)
	}
	routes, err := RoutesIn(filepath.Join(root, "tree"), nil)
	if err != nil || len(routes) != 1 || len(routes[0].ChangesOf(theCR)) > 0 {
		t.Errorf("want one route without a file, got %v, %v", routes, err)
	}
}

// TestTemplatePatch: what the templatePatch of an ApplicationSet may do beside changing the source counts by its words, and one about
// the source may lead to other directories.
func TestTemplatePatch(t *testing.T) {
	t.Parallel()
	const ignores = "ignoreDifferences: [{group: hco.kubevirt.io, kind: HyperConverged, jsonPointers: [/spec]}]"
	for _, tc := range []struct {
		patch, ignored              string
		server, respects, elsewhere bool
	}{
		{patch: "spec: {syncPolicy: {syncOptions: [ServerSideApply=true]}}", server: true},
		{patch: "spec: {syncPolicy: {syncOptions: [CreateNamespace=true]}}"},
		{patch: "spec: {" + ignores + "}", ignored: "templatePatch"},
		{patch: "spec: {syncPolicy: {syncOptions: [RespectIgnoreDifferences=true]}, " + ignores + "}", ignored: "templatePatch", respects: true},
		{patch: "spec: {ignoreDifferences: [{kind: Secret}]}"},
		{patch: "spec: {source: {path: b}}", elsewhere: true},
	} {
		s := followedSet(t, "  generators: [{list: {elements: [{x: y}]}}]\n  template: {spec: {source: {path: a}}}\n  templatePatch: '"+tc.patch+"'\n")
		r := s.out.Routes[0]
		fields, respects := r.IgnoredOf(theCR.Object)
		if r.OnServer != tc.server || strings.Join(fields, " ") != tc.ignored || respects != tc.respects || len(s.out.Unfollowed) > 0 != tc.elsewhere {
			t.Errorf("%s: got %v, %q, %v, unfollowed %q", tc.patch, r.OnServer, fields, respects, s.out.Unfollowed)
		}
	}
}
