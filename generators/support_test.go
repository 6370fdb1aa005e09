package generators

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

const support = `- apiVersion: v1
  kind: Namespace
  metadata:
    name: kubevirt-os-images
- apiVersion: rbac.authorization.k8s.io/v1
  kind: Role
  metadata:
    name: os-images.kubevirt.io:view
    namespace: kubevirt-os-images
  rules:
  - apiGroups:
    - ""
    resources:
    - persistentvolumeclaims
    verbs:
    - get
    - list
    - watch
  - apiGroups:
    - snapshot.storage.k8s.io
    resources:
    - volumesnapshots
    verbs:
    - get
    - list
    - watch
  - apiGroups:
    - cdi.kubevirt.io
    resources:
    - datavolumes
    - datasources
    - dataimportcrons
    verbs:
    - get
    - list
    - watch
  - apiGroups:
    - cdi.kubevirt.io
    resources:
    - datavolumes/source
    verbs:
    - create
- apiVersion: rbac.authorization.k8s.io/v1
  kind: RoleBinding
  metadata:
    name: os-images.kubevirt.io:view
    namespace: kubevirt-os-images
  roleRef:
    apiGroup: rbac.authorization.k8s.io
    kind: Role
    name: os-images.kubevirt.io:view
  subjects:
  - apiGroup: rbac.authorization.k8s.io
    kind: Group
    name: system:authenticated
  - apiGroup: rbac.authorization.k8s.io
    kind: Group
    name: system:serviceaccounts
`

// TestSupport: the rights are those that SSP gives, to the same groups; and in
// the golden images namespace only, for another is its owner's.
func TestSupport(t *testing.T) {
	t.Parallel()
	own := template("app", "disk", "amd64")
	own.Metadata.Namespace = "team"
	made := objects(input{Templates: []expansion.Template{own}, SSP: ssp("amd64"), DataSources: v1alpha1.DataSourcesNone, Support: true})
	got, err := yaml.Marshal(made[:len(made)-1])
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(support, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
