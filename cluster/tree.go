package cluster

import "strings"

// tree is decoded JSON. Its methods return the zero value where a path leads
// nowhere or to something of another type.
type tree map[string]any

func (t tree) get(path ...string) any {
	var value any = map[string]any(t)
	for _, key := range path {
		m, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = m[key]
	}
	return value
}

func (t tree) text(path ...string) string {
	s, _ := t.get(path...).(string)
	return s
}

func (t tree) child(path ...string) tree {
	m, _ := t.get(path...).(map[string]any)
	return m
}

func (t tree) list(path ...string) []tree {
	values, _ := t.get(path...).([]any)
	var out []tree
	for _, value := range values {
		if m, ok := value.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

func (t tree) texts(path ...string) []string {
	values, _ := t.get(path...).([]any)
	var out []string
	for _, value := range values {
		if s, ok := value.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// labels returns a map of strings, and an empty one for nothing.
func (t tree) labels(path ...string) map[string]string {
	out := map[string]string{}
	for key, value := range t.child(path...) {
		if s, ok := value.(string); ok {
			out[key] = s
		}
	}
	return out
}

func group(apiVersion string) string {
	g, _, ok := strings.Cut(apiVersion, "/")
	if !ok {
		return "" // the core group
	}
	return g
}
