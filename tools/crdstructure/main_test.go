package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const head = `kind: CustomResourceDefinition
spec:
  group: hco.kubevirt.io
  names: {kind: HyperConverged}
  versions:
`

// version returns a version of a CRD whose spec has the properties.
func version(name string, served bool, properties string) string {
	text := "  - name: " + name + "\n    served: false\n"
	if served {
		text = "  - name: " + name + "\n    served: true\n"
	}
	return text + `    schema:
      openAPIV3Schema:
        description: prose
        type: object
        properties:
          status: {type: object, properties: {a: {type: string}}}
          spec:
            type: object
            x-kubernetes-validations: [{rule: "true"}]
            properties: {` + properties + "}\n"
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

const placement = "{type: object, description: prose, properties: {nodeSelector: {type: object, additionalProperties: {type: string}}}}"

// TestRun: the served versions of each release are there, without prose and
// status, and a part that two of them have is there once.
func TestRun(t *testing.T) {
	t.Parallel()
	older := write(t, "a.yaml", head+version("v1beta1", true, "infra: "+placement)+version("v1", false, "items: {type: string}"))
	newer := write(t, "b.yaml", head+version("v1beta1", true, "infra: "+placement+", workloads: "+placement))
	var out, other bytes.Buffer
	if err := run([]string{"1.17=" + newer, "1.16=" + older}, &out); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"1.16=" + older, "1.17=" + newer}, &other); err != nil || out.String() != other.String() {
		t.Errorf("the order of the arguments shows: %v\n%s\n%s", err, &out, &other)
	}
	const want = comment + `infra {"properties":{"nodeSelector":{"additionalProperties":{"type":"string"},"type":"object"}},"type":"object"}
1.16/v1beta1 {"properties":{"spec":{"properties":{"infra":{"$ref":"infra"}},"type":"object"},"status":{"type":"object"}},"type":"object"}
1.17/v1beta1 {"properties":{"spec":{"properties":{"infra":{"$ref":"infra"},"workloads":{"$ref":"infra"}},"type":"object"},` +
		`"status":{"type":"object"}},"type":"object"}
`
	if out.String() != want {
		t.Errorf("want %s\ngot %s", want, &out)
	}
}

// TestRunFails: nothing is written for what is not understood.
func TestRunFails(t *testing.T) {
	t.Parallel()
	good := write(t, "a.yaml", head+version("v1", true, "a: {type: string}"))
	for _, tc := range []struct {
		reason string
		args   []string
		want   string
	}{
		{"no file", nil, "usage"},
		{"no release", []string{good}, "usage"},
		{"not a release", []string{"4.19=" + good}, "is not a release"},
		{"a release for two files", []string{"1.19=" + good, "1.19=" + good}, "more than once"},
		{"another CRD", []string{"1.19=" + write(t, "b.yaml", strings.Replace(head, "hco", "cdi", 1))}, "is not the CRD"},
		{"a CRD that serves nothing", []string{"1.19=" + write(t, "c.yaml", head+version("v1", false, "a: {}"))}, "serves no version"},
		{
			reason: "a keyword that may change what is pruned",
			args:   []string{"1.19=" + write(t, "d.yaml", head+version("v1", true, "a: {x-kubernetes-preserve-unknown-fields: true}"))},
			want:   "is not known",
		},
	} {
		var out bytes.Buffer
		if err := run(tc.args, &out); err == nil || !strings.Contains(err.Error(), tc.want) || out.Len() > 0 {
			t.Errorf("%s: want an error with %q, got %v and %q", tc.reason, tc.want, err, &out)
		}
	}
}

// TestCommittedIsCanonical: the committed file has the form that the command
// writes: its definitions and versions expanded and shared again give it.
func TestCommittedIsCanonical(t *testing.T) {
	t.Parallel()
	committed, err := os.ReadFile("../../internal/operators/admission/crd.txt")
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]any{}
	for line := range strings.Lines(strings.TrimPrefix(string(committed), comment)) {
		name, text, _ := strings.Cut(line, " ")
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		parts[name] = value
	}
	var expand func(any) any
	expand = func(value any) any {
		switch value := value.(type) {
		case map[string]any:
			if ref, ok := value["$ref"].(string); ok {
				return expand(parts[ref])
			}
			out := map[string]any{}
			for key, below := range value {
				out[key] = expand(below)
			}
			return out
		case []any:
			out := make([]any, len(value))
			for i := range value {
				out[i] = expand(value[i])
			}
			return out
		default:
			return value
		}
	}
	all := releases{}
	for name, root := range parts {
		release, version, is := strings.Cut(name, "/")
		if !is {
			continue
		}
		minor, err := minorOf(release)
		if err != nil {
			t.Fatal(err)
		}
		if all[minor] == nil {
			all[minor] = map[string]any{}
		}
		all[minor][version] = expand(root)
	}
	again, err := share(all)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again, committed) {
		t.Error("admission/crd.txt is not what crdstructure writes: do not edit it, run the command")
	}
}
