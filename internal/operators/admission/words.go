package admission

import (
	"encoding/json"
	"strings"
)

func kindOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	default:
		return "a number"
	}
}

// quoted writes values as JSON does.
func quoted(values ...any) string {
	parts := make([]string, len(values))
	for i, value := range values {
		data, _ := json.Marshal(value) //nolint:errchkjson // decoded JSON can always be written
		parts[i] = string(data)
	}
	return strings.Join(parts, ", ")
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
