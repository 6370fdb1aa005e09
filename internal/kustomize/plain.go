package kustomize

import (
	"cmp"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/types"
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

// plainError is an error without contents of files.
type plainError struct {
	text string
	err  error
}

func (e plainError) Error() string { return e.text }

func (e plainError) Unwrap() error { return e.err }

// plain returns kustomize's error as it is, in one line, without the values of the files that
// kustomize read: it prints what it cannot use, and that may be a password.
func (d *disk) plain(err error) error {
	text := withoutObjects(err.Error())
	c := d.contents()
	text = asLine(address().ReplaceAllString(unquoted(text), "…"))
	for _, old := range longestFirst(c.inlines) {
		text = strings.ReplaceAll(text, old, inline)
	}
	text = withoutValues(text, longestFirst(c.values), longestFirst(c.paths))
	text = d.relative(text)
	if len(text) > longest { // the cause is at the end
		text = strings.ToValidUTF8(text[:longest/4], "") + " … " + strings.ToValidUTF8(text[len(text)-longest*3/4:], "")
	}
	return plainError{text: text, err: err}
}

// relative returns a text with the paths below the working directory, and below the root of the
// repository, as they are seen from there.
func (d *disk) relative(text string) string {
	const separator = string(filepath.Separator)
	at, err := os.Getwd()
	if err != nil || at == separator {
		return text
	}
	text = strings.ReplaceAll(text, at+separator, "")
	if d.library == nil || d.library.Root == "" || d.library.Root == separator {
		return text
	}
	if up, err := filepath.Rel(at, d.library.Root); err == nil {
		text = strings.ReplaceAll(text, d.library.Root+separator, up+separator)
	}
	return text
}

// withoutObjects returns an error without the lines of objects in it.
func withoutObjects(text string) string {
	if len(text) > maxMessage {
		text = strings.ToValidUTF8(text[:maxMessage], "")
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	out := lines[:1:1]
	for i, line := range lines[1:] {
		if i == len(lines)-2 || !ofObject().MatchString(line) {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// ofObject matches a line of YAML or JSON.
var ofObject = pattern.Of(`^\s*([-{}\[\]]|[\w./"-]+:( |$)|$)`)

// address matches the address of a value in memory, which is another one in each run.
var address = pattern.Of(`\b0x[0-9a-f]+\b`)

// asLine returns a text in one line.
func asLine(text string) string { return strings.Join(strings.Fields(text), " ") }

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

// withoutValues replaces values in a text, the longest first, but only whole words: a part of a
// longer word is not the value. A word of a path is not one, either.
func withoutValues(text string, values, paths []string) string {
	values = slices.DeleteFunc(slices.Clone(values), func(value string) bool { return !strings.Contains(text, value) })
	paths = slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return !strings.Contains(text, path) })
	starts := func(i int, all []string) string {
		for _, one := range all {
			rest, ok := strings.CutPrefix(text[i:], one)
			if ok && (rest == "" || !isWordByte(rest[0]) || !isWordByte(one[len(one)-1])) {
				return one
			}
		}
		return ""
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		path, value := "", ""
		if i == 0 || !isWordByte(text[i-1]) {
			path, value = starts(i, paths), starts(i, values)
		}
		switch {
		case len(path) >= max(len(value), 1):
			b.WriteString(path)
			i += len(path)
		case value != "":
			b.WriteString(notShown)
			i += len(value)
		default:
			b.WriteByte(text[i])
			i++
		}
	}
	return b.String()
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}

// nameFields are the fields of objects, kustomizations and plugins whose values identify
// something. Errors may show these values.
var nameFields = []string{
	"apiVersion", "kind", "name", "namespace", "group", "version", "type", "namePrefix", "nameSuffix", "op", "from", "behavior",
	"fieldPath", "fieldPaths", "fieldSpecs", "fieldRef", "objRef", "target", "select", "reject", "buildMetadata", "sortOptions",
}

// pathFields are the fields of kustomizations that name files and directories.
var pathFields = []string{
	"resources", "bases", "components", "crds", "configurations", "generators", "transformers", "validators",
	"path", "paths", "files", "env", "envs", "patchesStrategicMerge", "valuesFile", "additionalValuesFiles", "targetFilePath",
}

// named reports whether a field is in a list. Like kustomize, it ignores case.
func named(list []string, field string) bool {
	return slices.ContainsFunc(list, func(name string) bool { return strings.EqualFold(name, field) })
}

// shortest is the shortest length of a value that is removed from errors. Shorter values
// are also parts of other words.
const shortest = 4

// contents has the texts, values and paths in files, each in the form that an error may show.
type contents struct {
	inlines, values, paths map[string]bool
}

// contents returns what is in the files that were read.
func (d *disk) contents() contents {
	c := contents{inlines: map[string]bool{}, values: map[string]bool{}, paths: map[string]bool{}}
	for file, data := range d.read {
		c.path(file)
		c.document("", string(data), isEnv)
		if slices.Contains(konfig.RecognizedKustomizationFileNames(), filepath.Base(file)) {
			k, _ := decode(data)
			c.entries(filepath.Dir(file), k)
		}
	}
	return c
}

func longestFirst(set map[string]bool) []string {
	return slices.SortedFunc(maps.Keys(set), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
}

// path adds a file, and the directories around it.
func (c contents) path(file string) {
	for ; len(file) > 1 && filepath.Dir(file) != file; file = filepath.Dir(file) {
		c.paths[file] = true
	}
}

// entries adds the files that a kustomization names, also those that are not there, and the
// literals that name no key.
func (c contents) entries(dir string, k types.Kustomization) {
	sources, others := entriesOf(k)
	for _, entry := range slices.Concat(sources, others) {
		if entry != "" && !IsInline(entry) {
			c.path(filepath.Join(dir, entry))
			if strings.ContainsAny(entry, "/.") { // another word may be a value
				c.paths[entry] = true
			}
		}
	}
	for _, generator := range slices.Concat(k.ConfigMapGenerator, secretsAsMaps(k.SecretGenerator)) {
		for _, literal := range generator.LiteralSources {
			if !strings.Contains(literal, "=") {
				c.values[literal] = true
			}
		}
	}
}

// secrecy says which values of a document an error must not show.
type secrecy int

const (
	notWords secrecy = iota // a single word may be one of the message
	allOf                   // in a Secret, a generator or a text
	isEnv                   // all, if the document is not YAML
)

// document adds the values of a text. If the text is not valid YAML, it adds each line.
func (c contents) document(field, text string, how secrecy) {
	for part := range strings.SplitSeq("\n"+text, "\n---") {
		var tree any
		if err := k8syaml.Unmarshal([]byte(part), &tree); err == nil {
			if _, ok := tree.(string); !ok {
				c.tree(field, tree, secrecyOf(tree, how))
				continue
			}
		}
		for line := range strings.Lines(part) {
			c.line(line)
		}
	}
}

// secrecyOf returns the secrecy of an object in a file.
func secrecyOf(tree any, how secrecy) secrecy {
	if object, _ := tree.(map[string]any); how == allOf || object["kind"] == "Secret" {
		return allOf
	}
	return notWords
}

// line adds the values of a line of a text that is not valid YAML.
func (c contents) line(line string) {
	key, value, ok := strings.Cut(strings.TrimLeft(line, " -"), ":")
	if ok && (named(nameFields, key) || named(pathFields, key)) {
		return
	}
	if !ok {
		value = line
	}
	c.value(line, allOf)
	for _, word := range separators().Split(value, -1) {
		c.value(word, allOf)
	}
}

// separators matches the text between the words of such a line.
var separators = pattern.Of(`[\s\[\]{}"',:=]+`)

func (c contents) tree(field string, tree any, how secrecy) {
	switch tree := tree.(type) {
	case map[string]any:
		for key, value := range tree {
			if !named(nameFields, key) {
				inner := how
				if strings.EqualFold(key, "secretGenerator") {
					inner = allOf
				}
				c.tree(key, value, inner)
			}
		}
	case []any:
		for _, value := range tree {
			c.tree(field, value, how)
		}
	case string:
		c.text(field, tree, how)
	}
}

func (c contents) text(field, text string, how secrecy) {
	switch {
	case IsInline(text):
		c.inline(text)
		c.inline(strings.TrimPrefix(path.Clean("/"+text), "/")) // as a path that does not exist
		c.document(field, text, how)
	case named(pathFields, field):
	default:
		c.value(text, how)
		if _, value, ok := strings.Cut(text, "="); ok {
			c.value(value, how)
		}
	}
}

func (c contents) inline(text string) {
	if text = asLine(unquoted(text)); len(text) >= shortest && strings.Contains(text, " ") {
		c.inlines[text] = true
	}
}

// word matches a single word.
var word = pattern.Of(`^[A-Za-z]+$`)

func (c contents) value(text string, how secrecy) {
	text = strings.Trim(asLine(unquoted(text)), `"'*&`)
	if len(text) >= shortest && (how == allOf || !word().MatchString(text)) {
		c.values[text] = true
	}
}
