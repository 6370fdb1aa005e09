package kustomization

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

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
// are those of kustomize's messages, which reveal nothing about a file.
var common = pattern.Of(`^([a-z]{1,5}|accumulat(ing|ion)|disabled|evalsymlink|external|failed|failure|generators?|` +
	`kustomization|kustomize|loading|plugins?|resolve|resources?|transformers?|unable)$`)

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
