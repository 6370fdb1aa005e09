package cli

import (
	"bytes"
	"errors"
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
	names, err := namesBelow(from, changes)
	for above, last := tree, ""; err != nil && above != last; above, last = filepath.Dir(above), above {
		names, err = namesBelow(above, changes)
	}
	if err != nil {
		return err
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

// namesBelow returns the names of files relative to a directory above all of them.
func namesBelow(dir string, changes []files.Change) ([]string, error) {
	names := make([]string, len(changes))
	for i, change := range changes {
		path, err := filepath.Abs(change.Name)
		if err == nil {
			names[i], err = filepath.Rel(dir, path)
		}
		if err != nil || !filepath.IsLocal(names[i]) {
			return nil, errors.Join(err, fmt.Errorf("%s: the file is not below %s", change.Name, dir))
		}
	}
	return names, nil
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
	edits := make([]udiff.Edit, len(change.Edits))
	for i, e := range change.Edits {
		edits[i] = udiff.Edit{Start: e.From, End: e.To, New: e.Text}
	}
	decided, isDump := withoutDump(change.Before, edits)
	middle, err := udiff.ApplyBytes(change.Before, decided)
	if !isDump || err != nil {
		return fileDiff(name, change.Before, change.After, edits)
	}
	text := ""
	if len(decided) > 0 {
		text = fileDiff(name, change.Before, middle, decided)
	}
	if onTerminal {
		lines := bytes.Count(middle, []byte("\n")) - bytes.Count(change.After, []byte("\n"))
		return text + fmt.Sprintf("# %s: and without %s that only a cluster sets\n", quoted(name), finding.Count(lines, "line"))
	}
	return text + fileDiff(name, middle, change.After, nil)
}

// withoutDump returns the edits of a file but the removal of what only a cluster sets, and whether there is such a removal.
func withoutDump(before []byte, edits []udiff.Edit) (decided []udiff.Edit, isDump bool) {
	for _, e := range edits {
		if hasOnlyServerFields(string(before[e.Start:e.End])) {
			isDump = true
			e.End = e.Start // what replaces them stands before them
		}
		if e.Start < e.End || e.New != "" {
			decided = append(decided, e)
		}
	}
	return decided, isDump
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

// fileDiff returns the diff of one file. edits are nil if they are not known.
func fileDiff(name string, before, after []byte, edits []udiff.Edit) string {
	from, to := quoted("a/"+name), quoted("b/"+name)
	if strings.Contains(name, " ") {
		from, to = from+"\t", to+"\t" // as git does, or a name with a space would end at the space
	}
	if before == nil {
		from = noFile
	}
	if after == nil {
		to = noFile
	}
	if lines, known := lineEdits(string(before), string(after), edits); known {
		const context = 3
		if text, err := udiff.ToUnified(from, to, string(before), lines, context); err == nil {
			return renumbered(text)
		}
	}
	return udiff.Unified(from, to, string(before), string(after))
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
func lineEdits(before, after string, edits []udiff.Edit) ([]udiff.Edit, bool) {
	if before == "" || after == "" || len(edits) == 0 {
		return nil, false
	}
	var out []udiff.Edit
	for i := 0; i < len(edits); {
		from := strings.LastIndexByte(before[:edits[i].Start], '\n') + 1
		at, to := from, from
		var text []byte
		for first := true; i < len(edits) && (first || edits[i].Start <= to); i++ {
			first = false
			text = append(text, before[at:edits[i].Start]+edits[i].New...)
			at = edits[i].End
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
