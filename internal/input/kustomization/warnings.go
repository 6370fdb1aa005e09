package kustomization

import (
	"bytes"
	"io"
	"strings"

	"sigs.k8s.io/kustomize/api/types"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// deprecated records the fields that kustomize reports as deprecated when it reads a
// kustomization (kustomize internal/target/kusttarget.go: Load). kustomize prints that
// warning itself, to standard error.
func (d *disk) deprecated(dir string, k types.Kustomization) {
	messages := k.CheckDeprecatedFields()
	if messages == nil || len(*messages) == 0 {
		return
	}
	var fields []string
	for _, message := range *messages {
		// "# Warning: 'bases' is deprecated. Please use 'resources' instead. Run …"
		what, _, _ := strings.Cut(strings.TrimPrefix(message, "# Warning: "), " is deprecated")
		_, now, _ := strings.Cut(message, "Please use ")
		now, _, _ = strings.Cut(now, " instead")
		fields = append(fields, what+" (now "+now+")")
	}
	d.note(finding.Finding{
		ID: finding.KustomizeWarns, Severity: finding.Info, Object: finding.Object{File: dir},
		Text: "the kustomization has fields that kustomize has deprecated: " + strings.Join(fields, ", "),
		Do:   "run 'kustomize edit fix' there",
	})
}

// logged receives what is written to the standard logger.
type logged struct {
	to    io.Writer
	texts []string
}

// warnings are the lines that kustomize logs in a build that continues, and how goldenarch
// reports them.
var warnings = []struct {
	begins, text string
	rest         bool // report the rest of the line, too
}{
	{"well-defined vars that were never replaced: ", "kustomize never replaced these vars: ", true}, // internal/accumulator/resaccumulator.go
	{"MakePrimitiveReplacer: ", "kustomize did not replace a var, because its value is an object or a list", false},
	{"ParseInt failed for value ", "a label selector compares a value that is not a number", false}, // kyaml labels/selector.go
	{"Invalid values count ", "a label selector compares with more than one value", false},
}

// Write implements [io.Writer]. It passes unknown lines on to the original writer: such a
// line may be the last message of a process that ends.
func (l *logged) Write(line []byte) (int, error) {
	for _, w := range warnings {
		if rest, is := bytes.CutPrefix(line, []byte(w.begins)); is {
			text := w.text
			if w.rest {
				text += strings.ReplaceAll(strings.TrimSpace(string(rest)), ",", ", ")
			}
			l.texts = append(l.texts, text)
			return len(line), nil
		}
	}
	return l.to.Write(line)
}

// found returns what kustomize logged during the build of a directory.
func (l *logged) found(dir string) finding.List {
	var out finding.List
	seen := map[string]bool{}
	for _, text := range l.texts {
		if !seen[text] {
			out = append(out, finding.Finding{ID: finding.KustomizeWarns, Severity: finding.Warning, Object: finding.Object{File: dir}, Text: text})
		}
		seen[text] = true
	}
	return out
}
