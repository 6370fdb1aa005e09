package yamlnode

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// bomb is nine anchors of nine aliases each.
func bomb() string {
	var out strings.Builder
	out.WriteString("a0: &a0 [1, 2, 3, 4, 5, 6, 7, 8, 9]\n")
	for i := 1; i < 9; i++ {
		alias := fmt.Sprintf("*a%d", i-1)
		fmt.Fprintf(&out, "a%d: &a%d [%s]\n", i, i, strings.Join([]string{alias, alias, alias, alias, alias, alias, alias, alias, alias}, ", "))
	}
	return out.String()
}

func indented(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }

func TestCheckText(t *testing.T) {
	t.Parallel()
	long := "a: &a [" + strings.Repeat("1, ", 200) + "]\n"
	for name, tc := range map[string]struct {
		reason, text string
		want         error
	}{
		"Bomb":          {"anchors multiply each other", bomb(), ErrAnchors},
		"Itself":        {"an anchor holds itself", "a: &a [*a]\n", ErrAnchors},
		"ItselfMerged":  {"by a merge key as well", "a: &a\n  <<: *a\n", ErrAnchors},
		"Second":        {"a later document counts", "a: b\n---\n" + bomb(), ErrAnchors},
		"AfterBroken":   {"so does one behind what is no YAML", "a: [\n---\n" + bomb(), ErrAnchors},
		"Behind":        {"and one behind the end of a document", "a: b\n...\n" + bomb(), ErrAnchors},
		"Windows":       {"whatever ends the lines", strings.ReplaceAll("a: b\n---\n"+bomb(), "\n", "\r\n"), ErrAnchors},
		"Inline":        {"a text in a text", "patch: |\n" + indented(bomb()), ErrAnchors},
		"InlineTwice":   {"two levels down", "patch: |\n" + indented("patch: |\n"+indented(bomb())), ErrAnchors},
		"Escaped":       {"by escapes", fmt.Sprintf("patch: %q\n", bomb()), ErrAnchors},
		"EscapedAll":    {"that hide each sign", `patch: "\x61: \x26a [\x2aa]"` + "\n", ErrAnchors},
		"UTF16":         {"in another encoding", inUTF16(bomb()), ErrAnchors},
		"Flow":          {"nested in brackets", strings.Repeat("[", 600) + strings.Repeat("]", 600), ErrDepth},
		"FlowObject":    {"in braces", strings.Repeat(`{"a":`, 600) + "1" + strings.Repeat("}", 600), ErrDepth},
		"Block":         {"in a block", nested(600), ErrDepth},
		"Compact":       {"in one line of a block", strings.Repeat("- ", 600) + "x\n", ErrDepth},
		"Keys":          {"as keys", strings.Repeat("? ", 600) + "x\n", ErrDepth},
		"Anchors":       {"what people write is fine", "a: &a {b: c}\nd: *a\ne: *a\nf: {<<: *a}\n", nil},
		"ManyAliases":   {"many aliases of a small value are", "a: &a {b: c}\nlist:\n" + strings.Repeat("- *a\n", 2000), nil},
		"TooMany":       {"of a large one are not", long + "list:\n" + strings.Repeat("- *a\n", 2000), ErrAnchors},
		"LargeAndAlias": {"a large text with few aliases is fine", "a: &a b\nc: *a\nlist:\n" + strings.Repeat("- x\n", 150_000), nil},
		"Deep":          {"as deep as a schema", nested(200), nil},
		"NoYAML":        {"a script is no YAML", "#!/bin/sh\nfor f in *; do cat \"$f\" & done\n{ [ \\\n", nil},
		"Empty":         {"nothing", "", nil},
	} {
		if err := CheckText([]byte(tc.text)); !errors.Is(err, tc.want) || (err == nil) != (tc.want == nil) {
			t.Errorf("%s: %s: want %v, got %v", name, tc.reason, tc.want, err)
		}
	}
}

// TestNested: only what is written counts, and not what an alias stands for.
func TestCheckDepth(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]error{
		strings.Repeat("[", MaxLevels+1) + strings.Repeat("]", MaxLevels+1): ErrDepth,
		strings.Repeat("[", MaxLevels-1) + strings.Repeat("]", MaxLevels-1): nil,
		"a: &a [*a]\n": nil,
	} {
		var n yaml.Node
		if err := yaml.Unmarshal([]byte(text), &n); err != nil {
			t.Fatal(err)
		}
		if err := CheckDepth(&n); !errors.Is(err, want) || (err == nil) != (want == nil) {
			t.Errorf("%.20s: want %v, got %v", text, want, err)
		}
	}
}

func nested(depth int) string {
	var out strings.Builder
	for i := range depth {
		out.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return out.String()
}

func inUTF16(text string) string {
	out := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return string(out)
}

// TestSameEnds: no tree whose anchors never end, or multiply each other, is compared.
func TestSameEnds(t *testing.T) {
	t.Parallel()
	for _, text := range []string{bomb(), "a: &a [*a]\n", "a: &a\n  <<: *a\n"} {
		var one, other yaml.Node
		if err := errors.Join(yaml.Unmarshal([]byte(text), &one), yaml.Unmarshal([]byte(text), &other)); err != nil {
			t.Fatal(err)
		}
		if Same(&one, &other) {
			t.Errorf("%s\nwas compared", text)
		}
	}
}

// TestTextsInTexts: texts in texts have an end too.
func TestTextsInTexts(t *testing.T) {
	t.Parallel()
	inner := "a: &a b\nc: *a\n"
	for range 20 {
		inner = "patch: |\n" + indented(inner)
	}
	if err := CheckText([]byte(inner)); err == nil {
		t.Error("texts in texts have no end")
	}
}

// FuzzText: nothing makes the check itself crash or last.
func FuzzCheckText(f *testing.F) {
	for _, seed := range []string{bomb(), "a: &a [*a]\n", nested(20), `{"a": "\u0026"}`, "a: |\n  b: &b\n  c: *b\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(_ *testing.T, data []byte) { _ = CheckText(data) })
}
