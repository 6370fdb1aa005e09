package crd

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"sigs.k8s.io/yaml"
)

const root = "../.."

// configuration is the schema of krmfunctiondefinition.yaml, as an API server
// would use it.
func configuration(t *testing.T) validation.SchemaValidator {
	t.Helper()
	var definition struct {
		Spec struct {
			Versions []struct {
				Schema apiextensionsv1.CustomResourceValidation `json:"schema"`
			} `json:"versions"`
		} `json:"spec"`
	}
	if err := yaml.Unmarshal([]byte(text(t, "krmfunctiondefinition.yaml")), &definition); err != nil {
		t.Fatal(err)
	}
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(definition.Spec.Versions[0].Schema.OpenAPIV3Schema,
		&internal, nil); err != nil {
		t.Fatal(err)
	}
	validator, _, err := validation.NewSchemaValidator(&internal)
	if err != nil {
		t.Fatal(err)
	}
	return validator
}

func text(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// refused returns what a validator has against a document.
func refused(t *testing.T, validator validation.SchemaValidator, document string) string {
	t.Helper()
	var object map[string]any
	if err := yaml.Unmarshal([]byte(document), &object); err != nil {
		t.Fatalf("%v in\n%s", err, document)
	}
	var list []string
	for _, err := range validation.ValidateCustomResource(nil, object, validator) {
		list = append(list, err.Error())
	}
	return strings.Join(list, "\n")
}

// The schema takes every configuration that goldenarch takes: those of the
// examples, of the reference and of the function's own tests.
func TestDefinitionTakesRightConfigurations(t *testing.T) {
	t.Parallel()
	validator := configuration(t)
	var documents []string
	for _, pattern := range []string{"examples/*/golden-images.yaml", "examples/*/*/golden-images.yaml", "examples/*/*/*/golden-images.yaml"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			documents = append(documents, text(t, strings.TrimPrefix(file, root)))
		}
	}
	for _, block := range strings.Split(text(t, "docs/configuration.md"), "```yaml\n")[1:] {
		example, _, _ := strings.Cut(block, "```")
		documents = append(documents, example)
	}
	golden, err := filepath.Glob(filepath.Join(root, "fn/testdata/golden/*/config.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	golden = append(golden, filepath.Join(root, "fn/testdata/shared/config.yaml"))
	for _, file := range golden {
		file = strings.TrimPrefix(file, root)
		findings, err := os.ReadFile(filepath.Join(root, filepath.Dir(file), "findings.txt"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if !strings.Contains(string(findings), "error GA005 ") {
			documents = append(documents, text(t, file))
		}
	}
	checked := 0
	for _, document := range documents {
		if !strings.Contains(document, "\nkind: GoldenImages\n") {
			continue
		}
		checked++
		if err := refused(t, validator, document); err != "" {
			t.Errorf("%s\nin\n%s", err, document)
		}
	}
	if checked < 50 {
		t.Errorf("only %d configurations were found", checked)
	}
}

func TestDefinitionRefusesWrongConfigurations(t *testing.T) {
	t.Parallel()
	validator := configuration(t)
	const head = "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: x}\nspec: "
	for name, tc := range map[string]struct{ reason, document, want string }{
		"Nothing":       {"the defaults are a configuration", head + "{}", ""},
		"UnknownField":  {"no field has this name", head + "{realease: '1.19'}", "spec.realease"},
		"UnknownDeep":   {"nor this, further down", head + "{expand: {modus: Emit}}", "spec.expand.modus"},
		"WrongWord":     {"the words are exact", head + "{gate: on}", "spec.gate"},
		"WrongType":     {"1.20 is a number and the release 1.2", head + "{release: 1.20}", "spec.release"},
		"NoList":        {"a list is a list", head + "{allow: amd64}", "spec.allow"},
		"NothingToSay":  {"an override has architectures", head + "{overrides: [{image: x}]}", "spec.overrides[0].architectures"},
		"AnotherKind":   {"the schema is of one kind", strings.Replace(head, "GoldenImages", "Goldenimage", 1) + "{}", "kind"},
		"MoreMetadata":  {"Kubernetes knows more metadata than we use", strings.Replace(head, "{name: x}", "{name: x, finalizers: [a]}", 1) + "{}", ""},
		"WrongMetadata": {"an annotation is a string", strings.Replace(head, "{name: x}", "{name: x, annotations: {a: true}}", 1) + "{}", "metadata.annotations.a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := refused(t, validator, tc.document); (err == "") != (tc.want == "") || !strings.Contains(err, tc.want) {
				t.Errorf("%s: got %q, want %q", tc.reason, err, tc.want)
			}
		})
	}
}
