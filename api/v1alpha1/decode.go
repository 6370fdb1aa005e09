package v1alpha1

import (
	"fmt"
)

// DecodeGoldenImages reads the configuration of a run from decoded JSON: a
// GoldenImages, or a ConfigMap whose data has the keys of [Scalars]. Nothing
// (nil) is the default configuration. The result has its defaults and is valid.
//
// What is wrong comes back as [Errors], all of it at once.
func DecodeGoldenImages(object map[string]any) (*GoldenImages, error) {
	apiVersion, kind := typeOf(object)
	g := &GoldenImages{}
	switch {
	case object == nil:
	case kind == GoldenImagesKind && apiVersion == APIVersion:
		if err := decodeStrict(object, g); err != nil {
			return nil, err
		}
	case kind == "ConfigMap" && apiVersion == "v1":
		if err := decodeConfigMap(object, &g.Spec); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("the configuration is a %s %s: expected a %s of %s, or a ConfigMap of v1",
			apiVersion, kind, GoldenImagesKind, APIVersion)
	}
	g.Spec.Default()
	if err := g.Spec.Validate(); err != nil {
		return nil, err
	}
	return g, nil
}

// DecodeClusterArchitectures reads node facts that a person states, from
// decoded JSON. What is wrong comes back as [Errors].
func DecodeClusterArchitectures(object map[string]any) (*ClusterArchitectures, error) {
	apiVersion, kind := typeOf(object)
	if kind != ClusterArchitecturesKind || apiVersion != APIVersion {
		return nil, fmt.Errorf("the node facts are a %s %s: expected a %s of %s", apiVersion, kind, ClusterArchitecturesKind, APIVersion)
	}
	c := &ClusterArchitectures{}
	if err := decodeStrict(object, c); err != nil {
		return nil, err
	}
	if err := c.Spec.Validate(); err != nil {
		return nil, err
	}
	return c, nil
}

// decodeConfigMap takes the configuration from the data of a ConfigMap, as
// "kpt fn eval -- key=value" makes one.
func decodeConfigMap(object map[string]any, spec *GoldenImagesSpec) error {
	var config struct {
		TypeMeta   `json:",inline"`
		ObjectMeta `json:"metadata"`
		Data       map[string]string `json:"data"`
	}
	if err := decodeStrict(object, &config); err != nil {
		return err
	}
	var errs Errors
	scalars := map[string]Scalar{}
	for _, scalar := range Scalars() {
		scalars[scalar.Key] = scalar
	}
	for _, key := range sortedKeys(config.Data) {
		scalar, ok := scalars[key]
		if !ok {
			errs.add("data."+key, "unknown key %q%s", key, didYouMean(key, sortedKeys(scalars)))
			continue
		}
		if err := scalar.Set(spec, config.Data[key]); err != nil {
			errs.add("data."+key, "%s", err)
		}
	}
	return errs.orNil()
}

func typeOf(object map[string]any) (apiVersion, kind string) {
	apiVersion, _ = object["apiVersion"].(string)
	kind, _ = object["kind"].(string)
	return apiVersion, kind
}
