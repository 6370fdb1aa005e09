package manifest

import (
	"bytes"
	"errors"
	"regexp"
)

// ErrTemplated is the error of a file that is no YAML before a template engine
// has been over it.
var ErrTemplated = errors.New("the file is a template (Helm, Jinja or the like): render it first and pass the output")

// templateAction is "{{ x" or "{% x", as Helm, Jinja and ACM policies have it.
var templateAction = regexp.MustCompile(`\{\{|\{%`)

// templated reports whether a file that is no YAML is a template.
func templated(data []byte) bool {
	return templateAction.Match(bytes.ReplaceAll(data, []byte("${{"), nil))
}
