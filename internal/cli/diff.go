package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/pattern"
)

// noFile is the name of a missing file in a diff.
const noFile = "/dev/null"

// writeDiff prints the changes as a unified diff for "git apply" and patch. File names
// are relative to the working directory; if one file is not below it, all are relative
// to the root of the tree, or to the nearest directory above all of them.
func writeDiff(printer *console.Printer, tree string, changes []files.Change) error {
	from, err := os.Getwd()
	if err != nil {
		return err
	}
	inTree := from == tree
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
		switch above := filepath.Dir(from); {
		case !inTree:
			from, inTree = tree, true
		case above == from:
			return fmt.Errorf("%s: the file is not below %s", changes[i].Name, from)
		default:
			from = above // a file that the operator named for output
		}
		i = -1
	}
	var out strings.Builder
	for i, change := range changes {
		out.WriteString(changeDiff(filepath.ToSlash(names[i]), change, printer.OnTerminal()))
	}
	text := out.String()
	if printer.OnTerminal() {
		text = visible(text)
	}
	if printer.Colors() {
		text = colored(text)
	}
	_, err = io.WriteString(printer.Product(), text)
	return err
}

// quoted returns a name as Git writes it in the header of a diff: within quotes if it has
// characters that would end the line or the name, or that are not ASCII (git quote.c:
// quote_c_style, with core.quotePath as it is by default).
func quoted(name string) string {
	special := func(c byte) bool { return c < ' ' || c >= 0x7f || c == '"' || c == '\\' }
	var b strings.Builder
	for _, c := range []byte(name) {
		switch at := strings.IndexByte("\a\b\t\n\v\f\r\"\\", c); {
		case at >= 0:
			b.WriteString(`\` + `abtnvfr"\`[at:at+1])
		case special(c):
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	if b.Len() == len(name) {
		return name
	}
	return `"` + b.String() + `"`
}

// visible returns a diff for a terminal: it shows the characters in the files that would
// steer the terminal. Elsewhere a program reads the diff, and its bytes stay.
func visible(diff string) string {
	return console.EachLine(diff, func(line string) string {
		mark := min(1, len(line))
		return line[:mark] + console.Escape(line[mark:])
	})
}

// changeDiff returns the diff of one file. Of a dump it has what goldenarch decides first, and what
// only a cluster sets after it, as a second change of the file: that may be hundreds of lines. A
// terminal gets one line for these.
func changeDiff(name string, change files.Change, onTerminal bool) string {
	decided, dump := splitDump(change)
	if dump == nil {
		return fileDiff(name, change)
	}
	text := ""
	if len(decided.Edits) > 0 {
		text = fileDiff(name, decided)
	}
	if onTerminal {
		lines := bytes.Count(dump.Before, []byte("\n")) - bytes.Count(dump.After, []byte("\n"))
		return text + fmt.Sprintf("# %s: and without %s that only a cluster sets\n", quoted(name), finding.Count(lines, "line"))
	}
	return text + fileDiff(name, *dump)
}

// splitDump splits the change of a dump: what goldenarch decides, and then the removal of what only a
// cluster sets. Without such a removal the second is nil.
func splitDump(change files.Change) (decided files.Change, dump *files.Change) {
	decided = change
	decided.Edits = nil
	for _, e := range change.Edits {
		if hasOnlyServerFields(string(change.Before[e.From:e.To])) {
			dump = &files.Change{Name: change.Name, After: change.After}
			e.To = e.From // what replaces them stands before them
		}
		if e.From < e.To || e.Text != "" {
			decided.Edits = append(decided.Edits, e)
		}
	}
	if dump == nil {
		return change, nil
	}
	decided.After = textAfter(change.Before, decided.Edits)
	dump.Before = decided.After
	return decided, dump
}

// textAfter returns a text after edits.
func textAfter(text []byte, edits []files.Edit) []byte {
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, text[at:e.From]...), e.Text...)
		at = e.To
	}
	return append(out, text[at:]...)
}

// hasOnlyServerFields reports whether a part of a file has fields that only a cluster sets, and no
// others beside them.
func hasOnlyServerFields(text string) bool {
	fields := 0
	outer := -1
	for line := range strings.Lines(text) {
		key := strings.TrimLeft(line, " \t,")
		indent := len(line) - len(key)
		switch {
		case strings.TrimSpace(key) == "", outer >= 0 && indent > outer, strings.HasPrefix(key, "- "), strings.HasPrefix(key, "}"), strings.HasPrefix(key, "]"):
			continue
		case !serverField().MatchString(key):
			return false
		case outer < 0:
			outer = indent
		}
		fields++
	}
	return fields > 0
}

