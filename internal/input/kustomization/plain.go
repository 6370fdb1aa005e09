package kustomization

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
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
		text = strings.TrimRight(first, " :") // the text below has whole objects
	} else if cut {
		text = first + " " + rest
	}
	text = strings.Join(strings.Fields(text), " ")
	known := d.pathsOf(dir)
	known.limit(text)
	text = replacedWords(text, values, notShown, known)
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

// replaced replaces texts in a text, the longest first.
func replaced(text string, olds []string, instead string) string {
	const long = 512 // above this length, the time of a replacer is quadratic
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

// replacedWords does what replaced does, but only for whole words: a part of a longer word
// is not the value. A word of a path is not one, either.
func replacedWords(text string, olds []string, instead string, known *buildPaths) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		if path := known.at(text, i); path != "" {
			b.WriteString(path)
			i += len(path)
			continue
		}
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

// withoutContent removes the file contents in the known messages of kustomize.
func withoutContent(text string) string {
	for _, known := range knownPlaces {
		text = known.at().ReplaceAllString(text, known.instead)
	}
	return text
}

// Unlisted is a file that configures goldenarch, and the kind of the configuration.
type Unlisted struct{ File, Kind string }

// unlisted returns the files of a directory that configure goldenarch and that the build
// did not read. The author of such a file probably expects it to have an effect.
func (d *disk) unlisted(dir string) []Unlisted {
	files, err := manifest.FilesIn(dir)
	if err != nil {
		return nil // the build has succeeded, and this check is optional
	}
	var out []Unlisted
	for _, file := range files {
		if d.hasRead(file) {
			continue
		}
		if kind := d.configurationIn(file); kind != "" {
			out = append(out, Unlisted{File: file, Kind: kind})
		}
	}
	return out
}

// configurationIn returns the kind of the first configuration in a file, "" for none.
func (d *disk) configurationIn(file string) string {
	data, err := d.budget.Read(file)
	if err != nil || !bytes.Contains(data, []byte(v1alpha1.GoldenImagesKind)) && !bytes.Contains(data, []byte(v1alpha1.WorkloadArchitecturesKind)) {
		return ""
	}
	items, err := manifest.Parse(file, data)
	if err != nil {
		return ""
	}
	for _, item := range items {
		if isGoldenImages(item) || isWorkloads(item) {
			return item.GetKind()
		}
	}
	return ""
}

// hasRead reports whether the build has read a file, under any name.
func (d *disk) hasRead(file string) bool {
	path, err := filepath.Abs(file)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	return err == nil && d.read[path] != nil
}
