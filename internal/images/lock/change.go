package lock

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Change is a difference between a lock and the registries.
type Change struct {
	// Locked is what the lock says; nil if the lock has no entry.
	Locked *registry.Image
	// Answer is what the registry says; nil if no template refers to the image any more.
	Answer *registry.Image
}

// Compare returns the changes that the registries' answers make to a lock, and the entries
// to drop, sorted by reference.
func Compare(l Lock, answers []registry.Image, dropped []imageref.Reference) []Change {
	var out []Change
	for _, answer := range answers {
		ref, err := imageref.Parse(answer.Reference)
		if err != nil {
			continue // a Resolver returns only valid references
		}
		locked, ok := l.Find(ref)
		answer = withKnownAbsent(answer, locked)
		switch {
		case !ok:
			out = append(out, Change{Answer: &answer})
		case !Same(locked, answer) || locked.Bundle != answer.Bundle || !slices.EqualFunc(locked.Absent, answer.Absent, samePlatform):
			out = append(out, Change{Locked: &locked, Answer: &answer})
		}
	}
	for _, ref := range dropped {
		if locked, ok := l.Find(ref); ok {
			out = append(out, Change{Locked: &locked})
		}
	}
	slices.SortFunc(out, func(a, b Change) int { return strings.Compare(a.Reference(), b.Reference()) })
	return out
}

// Reference returns the reference of the changed image.
func (c Change) Reference() string {
	if c.Answer != nil {
		return c.Answer.Reference
	}
	return c.Locked.Reference
}

// what describes the change: "-s390x", or a phrase if the architectures are the same.
func (c Change) what() string {
	switch {
	case c.Answer == nil:
		return "not used"
	case c.Locked == nil:
		return "not in the lock, has " + c.Answer.Platforms.Linux().String()
	}
	var signs []string
	before, after := c.Locked.Platforms, c.Answer.Platforms
	for _, a := range before.Linux().Minus(after.Linux()) {
		signs = append(signs, "-"+string(a))
	}
	for _, a := range after.Linux().Minus(before.Linux()) {
		signs = append(signs, "+"+string(a))
	}
	if len(signs) == 0 {
		signs = variants(before, after)
	}
	switch {
	case len(signs) > 0:
	case c.Answer.Bundle && !c.Locked.Bundle:
		return "an operator bundle image"
	case c.Locked.Bundle && !c.Answer.Bundle:
		return "not an operator bundle image"
	default:
		return "the same architectures, other content"
	}
	return strings.Join(signs, " ")
}

// variants returns the platforms that were removed and added although the architectures are
// the same.
func variants(before, after arch.Platforms) []string {
	var signs []string
	lost := func(sign string, from, to arch.Platforms) {
		for _, p := range from {
			if !slices.ContainsFunc(to, func(q arch.Platform) bool { return p.String() == q.String() }) {
				signs = append(signs, sign+strings.TrimPrefix(p.String(), "linux/"))
			}
		}
	}
	lost("-", before, after)
	lost("+", after, before)
	return signs
}

// digests returns the locked digest and the current one.
func (c Change) digests() string {
	switch {
	case c.Answer == nil:
		return ""
	case c.Locked == nil:
		return ", " + short(c.Answer.Digest)
	case c.Locked.Digest == c.Answer.Digest:
		return ", " + short(c.Answer.Digest) + ": the lock does not say what this digest has"
	}
	return fmt.Sprintf(", %s -> %s", short(c.Locked.Digest), short(c.Answer.Digest))
}

// short returns a digest in its usual short form.
func short(digest string) string {
	const prefix = len("sha256:") + 12
	return digest[:min(prefix, len(digest))]
}

// Text returns a line for each change, for the user:
//
//	rhel10-guest: -s390x (registry.example.com/rhel10-guest:latest, sha256:0123456789ab -> sha256:ba9876543210)
func Text(changes []Change) string {
	names := map[string]int{}
	for _, c := range changes {
		names[name(c.Reference())]++
	}
	var b strings.Builder
	for _, c := range changes {
		called := name(c.Reference())
		if names[called] > 1 {
			called = c.Reference()
		}
		b.WriteString(console.Escape(fmt.Sprintf("%s: %s (%s%s)", called, c.what(), c.Reference(), c.digests())) + "\n")
	}
	return b.String()
}

// name returns the last part of a repository.
func name(reference string) string {
	ref, err := imageref.Parse(reference)
	if err != nil {
		return reference
	}
	return path.Base(ref.Repository())
}

// section is one of the lists of a lock.
type section struct {
	key string
	// id identifies an entry, and sorts it. It returns false if it cannot.
	id func(entry *yaml.Node) (string, bool)
	// after is the list behind which goldenarch begins this one; nil if it begins it nowhere.
	after *section
}

var images = section{key: v1alpha1.LockedImages, id: func(entry *yaml.Node) (string, bool) {
	ref, err := imageref.Parse(yamlnode.Text(entry, "reference"))
	if err != nil {
		return yamlnode.Text(entry, "reference"), false
	}
	return ref.String(), true
}}

var operators = section{key: "operators", after: &images, id: func(entry *yaml.Node) (string, bool) {
	return operatorID(yamlnode.Text(entry, "package"), yamlnode.Text(entry, "csv")), true
}}

// edit changes or adds an entry of a list. Without fill it removes the entry.
type edit struct {
	id   string
	fill func(entry *yaml.Node)
}

