package kustomization

import (
	"bytes"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

// pathFields are the fields of kustomizations, and of the configurations of
// built-in plugins, that name files and directories.
var pathFields = []string{
	"resources", "bases", "components", "crds", "configurations", "generators", "transformers", "validators",
	"path", "paths", "files", "env", "envs", "patchesStrategicMerge", "valuesFile", "additionalValuesFiles", "targetFilePath",
}

// plainFields are those whose keys are the user's own.
var plainFields = []string{"metadata", "commonAnnotations", "commonLabels", "labels", "annotations", "literals", "options", "generatorOptions", "vars"}

// remoteEntry returns the first file or directory of a kustomization, or of a
// plugin's configuration, that kustomize would fetch; "" if it has none.
func remoteEntry(fields map[string]any) string {
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		if named(plainFields, field) {
			continue
		}
		if entry := remoteValue(fields[field], named(pathFields, field)); entry != "" {
			return entry
		}
	}
	return ""
}

// named reports whether a field is in a list; kustomize takes any case.
func named(list []string, field string) bool {
	return slices.ContainsFunc(list, func(name string) bool { return strings.EqualFold(name, field) })
}

func remoteValue(value any, isPath bool) string {
	switch value := value.(type) {
	case map[string]any:
		return remoteEntry(value)
	case []any:
		for _, element := range value {
			if entry := remoteValue(element, isPath); entry != "" {
				return entry
			}
		}
	case string:
		key, file, _ := strings.Cut(value, "=") // files: [key=path]
		if strings.ContainsAny(key, " \n{") {
			file = "" // it is an object, with an equals sign in it
		}
		if isPath && (isRemote(value) || isRemote(file)) {
			return value
		}
		if isPath {
			return remoteInline(value)
		}
	}
	return ""
}

// remoteInline looks into a plugin's configuration that stands in the list
// itself.
func remoteInline(text string) string {
	if !strings.ContainsAny(text, "\n{") {
		return ""
	}
	for _, document := range documents([]byte(text)) {
		if entry := remoteEntry(document); entry != "" {
			return entry
		}
	}
	return ""
}

// userAt is the beginning of "git@host:org/repo".
var userAt = pattern.Of(`^[a-zA-Z][a-zA-Z0-9-]*@[^\s]*[:/]`)

// isRemote reports whether kustomize takes an entry for something to fetch over
// HTTP (kustomize loader/fileloader.go) or with git (git/repospec.go).
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
	if !bytes.Contains(data, []byte("builtin")) {
		return nil
	}
	for _, document := range documents(data) {
		if document["apiVersion"] != "builtin" {
			continue
		}
		if entry := remoteEntry(document); entry != "" {
			return fmt.Errorf("%s names %q: %w", b.shown(path), entry, errRemote)
		}
	}
	return nil
}

// documents decodes a stream; what cannot be read is left to kustomize.
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
