package report

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
	"k8s.io/kube-openapi/pkg/validation/validate"

	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// TestSARIFFitsItsSchema: what the format writes is SARIF, by the schema of OASIS, and so is
// what the golden cases of check have.
func TestSARIFFitsItsSchema(t *testing.T) {
	t.Parallel()
	several := nastyCheck()
	several.Repository = &Repository{Clusters: []Cluster{{Name: nasty, Verdict: check.NotRight}, {Name: "b", Verdict: check.RightAsCommitted}}}
	places := Check{Place: "-", Version: ""}
	for _, file := range []string{
		"", "a b/c%20d.yaml", "ä/\u2028.yaml", "/absolute/x.yaml", `c:\windows\x.yaml`, "a:b.yaml", "../x.yaml", "//x/y.yaml", "?q=1#f.yaml", "[a].yaml",
	} {
		for _, line := range []int{0, 3} {
			places.Findings = append(places.Findings, finding.Finding{
				ID: finding.NoCR, Severity: finding.Warning, Object: finding.Object{File: file, Kind: "K", Name: file}, Line: line,
			})
		}
	}
	documents := map[string][]byte{
		"an empty check": []byte(written(t, "sarif", Check{})), "nasty texts": []byte(written(t, "sarif", nastyCheck())),
		"several clusters": []byte(written(t, "sarif", several)), "places": []byte(written(t, "sarif", places)),
	}
	golden, err := filepath.Glob("../cli/testdata/*/*/sarif.json")
	if err != nil || len(golden) == 0 {
		t.Fatalf("no golden cases: %v", err)
	}
	for _, file := range golden {
		if documents[file], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	for reason, document := range documents {
		for _, wrong := range unfit(t, document) {
			t.Errorf("%s: %v", reason, wrong)
		}
	}
	for _, wrong := range []struct{ reason, from, to string }{
		{"an unknown level", `"level": "error"`, `"level": "fatal"`},
		{"a line that does not exist", `"startLine": 7`, `"startLine": 0`},
		{"an unknown field", `"ruleIndex"`, `"ruleindex"`},
		{"no version", `"version": "2.1.0"`, `"version": "2.0"`},
		{"a URI with a blank", `"uri": "`, `"uri": "a b`},
		{"a result without a message", `"message"`, `"messages"`},
	} {
		text := strings.Replace(written(t, "sarif", nastyCheck()), wrong.from, wrong.to, 1)
		if len(unfit(t, []byte(text))) == 0 {
			t.Errorf("%s fits the schema", wrong.reason)
		}
	}
}

// unfit returns why a document is not SARIF.
func unfit(t *testing.T, document []byte) []error {
	t.Helper()
	data, err := os.ReadFile("testdata/sarif/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	var whole map[string]any
	var value any
	if err := json.Unmarshal(data, &whole); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(document, &value); err != nil {
		return []error{fmt.Errorf("is not a JSON document: %w", err)}
	}
	schema := inlined{definitions: whole["definitions"].(map[string]any), keys: map[string]bool{}}
	schema.collect(value)
	delete(whole, "definitions")
	if data, err = json.Marshal(schema.of(whole)); err != nil {
		t.Fatal(err)
	}
	var read spec.Schema
	if err := json.Unmarshal(data, &read); err != nil {
		t.Fatal(err)
	}
	formats := strfmt.NewFormats()
	var text uriReference
	formats.Add("uri-reference", &text, isURIReference)
	formats.Add("uri", &text, func(s string) bool { u, err := url.Parse(s); return isURIReference(s) && err == nil && u.IsAbs() })
	return validate.NewSchemaValidator(&read, nil, "", formats).Validate(value).Errors
}

// isURIReference reports whether a text has only the characters of a URI (RFC 3986).
func isURIReference(s string) bool {
	_, err := url.Parse(s)
	return err == nil && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("\"<>\\^`{|}", r) })
}

// uriReference is the type of a format that the library does not know.
type uriReference string

func (u uriReference) String() string                { return string(u) }
func (u uriReference) MarshalText() ([]byte, error)  { return []byte(u), nil }
func (u *uriReference) UnmarshalText(b []byte) error { *u = uriReference(b); return nil }

// inlined makes a schema without references, which the library does not follow. It leaves out
// the properties that the document has nowhere, so that it comes to an end.
type inlined struct {
	definitions map[string]any
	keys        map[string]bool
}

func (s inlined) collect(value any) {
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			s.keys[key] = true
			s.collect(inner)
		}
	case []any:
		for _, inner := range value {
			s.collect(inner)
		}
	}
}

func (s inlined) of(schema any) any {
	switch schema := schema.(type) {
	case map[string]any:
		if reference, ok := schema["$ref"].(string); ok {
			return s.of(s.definitions[strings.TrimPrefix(reference, "#/definitions/")])
		}
		out := map[string]any{}
		for key, inner := range schema {
			if properties, ok := inner.(map[string]any); ok && key == "properties" {
				left := map[string]any{}
				for name, property := range properties {
					if s.keys[name] {
						left[name] = s.of(property)
					}
				}
				out[key] = left
				continue
			}
			out[key] = s.of(inner)
		}
		return out
	case []any:
		out := make([]any, len(schema))
		for i, inner := range schema {
			out[i] = s.of(inner)
		}
		return out
	}
	return schema
}
