package english

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

var (
	inlineCode = regexp.MustCompile("`[^`]*`")
	comment    = regexp.MustCompile(`(?s)<!--.*?-->`)
	target     = regexp.MustCompile(`\]\([^)]*\)|<https?://[^>]*>|https?://\S+`)
)

// pages returns the paragraphs of the Markdown pages.
func pages(t *testing.T) []text {
	t.Helper()
	var files []string
	for _, pattern := range []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "docs/*.md", "examples/*/README.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) < 20 {
		t.Fatalf("found %d Markdown pages, expected at least 20", len(files))
	}
	var out []text
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, paragraphs(strings.TrimPrefix(file, root+"/"), string(data))...)
	}
	return out
}

// paragraphs cuts a page into what is read as one: paragraphs, list items, table
// cells. Code is removed.
func paragraphs(file, page string) []text {
	page = comment.ReplaceAllStringFunc(page, func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) })
	var out []text
	var current text
	flush := func() {
		if strings.TrimSpace(current.s) != "" {
			out = append(out, current)
		}
		current = text{}
	}
	fenced := false
	for i, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			flush()
			continue
		}
		if fenced || strings.HasPrefix(line, "    ") && current.s == "" {
			continue
		}
		line = target.ReplaceAllString(inlineCode.ReplaceAllString(line, "X"), "]")
		switch trimmed := strings.TrimSpace(line); {
		case trimmed == "":
			flush()
			continue
		case strings.HasPrefix(trimmed, "|"):
			flush()
			for cell := range strings.SplitSeq(trimmed, "|") {
				out = append(out, text{file, i + 1, cell})
			}
			continue
		case strings.HasPrefix(trimmed, "#"), strings.HasPrefix(trimmed, "- "), strings.HasPrefix(trimmed, "* "), numbered.MatchString(trimmed):
			flush()
		}
		if current.s == "" {
			current = text{file, i + 1, line}
		} else {
			current.s += "\n" + line
		}
	}
	flush()
	return out
}

var numbered = regexp.MustCompile(`^\d+\. `)
