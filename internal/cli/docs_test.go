package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestDocsAreFresh: docs/cli has what --help says, a page a verb.
func TestDocsAreFresh(t *testing.T) {
	t.Parallel()
	root := newRoot(Streams{})
	root.InitDefaultCompletionCmd("completion")
	root.DisableAutoGenTag = true
	strict(root)
	made := t.TempDir()
	if err := doc.GenMarkdownTree(root, made); err != nil {
		t.Fatal(err)
	}
	grouped(t, root, made)
	const committed = "../../docs/cli"
	if *update {
		if err := os.RemoveAll(committed); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(committed, os.DirFS(made)); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(pages(t, made), pages(t, committed)); diff != "" {
		t.Errorf("write them anew with 'make update' (-help +docs/cli):\n%s", diff)
	}
}

// grouped puts the flags and the commands of each page in the groups of --help.
func grouped(t *testing.T, cmd *cobra.Command, dir string) {
	t.Helper()
	for _, below := range cmd.Commands() {
		grouped(t, below, dir)
	}
	file := filepath.Join(dir, strings.ReplaceAll(cmd.CommandPath(), " ", "_")+".md")
	data, err := os.ReadFile(file)
	if err != nil {
		return // cobra's help has no page
	}
	before, rest, ok := strings.Cut(string(data), "### Options\n")
	_, after, more := strings.Cut(rest, "### SEE ALSO")
	if !ok || !more {
		t.Fatalf("%s: cobra writes its pages in another way now", file)
	}
	var b strings.Builder
	b.WriteString(before)
	for _, group := range flagGroups(cmd) {
		b.WriteString("### " + group.name + " flags\n\n```\n" + group.flags.FlagUsages() + "```\n\n")
	}
	b.WriteString(listed(cmd, after))
	filetest.File(t, file, b.String())
}

// listed returns the end of a page: the list of cobra, or that list in the groups of the commands.
func listed(cmd *cobra.Command, list string) string {
	if len(cmd.Groups()) == 0 {
		return "### SEE ALSO" + list
	}
	var b strings.Builder
	for _, group := range commandGroups(cmd) {
		b.WriteString("### " + group.title + "\n\n")
		for _, below := range group.commands { // help has no page
			for line := range strings.Lines(list) {
				if strings.HasPrefix(line, "* ["+below.CommandPath()+"]") {
					b.WriteString(line)
				}
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func pages(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no pages in %s: %v", dir, err)
	}
	out := map[string]string{}
	for _, file := range files {
		data := filetest.Read(t, file)
		out[filepath.Base(file)] = string(data)
	}
	return out
}
