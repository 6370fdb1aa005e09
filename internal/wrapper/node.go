package wrapper

import (
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// node is a YAML node, or nil. Its methods follow aliases.
type node = *yaml.Node

// resolved returns the target of an alias, and any other node as it is.
func resolved(n node) node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	if n != nil && n.Kind == yaml.DocumentNode && len(n.Content) > 0 {
		return resolved(n.Content[0])
	}
	return n
}

// valueOf returns the value of a key, nil if the node has no such key.
func valueOf(n node, key string) node {
	if n = resolved(n); n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if resolved(n.Content[i]).Value == key {
			return resolved(n.Content[i+1])
		}
	}
	return nil
}

// valueAt returns the value at a path of keys, nil if there is no such value.
func valueAt(n node, path ...string) node {
	for _, key := range path {
		n = valueOf(n, key)
	}
	return resolved(n)
}

// textAt returns the text at a path of keys, "" if there is no such text.
func textAt(n node, path ...string) string {
	value := valueAt(n, path...)
	if value == nil || value.Kind != yaml.ScalarNode || value.Tag == yaml.NodeTagNull {
		return ""
	}
	return value.Value
}

// join adds a key or an index to the path of a field. It writes a key in brackets if a
// reader could take it for several keys.
func join(path, key string) string {
	switch {
	case strings.ContainsAny(key, "./[]"):
		return path + "[" + key + "]"
	case path == "":
		return key
	}
	return path + "." + key
}

func element(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }
