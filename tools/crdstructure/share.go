package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// releases has the served versions of each release, by its minor.
type releases map[int]map[string]any

// worth is how long a part is, in JSON, before it is shared.
const worth = 48

// large is how long a part is, in JSON, before it has a line of its own: who needs a field beside it
// does not read it.
const large = 256

// comment is the first line.
const comment = "# Written by tools/crdstructure: do not edit.\n"

// sharing finds the parts that are there more than once.
type sharing struct {
	uses  map[string]int             // of a part, by its JSON
	names map[string]string          // of a shared part, by its JSON
	parts map[string]json.RawMessage // by name
}

// share writes the releases: a line for each part that is used more than once or large, with its
// name and its JSON, and then a line for each version of each release.
func share(all releases) ([]byte, error) {
	s := sharing{uses: map[string]int{}, names: map[string]string{}, parts: map[string]json.RawMessage{}}
	minors := slices.Sorted(maps.Keys(all))
	for _, minor := range minors {
		for _, version := range slices.Sorted(maps.Keys(all[minor])) {
			if err := s.count(all[minor][version]); err != nil {
				return nil, err
			}
		}
	}
	var versions bytes.Buffer
	for _, minor := range minors {
		for _, version := range slices.Sorted(maps.Keys(all[minor])) {
			value, err := s.shared(version, all[minor][version])
			if err != nil {
				return nil, err
			}
			text, err := encode(value)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&versions, "1.%d/%s %s\n", minor, version, text)
		}
	}
	out := bytes.NewBufferString(comment)
	for _, name := range slices.Sorted(maps.Keys(s.parts)) {
		if strings.ContainsAny(name, "/ \n") {
			return nil, fmt.Errorf("the name %q of a part would be no name in its line", name)
		}
		fmt.Fprintf(out, "%s %s\n", name, s.parts[name])
	}
	out.Write(versions.Bytes())
	return out.Bytes(), nil
}

// count counts how often a part is used. What is in a part that was there
// before has been counted.
func (s *sharing) count(part any) error {
	text, err := encode(part)
	if err != nil {
		return err
	}
	if s.uses[string(text)]++; s.uses[string(text)] > 1 {
		return nil
	}
	for _, below := range children(part) {
		if err := s.count(below.part); err != nil {
			return err
		}
	}
	return nil
}

// child is a schema in a schema: a property, or what a keyword has.
type child struct {
	name     string
	part     any
	property bool
}

// children returns the schemas in a schema, in order.
func children(part any) []child {
	schema, _ := part.(map[string]any)
	var out []child
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		out = append(out, child{name, properties[name], true})
	}
	for _, keyword := range []string{"items", "additionalProperties"} {
		if below, ok := schema[keyword]; ok {
			out = append(out, child{keyword, below, false})
		}
	}
	return out
}

// shared returns a part with references for what is shared in it, itself too.
func (s *sharing) shared(name string, part any) (any, error) {
	text, err := encode(part)
	if err != nil {
		return nil, err
	}
	if ref, ok := s.names[string(text)]; ok {
		return map[string]any{"$ref": ref}, nil
	}
	schema, _ := part.(map[string]any)
	out := maps.Clone(schema)
	properties := map[string]any{}
	for _, below := range children(part) {
		value, err := s.shared(below.name, below.part)
		if err != nil {
			return nil, err
		}
		if below.property {
			properties[below.name] = value
		} else {
			out[below.name] = value
		}
	}
	if _, has := schema["properties"]; has {
		out["properties"] = properties
	}
	short, err := encode(out)
	if err != nil {
		return nil, err
	}
	if len(short) < large && (s.uses[string(text)] < 2 || len(text) < worth) {
		return out, nil
	}
	ref := s.unused(name)
	s.names[string(text)], s.parts[ref] = ref, short
	return map[string]any{"$ref": ref}, nil
}

// unused returns a name for a definition that no other has.
func (s *sharing) unused(name string) string {
	out := name
	for i := 2; s.parts[out] != nil; i++ {
		out = name + strconv.Itoa(i)
	}
	return out
}

// encode writes JSON with sorted keys and without HTML's escapes.
func encode(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("encode a schema: %w", err)
	}
	return bytes.TrimSpace(out.Bytes()), nil
}
