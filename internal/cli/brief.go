package cli

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

// What a user of Argo CD is shown of a failure at most: lines, and bytes of each.
const (
	briefLines = 10
	briefLine  = 600
)

// brief is the standard error of a run for Argo CD, which shows all of it as the
// error of the Application, and keeps it in its cache. It waits for the end of the
// run: of one that failed only the errors are reported. What else there is to say of
// one that did not is for the log of the sidecar.
type brief struct {
	to io.Writer
	// root is where the repository is. Argo CD puts it in another place each time,
	// and a message that is never the same is never an old one.
	root string

	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements [io.Writer].
func (b *brief) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// print tells what is to be reported of a run with this status.
func (b *brief) print(status int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	text := b.text.String()
	if status != statusOK {
		text = b.shortened(text)
	}
	fmt.Fprint(b.to, text)
}

func (b *brief) shortened(text string) string {
	if b.root != "" && b.root != "/" {
		text = strings.ReplaceAll(text, b.root+"/", "")
		text = strings.ReplaceAll(text, b.root, ".")
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

// cut cuts a line where a letter begins.
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

// repositoryRoot returns where the repository is that Argo CD has put the working
// directory in, "" if that cannot be reported.
func repositoryRoot(env environment) string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	path, _ := env(argoSourcePath)
	path = filepath.Clean("/" + path)
	if root, ok := strings.CutSuffix(dir, path); ok {
		return root
	}
	return dir
}
