package cli

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestFirstUse: the first command of the README prints what the README shows, line by line. "..." stands for what it leaves out.
// Flags take the place of the registry.
func TestFirstUse(t *testing.T) {
	t.Parallel()
	page := filetest.Read(t, "../../README.md")
	_, text, ok := strings.Cut(string(page), "## First use\n")
	blocks := regexp.MustCompile("(?s)```(?:yaml)?\n(.*?)```").FindAllStringSubmatch(text, 2)
	command := regexp.MustCompile(`(?m)^    goldenarch (check .*)$`).FindStringSubmatch(text)
	if !ok || len(blocks) != 2 || command == nil {
		t.Fatalf("the README has %d blocks and the command %q", len(blocks), command)
	}
	root := filetest.New(t, map[string]string{"hyperconverged.yaml": blocks[0][1]})
	const stated = " --image quay.io/containerdisks/fedora:42=amd64,arm64"
	out, status := inTree(t, filepath.Clean(root), nil, strings.Fields(command[1]+" --offline"+stated)...)
	if status != statusFailed {
		t.Fatalf("want status 1, got %d\n%s", status, out)
	}
	left := strings.NewReplacer(stated, "", " --offline", "").Replace(out)
	for line := range strings.SplitSeq(strings.TrimSpace(blocks[1][1]), "\n") {
		want, cut := strings.CutSuffix(line, "...")
		if want = strings.TrimRight(want, " "); want == "" {
			continue
		}
		at := strings.Index("\n"+left, "\n"+want)
		if at < 0 {
			t.Fatalf("the README shows %q, which is not in the rest of the output:\n%s", line, left)
		}
		if left = left[at+len(want):]; !cut && left != "" && left[0] != '\n' {
			t.Fatalf("the README shows %q, and the line goes on: %.60q", line, left)
		}
		_, left, _ = strings.Cut(left, "\n")
	}
}
