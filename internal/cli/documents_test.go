package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
	"k8s.io/kube-openapi/pkg/validation/validate"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestDocumentsFitTheirSchemas: what the verbs print with "-o json" is as the schemas say.
func TestDocumentsFitTheirSchemas(t *testing.T) {
	t.Parallel()
	const nodes = " --offline --workload-architectures amd64,arm64 --control-plane-architectures amd64 --release 1.19"
	const onePod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: quay.io/x/a:1}]}\n"
	refused := writeTree(t, map[string]string{
		"hco.yaml": strings.Replace(plainCR, "spec: {}", "spec: {liveMigrationConfig: {parallelMigrationsPerCluster: x}}", 1),
	})
	several := writeTree(t, map[string]string{"a/hco.yaml": plainCR, "b/hco.yaml": plainCR, "c/vm.yaml": oneMachine, "c/pod.yaml": onePod})
	for _, tc := range []struct{ reason, schema, args string }{
		{"a CR that the API server refuses", "check.json", "check " + refused + nodes},
		{"several clusters, a machine and pods", "check.json", "check " + several + nodes + " --workloads Check"},
		{"machines with facts", "check.json", "check ../../examples/machines/machines --offline --facts ../../examples/machines/machines/cluster-facts.yaml"},
		{"a kustomization with a lock", "check.json", "check ../../examples/kustomize/production --offline"},
		{"a live CR", "check.json", "check ../../examples/plan/hyperconverged.yaml --live ../../examples/plan/before.yaml" + nodes},
		{"a bundle of OLM", "check.json", "check ../../examples/workloads/operator/bundle" + nodes},
		{"nothing to check", "check.json", "check " + writeTree(t, map[string]string{"cm.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"})},
		{"a forecast", "forecast.json", "forecast ../../examples/kpt/hyperconverged.yaml" + nodes},
		{"a forecast without nodes", "forecast.json", "forecast ../../examples/kpt/hyperconverged.yaml"},
		{"a forecast of what is refused", "forecast.json", "forecast " + refused + nodes},
		{"a plan with leftovers", "plan.json", "plan --live=../../examples/plan/after.yaml --gate=Disable --remove-architecture=arm64 --leftovers"},
		{"a plan of a commit", "plan.json", "plan ../../examples/plan/hyperconverged.yaml --live=../../examples/plan/before.yaml"},
		{"an image that nothing answers for", "resolve.json", "resolve 127.0.0.1:1/x/y:1 --set registryTimeout=30s --set registryRetries=0"},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			_, out, errs := runFed(t, "", append(strings.Fields(tc.args), "-o", "json")...)
			for _, wrong := range unfit(t, tc.schema, []byte(out)) {
				t.Errorf("%v", wrong)
			}
			if t.Failed() {
				t.Logf("%s\n%s", out, errs)
			}
		})
	}
	for schema, wrong := range map[string]string{
		"check.json": `{"schemaVersion": "3"}`, "forecast.json": `{"warnings": 1}`, "plan.json": `{"steps": [1]}`, "resolve.json": `[{"reference": 1}]`,
	} {
		if len(unfit(t, schema, []byte(wrong))) == 0 {
			t.Errorf("%s fits %s", wrong, schema)
		}
	}
}

// unfit returns why a JSON document does not fit a schema.
func unfit(t *testing.T, schema string, document []byte) []error {
	t.Helper()
	data := filetest.Read(t, filepath.Join("../../schemas", schema))
	var read spec.Schema
	var value any
	if err := json.Unmarshal(data, &read); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(document, &value); err != nil {
		return []error{fmt.Errorf("is no JSON document: %w", err)}
	}
	return validate.NewSchemaValidator(&read, nil, "", strfmt.Default).Validate(value).Errors
}
