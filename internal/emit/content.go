package emit

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// matches reports whether an object of the input equals the wanted one, apart from the
// annotations of the host.
func matches(o object.Object, want expansion.Object) bool {
	have := content(o)
	return have != nil && reflect.DeepEqual(have, map[string]any(want))
}

// content returns an object without the annotations of the host, or nil if it cannot be
// read.
func content(o object.Object) map[string]any {
	data, err := o.JSON()
	if err != nil {
		return nil
	}
	var have map[string]any
	if err := json.Unmarshal(data, &have); err != nil {
		return nil
	}
	if metadata, ok := have["metadata"].(map[string]any); ok {
		notes, _ := metadata["annotations"].(map[string]any)
		for key := range notes {
			if isHostAnnotation(key) {
				delete(notes, key)
			}
		}
		if len(notes) == 0 {
			delete(metadata, "annotations")
		}
	}
	return have
}

// isHostAnnotation reports whether an annotation is one that hosts use to keep track of
// items.
func isHostAnnotation(key string) bool {
	domain, _, _ := strings.Cut(key, "/")
	switch domain {
	case "config.kubernetes.io", "internal.config.kubernetes.io", "config.k8s.io", "kustomize.config.k8s.io", "internal.kpt.dev", "internal.goldenarch.dev":
		return true
	}
	return false
}
