package definition

import (
	"cmp"
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/test/filetest"
)

// references are the pages with the table of a kind.
var references = map[string]string{
	v1alpha1.GoldenImagesKind:          "docs/configuration.md",
	v1alpha1.ClusterArchitecturesKind:  "docs/configuration.md",
	v1alpha1.WorkloadArchitecturesKind: "docs/configuration.md",
	v1alpha1.FleetKind:                 "docs/fleet.md",
}

// mirrored are the types whose fields are those of another project: its reference has them.
var mirrored = []reflect.Type{
	reflect.TypeFor[v1alpha1.ObjectMeta](), reflect.TypeFor[v1alpha1.RegistrySource](), reflect.TypeFor[v1alpha1.PredefinedStatus](),
}

// field is a row of a table.
type field struct {
	path, standard, text string
	values               []string // the words that can be written, if these are known
	form                 string   // else what is written
}

// TestReferenceIsFresh: the tables of the pages have each field of the kinds, with the key of --set, the values, the default, and the
// sentence of the Go comment.
func TestReferenceIsFresh(t *testing.T) {
	for kind, page := range references {
		r := reference{page: page, kind: kind, keys: map[string]string{}}
		if kind == v1alpha1.GoldenImagesKind {
			for _, scalar := range v1alpha1.Scalars() {
				r.keys[scalar.Path] = scalar.Key
			}
		}
		standard := defaultsOf(t, kind)
		r.fields(t, kinds[kind], "", standard)
		for path := range r.keys {
			if !slices.ContainsFunc(r.rows, func(f field) bool { return f.path == path }) {
				t.Errorf("the key of %s belongs to no field", path)
			}
		}
		filetest.Part(t, filepath.Join(root, page), kind, r.table(), *update)
	}
}

// reference makes the table of a kind.
type reference struct {
	page, kind string
	keys       map[string]string // of --set, by path
	from       sources
	rows       []field
	seen       []reflect.Type // of lists: each has its fields once
}

// fields adds a row for each field of a type, in order, and those of the fields below it.
func (r *reference) fields(t *testing.T, typ reflect.Type, at string, defaults any) {
	t.Helper()
	if r.from == nil {
		r.from = sources{}
	}
	for f := range typ.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || strings.HasPrefix(at, "spec.registry") && r.kind != v1alpha1.GoldenImagesKind || name == "metadata" && at == "" {
			continue // what each kind has
		}
		below, _ := defaults.(map[string]any)
		path, inner := fieldpath.Join(at, name), f.Type
		for inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		row := field{path: path, text: r.from.of(t, typ).comments[typ.Name()+"."+f.Name]}
		isElsewhere := strings.HasPrefix(row.text, "As ")
		isOurs := inner.Kind() == reflect.Struct && strings.HasPrefix(inner.PkgPath(), module) && !slices.Contains(mirrored, inner)
		if isOurs && !isElsewhere {
			r.fields(t, inner, path, below[name])
			continue
		}
		row.form, row.values = r.form(t, inner)
		if standard := below[name]; standard != nil && inner.Kind() != reflect.Slice && inner.Kind() != reflect.Struct {
			row.standard = fmt.Sprintf("`%v`", standard)
		}
		if !strings.Contains(f.Tag.Get("json"), ",omit") {
			row.standard = "required"
		}
		if !isElsewhere {
			row.text += " " + coded(r.from.of(t, typ).meanings[inner.Name()], row.values)
		}
		if path != "clusters" {
			r.rows = append(r.rows, row.linked(r.page))
		}
		if inner.Kind() == reflect.Slice && inner.Elem().Kind() == reflect.Struct && !slices.Contains(r.seen, inner) {
			r.seen = append(r.seen, inner)
			r.fields(t, inner.Elem(), path+"[]", nil)
		}
	}
}

// coded returns a text about words of a field with these as code.
func coded(text string, values []string) string {
	words := strings.Fields(text)
	for i, word := range words {
		bare := strings.TrimRight(word, ".,:")
		for _, value := range values {
			if title := strings.ToUpper(value[:1]) + value[1:]; bare == value || bare == title {
				words[i] = "`" + value + "`" + strings.TrimPrefix(word, bare)
			}
		}
	}
	return strings.Join(words, " ")
}

// form says what can be written into a field: a form, or words.
func (r *reference) form(t *testing.T, typ reflect.Type) (string, []string) {
	t.Helper()
	switch typ.Kind() {
	case reflect.Slice, reflect.Map:
		form := map[reflect.Kind]string{reflect.Slice: "list", reflect.Map: "map"}[typ.Kind()]
		_, values := r.form(t, typ.Elem())
		return form, values
	case reflect.Bool:
		return "boolean", nil
	case reflect.Int:
		return "number", nil
	case reflect.Struct:
		return "object", nil
	default:
		if typ.PkgPath() == "" {
			return "", nil
		}
		return "", r.from.of(t, typ).values[typ.Name()]
	}
}

// written returns the cell of a row about values and the default.
func (f field) written() string {
	var words []string
	for _, value := range f.values {
		if word := "`" + value + "`"; word == f.standard {
			words = append(words, "**"+word+"**")
		} else {
			words = append(words, word)
		}
	}
	out := strings.TrimSpace(f.form + " " + strings.Join(words, ", "))
	switch {
	case f.standard == "" || strings.Contains(out, "**"):
		return out
	case f.standard == "required":
		return strings.TrimPrefix(out+", required", ", ")
	}
	return strings.TrimPrefix(out+"; **"+f.standard+"**", "; ")
}

var (
	standardText = regexp.MustCompile(` ?Default: ([^.]*(?:\.[^ ][^.]*)*)\.`)
	seePage      = regexp.MustCompile(` ?See docs/([a-z]+\.md)(#[a-z-]+)?\.`)
)

// linked returns a row with the default of its comment in its column, and with a link in place of the name of a page.
func (f field) linked(page string) field {
	if found := standardText.FindStringSubmatch(f.text); found != nil {
		f.standard = cmp.Or(f.standard, found[1])
		f.text = strings.Replace(f.text, found[0], "", 1)
	}
	more := ""
	f.text = seePage.ReplaceAllStringFunc(f.text, func(see string) string {
		found := seePage.FindStringSubmatch(see)
		target := found[1] + found[2]
		if found[1] == filepath.Base(page) {
			target = found[2]
		}
		more = " [More](" + target + ")"
		return ""
	})
	f.text = strings.TrimSpace(strings.ReplaceAll(f.text, "  ", " ")) + more
	return f
}

// table returns the rows in Markdown.
func (r *reference) table() string {
	var b strings.Builder
	key := func(field) string { return "" }
	b.WriteString("| field | ")
	if len(r.keys) > 0 {
		b.WriteString("key | ")
		key = func(f field) string {
			if name := r.keys[f.path]; name != "" {
				return " `" + name + "` |"
			}
			return " |"
		}
	}
	b.WriteString("values, **default** | what it does |\n|---|---|---|" + strings.Repeat("---|", min(len(r.keys), 1)) + "\n")
	for _, f := range r.rows {
		fmt.Fprintf(&b, "| `%s` |%s %s | %s |\n", r.short(f.path), key(f), f.written(), f.text)
	}
	return b.String()
}

// short returns a path without what all fields of the kind begin with.
func (r *reference) short(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, "clusters[]."), "spec.")
}
