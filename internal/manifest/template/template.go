package template

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/pattern"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// action matches an action of a template engine: "{{ x }}" as in Helm, Jinja and the policies
// of ACM, or "{% x %}". Its end is missing if it is in another line.
var action = pattern.Of(`\{\{.*?(?:\}\}|$)|\{%.*?(?:%\}|$)`)

// HasAction reports whether a text has an action outside of comments. An expression of GitHub
// Actions ("${{ x }}") is none.
func HasAction(text string) bool {
	if !strings.Contains(text, "{{") && !strings.Contains(text, "{%") {
		return false
	}
	for row := range strings.Lines(text) {
		if inRow(row) {
			return true
		}
	}
	return false
}

func inRow(row string) bool {
	row = strings.ReplaceAll(row, "${{", "")
	for at := strings.IndexByte(row, '#'); at >= 0; {
		if at == 0 || row[at-1] == ' ' || row[at-1] == '\t' {
			row = row[:at]
			break
		}
		next := strings.IndexByte(row[at+1:], '#')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return strings.Contains(row, "{{") || strings.Contains(row, "{%")
}

// IsCause reports whether a text that is not valid YAML is a template, and not YAML with a
// mistake: what remains without its actions is valid YAML, or its first mistake is another one.
func IsCause(text string) bool {
	if !HasAction(text) {
		return false
	}
	rows := strings.SplitAfter(text, "\n")
	without := slices.Clone(rows)
	for i, row := range rows {
		content := strings.TrimRight(row, "\r\n")
		plain := action().ReplaceAllString(content, "x")
		if strings.TrimLeft(plain, " \tx-") == "" && strings.Contains(plain, "x") && inRow(row) {
			plain = "" // nothing but actions, such as {{- if .Values.a }}
		}
		without[i] = plain + row[len(content):]
	}
	was, is := mistake(text), mistake(strings.Join(without, ""))
	if is == 0 || was != is {
		return true
	}
	from, to := max(0, was-2), min(len(rows), was+1) // the reader may name the line before, or after
	return slices.ContainsFunc(rows[from:to], inRow)
}

// mistake returns the line of the first mistake in a YAML text, and 0 without one. A mistake
// without a line is in line 1.
func mistake(text string) int {
	decoder := yaml.NewDecoder(bytes.NewReader([]byte(text)))
	for {
		var doc yaml.Node
		err := decoder.Decode(&doc)
		switch {
		case errors.Is(err, io.EOF):
			return 0
		case err != nil:
			return yamlnode.ErrorLine(err)
		}
	}
}

// decided are the fields on which goldenarch decides, or by which it decides: what a CR and
// a pod say about images and nodes.
var decided = map[string]bool{
	"apiVersion": true, "kind": true,
	"image": true, "imageStream": true, "url": true, "registry": true,
	"affinity": true, "nodeAffinity": true, "nodeSelector": true, "nodePlacement": true,
	"featureGates": true, "enableMultiArchBootImageImport": true,
	"ssp.kubevirt.io/dict.architectures": true, "dataimportcrontemplate.kubevirt.io/enable": true,
}

// Decided returns a value that an action gives, in a field that goldenarch decides on; nil if
// there is none. It follows aliases there.
func Decided(n *yaml.Node) *yaml.Node { return finder{}.find(n, false) }

// finder has the nodes that it has read in a field that goldenarch decides on: aliases can make
// a text endless.
type finder map[*yaml.Node]bool

func (f finder) find(n *yaml.Node, of bool) *yaml.Node {
	if of {
		if n = yamlnode.Dealias(n); f[n] {
			return nil
		}
		f[n] = true
	}
	switch n.Kind {
	case yaml.ScalarNode:
		if of && HasAction(n.Value) {
			return n
		}
	case yaml.MappingNode:
		for key, value := range yamlnode.Pairs(n) {
			if isCollection(key) {
				return key // a name: {{ x }} that YAML reads as an object with an object as its key
			}
			name := yamlnode.Dealias(key).Value
			if found := f.find(value, of || decided[name] || strings.HasPrefix(name, "goldenarch.dev/")); found != nil {
				return found
			}
		}
	case yaml.DocumentNode, yaml.SequenceNode:
		for _, child := range n.Content {
			if found := f.find(child, of); found != nil {
				return found
			}
		}
	case yaml.AliasNode:
	}
	return nil
}

// HasObjectKey reports whether a mapping has a key that is an object or a list. YAML reads
// the value of "name: {{ x }}" as an object with such a key.
func HasObjectKey(n *yaml.Node) bool {
	for key := range yamlnode.Pairs(n) {
		if isCollection(key) {
			return true
		}
	}
	return slices.ContainsFunc(n.Content, HasObjectKey)
}

func isCollection(n *yaml.Node) bool {
	return n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode
}