// serverField matches a line with a field that only a cluster sets.
var serverField = pattern.Of(`^["']?(?:creationTimestamp|generation|managedFields|resourceVersion|selfLink|uid|status)["']?[ \t]*:`)

// fileDiff returns the diff of one file.
func fileDiff(name string, change files.Change) string {
	before, after := quoted("a/"+name), quoted("b/"+name)
	if strings.Contains(name, " ") {
		before, after = before+"\t", after+"\t" // as git does, or a name with a space would end at the space
	}
	if change.Before == nil {
		before = noFile
	}
	if change.After == nil {
		after = noFile
	}
	if edits, known := lineEdits(string(change.Before), string(change.After), change.Edits); known {
		const context = 3
		if text, err := udiff.ToUnified(before, after, string(change.Before), edits, context); err == nil {
			return renumbered(text)
		}
	}
	return udiff.Unified(before, after, string(change.Before), string(change.After))
}

// renumbered returns a unified diff whose hunks have the right lines of the new file.
// go-udiff does not count the unchanged lines between two edits of one hunk, so all later hunks
// would begin too early. Each hunk has lines of both files.
func renumbered(diff string) string {
	var out strings.Builder
	shift := 0
	for line := range strings.Lines(diff) {
		found := hunkHeader().FindStringSubmatch(line)
		if found == nil {
			out.WriteString(line)
			continue
		}
		count := func(text string) int {
			n, err := strconv.Atoi(text)
			if err != nil {
				return 1 // a hunk of one line names no count
			}
			return n
		}
		start, before, after := count(found[1]), count(found[2]), count(found[4])
		fmt.Fprintf(&out, "@@ -%s +%d%s @@\n", strings.TrimPrefix(strings.Fields(line)[1], "-"), start+shift, found[3])
		shift += after - before
	}
	return out.String()
}

// hunkHeader matches the first line of a hunk: the lines of the old file, and how many of
// the new one.
var hunkHeader = pattern.Of(`^@@ -(\d+)(?:,(\d+))? \+\d+(,(\d+)|) @@\n$`)

// lineEdits returns the edits of a text as edits of whole lines. Only the lines that an edit touches are compared: a comparison of
// all would find others in a large file. It reports false if the edits are not known.
func lineEdits(before, after string, edits []files.Edit) ([]udiff.Edit, bool) {
	if before == "" || after == "" || len(edits) == 0 {
		return nil, false
	}
	var out []udiff.Edit
	for i := 0; i < len(edits); {
		from := strings.LastIndexByte(before[:edits[i].From], '\n') + 1
		at, to := from, from
		var text []byte
		for first := true; i < len(edits) && (first || edits[i].From <= to); i++ {
			first = false
			text = append(text, before[at:edits[i].From]+edits[i].Text...)
			at = edits[i].To
			switch {
			case at < to: // in the same line, which may be long
			case (at == 0 || before[at-1] == '\n') && (len(text) == 0 || text[len(text)-1] == '\n'):
				to = at
			default:
				_, rest, _ := strings.Cut(before[at:], "\n")
				to = len(before) - len(rest)
			}
		}
		for _, e := range udiff.Lines(before[from:to], string(text)+before[at:to]) {
			e.Start, e.End = from+e.Start, from+e.End
			if last := len(out) - 1; last >= 0 && out[last].End == e.Start { // removed lines come before the added ones, as in Git
				out[last].End, out[last].New = e.End, out[last].New+e.New
				continue
			}
			out = append(out, e)
		}
	}
	got, err := udiff.Apply(before, out)
	return out, err == nil && got == after
}

// colored returns a diff in the colors that git uses.
func colored(diff string) string {
	return console.EachLine(diff, func(line string) string {
		var color string
		switch {
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
			color = "\x1b[1m"
		case strings.HasPrefix(line, "@@"):
			color = "\x1b[36m"
		case strings.HasPrefix(line, "-"):
			color = "\x1b[31m"
		case strings.HasPrefix(line, "+"):
			color = "\x1b[32m"
		default:
			return line
		}
		const reset = "\x1b[m"
		return color + line + reset
	})
}
