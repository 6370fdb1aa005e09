package edits

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// writer writes a file as some person does: in a style of its own.
type writer struct {
	drawer

	step, dash, gap int
	flow            int // of a hundred collections, how many are written in brackets
	comments        int // of a hundred lines, how many have a comment
	quotes          int // of a hundred texts, how many have quotes they do not need
	anchors         bool
	out             strings.Builder
	anchored        map[string]string // anchors by the text that they are of
	number          int
	literals        bool // a text is a block, whose end is a part of it
	odd             odd
}

func newWriter(d drawer) *writer {
	step := one(d, 2, 2, 2, 4, 3, 1, 8)
	return &writer{
		drawer: d, step: step, dash: one(d, 0, step, 2), gap: one(d, 1, 1, 1, 3), flow: one(d, 0, 0, 10, 40), comments: one(d, 0, 10, 40),
		quotes: one(d, 0, 20, 100), anchors: d.IntN(4) == 0, anchored: map[string]string{}, odd: newOdd(one(d, 0, 0, 3, 10)),
	}
}

// file writes objects into one file: as documents, as a List, or as JSON.
func (w *writer) file(objects []object) string {
	var text string
	switch form := w.IntN(10); {
	case form == 0:
		text = w.json(w.listOf(objects))
	case form == 1 && len(objects) == 1:
		text = w.json(objects[0])
	case form <= 3:
		text = w.documents([]object{w.listOf(objects)})
	default:
		text = w.documents(objects)
	}
	if w.IntN(5) == 0 && !w.literals {
		text = strings.TrimRight(text, "\n")
	}
	if w.IntN(4) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

func (w *writer) listOf(objects []object) object {
	var items []any
	for _, o := range objects {
		items = append(items, o)
	}
	return object{{"apiVersion", "v1"}, {"kind", "List"}, {"items", items}}
}

func (w *writer) json(o object) string {
	text, err := json.Marshal(o)
	if err != nil {
		panic(err) // every drawn value can be encoded
	}
	if w.IntN(3) > 0 {
		var out bytes.Buffer
		if err := json.Indent(&out, text, "", one(w.drawer, "  ", "    ", "\t", "")); err != nil {
			panic(err)
		}
		text = out.Bytes()
	}
	return string(text) + "\n"
}

func (w *writer) documents(objects []object) string {
	if w.IntN(4) == 0 {
		w.out.WriteString("# Ü head\n\n")
	}
	switch w.IntN(5) {
	case 0:
		w.out.WriteString("---\n")
	case 1:
		w.out.WriteString("--- # begins\n")
	case 2:
		w.out.WriteString("%YAML 1.2\n---\n")
	}
	for i, o := range objects {
		if i > 0 {
			w.out.WriteString(one(w.drawer, "---\n", "---\n", "---\n# next\n", "--- # next\n", "...\n---\n", "\n---\n\n"))
		}
		clear(w.anchored)
		clear(w.odd.whole)
		clear(w.odd.begun)
		if !w.begin(o) {
			w.block(o, 0, "")
		}
	}
	w.out.WriteString(one(w.drawer, "", "", "", "# behind it\n# more: of it\n", "...\n", "\n\n"))
	return w.out.String()
}

// block writes the entries of a collection at a column. first is what the line already has
// in the place of the column.
func (w *writer) block(value any, column int, first string) {
	begin := func() string {
		defer func() { first = "" }()
		if first != "" {
			return first
		}
		w.between(column)
		return strings.Repeat(" ", column)
	}
	switch v := value.(type) {
	case object:
		key, rest := w.merged(v)
		if key != "" {
			w.out.WriteString(begin() + key)
			w.endLine()
		}
		for _, f := range rest {
			w.field(f, column, begin())
		}
	case []any:
		for _, entry := range v {
			w.element(entry, column, begin())
		}
	}
}

func isBlock(value any) bool {
	switch v := value.(type) {
	case object:
		return len(v) > 0
	case []any:
		return len(v) > 0
	}
	return false
}

func (w *writer) field(f field, column int, begin string) {
	switch {
	case isBlock(f.value) && (w.comments > 0 && w.IntN(150) == 0 || w.rarely()):
		w.out.WriteString(begin + "? " + w.scalar(f.key, false) + one(w.drawer, "", " # of a key") + "\n" + strings.Repeat(" ", column) + ":")
	case w.rarely():
		w.out.WriteString(begin + w.scalar(f.key, false) + one(w.drawer, " :", "  :"))
	default:
		w.out.WriteString(begin + w.scalar(f.key, false) + ":")
	}
	if !isBlock(f.value) || w.IntN(100) < w.flow {
		w.value(f.value, column)
		return
	}
	if anchor, is := w.alias(f.value); is {
		w.out.WriteString(" *" + anchor)
		w.endLine()
		return
	}
	w.properties(f.value)
	w.endLine()
	below := column + w.step
	if _, is := f.value.([]any); is {
		below = column + w.dash
	}
	if w.rarely() {
		below += w.IntN(3)
	}
	w.block(f.value, below, "")
	w.odd.settle()
}

func (w *writer) element(value any, column int, begin string) {
	w.out.WriteString(begin + "-")
	switch {
	case !isBlock(value) || w.IntN(100) < w.flow:
		w.value(value, column)
	case w.IntN(10) == 0:
		w.properties(value)
		w.endLine()
		w.block(value, column+1+w.gap, "")
	default:
		w.block(value, column+1+w.gap, strings.Repeat(" ", w.gap))
	}
}

// value writes what is in the line of its key or dash.
func (w *writer) value(value any, column int) {
	if value == nil && w.IntN(2) == 0 {
		w.endLine()
		return
	}
	if text, is := value.(string); is && strings.Contains(text, "\n") && w.IntN(3) > 0 && !strings.HasPrefix(text, " ") {
		w.literal(text, column)
		return
	}
	if text, is := value.(string); is && w.rarely() && w.overLines(text, column) {
		return
	}
	if value != nil && w.rarely() {
		w.out.WriteString(w.apart(column))
	} else {
		w.out.WriteString(" ")
	}
	if anchor, is := w.alias(value); is {
		w.out.WriteString("*" + anchor + " ")
	} else {
		w.inFlow(value, column)
	}
	w.endLine()
}

// alias returns the anchor of an equal value, sometimes.
func (w *writer) alias(value any) (string, bool) {
	if !w.anchors || w.IntN(3) > 0 {
		return "", false
	}
	anchor, is := w.anchored[fmt.Sprintf("%#v", value)]
	return anchor, is
}

// anchor returns a new anchor of a value, sometimes.
func (w *writer) anchor(value any) string {
	if !w.anchors || value == nil || w.IntN(4) > 0 {
		return ""
	}
	w.number++
	name := fmt.Sprintf("a%d", w.number)
	w.anchored[fmt.Sprintf("%#v", value)] = name
	if o, is := value.(object); is {
		w.odd.begun[name] = o
	}
	return "&" + name + " "
}

// properties writes the anchor and the tag of a collection in a block, sometimes.
func (w *writer) properties(value any) {
	out := w.anchor(value)
	if w.anchors && w.IntN(12) == 0 {
		out += map[bool]string{true: "!!map", false: "!!seq"}[isObject(value)]
	}
	if out != "" {
		w.out.WriteString(" " + strings.TrimSpace(out))
	}
}

func isObject(value any) bool { _, is := value.(object); return is }

// literal writes a text of several lines as a block.
func (w *writer) literal(text string, column int) {
	w.literals = true
	body, ends := strings.CutSuffix(text, "\n")
	if w.rarely() && !strings.Contains(text, "\n ") {
		w.out.WriteString(" >")
		body = folded(body)
	} else {
		w.out.WriteString(" |")
	}
	if !ends {
		w.out.WriteString("-")
	}
	if w.IntN(100) < w.comments {
		w.out.WriteString(" # a text")
	}
	w.out.WriteString("\n")
	for line := range strings.SplitSeq(body, "\n") {
		if line != "" {
			line = strings.Repeat(" ", column+w.step+1) + line
		}
		w.out.WriteString(line + "\n")
	}
}

// inFlow writes a value as it is in brackets: over several lines, sometimes.
func (w *writer) inFlow(value any, column int) {
	switch v := value.(type) {
	case object:
		w.brackets("{", "}", len(v), column, w.anchor(value), func(i int) {
			if v[i].value == nil && w.IntN(2) == 0 {
				w.out.WriteString(w.scalar(v[i].key, true) + ": ") // without the blank, the API server reads the colon as a part of the key
				return
			}
			w.out.WriteString(w.scalar(v[i].key, true) + ": ")
			w.inFlow(v[i].value, column+2)
		})
	case []any:
		w.brackets("[", "]", len(v), column, w.anchor(value), func(i int) { w.inFlow(v[i], column+2) })
	default:
		if text, is := value.(string); is {
			w.out.WriteString(w.anchor(value) + w.scalar(text, true))
			return
		}
		if value == nil {
			w.out.WriteString(one(w.drawer, "null", "~"))
			return
		}
		fmt.Fprint(&w.out, value)
	}
}

func (w *writer) brackets(open, end string, n, column int, anchor string, entry func(i int)) {
	w.out.WriteString(anchor + open)
	rows := n > 0 && w.IntN(4) == 0
	blank := !rows && w.IntN(4) == 0
	next := func(column int) {
		if rows && w.IntN(100) < w.comments {
			w.number++
			fmt.Fprintf(&w.out, " # row %d", w.number)
		}
		if rows {
			w.out.WriteString("\n" + strings.Repeat(" ", column))
		}
	}
	if blank {
		w.out.WriteString(" ")
	}
	for i := range n {
		next(column + 4)
		entry(i)
		switch {
		case i < n-1 && rows && w.rarely():
			w.out.WriteString(one(w.drawer, " # before the comma", "") + "\n" + strings.Repeat(" ", column+2) + ",")
		case i < n-1 && rows:
			w.out.WriteString(",")
		case i < n-1:
			w.out.WriteString(one(w.drawer, ", ", ", ", ", ", " , "))
		case w.IntN(5) == 0:
			w.out.WriteString(",")
		}
	}
	if next(column + 2); blank {
		w.out.WriteString(" ")
	}
	w.out.WriteString(end)
}

// bare matches texts that need no quotes, in brackets or out of them.
var bare = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9._/-]*$`)

// outside matches texts that need no quotes where no brackets are.
var outside = regexp.MustCompile(`^[A-Za-zé0][A-Za-z0-9._/@:*é-]*[A-Za-z0-9é*]( [A-Za-z0-9*/,]+)*$`)

var reserved = map[string]bool{"true": true, "false": true, "null": true, "yes": true, "no": true, "on": true, "off": true, "y": true, "n": true}

// scalar returns a text in quotes, or without them.
func (w *writer) scalar(text string, flow bool) string {
	plain := bare.MatchString(text) || !flow && outside.MatchString(text) && !strings.HasPrefix(text, "0x") && strings.Trim(text, "0.123456789") != ""
	if plain && !reserved[strings.ToLower(text)] && w.IntN(100) >= w.quotes {
		return text
	}
	if w.IntN(2) == 0 && !strings.ContainsAny(text, "\n\t") {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	out, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	for _, c := range []string{"<", ">", "&"} {
		out = bytes.ReplaceAll(out, fmt.Appendf(nil, `\u%04x`, c[0]), []byte(c))
	}
	if w.IntN(3) == 0 {
		out = bytes.ReplaceAll(out, []byte("é"), []byte(`\u00e9`))
	}
	return string(out)
}

// between writes lines between the entries, sometimes.
func (w *writer) between(column int) {
	for w.IntN(100) < w.comments {
		w.number++
		switch w.IntN(4) {
		case 0:
			w.out.WriteString("\n")
		case 1:
			fmt.Fprintf(&w.out, "%s# note %d: é\n", strings.Repeat(" ", w.IntN(column+4)), w.number)
		default:
			fmt.Fprintf(&w.out, "%s# note: %d\n", strings.Repeat(" ", column), w.number)
		}
	}
}

// endLine ends a line, with a comment or blanks sometimes.
func (w *writer) endLine() {
	switch {
	case w.IntN(100) < w.comments:
		w.number++
		fmt.Fprintf(&w.out, "%s# beside %d, [not: {a} 'row\"", one(w.drawer, " ", "  "), w.number)
	case w.IntN(100) < w.comments/4:
		w.out.WriteString("  ")
	}
	w.out.WriteString("\n")
}
