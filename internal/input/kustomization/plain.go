package kustomization

import (
	"strings"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

const (
	inline   = "(inline content)"
	notShown = "(not shown)"
	// longest is how much is reported of what kustomize says. Its errors name the way
	// down to the file at every step.
	longest = 800
	// maxMessage is how long an error of kustomize may be to be searched for what
	// stands in files: what is longer repeats a file.
	maxMessage = 256 << 10
)

// headOf returns what kustomize says before it names or repeats anything.
func headOf(text string) string {
	if end := strings.IndexAny(text, "'\"`{[\n\\"); end >= 0 {
		text = text[:end]
	}
	if len(text) > longest {
		return ""
	}
	return text
}

// plainError is an error without what stands in the files.
type plainError struct {
	text string
	err  error
}

func (e plainError) Error() string { return e.text }
func (e plainError) Unwrap() error { return e.err }

// plain takes out of an error what stands in the files that were read: kustomize
// prints what it cannot use, and that may be a password. What failed, and in which
// file, stays.
func (d *disk) plain(err error) error {
	if err == nil {
		return nil
	}
	if len(err.Error()) > maxMessage {
		return plainError{text: headOf(err.Error()) + notShown, err: err}
	}
	inlines, values := d.contents()
	text := withoutContent(unquoted(err.Error()))
	text = replaced(text, inlines, inline)
	text = inNoFile().ReplaceAllString(text, "it is "+inline+" that is neither YAML nor a file")
	if first, rest, cut := strings.Cut(text, "\n"); cut && !strings.Contains(first, "Failed to read kustomization file") {
		text = strings.TrimRight(first, " :") // below it are whole objects
	} else if cut {
		text = first + " " + rest
	}
	text = replacedWords(strings.Join(strings.Fields(text), " "), values, notShown)
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "…"
	}
	return plainError{text: text, err: err}
}

// unquoted undoes the quoting of errors in errors: with each component kustomize
// quotes once more.
func unquoted(text string) string {
	for {
		next := strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\"`, `"`).Replace(text)
		if next == text {
			return text
		}
		text = next
	}
}

// inNoFile is what kustomize says of an entry that is neither an object nor a file:
// all of it, as a path.
var inNoFile = pattern.Of(`(?s)evalsymlink failure on '[^']*\(inline content\)' : lstat .*?: (?:no such file or directory|file name too long)`)

// replaced replaces texts in a text, the longest first.
func replaced(text string, olds []string, instead string) string {
	const long = 512 // from here on a replacer takes time for the square of the length
	var pairs []string
	for _, old := range olds {
		switch {
		case len(old) > len(text):
		case len(old) > long:
			text = strings.ReplaceAll(text, old, instead)
		default:
			pairs = append(pairs, old, instead)
		}
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// replacedWords is replaced for whole words: what is a part of a longer word of the
// message is not the value.
func replacedWords(text string, olds []string, instead string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		n := 0
		if i == 0 || !isWordByte(text[i-1]) {
			for _, old := range olds {
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
		b.WriteString(instead)
		i += n
	}
	return b.String()
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}

// withoutContent cuts what kustomize is known to print of files.
func withoutContent(text string) string {
	for _, known := range knownPlaces {
		text = known.at().ReplaceAllString(text, known.instead)
	}
	return text
}
