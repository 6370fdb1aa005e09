package credential

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// ParseDockerConfig reads the content of a Secret of type kubernetes.io/dockerconfigjson.
// It ignores credential helpers in it: the content of a package must not start a program.
// The error names the source and repeats no secret.
func ParseDockerConfig(source string, data []byte) ([]Credential, error) {
	return parseSecret(source, data)
}

// ParseDockerCfg reads the content of a Secret of type kubernetes.io/dockercfg: the older
// form, without "auths" around it.
func ParseDockerCfg(source string, data []byte) ([]Credential, error) {
	var auths map[string]json.RawMessage
	if err := json.Unmarshal(data, &auths); err != nil {
		return nil, broken(source, "it is not the JSON expected ("+position(err)+")")
	}
	wrapped, err := json.Marshal(map[string]any{"auths": auths})
	if err != nil {
		return nil, broken(source, "it is not the JSON expected")
	}
	return parseSecret(source, wrapped)
}

func parseSecret(source string, data []byte) ([]Credential, error) {
	in, err := parseJSON(data)
	if err != nil {
		return nil, broken(source, err.Error())
	}
	var list []Credential
	for _, key := range slices.Sorted(maps.Keys(in.Auths)) {
		c, err := credential(in.Auths[key])
		if err != nil {
			return nil, broken(source, inKey(key, err))
		}
		if c.Match, c.Source = key, source; !c.Anonymous() {
			list = append(list, c)
		}
	}
	return list, nil
}

func broken(source, what string) error { return fmt.Errorf("%s is broken: %s", source, what) }
