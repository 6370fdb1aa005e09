package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/goldenarch/goldenarch/internal/fileset"
)

// noFile is the name of a missing file in a diff.
const noFile = "/dev/null"

// writeDiff prints the changes as a unified diff for "git apply" and patch. File names
// are relative to the working directory; if one file is not below it, all are relative
// to the root of the tree.
func writeDiff(w io.Writer, tree string, changes []fileset.Change) error {
	from, err := os.Getwd()
	if err != nil {
		return err
	}
	names := make([]string, len(changes))
	for i := 0; i < len(changes); i++ {
		path, err := filepath.Abs(changes[i].Name)
		if err != nil {
			return err
		}
		names[i], err = filepath.Rel(from, path)
		if err == nil && filepath.IsLocal(names[i]) {
			continue
		}
		if from == tree {
			return fmt.Errorf("%s: the file is not below %s", changes[i].Name, tree)
		}
		from, i = tree, -1
	}
	var out strings.Builder
	for i, change := range changes {
		out.WriteString(fileDiff(filepath.ToSlash(names[i]), change))
	}
	text := out.String()
	if hasColors(w) {
		text = colored(text)
	}
	_, err = io.WriteString(w, text)
	return err
}

// fileDiff returns the diff of one file.
func fileDiff(name string, change fileset.Change) string {
	before, after := "a/"+name, "b/"+name
	if strings.ContainsAny(name, " ") {
		before, after = before+"\t", after+"\t" // as git does, or a name with a space would end at the space
	}
	if change.Before == nil {
		before = noFile
	}
	if change.After == nil {
		after = noFile
	}
	return udiff.Unified(before, after, string(change.Before), string(change.After))
}

// hasColors reports whether a stream is a terminal that shows colors.
func hasColors(w io.Writer) bool {
	if o, ok := w.(*output); ok {
		w = o.to
	}
	file, ok := w.(*os.File)
	return ok && isTerminal(file) && os.Getenv("TERM") != "dumb" && os.Getenv("NO_COLOR") == ""
}

// colored returns a diff in the colors that git uses.
func colored(diff string) string {
	const reset = "\x1b[m"
	var out strings.Builder
	for line := range strings.Lines(diff) {
		text, hasEnd := strings.CutSuffix(line, "\n")
		color := ""
		switch {
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
			color = "\x1b[1m"
		case strings.HasPrefix(line, "@@"):
			color = "\x1b[36m"
		case strings.HasPrefix(line, "-"):
			color = "\x1b[31m"
		case strings.HasPrefix(line, "+"):
			color = "\x1b[32m"
		}
		if color != "" {
			text = color + text + reset
		}
		out.WriteString(text)
		if hasEnd {
			out.WriteString("\n")
		}
	}
	return out.String()
}
