package kustomization

import (
	"bytes"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

// pathFields are the fields of kustomizations and of configurations of built-in plugins
// that name files and directories.
var pathFields = []string{
	"resources", "bases", "components", "crds", "configurations", "generators", "transformers", "validators",
	"path", "paths", "files", "env", "envs", "patchesStrategicMerge", "valuesFile", "additionalValuesFiles", "targetFilePath",
}

// plainFields are the fields in which users choose the keys.
var plainFields = []string{"metadata", "commonAnnotations", "commonLabels", "labels", "annotations", "literals", "options", "generatorOptions", "vars"}

// remoteEntry returns the first file or directory that a kustomization or a plugin's
// configuration names if kustomize would fetch it. Otherwise it returns "".
func remoteEntry(fields map[string]any) string {
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		if named(plainFields, field) {
			continue
		}
		if entry := remoteValue(fields[field], pathUseOf(field)); entry != "" {
			return entry
		}
	}
	return ""
}

// named reports whether a field is in a list. Like kustomize, it ignores case.
func named(list []string, field string) bool {
	return slices.ContainsFunc(list, func(name string) bool { return strings.EqualFold(name, field) })
}

// pathUse says how the values of a field name files.
type pathUse int

const (
	notPaths pathUse = iota
	paths            // each is a path, or an inline object
	keyed            // each is a path, with or without a key before it
)

// pathUseOf returns how the values of a field name files. Only in generators may a file have
// a key. In other fields, a value with an equals sign is an object or a path (kustomize
// internal/generators/utils.go: ParseFileSource).
func pathUseOf(field string) pathUse {
	switch {
	case named([]string{"files", "env", "envs"}, field):
		return keyed
	case named(pathFields, field):
		return paths
	default:
		return notPaths
	}
}

func remoteValue(value any, as pathUse) string {
	switch value := value.(type) {
	case map[string]any:
		return remoteEntry(value)
	case []any:
		for _, element := range value {
			if entry := remoteValue(element, as); entry != "" {
				return entry
			}
		}
	case string:
		if as != notPaths && isRemote(value) {
			return value
		}
		for rest, more := value, as == keyed; more; {
			if _, rest, more = strings.Cut(rest, "="); isRemote(rest) {
				return value
			}
		}
		if as != notPaths {
			return remoteInline(value)
		}
	}
	return ""
}

// remoteInline returns the remote entry of a plugin's configuration that is inline in the
// list.
func remoteInline(text string) string {
	if !strings.ContainsAny(text, "\n{") {
		return ""
	}
	for _, document := range documents([]byte(text)) {
		if entry := remoteConfig(document); entry != "" {
			return entry
		}
	}
	return ""
}

// remoteConfig returns the first file that the configuration of a built-in plugin names
// and that kustomize would fetch. A List contains configurations at any depth (kustomize
// resource/factory.go: inlineAnyEmbeddedLists).
func remoteConfig(tree any) string {
	switch tree := tree.(type) {
	case map[string]any:
		if version, is := tree["apiVersion"].(string); is && strings.TrimPrefix(version, "/") == konfig.BuiltinPluginApiVersion {
			if entry := remoteEntry(tree); entry != "" {
				return entry
			}
		}
		for _, field := range slices.Sorted(maps.Keys(tree)) {
			if entry := remoteConfig(tree[field]); entry != "" {
				return entry
			}
		}
	case []any:
		for _, element := range tree {
			if entry := remoteConfig(element); entry != "" {
				return entry
			}
		}
	}
	return ""
}

// userAt is the beginning of "git@host:org/repo".
var userAt = pattern.Of(`^[a-zA-Z][a-zA-Z0-9-]*@[^\s]*[:/]`)

// isRemote reports whether kustomize would fetch an entry over HTTP (kustomize
// loader/fileloader.go) or with git (git/repospec.go).
func isRemote(entry string) bool {
	if u, err := url.Parse(entry); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		return true
	}
	lower := strings.TrimPrefix(strings.ToLower(entry), "git::")
	for _, prefix := range []string{"ssh://", "https://", "http://", "file://", "github.com/", "github.com:"} {
		if strings.HasPrefix(lower, prefix) {
			return true
		}
	}
	return userAt().MatchString(lower)
}

// refusePlugin fails if a file configures a built-in plugin to fetch something.
func (b *build) refusePlugin(path string, data []byte) error {
	// The name of a built-in plugin may be hidden by escapes or by another encoding.
	if !bytes.Contains(data, []byte(konfig.BuiltinPluginApiVersion)) && !bytes.ContainsAny(data, "\\\x00") {
		return nil
	}
	for _, document := range documents(data) {
		if entry := remoteConfig(document); entry != "" {
			return fmt.Errorf("%s names %q: %w", b.shown(path), entry, errRemote)
		}
	}
	return nil
}

// documents decodes a stream. It ignores documents that it cannot read; kustomize reports
// them.
func documents(data []byte) []map[string]any {
	var out []map[string]any
	for part := range bytes.SplitSeq(append([]byte("\n"), data...), []byte("\n---")) {
		var document map[string]any
		if err := k8syaml.Unmarshal(part, &document); err == nil && document != nil {
			out = append(out, document)
		}
	}
	return out
}
