package manifest

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/goldenarch/goldenarch/internal/template"
)

// ErrTemplated is the error for a file that becomes valid YAML only after a template
// engine has rendered it.
var ErrTemplated = errors.New("the file is a template (Helm, Jinja or similar): render it first and pass the output")

// templateNames are the ends of the names of templates.
var templateNames = []string{".j2", ".tpl"}

// isTemplate reports whether a file is one for a template engine by its place: its name ends
// like one, or it is among the templates of a Helm chart, and it has actions. Elsewhere "{{"
// in a string of valid YAML is text.
func isTemplate(file, text string) bool {
	if !template.HasAction(text) {
		return false
	}
	for _, end := range templateNames {
		if strings.HasSuffix(file, end) {
			return true
		}
	}
	for dir := filepath.Dir(filepath.FromSlash(file)); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if filepath.Base(dir) == "templates" && isChart(filepath.Join(filepath.Dir(dir), chartFile)) {
			return true
		}
	}
	return false
}
