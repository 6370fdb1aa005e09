package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// The configurations state the architectures of the image of all objects of the matrix.
const (
	wrappedCRs = `apiVersion: goldenarch.dev/v1alpha1
kind: GoldenImages
metadata: {name: golden-images}
spec:
  release: "1.19"
  predefined: none
  cluster: {workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}
  overrides:
  - {template: app, architectures: [amd64]}
`
	wrappedPods = `apiVersion: goldenarch.dev/v1alpha1
kind: WorkloadArchitectures
metadata: {name: pods}
spec:
  imageArchitectures: {"quay.io/acme/app:1": [amd64]}
`
)

// TestPolicyThatInforms: what is in such a policy is checked, and the check says that the policy does
// not apply it.
func TestPolicyThatInforms(t *testing.T) {
	t.Parallel()
	for _, object := range []struct{ checked, text, config string }{
		{"1 HyperConverged CR", "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged}", wrappedCRs},
		{
			"1 object with pods", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {nodeSelector: {kubernetes.io/arch: amd64}, " +
				"containers: [{name: a, image: 'quay.io/acme/app:1'}]}", wrappedPods,
		},
		{
			"1 machine", "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: vm}\n" +
				"spec: {runStrategy: Always, template: {spec: {architecture: amd64, domain: {devices: {}}}}}", wrappedCRs,
		},
	} {
		for spec, says := range map[string]bool{
			"remediationAction: inform": true, "remediationAction: Enforce": false, "remediationAction: InformOnly": true,
			"remediationAction: '{{hub .x hub}}'": false, "disabled: true": true,
		} {
			text := strings.Replace(wrappers["Policy"], "OBJECT", strings.ReplaceAll(object.text, "\n", "\n            "), 1)
			if at := "      spec:\n"; spec == "disabled: true" {
				text = strings.Replace(text, "spec:\n", "spec:\n  "+spec+"\n", 1)
			} else {
				text = strings.Replace(text, at, at+"        "+spec+"\n", 1)
			}
			dir := writeTree(t, map[string]string{"policy.yaml": text, "config.yaml": object.config})
			out, messages, status := runIn(t, dir, "check", "policy.yaml", "--config", "config.yaml", "--offline")
			if got := strings.Contains(out, "info GA834"); got != says || !strings.Contains(out, object.checked) {
				t.Errorf("%s in a policy with %s: want %v, got status %d\n%s%s", object.checked, spec, says, status, out, messages)
			}
		}
	}
}

// wrappers are the kinds that carry objects to a cluster, with OBJECT in place of the object.
// Its lines get the indentation of that word.
var wrappers = map[string]string{
	"none": "OBJECT",
	"List": "apiVersion: v1\nkind: List\nitems: # all\n- OBJECT\n",
	"Policy": `apiVersion: policy.open-cluster-management.io/v1
kind: Policy
metadata: {name: w, namespace: fleet}
spec:
  policy-templates:
  - objectDefinition:
      apiVersion: policy.open-cluster-management.io/v1
      kind: ConfigurationPolicy
      metadata: {name: w}
      spec:
        object-templates:
        - complianceType: mustonlyhave   # whole
          objectDefinition:
            OBJECT
`,
	"ConfigurationPolicy": `apiVersion: policy.open-cluster-management.io/v1
kind: ConfigurationPolicy
metadata: {name: w}
spec:
  object-templates:
  - complianceType: mustonlyhave
    objectDefinition:
      OBJECT
`,
	"ManifestWork": `apiVersion: work.open-cluster-management.io/v1
kind: ManifestWork
metadata: {name: w, namespace: fleet}
spec:
  workload:
    manifests:
    - OBJECT
`,
	"ManifestWorkReplicaSet": `apiVersion: work.open-cluster-management.io/v1alpha1
kind: ManifestWorkReplicaSet
metadata: {name: w, namespace: fleet}
spec:
  manifestWorkTemplate:
    workload:
      manifests:
      - OBJECT
`,
	"AddOnTemplate": `apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnTemplate
metadata: {name: w}
spec:
  addonName: w
  agentSpec:
    workload:
      manifests:
      - OBJECT
`,
	"SyncSet":         "apiVersion: hive.openshift.io/v1\nkind: SyncSet\nmetadata: {name: w, namespace: fleet}\nspec:\n  resources:\n  - OBJECT\n",
	"SelectorSyncSet": "apiVersion: hive.openshift.io/v1\nkind: SelectorSyncSet\nmetadata: {name: w}\nspec:\n  resources:\n  - OBJECT\n",
	"Template":        "apiVersion: template.openshift.io/v1\nkind: Template\nmetadata: {name: w}\nobjects:\n- OBJECT\n",
	"ConfigMap of a ClusterResourceSet": `apiVersion: v1
kind: ConfigMap
metadata: {name: w, namespace: fleet}
data:
  README: text
  all.yaml: |
    # first
    apiVersion: v1
    kind: Namespace   # ours
    metadata: {name:  x}
    ---
    OBJECT
    ---
    # last
---
` + wrappedSet("ConfigMap"),
	"Secret of a ClusterResourceSet": `apiVersion: v1
kind: Secret
metadata: {name: w, namespace: fleet}
type: addons.cluster.x-k8s.io/resource-set
stringData:
  all.yaml: |
    OBJECT
---
` + wrappedSet("Secret"),
	"List in a ConfigMap of a ClusterResourceSet": `apiVersion: v1
kind: ConfigMap
metadata: {name: w, namespace: fleet}
data:
  all.yaml: |
    apiVersion: v1
    kind: List
    items:
    - OBJECT
---
` + wrappedSet("ConfigMap"),
}

func wrappedSet(kind string) string {
	return "apiVersion: addons.cluster.x-k8s.io/v1beta2\nkind: ClusterResourceSet\nmetadata: {name: w, namespace: fleet}\nspec:\n" +
		"  strategy: Reconcile\n  clusterSelector: {}\n  resources:\n  - {kind: " + kind + ", name: w}\n"
}

// wrappedObjects are objects that goldenarch edits, each with a comment, a quote and blanks
// that an edit keeps. Each has its configuration, the finding of check about it, and a part of
// the edit.
var wrappedObjects = map[string]struct{ text, config, finding, edit string }{
	"CR": {config: wrappedCRs, finding: "GA107", edit: "dict.architectures: amd64", text: `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata:
  name: kubevirt-hyperconverged
  namespace: "openshift-cnv"   # here
spec:
  dataImportCronTemplates:
  - metadata:
      name: app
    spec:
      schedule: "0 3 * * *"
      managedDataSource: app
      template: {spec: {source: {registry: {url: "docker://quay.io/acme/app:1"}}, storage: {resources: {requests: {storage: 5Gi}}}}}
`},
	"Deployment": {config: wrappedPods, finding: "GA720", edit: "kubernetes.io/arch", text: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: "app"   # here
spec:
  selector: {matchLabels: {app:  app}}
  template:
    metadata: {labels: {app: app}}
    spec:
      containers:
      - name: app
        image: 'quay.io/acme/app:1'
`},
	"CSV": {config: wrappedPods, finding: "GA720", edit: "kubernetes.io/arch", text: `apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata:
  name: "app.v1"   # here
spec:
  install:
    strategy: deployment
    spec:
      deployments:
      - name: app
        spec:
          template:
            spec:
              containers:
              - {name: app, image: 'quay.io/acme/app:1'}
`},
}

// TestWrappedObjects: whatever carries an object to a cluster, check sees the object, render
// edits it, and fix writes the lines of the edit into the file and keeps every other byte.
func TestWrappedObjects(t *testing.T) {
	t.Parallel()
	for wrapper, around := range wrappers {
		for kind, object := range wrappedObjects {
			t.Run(kind+" in "+wrapper, func(t *testing.T) {
				t.Parallel()
				before, indent := wrapped(around, object.text)
				dir := filetest.New(t, map[string]string{"all.yaml": before, "config.yaml": object.config})
				out, messages, _ := runIn(t, dir, "check", "all.yaml", "--config", "config.yaml", "--offline")
				if !strings.Contains(out+messages, object.finding) {
					t.Errorf("check has no %s:\n%s%s", object.finding, out, messages)
				}
				rendered, messages, status := runIn(t, dir, "render", "all.yaml", "--config", "config.yaml", "--offline")
				if status != statusOK || !strings.Contains(rendered, object.edit) {
					t.Errorf("render has not edited the object (%d):\n%s%s", status, messages, rendered)
				}
				succeeds(t, dir, "fix", "all.yaml", "--config", "config.yaml", "--offline")
				after := filesBelow(t, dir)["all.yaml"]
				fixed, ok := inserted(before, after)
				if !ok {
					t.Errorf("fix has changed lines of the file (-before +after):\n%s", cmp.Diff(before, after))
				}
				for _, line := range fixed {
					if line != "" && !strings.HasPrefix(line, indent) {
						t.Errorf("fix has written outside the object: %q", line)
					}
				}
				if len(fixed) == 0 {
					t.Error("fix has written nothing")
				}
				succeeds(t, dir, "fix", "--check", "all.yaml", "--config", "config.yaml", "--offline")
			})
		}
	}
}

// wrapped returns an object in a wrapper, and the indentation of the object.
func wrapped(around, object string) (text, indent string) {
	before, after, _ := strings.Cut(around, "OBJECT")
	line := before[strings.LastIndex(before, "\n")+1:]
	indent = strings.Repeat(" ", len(line))
	return before + strings.ReplaceAll(strings.TrimSpace(object), "\n", "\n"+indent) + "\n" + strings.TrimPrefix(after, "\n"), indent
}

// inserted returns the lines that one text has in addition to those of another, and whether
// it has all of those, in their order.
func inserted(before, after string) (fresh []string, ok bool) {
	left := strings.Split(before, "\n")
	for line := range strings.SplitSeq(after, "\n") {
		if len(left) > 0 && left[0] == line {
			left = left[1:]
			continue
		}
		fresh = append(fresh, line)
	}
	return fresh, len(left) == 0
}
