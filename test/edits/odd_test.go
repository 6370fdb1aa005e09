package edits

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
)

// odd is what a writer has for the styles that few people write.
type odd struct {
	often int // of a hundred places, how many have such a style
	// whole are the mappings that others can merge, by their anchors, and begun those whose
	// lines are not all written.
	whole, begun map[string]object
}

func newOdd(often int) odd { return odd{often, map[string]object{}, map[string]object{}} }

// rarely reports whether a place has an odd style.
func (w *writer) rarely() bool { return w.IntN(100) < w.odd.often }

// settle says that the mappings that have begun are whole.
func (o *odd) settle() {
	maps.Copy(o.whole, o.begun)
	clear(o.begun)
}

// merged returns a merge key for fields of a mapping, and the other fields; "" if there is no
// mapping that has such fields, or sometimes.
func (w *writer) merged(o object) (key string, rest object) {
	if w.odd.often == 0 || w.IntN(2) == 0 {
		return "", o
	}
	for i := range w.number + 1 {
		anchor := fmt.Sprintf("a%d", i)
		from := w.odd.whole[anchor]
		if len(from) == 0 {
			continue
		}
		rest := object{}
		for _, f := range o {
			if !has(from, f) {
				rest = append(rest, f)
			}
		}
		if len(rest) == len(o)-len(from) {
			return "<<: " + one(w.drawer, "*"+anchor, "[*"+anchor+"]"), rest
		}
	}
	return "", o
}

func has(o object, f field) bool {
	for _, other := range o {
		if other.key == f.key && fmt.Sprintf("%#v", other.value) == fmt.Sprintf("%#v", f.value) {
			return true
		}
	}
	return false
}

// begin writes something behind the marker of a document. It reports whether that is the whole
// document.
func (w *writer) begin(o object) bool {
	text, is := strings.CutSuffix(w.out.String(), "---\n")
	if !is || !w.rarely() {
		return false
	}
	w.out.Reset()
	w.out.WriteString(text + "---")
	if w.IntN(2) == 0 {
		w.out.WriteString(one(w.drawer, " !!map\n", "\t# tab\n"))
		return false
	}
	w.out.WriteString(" ")
	w.inFlow(o, 0)
	w.endLine()
	return true
}

// apart returns what is between a colon or a dash and a value.
func (w *writer) apart(column int) string {
	below := "\n" + strings.Repeat(" ", column+1+w.IntN(3))
	return one(w.drawer, "   ", below, " # before it\n"+below+"# more"+below)
}

// overLines writes a text over several lines, or with a tag. It reports false for a text that
// the style that was drawn cannot have.
func (w *writer) overLines(text string, column int) bool {
	below := "\n" + strings.Repeat(" ", column+1+w.IntN(4))
	words := strings.Split(text, " ")
	isWords := len(words) > 1 && strings.Join(strings.Fields(text), " ") == text
	var written string
	switch form := w.IntN(5); {
	case form == 0 && isWords && outside.MatchString(text):
		written = strings.Join(words, below)
	case form == 1 && isWords:
		written = "'" + strings.Join(strings.Split(strings.ReplaceAll(text, "'", "''"), " "), below) + "'"
	case form == 2 && strings.Contains(text, "/") && bare.MatchString(text): // a break that is no part of the text
		written = `"` + strings.Replace(text, "/", `\`+below+"/", 1) + `"`
	case form == 3 && text != "" && !strings.HasPrefix(text, " ") && !strings.Contains(text, "\n"):
		w.literals = true
		w.out.WriteString(" " + one(w.drawer, ">-", "|-", ">- # folded", "|- # literal") + "\n" + strings.Repeat(" ", column+2) + text + "\n" +
			one(w.drawer, "", "", "\n"))
		return true
	case form == 4:
		quoted, err := json.Marshal(text)
		if err != nil {
			panic(err) // every text can be encoded
		}
		written = one(w.drawer, "!!str ", "!!str   ") + string(quoted)
	default:
		return false
	}
	w.out.WriteString(" " + written)
	w.endLine()
	return true
}

// folded returns a text of several lines as a folded block has it.
func folded(text string) string {
	lines := strings.Split(text, "\n")
	out := lines[0]
	for _, line := range lines[1:] {
		if out += "\n"; line != "" {
			out += "\n"
		}
		out += line
	}
	return out
}
