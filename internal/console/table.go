package console

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
)

// gap is the number of blanks between two columns.
const gap = 2

// Table writes rows of cells in columns, the first row as their header. If they do not fit a
// width in characters, 0 for [DefaultWidth], it leaves out the optional columns, one after the
// other, and then cuts the names in the first column in the middle. If that is not enough, it writes
// several tables, each with the first column.
func Table(out *bytes.Buffer, rows [][]string, width int, optional ...string) {
	if width <= 0 {
		width = DefaultWidth
	}
	for _, name := range optional {
		if needs(rows) > width {
			rows = without(rows, name)
		}
	}
	rows = cutFirst(rows, width)
	for i, part := range parts(rows, width) {
		if i > 0 {
			out.WriteByte('\n')
		}
		table := tabwriter.NewWriter(out, 0, 0, gap, ' ', 0)
		for _, row := range part {
			fmt.Fprintln(table, strings.Join(row, "\t"))
		}
		table.Flush() // into a buffer, which does not fail
	}
}

// cutFirst returns rows with the first column as narrow as a width needs it, if enough of the names is left.
func cutFirst(rows [][]string, width int) [][]string {
	const least = 30
	columns := widths(rows)
	tooWide := needs(rows) - width
	if len(columns) == 0 || tooWide <= 0 || columns[0]-tooWide < least {
		return rows
	}
	out := make([][]string, len(rows))
	for i, row := range rows {
		out[i] = append([]string{cutMiddle(row[0], columns[0]-tooWide)}, row[1:]...)
	}
	return out
}

// cutMiddle returns a text of at most n characters, which has the beginning and the end of a longer one.
func cutMiddle(text string, n int) string {
	all := []rune(text)
	if len(all) <= n {
		return text
	}
	head := (n - 1) / 2
	return string(all[:head]) + "…" + string(all[len(all)-(n-1-head):])
}

// widths returns the width of each column.
func widths(rows [][]string) []int {
	var out []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(out) {
				out = append(out, 0)
			}
			out[i] = max(out[i], utf8.RuneCountInString(cell))
		}
	}
	return out
}

// needs returns the width of a table.
func needs(rows [][]string) int {
	n := -gap
	for _, column := range widths(rows) {
		n += gap + column
	}
	return n
}

// without returns rows, which have a header, without the column of a name.
func without(rows [][]string, name string) [][]string {
	at := slices.Index(rows[0], name)
	if at < 0 {
		return rows
	}
	out := make([][]string, len(rows))
	for i, row := range rows {
		out[i] = slices.Delete(slices.Clone(row), at, at+1)
	}
	return out
}

// parts returns the rows as tables that fit the width. Each has at least one column beside
// the first.
func parts(rows [][]string, width int) [][][]string {
	columns := widths(rows)
	if len(columns) == 0 {
		return nil
	}
	var out [][][]string
	for from := 1; from == 1 || from < len(columns); {
		used, to := columns[0], from
		for to < len(columns) && (to == from || used+gap+columns[to] <= width) {
			used += gap + columns[to]
			to++
		}
		part := make([][]string, len(rows))
		for i, row := range rows {
			part[i] = append([]string{row[0]}, row[min(from, len(row)):min(to, len(row))]...)
		}
		out = append(out, part)
		from = max(to, 2)
	}
	return out
}
