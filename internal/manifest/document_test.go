package manifest

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ text, want, reason string }{
		"broken":    {oneObject + "---\nb: [\n", "f.yaml: the document that begins at line 4", "the document is named by its line"},
		"no object": {"- a\n- b\n", "not an object", "a list is no manifest"},
		"values":    {"# values\nreplicas: 1\n", "f.yaml:2: a document without apiVersion", "a values file is no manifest"},
		"helm":      {"kind: {{ .Values.kind }}\n", "template", "a template is named as one"},
		"jinja":     {"{% if x %}\nkind: A\n{% endif %}\n", "template", "Jinja as well"},
		"flow": {
			text:   oneObject + "---\n{apiVersion: v1, kind: A}\n{apiVersion: v1, kind: B}\n",
			want:   "f.yaml: the document that begins at line 4 has more than one object",
			reason: "what would not be read is told",
		},
		"json": {
			text:   "{\"apiVersion\":\"v1\",\"kind\":\"A\"}\n{\"a\":\n",
			want:   "f.yaml: the document that begins at line 1 has more",
			reason: "half of JSON objects is not all of them",
		},
		"json values": {
			text:   "{\"apiVersion\":\"v1\",\"kind\":\"A\"}\n\n{\"a\":1}\n",
			want:   "f.yaml:3: a document without apiVersion",
			reason: "the second object is named by its own line",
		},
		"behind": {
			text:   "apiVersion: v1\nkind: A\n...\n\na: [\n",
			want:   "f.yaml: the document that begins at line 3 is not YAML",
			reason: "what stands behind the end of a document is read",
		},
		"endless": {
			text:   oneObject + "---\n" + oneObject + "a: &m {b: *m}\n",
			want:   "f.yaml: cannot read the document that begins at line 4: a YAML anchor contains itself",
			reason: "no API server takes it, and who expands it never ends",
		},
		"deep": {
			text:   oneObject + "a: " + strings.Repeat("[", 600) + strings.Repeat("]", 600) + "\n",
			want:   "values are nested more than 500 levels deep",
			reason: "what walks it needs as much stack",
		},
		"only github": {"a: [${{ x }}\n", "not YAML", "an expression of GitHub Actions is no template action"},
	} {
		_, err := Parse("f.yaml", []byte(tc.text))
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s (%s): want an error with %q, got %v", name, tc.reason, tc.want, err)
		}
		if got := errors.Is(err, ErrTemplated); got != (tc.want == "template") {
			t.Errorf("%s (%s): ErrTemplated: %v", name, tc.reason, got)
		}
	}
	for _, text := range []string{"\n# nothing\n---\n", "...\n", "---\n...\n# nothing\n...\n"} {
		if items, err := Parse("f.yaml", []byte(text)); err != nil || len(items) != 0 {
			t.Errorf("a file of comments has no items: %q: %d, %v", text, len(items), err)
		}
	}
	if items, err := Parse("f.yaml", []byte("apiVersion: v1\r\nkind: A\r\n")); err != nil || items[0].GetKind() != "A" {
		t.Errorf("Windows line ends are read: %v", err)
	}
}

