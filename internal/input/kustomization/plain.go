package kustomization

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

const (
	inline   = "(inline content)"
	notShown = "(not shown)"
	// longest is how many characters of a kustomize error a message shows. kustomize's
	// errors name each directory on the way to the file.
	longest = 800
	// maxMessage is the length up to which goldenarch searches a kustomize error for
	// contents of files. A longer error repeats a whole file.
	maxMessage = 256 << 10
)

// headOf returns the text of an error before its first name or quotation.
func headOf(text string) string {
	if end := strings.IndexAny(text, "'\"`{[\n\\"); end >= 0 {
		text = text[:end]
	}
	if len(text) > longest {
		return ""
	}
	return text
}

// plainError is an error without contents of files.
type plainError struct {
	text string
	err  error
}

func (e plainError) Error() string { return e.text }

func (e plainError) Unwrap() error { return e.err }

// plain removes from an error the contents of the files that kustomize read. kustomize
// prints values that it cannot use, and such a value may be a password. The message still
// says what failed, and in which file: the paths of the build stay. The cause comes first.
func (d *disk) plain(dir string, err error) error {
	if len(err.Error()) > maxMessage {
		return plainError{text: headOf(err.Error()) + notShown, err: err}
	}
	inlines, values := d.contents()
	text := unquoted(err.Error())
	for _, known := range knownPlaces {
		text = known.at().ReplaceAllString(text, known.instead)
	}
	text = withoutInlines(text, inlines)
	text = inNoFile().ReplaceAllString(text, "it is "+inline+" that is neither YAML nor a file")
	if first, rest, cut := strings.Cut(text, "\n"); cut && !strings.Contains(first, "Failed to read kustomization file") {
		text = strings.TrimRight(first, " :") // the text below has whole objects
	} else if cut {
		text = first + " " + rest
	}
	text = strings.Join(strings.Fields(text), " ")
	known := newBuildPaths(dir, d.read)
	known.limit(text)
	text = withoutValues(text, values, known)
	cause := known.cause(text)
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "…"
	}
	if cause != "" {
		text = cause + "; kustomize says: " + text
	}
	return plainError{text: text, err: err}
}

