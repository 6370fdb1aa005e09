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

// plain returns kustomize's error as it is, in one line, without the values of the files that
// kustomize read: it prints what it cannot use, and that may be a password.
func (d *disk) plain(err error) error {
	text := unquoted(withoutObjects(err.Error()))
	text = d.contents().withoutValues(asLine(address().ReplaceAllString(text, "…")))
	text = d.relative(text)
	if len(text) > longest { // the cause is at the end
		text = strings.ToValidUTF8(text[:longest/4], "") + " … " + strings.ToValidUTF8(text[len(text)-longest*3/4:], "")
	}
	out := NewFailure(err)
	out.Text = text
	return out
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
	if d.library.Root == "" || d.library.Root == separator {
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

// withoutValues replaces the values of files in a text, the longest first, but only whole words: a part
// of a longer word is not the value. A word of a path is not one, either.
func (c contents) withoutValues(text string) string {
	maps.DeleteFunc(c, func(one, _ string) bool { return !strings.Contains(text, one) })
	all := slices.SortedFunc(maps.Keys(c), func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	var b strings.Builder
	for i := 0; i < len(text); {
		at := -1
		if i == 0 || !isWordByte(text[i-1]) {
			at = slices.IndexFunc(all, func(one string) bool {
				rest, ok := strings.CutPrefix(text[i:], one)
				return ok && (rest == "" || !isWordByte(rest[0]) || !isWordByte(one[len(one)-1]))
			})
		}
		if at < 0 {
			b.WriteByte(text[i])
			i++
			continue
		}
		b.WriteString(c[all[at]])
		i += len(all[at])
	}
	return b.String()
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}

// shownFields are the fields of objects, kustomizations and plugins whose values identify
// something, or name files and directories. Errors may show these values.
var shownFields = []string{
	"apiVersion", "kind", "name", "namespace", "group", "version", "type", "namePrefix", "nameSuffix", "op", "from", "behavior",
	"fieldPath", "fieldPaths", "fieldSpecs", "fieldRef", "objRef", "target", "select", "reject", "buildMetadata", "sortOptions",
	"resources", "bases", "components", "crds", "configurations", "generators", "transformers", "validators",
	"path", "paths", "files", "env", "envs", "patchesStrategicMerge", "valuesFile", "additionalValuesFiles", "targetFilePath",
}

// isShown reports whether errors may show the values of a field. Like kustomize, it ignores case.
func isShown(field string) bool {
	return slices.ContainsFunc(shownFields, func(name string) bool { return strings.EqualFold(name, field) })
}

// shortest is the shortest length of a value that is removed from errors. Shorter values
// are also parts of other words.
const shortest = 4

// contents has the texts, values and paths in files, each in the form that an error may show, and
// what a message has in its place. Of a path that is the path.
type contents map[string]string

// contents returns what is in the files that were read.
func (d *disk) contents() contents {
	c := contents{}
	for _, data := range d.read {
		c.document(string(data), false)
	}
	for file, data := range d.read {
		c.path(file)
		if slices.Contains(konfig.RecognizedKustomizationFileNames(), filepath.Base(file)) {
			k, _ := decode(data)
			c.entries(filepath.Dir(file), k)
		}
	}
	c.path(d.request.Dir)
	return c
}

// path adds a file, and the directories around it.
func (c contents) path(file string) {
	for ; len(file) > 1 && filepath.Dir(file) != file; file = filepath.Dir(file) {
		c[file] = file
	}
}

// entries adds the files that a kustomization names, also those that are not there, and the literals that name no key: kustomize
// shows them.
func (c contents) entries(dir string, k types.Kustomization) {
	sources, others := entriesOf(k)
	for _, entry := range slices.Concat(sources, others) {
		if entry != "" && !IsInline(entry) {
			c.path(filepath.Join(dir, entry))
			if strings.ContainsAny(entry, "/.") { // another word may be a value
				c[entry] = entry
			}
		}
	}
	for _, generator := range k.ConfigMapGenerator { // those of Secrets are secret in any case
		for _, literal := range generator.LiteralSources {
			if !strings.Contains(literal, "=") {
				c.value(literal, true)
			}
		}
	}
}

// document adds the values of a text. If the text is not valid YAML, it adds each line and each word.
// Of what is secret, each word counts; another single word may be one of the message.
func (c contents) document(text string, secret bool) {
	for part := range strings.SplitSeq("\n"+text, "\n---") {
		var tree any
		err := k8syaml.Unmarshal([]byte(part), &tree)
		if _, isText := tree.(string); err == nil && !isText {
			object, _ := tree.(map[string]any)
			c.tree(tree, false, secret || object["kind"] == "Secret")
			continue
		}
		for line := range strings.Lines(part) {
			key, value, ok := strings.Cut(strings.TrimLeft(line, " -"), ":")
			if ok && isShown(key) {
				continue
			}
			if !ok {
				value = line
			}
			c.value(line, true)
			for _, word := range separators().Split(value, -1) {
				c.value(word, true)
			}
		}
	}
}

// separators matches the text between the words of such a line.
var separators = pattern.Of(`[\s\[\]{}"',:=]+`)

// tree adds the values of a tree; those of a field that is shown only if they are objects.
func (c contents) tree(tree any, shown, secret bool) {
	switch tree := tree.(type) {
	case map[string]any:
		for key, value := range tree {
			c.tree(value, isShown(key), secret || strings.EqualFold(key, "secretGenerator"))
		}
	case []any:
		for _, value := range tree {
			c.tree(value, shown, secret)
		}
	case string:
		switch {
		case IsInline(tree):
			c.inline(tree)
			c.inline(strings.TrimPrefix(path.Clean("/"+tree), "/")) // as a path that does not exist
			c.document(tree, secret)
		case !shown:
			c.value(tree, secret)
			if _, value, ok := strings.Cut(tree, "="); ok {
				c.value(value, secret)
			}
		}
	}
}

func (c contents) inline(text string) {
	if text = asLine(unquoted(text)); len(text) >= shortest && strings.Contains(text, " ") {
		c[text] = inline
	}
}

// word matches a single word.
var word = pattern.Of(`^[A-Za-z]+$`)

func (c contents) value(text string, secret bool) {
	text = strings.Trim(asLine(unquoted(text)), `"'*&`)
	if len(text) >= shortest && (secret || !word().MatchString(text)) && c[text] == "" { // or it is an inline text
		c[text] = notShown
	}
}
