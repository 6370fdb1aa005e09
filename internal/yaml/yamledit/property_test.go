package yamledit_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamledit"
)

// cases is how many random documents are tried, or what the variable says.
func cases(t *testing.T) uint64 {
	t.Helper()
	text := os.Getenv("GOLDENARCH_EDIT_CASES")
	if text == "" {
		return 1000
	}
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func parsed(t *testing.T, data string) *yaml.Node {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(strings.Replace(data, "%YAML 1.2", "#", 1)), &doc); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	return doc.Content[0]
}

// TestAnyEdit: any edit of any document in any style gives a text that says what
// the tree says, keeps all other lines and their comments, and is the same when the
// edit is made again.
func TestAnyEdit(t *testing.T) {
	t.Parallel()
	refused := 0
	for seed := range cases(t) {
		r := rand.New(rand.NewPCG(seed, 1))
		tree := drawMapping(r, 4, 1+r.IntN(4))
		s := newStyled(r)
		before := s.document(tree)
		want := yaml.CopyYNode(parsed(t, before))
		expand(want)
		edited(r, want, 0)
		got, err := rewritten([]byte(before), want)
		if shared := (&yamledit.Error{}); errors.As(err, &shared) && strings.Contains(shared.Problem, "alias") {
			refused++
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s\n--- wanted:\n%s", seed, err, before, asText(t, want))
		}
		keeps(t, seed, before, string(got))
		again, err := rewritten(got, want)
		if err != nil || !bytes.Equal(again, got) {
			t.Fatalf("seed %d: the second edit: %v\n%s", seed, err, again)
		}
	}
	if uint64(refused)*10 > cases(t) {
		t.Errorf("%d edits were refused", refused)
	}
}

// expand puts the values of aliases in their places, as the pipeline does.
func expand(n *yaml.Node) {
	if n.Kind == yaml.AliasNode {
		*n = *yaml.CopyYNode(n.Alias)
	}
	n.Anchor = ""
	for _, child := range n.Content {
		expand(child)
	}
}

func asText(t *testing.T, n *yaml.Node) string {
	t.Helper()
	out, err := yaml.Marshal(n)
	if err != nil {
		return err.Error()
	}
	return string(out)
}

// keeps fails if the form of the text was changed beyond the edit.
func keeps(t *testing.T, seed uint64, before, after string) {
	t.Helper()
	fail := func(what string) { t.Fatalf("seed %d: %s\n%q\n%q", seed, what, before, after) }
	if strings.HasPrefix(before, "\ufeff") != strings.HasPrefix(after, "\ufeff") {
		fail("the byte order mark")
	}
	// Where its last lines stay, the text ends as it did.
	if ends := lastLines(before); ends != "" && strings.HasSuffix(strings.TrimRight(after, "\r\n"), ends) &&
		strings.HasSuffix(before, "\n") != strings.HasSuffix(after, "\n") {
		fail("the final newline")
	}
	if strings.Contains(before, "\r\n") && strings.Contains(strings.ReplaceAll(after, "\r\n", ""), "\n") {
		fail("the line ends")
	}
	if !strings.Contains(before, "\r") && strings.Contains(after, "\r") {
		fail("a carriage return")
	}
}

// lastLines returns the last three lines of a text that has more.
func lastLines(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\r\n"), "\n")
	if len(lines) < 4 {
		return ""
	}
	return strings.Join(lines[len(lines)-3:], "\n")
}

// TestNewEntriesOnly: where an edit adds entries to blocks, every line of the text
// stays, and no line is added that is not theirs.
func TestNewEntriesOnly(t *testing.T) {
	t.Parallel()
	for seed := range cases(t) {
		r := rand.New(rand.NewPCG(seed, 2))
		s := newStyled(r)
		before := s.document(drawMapping(r, 4, 1+r.IntN(4)))
		want := yaml.CopyYNode(parsed(t, before))
		expand(want)
		added := extended(r, want)
		got, err := rewritten([]byte(before), want)
		if shared := (&yamledit.Error{}); errors.As(err, &shared) && strings.Contains(shared.Problem, "alias") {
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, before)
		}
		if !strings.HasSuffix(before, "\n") {
			continue // the last line gets a line break
		}
		lines := strings.SplitAfter(before, "\n")
		for line := range strings.SplitAfterSeq(string(got), "\n") {
			if len(lines) > 0 && line == lines[0] {
				lines = lines[1:]
			} else {
				added--
			}
		}
		if len(lines) > 0 || added != 0 {
			t.Fatalf("seed %d: %d lines are not there, %d lines too few are new:\n%s\n--- is now\n%s", seed, len(lines), added, before, got)
		}
	}
}

// extended adds entries of one line to blocks, and returns how many.
func extended(r *rand.Rand, n *yaml.Node) int {
	if len(n.Content) == 0 || n.Style&yaml.FlowStyle != 0 {
		return 0
	}
	added := 0
	for _, child := range n.Content {
		added += extended(r, child)
	}
	if r.IntN(4) > 0 {
		return added
	}
	entry := []*yaml.Node{text("new")}
	if n.Kind == yaml.MappingNode {
		entry = append([]*yaml.Node{text("goldenarch.dev/new")}, entry...)
	}
	n.Content = append(n.Content, entry...)
	return added + 1
}
