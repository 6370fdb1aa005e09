package cli

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"

	"github.com/goldenarch/goldenarch/internal/write"
)

// TestDiffIsTheEdit: in a file whose parts are alike, the diff has the lines of the edits and
// no others, as many as there are.
func TestDiffIsTheEdit(t *testing.T) {
	t.Parallel()
	var before, after strings.Builder
	var edits []write.Edit
	for i := range 3000 {
		fmt.Fprint(&before, "- spec:\n    a: 1\n    b:\n")
		fmt.Fprint(&after, "- spec:\n    a: 1\n    b:\n")
		if i%3 == 0 {
			const added = "    - x: 1\n      y: 2\n"
			edits = append(edits, write.Edit{From: before.Len(), To: before.Len(), Text: added})
			after.WriteString(added)
		}
		fmt.Fprint(&before, "    - x: 1\n      y: 2\n")
		fmt.Fprint(&after, "    - x: 1\n      y: 2\n")
	}
	diff := fileDiff("a.yaml", write.Change{Name: "a.yaml", Before: []byte(before.String()), After: []byte(after.String()), Edits: edits})
	added, removed := 0, 0
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"):
		case line[0] == '+':
			added++
		case line[0] == '-':
			removed++
		}
	}
	if added != 2*len(edits) || removed != 0 {
		t.Errorf("%d edits are +%d -%d lines", len(edits), added, removed)
	}
	lines, known := lineEdits(before.String(), after.String(), edits)
	if got, err := udiff.Apply(before.String(), lines); !known || err != nil || got != after.String() {
		t.Errorf("the edits give another text (%v)", err)
	}
}

// TestLineEdits: edits at any offset become edits of whole lines that give the same text, and
// begin and end with a line that changes.
func TestLineEdits(t *testing.T) {
	t.Parallel()
	piece := []string{"a", "\n", "b\n", "\n\n", "c d", "é", "\r\n", "", "a\nb"}
	draw := func(r *rand.Rand, n int) string {
		out := ""
		for range n {
			out += piece[r.IntN(len(piece))]
		}
		return out
	}
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 821))
		before := "x" + draw(r, 1+r.IntN(20))
		var edits []write.Edit
		after, at := "", 0
		for at < len(before) {
			from := at + r.IntN(len(before)-at+1)
			e := write.Edit{From: from, To: min(len(before), from+r.IntN(4)), Text: draw(r, r.IntN(3))}
			if e.From == e.To && e.Text == "" {
				break
			}
			after += before[at:e.From] + e.Text
			at = e.To
			edits = append(edits, e)
			if at++; at <= len(before) {
				after += before[at-1 : at]
			}
		}
		if at < len(before) {
			after += before[at:]
		}
		if len(edits) == 0 || after == "" {
			continue
		}
		lines, known := lineEdits(before, after, edits)
		if !known {
			t.Fatalf("seed %d: %q with %v is not %q: %v", seed, before, edits, after, lines)
		}
		for _, e := range lines {
			old, now := strings.SplitAfter(before[e.Start:e.End], "\n"), strings.SplitAfter(e.New, "\n")
			if e.Start > 0 && before[e.Start-1] != '\n' || old[0] == now[0] && old[0] != "" {
				t.Fatalf("seed %d: the edit %v of %q has a line that stays", seed, e, before)
			}
		}
	}
}

// TestHunksNameTheirLines: each hunk names where its lines are in both files, also after
// hunks that join several edits. "git apply" searches for the place, other tools do not.
func TestHunksNameTheirLines(t *testing.T) {
	t.Parallel()
	joined := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 29))
		var before, after strings.Builder
		var edits []write.Edit
		for i := range 10 + r.IntN(60) {
			line := fmt.Sprintf("line %d\n", i)
			from := before.Len()
			before.WriteString(line)
			switch r.IntN(9) {
			case 0:
				edits = append(edits, write.Edit{From: from, To: before.Len()})
			case 1:
				text := fmt.Sprintf("new %d\nnew\n", i)
				edits = append(edits, write.Edit{From: from, To: before.Len(), Text: text})
				after.WriteString(text)
			case 2:
				edits = append(edits, write.Edit{From: from, To: from, Text: "added\n"})
				after.WriteString("added\n" + line)
			default:
				after.WriteString(line)
			}
		}
		if len(edits) == 0 || after.Len() == 0 {
			continue
		}
		diff := fileDiff("a.yaml", write.Change{Name: "a.yaml", Before: []byte(before.String()), After: []byte(after.String()), Edits: edits})
		if strings.Count(diff, "\n@@ ") < len(edits) {
			joined++
		}
		have := map[byte][]string{'-': strings.SplitAfter(before.String(), "\n"), '+': strings.SplitAfter(after.String(), "\n")}
		next := map[byte]int{}
		for line := range strings.Lines(diff) {
			switch {
			case strings.HasPrefix(line, "---"), strings.HasPrefix(line, "+++"):
				continue
			case strings.HasPrefix(line, "@@"):
				var old, now int
				for _, field := range strings.Fields(line)[1:3] {
					start, _, _ := strings.Cut(field[1:], ",")
					if _, err := fmt.Sscan(start, map[byte]*int{'-': &old, '+': &now}[field[0]]); err != nil {
						t.Fatalf("seed %d: %q: %v", seed, line, err)
					}
				}
				next['-'], next['+'] = old-1, now-1
				continue
			}
			for _, side := range []byte("-+") {
				if line[0] != side && line[0] != ' ' {
					continue
				}
				if at := next[side]; at >= len(have[side]) || have[side][at] != line[1:] {
					t.Fatalf("seed %d: %q is not line %d of the file on the side of %q:\n%s", seed, line, at+1, side, diff)
				}
				next[side]++
			}
		}
	}
	if joined < 1000 {
		t.Errorf("only %d diffs have a hunk of several edits", joined)
	}
}
