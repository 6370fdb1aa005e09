package v1alpha1

import (
	"strings"

	"github.com/goldenarch/goldenarch/internal/near"
)

const configMapKind = "ConfigMap"

// configMap is the part of a core v1 ConfigMap that can hold a configuration.
type configMap struct {
	TypeMeta   `json:",inline"`
	ObjectMeta `json:"metadata"`
	Data       map[string]string `json:"data"`
}

// decodeConfigMap reads the configuration from the data of a ConfigMap, as "kpt fn eval
// -- key=value" creates one.
func decodeConfigMap(object map[string]any, spec *GoldenImagesSpec) Errors {
	var config configMap
	errs := decodeStrict(object, &config)
	scalars := map[string]Scalar{}
	for _, scalar := range Scalars() {
		scalars[scalar.Key] = scalar
	}
	for _, key := range sortedKeys(config.Data) {
		scalar, ok := scalars[key]
		if !ok {
			errs.add("data."+key, "unknown key %q%s", key, near.DidYouMean(key, sortedKeys(scalars)))
			continue
		}
		if err := scalar.Set(spec, config.Data[key]); err != nil {
			errs.add("data."+key, "%s", err)
		}
	}
	return errs
}

// inData returns the errors with the paths of the ConfigMap that held the spec:
// data.workloadArchitectures, not spec.cluster.workloadArchitectures[1].
func (e Errors) inData() Errors {
	scalars := Scalars()
	out := make(Errors, len(e))
	for i, one := range e {
		for _, scalar := range scalars {
			if one.Path == scalar.Path || strings.HasPrefix(one.Path, scalar.Path+"[") {
				one.Path = "data." + scalar.Key
			}
		}
		out[i] = one
	}
	return out
}
