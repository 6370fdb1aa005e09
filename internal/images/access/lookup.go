package access

import (
	"encoding/base64"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/credential"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

// Objects are the objects of the input, searched by name.
type Objects []object.Object

// Lookup is the objects of the input, with those that are not among the items.
type Lookup struct {
	Objects
	Named func(item *yaml.RNode, kind, name string) []*yaml.RNode // like [Function.Named]
	// Untrusted says that Objects widen the trust in no registry: neither insecure
	// registries nor certificate authorities count, but those among Trusted.
	Untrusted bool
	Trusted   Objects
}

// all returns the objects in their order. Some items generate further objects; of those,
// all returns the ones with the kind and the name.
func (l Lookup) all(kind, name string) iter.Seq[object.Object] {
	return func(yield func(object.Object) bool) {
		for _, o := range l.Objects {
			if !yield(o) {
				return
			}
			if l.Named == nil || o.At.Kind != "" {
				continue
			}
			for _, o := range object.All(l.Named(o.Item, kind, name)) {
				if !yield(o) {
					return
				}
			}
		}
	}
}

// Has reports whether there is an object with a kind and a name in a namespace. One without a namespace may get any.
func (l Lookup) Has(kind, namespace, name string) bool {
	for o := range l.all(kind, name) {
		if o.At.Kind == kind && o.At.APIVersion == "v1" && o.At.Name == name && (o.At.Namespace == namespace || o.At.Namespace == "") {
			return true
		}
	}
	return false
}

// find returns the object with a kind and a name. A namespace of "" matches any object. The
// host sets the namespace of an object without one later, so such an object matches any
// namespace. If there is no match, or more than one, find returns nil and the reason.
func (l Lookup) find(kind, namespace, name string) (*object.Object, absence) {
	var exact, bare, elsewhere []object.Object
	for o := range l.all(kind, name) {
		switch {
		case o.At.Kind != kind || o.At.APIVersion != "v1" || o.At.Name != name:
		case o.At.Namespace == "":
			bare = append(bare, o)
		case namespace == "" || o.At.Namespace == namespace:
			exact = append(exact, o)
		default:
			elsewhere = append(elsewhere, o)
		}
	}
	if len(exact) == 0 {
		exact = bare
	}
	switch {
	case len(exact) == 1:
		return &exact[0], absence{}
	case len(exact) > 1:
		return nil, absence{text: fmt.Sprintf("is in the input %d times", len(exact)), do: fixFor(exact)}
	case len(elsewhere) > 0:
		return nil, absence{text: fmt.Sprintf("is in the input in the namespace %q only", elsewhere[0].At.Namespace)}
	}
	return nil, absence{text: "is not in the input"}
}

// absence says why a name does not identify an object, and how to fix that. An empty do
// means that the fix is to add the object.
type absence struct{ text, do string }

// describe writes the absence into a finding about the object.
func (a absence) describe(f *finding.Finding, source string) {
	f.Text = source + " " + a.text + ": goldenarch queries the registry without it"
	if a.do != "" {
		f.Do = a.do
	}
}

// fixFor says how to make one of several objects the only one.
func fixFor(list []object.Object) string {
	first := list[0].At
	if slices.ContainsFunc(list, func(o object.Object) bool { return o.At.Namespace != first.Namespace }) {
		return fmt.Sprintf("name the one you mean with its namespace (%s/%s)", first.Namespace, first.Name)
	}
	return "keep only one of them in the input"
}

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
		path, ok := SecretMakers[o.At.Kind]
		if !ok || namespace != "" && o.At.Namespace != "" && o.At.Namespace != namespace {
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
	for _, key := range slices.Sorted(maps.Keys(data)) {
		value := data[key]
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
	for key, value := range plain { // in any order: all have the same error
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

// The keys of Secrets: those of pull secrets (k8s.io/api core/v1, DockerConfigJsonKey,
// DockerConfigKey), and those that CDI reads (doc/image-from-credential.md).
const (
	dockerConfigJSON = ".dockerconfigjson"
	dockerCfg        = ".dockercfg"
	userKey          = "accessKeyId"
	passwordKey      = "secretKey"
)

// pullSecret is the content of a Secret.
type pullSecret struct {
	source string
	kind   string // its type; the API server sets Opaque for ""
	values map[string][]byte
}

// logins reads a pull secret as the kubelet does (k8s.io/kubernetes
// pkg/credentialprovider/secrets/secrets.go): a key counts only in a Secret of the matching
// type.
func (s pullSecret) logins() ([]credential.Credential, error) {
	json, cfg := string(corev1.SecretTypeDockerConfigJson), string(corev1.SecretTypeDockercfg)
	switch {
	case s.kind == json && s.has(dockerConfigJSON):
		return credential.ParseDockerConfig(s.source, s.values[dockerConfigJSON])
	case s.kind == cfg && s.has(dockerCfg):
		return credential.ParseDockerCfg(s.source, s.values[dockerCfg])
	case s.has(dockerConfigJSON):
		return nil, &otherTypeError{source: s.source, key: dockerConfigJSON, kind: s.kind, want: json}
	case s.has(dockerCfg):
		return nil, &otherTypeError{source: s.source, key: dockerCfg, kind: s.kind, want: cfg}
	}
	return nil, fmt.Errorf("%s is not a pull secret: it has neither %s nor %s", s.source, dockerConfigJSON, dockerCfg)
}

func (s pullSecret) has(key string) bool {
	_, ok := s.values[key]
	return ok
}

// otherTypeError is a Secret that has the key of a pull secret, but another type.
type otherTypeError struct{ source, key, kind, want string }

func (e *otherTypeError) Error() string {
	kind := e.kind
	if kind == "" {
		kind = string(corev1.SecretTypeOpaque)
	}
	return fmt.Sprintf("%s has the type %q, but the kubelet reads %s only in a Secret of the type %q: goldenarch does not use it", e.source, kind, e.key, e.want)
}