// TestMetadataIsNoObject: the text names the field and says what it is.
func TestMetadataIsNoObject(t *testing.T) {
	t.Parallel()
	for metadata, want := range map[string]string{
		"[]":                          "f.yaml:3: metadata is a list, expected an object: correct it",
		"[a]":                         "f.yaml:3: metadata is a list, expected an object: correct it",
		"x":                           `f.yaml:3: metadata is the value "x", expected an object: correct it`,
		`""`:                          `f.yaml:3: metadata is the value "", expected an object: correct it`,
		"{annotations: []}":           "f.yaml:3: metadata.annotations is a list, expected an object: correct it",
		"{annotations: 1}":            `f.yaml:3: metadata.annotations is the value "1", expected an object: correct it`,
		"{l: &l [], annotations: *l}": "f.yaml:3: metadata.annotations is a list, expected an object: correct it",
	} {
		_, err := Parse("f.yaml", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: "+metadata+"\n"))
		if err == nil || strings.TrimSpace(err.Error()) != want {
			t.Errorf("%s: want %q, got %v", metadata, want, err)
		}
	}
}

// TestParseReadsAll: whatever stands between the objects of a file, each is read,
// with its lines and comments, and what is written of them is read the same.
func TestParseReadsAll(t *testing.T) {
	t.Parallel()
	const a, b = "apiVersion: v1\nkind: A\n", "apiVersion: v1\nkind: B\n"
	for name, tc := range map[string]struct {
		reason, text string
		kinds        string
		lines        []int
		comments     []string
	}{
		"JSONLines": {
			reason: "kubectl reads objects of JSON one after the other",
			text:   `{"apiVersion":"v1","kind":"A"}` + "\n" + `{"apiVersion":"v1","kind":"B"}` + "\n",
			kinds:  "AB",
			lines:  []int{1, 2},
		},
		"JSONIndented": {
			reason: "as jq writes them",
			text:   "{\n  \"apiVersion\": \"v1\",\n  \"kind\": \"A\"\n}\n{\n  \"apiVersion\": \"v1\",\n  \"kind\": \"B\"\n}\n",
			kinds:  "AB",
			lines:  []int{3, 7},
		},
		"JSONInARow": {
			reason: "or with nothing between them",
			text:   `{"apiVersion":"v1","kind":"A"}{"apiVersion":"v1","kind":"B"} {"apiVersion":"v1","kind":"C"}`,
			kinds:  "ABC",
			lines:  []int{1, 1, 1},
		},
		"JSONThenYAML": {
			reason: "a marker ends them",
			text:   "---\n" + `{"apiVersion":"v1","kind":"A"}` + "\n" + `{"apiVersion":"v1","kind":"B"}` + "\n---\napiVersion: v1\nkind: C\n",
			kinds:  "ABC",
			lines:  []int{2, 3, 6},
		},
		"Marked": {
			reason:   "a byte order mark and empty documents are nothing",
			text:     "\ufeff# a word first\n---\n# of a\n" + a + "--- # of b\n" + b + "---\n# nothing\n---\n---\napiVersion: v1\nkind: C\n\n# the end\n",
			kinds:    "ABC",
			lines:    []int{5, 8, 14},
			comments: []string{"# a word first", "# of a", "# of b", "# the end"},
		},
		"End":          {"behind the end of a document another one may stand", a + "...\n# of b\n" + b + "...\n...\n", "AB", []int{2, 6}, []string{"# of b"}},
		"EndAndMarker": {"with a marker as well", a + "... # 1\n# 2\n---\n" + b + "...\n# 3\n", "AB", []int{2, 7}, []string{"# 1", "# 2", "# 3"}},
		"EndFirst":     {"or nothing before it", "# of a\n...\n" + a, "A", []int{4}, []string{"# of a"}},
		"EndInText":    {"in a text it is a text", a + "text: |\n  ...\n  ---\n", "A", []int{2}, []string{"  ...\n  ---"}},
		"MarkerComment": {
			reason:   "a comment may stand beside a marker",
			text:     "# 1\n--- # of a\n" + a + "---\n# 2\n---\t# of b\n" + b,
			kinds:    "AB",
			lines:    []int{4, 9},
			comments: []string{"# 1", "# of a", "# 2", "# of b"},
		},
		"MarkerObject":  {"and an object", "--- {apiVersion: v1, kind: A}\n--- {apiVersion: v1, kind: B} # of b\n", "AB", []int{1, 2}, []string{"# of b"}},
		"CommentObject": {"with a comment above", "---\n# of a\n--- {apiVersion: v1, kind: A}\n", "A", []int{3}, nil},
		"Directive": {
			reason:   "the version of YAML is said before a marker",
			text:     "# of a\n%YAML 1.2\n---\n" + a + "...\n%YAML 1.1\n# of b\n---\n" + b,
			kinds:    "AB",
			lines:    []int{5, 11},
			comments: []string{"# of a", "# of b"},
		},
		"DirectiveTab":   {"a tab may stand behind the marker", "%YAML 1.2\n---\t# of a\n" + a + "---\n\n---\t\n" + b, "AB", []int{4, 9}, []string{"# of a"}},
		"DirectiveOfTag": {"and other things", "%YAML 1.2\n%TAG !x! tag:example.com:\n---\n" + a + "a: !x!y z\n", "A", []int{5}, nil},
		"PercentInText":  {"in a text it is a text", a + "text: \"x\n%YAML 1.2\n  y\"\n", "A", []int{2}, []string{"%YAML 1.2"}},
	} {
		items, err := Parse("f.yaml", []byte(tc.text))
		if err != nil {
			t.Errorf("%s: %s: %v", name, tc.reason, err)
			continue
		}
		var kinds string
		var lines []int
		for i, item := range items {
			kinds += item.GetKind()
			lines = append(lines, item.Field("kind").Key.YNode().Line)
			if file, index := object.Place(item); file != "f.yaml" || index != i {
				t.Errorf("%s: item %d has the place %s %d", name, i, file, index)
			}
		}
		if kinds != tc.kinds || !slices.Equal(lines, tc.lines) {
			t.Errorf("%s: %s: want %s at the lines %v, got %s at %v", name, tc.reason, tc.kinds, tc.lines, kinds, lines)
		}
		var out bytes.Buffer
		if err := (Texts{}).Write(&out, items); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, comment := range tc.comments {
			if !strings.Contains(out.String(), comment) {
				t.Errorf("%s: %s: %q is lost in:\n%s", name, tc.reason, comment, out.String())
			}
		}
		again, err := Parse("f.yaml", out.Bytes())
		if err != nil || len(again) != len(items) {
			t.Errorf("%s: want %d items from what was written, got %d (%v):\n%s", name, len(items), len(again), err, out.String())
		}
	}
}
