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
// other. If that is not enough, it writes several tables, each with the first column.
func Table(out *bytes.Buffer, rows [][]string, width int, optional ...string) {
	if width <= 0 {
		width = DefaultWidth
	}
	for _, name := range optional {
		if needs(rows) > width {
			rows = without(rows, name)
		}
	}
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
