package argocd

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// The limits of the error that Argo CD's users see: lines, and bytes of each line.
const (
	briefLines = 10
	briefLine  = 600
)

// Brief is the standard error of a run for Argo CD, which shows all of it as the error
// of the Application, and caches it. It buffers the text until the run ends. For a
// failed run it prints only the errors. For a successful run it prints everything, to
// the log of the sidecar.
type Brief struct {
	To io.Writer
	// Root is the directory of the repository. Argo CD uses another directory each
	// time, and Brief removes it so that equal errors have equal texts.
	Root string

	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements [io.Writer].
func (b *Brief) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// Print writes what to report of a run that succeeded or failed.
func (b *Brief) Print(failed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	text := b.text.String()
	if failed {
		text = b.shortened(text)
	}
	fmt.Fprint(b.To, text)
}

func (b *Brief) shortened(text string) string {
	if b.Root != "" && b.Root != "/" {
		text = strings.ReplaceAll(text, b.Root+"/", "")
		text = strings.ReplaceAll(text, b.Root, ".")
	}
	var kept []string
	more := 0
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, string(finding.Warning)+" GA"), strings.HasPrefix(line, string(finding.Info)+" GA"):
		case len(kept) == briefLines:
			more++
		default:
			kept = append(kept, cut(strings.TrimSuffix(line, "\n"))+"\n")
		}
	}
	if more > 0 {
		kept = append(kept, fmt.Sprintf("and %d more lines: run 'goldenarch render' on the directory\n", more))
	}
	return strings.Join(kept, "")
}

// cut shortens a line at the beginning of a letter.
func cut(line string) string {
	if len(line) <= briefLine {
		return line
	}
	end := briefLine
	for !utf8.RuneStart(line[end]) {
		end--
	}
	return line[:end] + "…"
}

// RepositoryRoot returns the root of the repository in which Argo CD runs this process;
// "" if it is unknown.
func RepositoryRoot(env Environment) string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	path, _ := env(sourcePath)
	path = filepath.Clean("/" + path)
	if root, ok := strings.CutSuffix(dir, path); ok {
		return root
	}
	return dir
}
