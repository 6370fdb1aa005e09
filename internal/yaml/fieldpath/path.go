package fieldpath

import (
	"strconv"
	"strings"
)

// Join adds a key to a path. It writes a key in brackets if a reader could take it for
// several keys, or for none.
func Join(path, key string) string {
	switch {
	case key == "", strings.ContainsAny(key, "./[]"):
		return path + "[" + key + "]"
	case path == "":
		return key
	}
	return path + "." + key
}

// Element adds the index of an element of a list to a path.
func Element(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// Below adds a path to a path.
func Below(path, inner string) string {
	if path == "" || inner == "" || inner[0] == '[' {
		return path + inner
	}
	return path + "." + inner
}

// IsAt reports whether a path is the other one or below it.
func IsAt(path, top string) bool {
	rest, ok := strings.CutPrefix(path, top)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// Of returns the path of steps. A step that is a number is an index, but for the first.
func Of(steps []string) string {
	out := ""
	for _, step := range steps {
		if IsIndex(step) && out != "" {
			out += "[" + step + "]"
		} else {
			out = Join(out, step)
		}
	}
	return out
}

// IsIndex reports whether a step can be the index of an element.
func IsIndex(step string) bool { return step != "" && strings.Trim(step, "0123456789") == "" }

// Steps cuts a path into its keys and indexes.
func Steps(path string) []string {
	var out []string
	for path != "" {
		if inside, ok := strings.CutPrefix(path, "["); ok {
			end := 0 // a key may have brackets of its own: the last one is before another step
			for end < len(inside) && (inside[end] != ']' || end+1 < len(inside) && inside[end+1] != '.' && inside[end+1] != '[') {
				end++
			}
			out, path = append(out, inside[:end]), strings.TrimPrefix(inside[min(end+1, len(inside)):], ".")
			continue
		}
		end := strings.IndexAny(path, ".[")
		if end < 0 {
			return append(out, path)
		}
		out = append(out, path[:end])
		path = strings.TrimPrefix(path[end:], ".")
	}
	return out
}
