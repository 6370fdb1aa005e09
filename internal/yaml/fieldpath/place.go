package fieldpath

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// Place is where a file has a CR, or the spec of one.
type Place struct {
	// File is the file, as the user named it.
	File string
	// Steps lead to the place: the keys of objects and the indexes of lists.
	Steps []string
	// Version is the API version of the CR if the place has only its spec, such as
	// v1beta1; otherwise "".
	Version string
	// Text is the place as the user wrote it.
	Text string
}

// String returns the place as the user wrote it.
func (p Place) String() string { return p.Text }

// versions are the API versions that a spec can have.
var versions = []string{"v1beta1", "v1"}

// ParsePlace reads FILE#PATH or FILE#PATH@VERSION. The path begins after the first "#".
func ParsePlace(text string) (Place, error) {
	file, path, ok := strings.Cut(text, "#")
	switch {
	case !ok || file == "":
		return Place{}, fmt.Errorf("%q: expected FILE#PATH, such as values.yaml#hyperconverged.cr", text)
	case isEmpty(path):
		return Place{}, fmt.Errorf("%q: the path is empty: expected one such as hyperconverged.cr; pass a file that is a CR as PATH", text)
	}
	out, err := PlaceIn(file, path)
	if err != nil {
		return Place{}, fmt.Errorf("%q: %w", text, err)
	}
	return out, nil
}

// isEmpty reports whether a path leads to no place inside a file.
func isEmpty(path string) bool { return path == "" || path == "." || path == "/" }

var errEmpty = errors.New("the path is empty: expected one such as hyperconverged.cr")

// PlaceIn reads PATH or PATH@VERSION: a place in a file.
func PlaceIn(file, path string) (Place, error) {
	if isEmpty(path) {
		return Place{}, errEmpty
	}
	out := Place{File: file, Text: file + "#" + path}
	for _, version := range versions {
		if before, has := strings.CutSuffix(path, "@"+version); has {
			path, out.Version = before, version
			break // what is before it is part of a key
		}
	}
	var err error
	if strings.HasPrefix(path, "/") {
		out.Steps, err = pointer(path)
	} else {
		out.Steps, err = dotted(path)
	}
	if err != nil {
		return Place{}, err
	}
	return out, nil
}

// pointer cuts a JSON pointer into its steps (RFC 6901).
func pointer(path string) ([]string, error) {
	var out []string
	for step := range strings.SplitSeq(path[1:], "/") {
		rest := strings.NewReplacer("~0", "", "~1", "").Replace(step)
		if strings.Contains(rest, "~") {
			return nil, fmt.Errorf("%q is not a JSON pointer: write ~ as ~0, and / in a key as ~1", path)
		}
		out = append(out, strings.NewReplacer("~1", "/", "~0", "~").Replace(step))
	}
	return out, nil
}

// plainKey matches a key that needs no quotes.
var plainKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][\w-]*$`) })

// Quoted returns the path of steps as a user writes it for yq, and for --cr-path.
func Quoted(steps []string) string {
	var out strings.Builder
	for _, step := range steps {
		switch {
		case IsIndex(step):
			fmt.Fprintf(&out, "[%s]", step)
		case !plainKey().MatchString(step):
			fmt.Fprintf(&out, `["%s"]`, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(step))
		case out.Len() > 0:
			out.WriteString("." + step)
		default:
			out.WriteString(step)
		}
	}
	return out.String()
}

// quotedKey is the expression for a key in quotes. Between double quotes, a backslash takes the next
// character as it is.
const quotedKey = `"(?:\\.|[^"\\])*"|'[^']*'`

var (
	// step matches a step behind others: an index or a quoted key in brackets, or, behind a dot, a quoted
	// key or one without quotes, in which a backslash takes the next character as it is.
	step = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?s)^(?:\.?\[(?:(\d+)|(` + quotedKey + `))\]|\.(?:(` + quotedKey + `)|((?:\\.|[^."'\[\\])(?:\\.|[^.\[\\])*)))`)
	})
	// escaped matches a backslash with its character.
	escaped = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)\\(.)`) })
)

var errStep = errors.New(`expected keys with dots between them, such as hyperconverged.cr, and an index or a quoted key in brackets, such as [0] or ["a.b"]`)

// dotted cuts a path in the form of yq and of helm's --set into its steps: a.b, .a.b,
// a[0], a["b.c"], a."b.c", a\.b.
func dotted(path string) ([]string, error) {
	if !strings.HasPrefix(path, ".") && !strings.HasPrefix(path, "[") {
		path = "." + path
	}
	var out []string
	for path != "" {
		found := step().FindStringSubmatch(path)
		if found == nil {
			return nil, errStep
		}
		index, quoted, plain := found[1], found[2]+found[3], found[4]
		key := index + escaped().ReplaceAllString(plain, "$1")
		if quoted != "" {
			key = quoted[1 : len(quoted)-1]
			if quoted[0] == '"' {
				key = escaped().ReplaceAllString(key, "$1")
			}
		}
		if key == "" {
			return nil, errStep
		}
		out, path = append(out, key), path[len(found[0]):]
	}
	return out, nil
}
