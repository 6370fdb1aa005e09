package kustomization

import (
	"bytes"
	"io"
	"log"
	"os"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/api/types"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// deprecated notes the fields that kustomize warns of where it reads a kustomization
// (kustomize internal/target/kusttarget.go: Load). It prints that itself, past
// everyone; see quietly.
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
		ID: finding.KustomizeWarns, Severity: finding.Warning, Object: finding.Object{File: dir},
		Text: "the kustomization has fields that kustomize has deprecated: " + strings.Join(fields, ", "),
		Do:   "run 'kustomize edit fix' there",
	})
}

// standard is who may change where the process writes, and what it may reach.
var standard sync.Mutex

// quietly does something with kustomize's library, which writes to standard error
// and to the standard logger by itself: it comes out beside our messages, where Argo
// CD shows it to the user, and with the time. What was logged is returned. Nothing
// is fetched meanwhile.
func quietly(do func()) *logged {
	standard.Lock()
	defer standard.Unlock()
	said := &logged{to: log.Writer()}
	stderr, flags := os.Stderr, log.Flags()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	defer func() {
		os.Stderr = stderr
		log.SetOutput(said.to)
		log.SetFlags(flags)
		if err == nil {
			_ = null.Close()
		}
	}()
	os.Stderr = null // a file that is nil takes nothing, and that is what is wanted
	log.SetOutput(said)
	log.SetFlags(0)
	theFence.within(do)
	return said
}

// logged takes what is written to the standard logger.
type logged struct {
	to    io.Writer
	texts []string
}

// warnings are the lines that kustomize logs in a build that goes on, and how they
// are reported.
var warnings = []struct {
	begins, told string
	rest         bool // is told as well
}{
	{"well-defined vars that were never replaced: ", "kustomize never replaced these vars: ", true}, // internal/accumulator/resaccumulator.go
	{"MakePrimitiveReplacer: ", "kustomize did not replace a var, because its value is an object or a list", false},
	{"ParseInt failed for value ", "a label selector compares a value that is not a number", false}, // kyaml labels/selector.go
	{"Invalid values count ", "a label selector compares with more than one value", false},
}

// Write implements [io.Writer]. What is not known goes where it was meant to go: it
// may be the last word of a process that ends.
func (l *logged) Write(line []byte) (int, error) {
	for _, w := range warnings {
		if rest, is := bytes.CutPrefix(line, []byte(w.begins)); is {
			text := w.told
			if w.rest {
				text += strings.ReplaceAll(strings.TrimSpace(string(rest)), ",", ", ")
			}
			l.texts = append(l.texts, text)
			return len(line), nil
		}
	}
	return l.to.Write(line)
}

// found returns what was logged while a directory was built.
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
