package access

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
)

// SecretMakers maps the kinds from which a controller makes a Secret to the field that has
// the Secret's name, if that is not their own name.
var SecretMakers = map[string][]string{
	"SealedSecret":       {"spec", "template", "metadata", "name"},
	"ExternalSecret":     {"spec", "target", "name"},
	"VaultStaticSecret":  {"spec", "destination", "name"},
	"VaultDynamicSecret": {"spec", "destination", "name"},
}

// makerOf returns the object from which the cluster will make a Secret.
func (h Objects) makerOf(namespace, name string) (finding.Object, bool) {
	i := slices.IndexFunc(h, func(o object.Object) bool {
		path, is := SecretMakers[o.At.Kind]
		if !is || namespace != "" && o.At.Namespace != "" && o.At.Namespace != namespace {
			return false
		}
		made := object.TextAt(o.Node, path...)
		return made == name || made == "" && o.At.Name == name
	})
	if i < 0 {
		return finding.Object{}, false
	}
	return h[i].At, true
}

// secretValues reads the values of a Secret. The error gives the reason, and repeats none
// of the values.
func secretValues(o object.Object) (map[string][]byte, error) {
	if object.NodeAt(o.Node, "sops") != nil {
		return nil, unreadableError("is encrypted by SOPS")
	}
	// The decoder's errors may repeat the content.
	tree, err := o.Tree()
	if err != nil {
		return nil, unreadableError("cannot be read: it does not have the structure of a Secret")
	}
	out := map[string][]byte{}
	data, err := stringMap(tree, "data")
	if err != nil {
		return nil, err
	}
	for key, value := range data {
		if isEncrypted(value) {
			return nil, unreadableError("is encrypted, or has placeholders")
		}
		decoded, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(value), ""))
		if err != nil {
			return nil, unreadableError(fmt.Sprintf("cannot be read: data[%q] is not base64", key))
		}
		out[key] = decoded
	}
	plain, err := stringMap(tree, "stringData")
	if err != nil {
		return nil, err
	}
	for key, value := range plain {
		if isEncrypted(value) {
			return nil, unreadableError("is encrypted, or has placeholders")
		}
		out[key] = []byte(value) // stringData wins, as in the API server
	}
	return out, nil
}

// stringMap returns a map of texts in an object.
func stringMap(tree map[string]any, field string) (map[string]string, error) {
	wrong := unreadableError(fmt.Sprintf("cannot be read: %s is not a map of strings", field))
	if tree[field] == nil {
		return nil, nil
	}
	values, ok := tree[field].(map[string]any)
	if !ok {
		return nil, wrong
	}
	out := map[string]string{}
	for key, value := range values {
		text, ok := value.(string)
		if !ok && value != nil {
			return nil, wrong
		}
		out[key] = text
	}
	return out, nil
}

// isEncrypted reports whether SOPS encrypted a value, or whether it is a placeholder such
// as that of the Argo CD Vault plugin.
func isEncrypted(value string) bool {
	value = strings.TrimSpace(value)
	return strings.HasPrefix(value, "ENC[") || strings.HasPrefix(value, "<") && strings.HasSuffix(value, ">")
}

// unreadableError says why goldenarch cannot use an object.
type unreadableError string

func (u unreadableError) Error() string { return string(u) }
