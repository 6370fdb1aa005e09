package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"sigs.k8s.io/yaml"
)

// apiServer does with a HyperConverged what an API server with HCO's CRD does.
type apiServer map[string]served // by version

type served struct {
	structural *schema.Structural
	validator  validation.SchemaValidator
}

func newAPIServer(tree string) (apiServer, error) {
	data, err := os.ReadFile(filepath.Join(tree, "config/crd/bases/hco.kubevirt.io_hyperconvergeds.yaml"))
	if err != nil {
		return nil, fmt.Errorf("cannot read HCO's CRD: %w", err)
	}
	var definition apiextensionsv1.CustomResourceDefinition
	if err := yaml.Unmarshal(data, &definition); err != nil {
		return nil, fmt.Errorf("cannot read HCO's CRD: %w", err)
	}
	out := apiServer{}
	for _, version := range definition.Spec.Versions {
		if !version.Served {
			continue
		}
		var internal apiextensions.JSONSchemaProps
		if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(version.Schema.OpenAPIV3Schema, &internal, nil); err != nil {
			return nil, fmt.Errorf("cannot convert the schema of %s: %w", version.Name, err)
		}
		structural, err := schema.NewStructural(&internal)
		if err != nil {
			return nil, fmt.Errorf("the schema of %s is not structural: %w", version.Name, err)
		}
		validator, _, err := validation.NewSchemaValidator(&internal)
		if err != nil {
			return nil, fmt.Errorf("cannot use the schema of %s: %w", version.Name, err)
		}
		out[version.Name] = served{structural: structural, validator: validator}
	}
	return out, nil
}

// fit prunes an object and sets the defaults. It reports whether the API server serves it.
func (s apiServer) fit(object map[string]any) (served, bool) {
	apiVersion, _ := object["apiVersion"].(string)
	_, version, _ := strings.Cut(apiVersion, "/")
	one, ok := s[version]
	if ok {
		pruning.Prune(object, one.structural, true)
		defaulting.PruneNonNullableNullsWithoutDefaults(object, one.structural)
		defaulting.Default(object, one.structural)
	}
	return one, ok
}

func (s served) refuses(object map[string]any) bool {
	return len(validation.ValidateCustomResource(nil, object, s.validator)) > 0
}