// unquoted removes the quoting of nested errors: kustomize quotes once more for each
// component.
func unquoted(text string) string {
	for {
		next := strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\"`, `"`).Replace(text)
		if next == text {
			return text
		}
		text = next
	}
}

// inNoFile matches kustomize's error for an entry that is neither an object nor a file.
// kustomize prints the whole entry as a path.
var inNoFile = pattern.Of(`(?s)evalsymlink failure on '[^']*\(inline content\)' : lstat .*?: (?:no such file or directory|file name too long)`)

// withoutInlines replaces inline texts in a text, the longest first.
func withoutInlines(text string, inlines []string) string {
	const long = 512 // above this length, the time of a replacer is quadratic
	var pairs []string
	for _, old := range inlines {
		switch {
		case len(old) > len(text):
		case len(old) > long:
			text = strings.ReplaceAll(text, old, inline)
		default:
			pairs = append(pairs, old, inline)
		}
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// withoutValues replaces values in a text, the longest first, but only whole words: a part of a
// longer word is not the value. A word of a path is not one, either.
func withoutValues(text string, values []string, known *buildPaths) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		if path := known.at(text, i); path != "" {
			b.WriteString(path)
			i += len(path)
			continue
		}
		n := 0
		if i == 0 || !isWordByte(text[i-1]) {
			for _, old := range values {
				rest, is := strings.CutPrefix(text[i:], old)
				if is && (rest == "" || !isWordByte(rest[0]) || !isWordByte(old[len(old)-1])) {
					n = len(old)
					break
				}
			}
		}
		if n == 0 {
			b.WriteByte(text[i])
			i++
			continue
		}
		b.WriteString(notShown)
		i += n
	}
	return b.String()
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}

// knownPlaces are the messages in which kustomize prints content of files (kustomize api,
// v0.21.2), with their replacements.
var knownPlaces = []struct {
	at      func() *regexp.Regexp
	instead string
}{
	// internal/target/kusttarget.go: configureBuiltinPlugin
	{pattern.Of("(?s) with config: `\n.*\n`"), ""},
	// internal/builtins/PatchTransformer.go
	{pattern.Of(`(?s)\[patch: .*\]`), inline},
	{pattern.Of(`(?s)(must specify one of patch and path|patch and path can't be set at the same time)(?: in)?\n.*`), "$1"},
	// internal/builtins/PatchJson6902Transformer.go
	{pattern.Of(`(?s)(must specify a target for patch) .*`), "$1"},
	{pattern.Of(`(?s)\bdecoding \S.*: `), "decoding " + inline + ": "},
	// kv/kv.go
	{pattern.Of(`(?s)(literal sources) \[.*\]: `), "$1: "},
	{pattern.Of(`(?s)invalid literal source .*, expected key=value`), "a literal is not of the form key=value"},
	{pattern.Of(`(?s)line .* has invalid utf8 bytes : .*`), "a line is not UTF-8"},
	// filters/replacement/replacement.go
	{pattern.Of(`(?s)(options\.index -?\d+ is out of bounds) for value .*`), "$1"},
	// filters/refvar/refvar.go
	{pattern.Of(`(?s)(invalid map key): .*`), "$1"},
	// internal/target/kusttarget.go: a generator as Go prints it, with addresses
	{pattern.Of(`(?s)generator &\{.*\}: `), "a generator: "},
	// resmap/reswrangler.go: an id as Go prints it
	{pattern.Of(`id resid\.ResId\{Gvk:resid\.Gvk\{[^}]*Kind:"([^"]*)"[^}]*\}, Name:"([^"]*)", Namespace:"[^"]*"\}`), `$1 "$2"`},
	// the YAML and JSON readers
	{pattern.Of(`(?s)unknown anchor '.*' referenced`), "an alias has no anchor"},
	{pattern.Of(`(?s)cannot unmarshal (!!\w+) .*? into`), "cannot unmarshal $1 into"},
	{pattern.Of(`(?s)(strconv\.\w+): parsing ".*": `), "$1: "},
}

// nameFields are the fields of objects, kustomizations and plugins whose values identify
// something. Errors may show these values.
var nameFields = []string{
	"apiVersion", "kind", "name", "namespace", "group", "version", "type", "namePrefix", "nameSuffix", "op", "from", "behavior",
	"fieldPath", "fieldPaths", "fieldSpecs", "fieldRef", "objRef", "target", "select", "reject", "buildMetadata", "sortOptions",
}

// shortest is the shortest length of a value that is removed from errors. Shorter values
// are also parts of other words.
const shortest = 4

// common matches a value that is probably a word of the message itself. The longer words
// are those of kustomize's messages, which reveal nothing about a file. All words of causes are
// among them: a script has many of them.
var common = pattern.Of(`^([a-z]{1,5}|accumulat(ing|ion)|already|candidate|detected|directory|disabled|evalsymlink|external|failed|failure|` +
	`File|generators?|invalid|kustomiz(ation|e)|Kustomization|loading|MalformedYAMLError|matches|merging|metadata|missing|plugins?|` +
	`registered|resolve|[Rr]esources?|security|sources?|target|transformers?|unable|unique|unknown)$`)

// contents has the texts and values in files.
type contents struct {
	inlines, values map[string]bool
}

// contents returns the inline texts of the files that were read, and their single values,
// each in the forms that an error may show. The longest come first.
func (d *disk) contents() (inlines, values []string) {
	c := contents{inlines: map[string]bool{}, values: map[string]bool{}}
	for _, data := range d.read {
		c.document("", string(data))
	}
	for _, text := range slices.Collect(maps.Keys(c.inlines)) {
		// This is the form in an error about a path that does not exist.
		// Dots at its end can leave a single word of it, which is a value like others.
		if cleaned := strings.TrimPrefix(path.Clean("/"+text), "/"); isInline(cleaned) {
			c.inlines[cleaned] = true
		} else {
			c.value(cleaned)
		}
	}
	return longestFirst(c.inlines), longestFirst(c.values)
}

func longestFirst(set map[string]bool) []string {
	return slices.SortedFunc(maps.Keys(set), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
}

// document adds the values of a text. If the text is not valid YAML, it adds each line.
func (c contents) document(field, text string) {
	for part := range strings.SplitSeq("\n"+text, "\n---") {
		var tree any
		if err := k8syaml.Unmarshal([]byte(part), &tree); err == nil {
			if _, is := tree.(string); !is {
				c.tree(field, tree)
				continue
			}
		}
		for line := range strings.Lines(part) {
			c.line(line)
		}
	}
}

// line adds the values of a line of a text that is not valid YAML.
func (c contents) line(line string) {
	key, value, is := strings.Cut(strings.TrimLeft(line, " -"), ":")
	if is && (named(nameFields, key) || named(pathFields, key)) {
		return
	}
	if !is {
		value = line
	}
	c.value(line)
	for _, word := range separators().Split(value, -1) {
		c.value(word)
	}
}

// separators matches the text between the words of such a line.
var separators = pattern.Of(`[\s\[\]{}"',:=]+`)

func (c contents) tree(field string, tree any) {
	switch tree := tree.(type) {
	case map[string]any:
		for key, value := range tree {
			if !named(nameFields, key) {
				c.tree(key, value)
			}
		}
	case []any:
		for _, value := range tree {
			c.tree(field, value)
		}
	case string:
		c.text(field, tree)
	}
}

func (c contents) text(field, text string) {
	switch {
	case isInline(text):
		c.inlines[unquoted(text)] = true
		c.inlines[unquoted(strings.TrimSpace(text))] = true
		c.document(field, text)
	case named(pathFields, field):
	default:
		c.value(text)
		if _, value, is := strings.Cut(text, "="); is {
			c.value(value)
		}
	}
}

func (c contents) value(text string) {
	text = strings.Trim(strings.Join(strings.Fields(unquoted(text)), " "), `"'`)
	if len(text) >= shortest && !common().MatchString(text) {
		c.values[text] = true
	}
}