// edit returns the change as an edit of the list of images.
func (c Change) edit() edit {
	e := edit{id: c.Reference()}
	if c.Answer != nil {
		e.fill = func(entry *yaml.Node) { fill(entry, *c.Answer) }
	}
	return e
}

// editsOf returns changes as edits.
func editsOf[C interface{ edit() edit }](changes []C) []edit {
	out := make([]edit, len(changes))
	for i, c := range changes {
		out[i] = c.edit()
	}
	return out
}

// block is the lines of an entry, with the comments above it.
type block struct {
	id    string
	head  []string
	lines []string
}

// blocks are the entries of a list. first and end are the lines of the list, and indent is
// the number of blanks before each dash.
type blocks struct {
	first, end, indent int
	entries            []block
}

// spliced makes the edits in the lines of a document. It returns false if the document does
// not have the list with its entries below its key.
func spliced(document string, l section, edits []edit) (string, bool) {
	ends := lineEnd(document)
	if !strings.HasSuffix(document, "\n") {
		document += ends
	}
	lines := strings.SplitAfter(document, "\n")
	lines = lines[:len(lines)-1]
	cut, key, ok := l.in(plain(document), lines)
	if !ok {
		return "", false
	}
	for _, e := range edits {
		i := slices.IndexFunc(cut.entries, func(b block) bool { return b.id == e.id })
		switch {
		case e.fill == nil && i >= 0:
			cut.entries = slices.Delete(cut.entries, i, i+1)
		case e.fill == nil:
		case i >= 0:
			text, err := edited(plain(strings.Join(cut.entries[i].lines, "")), e.fill, cut.indent)
			if err != nil {
				return "", false
			}
			cut.entries[i].lines = []string{ended(text, ends)}
		default:
			text, err := written(e.fill, cut.indent)
			if err != nil {
				return "", false
			}
			cut.entries = append(cut.entries, block{id: e.id, lines: []string{ended(text, ends)}})
		}
	}
	if len(cut.entries) == 0 {
		return "", false
	}
	slices.SortStableFunc(cut.entries, func(a, b block) int { return strings.Compare(a.id, b.id) })
	var b strings.Builder
	b.WriteString(strings.Join(lines[:cut.first], "") + ended(key, ends))
	for _, one := range cut.entries {
		b.WriteString(strings.Join(one.head, "") + strings.Join(one.lines, ""))
	}
	b.WriteString(strings.Join(lines[cut.end:], ""))
	return b.String(), true
}

// in returns the entries of the list in a document, or the place and the key of a list that
// does not exist yet.
func (l section) in(document string, lines []string) (cut blocks, key string, ok bool) {
	var node yaml.Node
	if err := yaml.Unmarshal([]byte(document), &node); err != nil || len(node.Content) != 1 {
		return blocks{}, "", false
	}
	if l.after == nil || yamlnode.Value(node.Content[0], l.key) != nil {
		cut, ok = l.blocksIn(node.Content[0], lines)
		return cut, "", ok
	}
	before, ok := l.after.blocksIn(node.Content[0], lines)
	return blocks{first: before.end, end: before.end, indent: before.indent}, l.key + ":\n", ok
}

// blocksIn cuts the list of an object into its entries.
func (l section) blocksIn(object *yaml.Node, lines []string) (blocks, bool) {
	node := yamlnode.Value(object, l.key)
	if node == nil || node.Kind != yaml.SequenceNode || node.Style&yaml.FlowStyle != 0 || len(node.Content) == 0 {
		return blocks{}, false
	}
	var out blocks
	var starts []int
	for _, item := range node.Content {
		id, ok := l.id(item)
		start := dashAbove(lines, item.Line-1)
		if !ok || start < 0 || item.Kind != yaml.MappingNode {
			return blocks{}, false
		}
		starts = append(starts, start)
		out.entries = append(out.entries, block{id: id})
	}
	out.indent = indentOf(lines[starts[0]])
	out.first = headOf(lines, starts[0], lineOf(object, l.key))
	out.end = headOf(lines, endOf(lines, starts[len(starts)-1], out.indent), starts[len(starts)-1]+1)
	from := out.first
	for i, start := range starts {
		to := out.end
		if i+1 < len(starts) {
			to = headOf(lines, starts[i+1], start+1)
		}
		if start < from || to <= start || indentOf(lines[start]) != out.indent {
			return blocks{}, false
		}
		out.entries[i].head, out.entries[i].lines = lines[from:start], lines[start:to]
		from = to
	}
	return out, true
}

// dashAbove returns the line at which an entry begins.
func dashAbove(lines []string, line int) int {
	for ; line >= 0 && line < len(lines); line-- {
		if strings.HasPrefix(strings.TrimLeft(lines[line], " "), "-") {
			return line
		}
	}
	return -1
}

// headOf returns the first of the blank and comment lines above a line. It does not go
// above the line lowest.
func headOf(lines []string, line, lowest int) int {
	for line > lowest && isComment(lines[line-1]) {
		line--
	}
	return line
}

// endOf returns the line after the list whose last entry begins at start: the next key of
// the document, its end marker, or its end.
func endOf(lines []string, start, indent int) int {
	for i := start + 1; i < len(lines); i++ {
		if !isComment(lines[i]) && indentOf(lines[i]) <= indent {
			return i
		}
	}
	return len(lines)
}

func isComment(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || strings.HasPrefix(line, "#")
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
