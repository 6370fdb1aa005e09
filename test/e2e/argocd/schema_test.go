package argocd

import (
	"testing"

	openapi "github.com/google/gnostic-models/openapiv2"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/util/proto"
)

// openAPI is what an API server tells of the two kinds, as far as merging goes by
// it: HCO's CRD says of the templates that they are one value (x-kubernetes-list-type
// atomic), CDI's says nothing.
const openAPI = `{"swagger": "2.0", "info": {"title": "Kubernetes", "version": "1"}, "paths": {}, "definitions": {
  "io.kubevirt.hco.v1beta1.HyperConverged": {
    "type": "object", "x-kubernetes-group-version-kind": [{"group": "hco.kubevirt.io", "version": "v1beta1", "kind": "HyperConverged"}],
    "properties": {"spec": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {
      "dataImportCronTemplates": {
        "type": "array", "x-kubernetes-list-type": "atomic",
        "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}}},
    "x-kubernetes-preserve-unknown-fields": true},
  "io.kubevirt.cdi.v1beta1.DataSource": {
    "type": "object", "x-kubernetes-group-version-kind": [{"group": "cdi.kubevirt.io", "version": "v1beta1", "kind": "DataSource"}],
    "x-kubernetes-preserve-unknown-fields": true}}}`

func schemas(t *testing.T) *managedfields.GvkParser {
	t.Helper()
	document, err := openapi.ParseDocument([]byte(openAPI))
	if err != nil {
		t.Fatal(err)
	}
	models, err := proto.NewOpenAPIData(document)
	if err != nil {
		t.Fatal(err)
	}
	parser, err := managedfields.NewGVKParser(models, true)
	if err != nil {
		t.Fatal(err)
	}
	return parser
}
