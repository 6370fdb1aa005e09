package english

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	linkTarget = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading    = regexp.MustCompile(`^#{1,6} +(.*)$`)
	named      = regexp.MustCompile(`<a (?:id|name)="([^"]+)"`)
	linkText   = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	noAnchor   = regexp.MustCompile(`[^\p{L}\p{N}_\- ]`)
)

// anchorsOf returns the anchors that GitHub makes for the headings of a page, and those that it names itself.
func anchorsOf(page string) []string {
	var out []string
	count := map[string]int{}
	fenced := false
	for line := range strings.Lines(page) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		for _, found := range named.FindAllStringSubmatch(line, -1) {
			out = append(out, found[1])
		}
		found := heading.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if fenced || found == nil {
			continue
		}
		text := linkText.ReplaceAllString(found[1], "$1")
		anchor := strings.ReplaceAll(noAnchor.ReplaceAllString(strings.ToLower(strings.TrimSpace(text)), ""), " ", "-")
		if n := count[anchor]; n > 0 {
			out = append(out, fmt.Sprintf("%s-%d", anchor, n))
		} else {
			out = append(out, anchor)
		}
		count[anchor]++
	}
	return out
}

// TestAnchors: the anchors of headings are those of GitHub.
func TestAnchors(t *testing.T) {
	t.Parallel()
	const page = "# A page\n```\n# no heading\n```\n## `goldenarch lock` [PATH...]\n## See [the other](x.md#y), now\n## A page\n<a id=\"own\"></a>\n"
	want := []string{"a-page", "goldenarch-lock-path", "see-the-other-now", "a-page-1", "own"}
	if got := anchorsOf(page); !slices.Equal(got, want) {
		t.Errorf("want %q, got %q", want, got)
	}
}

// TestLinksLeadSomewhere: each link of a page to a file of the repository, or to a heading in one, has it.
func TestLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	links := 0
	for file, page := range markdownPages(t) {
		for _, found := range linkTarget.FindAllStringSubmatch(page, -1) {
			if strings.Contains(found[1], ":") {
				continue // of another site
			}
			links++
			to, anchor, _ := strings.Cut(found[1], "#")
			target := file
			if to != "" {
				target = path.Join(path.Dir(file), to)
			}
			data, err := os.ReadFile(filepath.Join(root, target))
			switch {
			case err != nil && !isDirectory(filepath.Join(root, target)):
				t.Errorf("%s: the link %s leads to no file", file, found[1])
			case anchor != "" && strings.HasSuffix(target, ".md") && !slices.Contains(anchorsOf(string(data)), anchor):
				t.Errorf("%s: the link %s leads to no heading", file, found[1])
			}
		}
	}
	if links < 500 {
		t.Errorf("found %d links, expected at least 500", links)
	}
}

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// markdownPages returns the texts of the pages at the root, in docs and in examples, by their paths.
func markdownPages(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	add := func(file string) {
		data, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		out[file] = string(data)
	}
	atRoot, err := filepath.Glob(filepath.Join(root, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range atRoot {
		add(filepath.Base(file))
	}
	for _, dir := range []string{"docs", "examples"} {
		err := fs.WalkDir(os.DirFS(root), dir, func(file string, _ fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(file, ".md") {
				add(file)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}
