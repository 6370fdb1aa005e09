package unread

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

// heading is what the keys of an object say in a text that is no YAML: their values, or that a
// template engine or a variable gives them.
type heading struct {
	what        What
	group, kind func() *regexp.Regexp
	// needs is a word that the text must have, too; "" for none.
	needs string
}

// headings are those of the objects that goldenarch checks.
var headings = []heading{
	{CR, pattern.Of(`^hco\.kubevirt\.io/`), pattern.Of(`^HyperConverged(?:[^A-Za-z0-9]|$)`), ""},
	{
		Machine, pattern.Of(`^(?:[a-z]+\.)?kubevirt\.io/v`),
		pattern.Of(`^(?:VirtualMachine(?:Instance(?:ReplicaSet)?|Pool|Template(?:Request)?|Clone|Restore)?|DataVolume)(?:[^A-Za-z0-9]|$)`), "",
	},
	{
		Pods, pattern.Of(`^(?:v1|apps/v1|batch/v1(?:beta1)?|apps\.openshift\.io/v1)(?:[^A-Za-z0-9]|$)`),
		pattern.Of(`^(?:Pod|Deployment|DeploymentConfig|DaemonSet|StatefulSet|ReplicaSet|ReplicationController|Job|CronJob)(?:[^A-Za-z0-9]|$)`), "containers",
	},
}

// wanted reports whether somebody looks for it.
func (w Want) wanted(what What) bool {
	return what == CR || what == Templates || what == Machine && w.Machines || what == Pods && w.Pods
}

var (
	// keyed matches a key of an object with its value: in YAML, JSON, HCL, CUE and Jsonnet, also in a
	// text in quotes.
	keyed = pattern.Of("(?:^|[\\s{,(\\[\"'`\\\\>])(" + strings.Join(keyNames, "|") + ")\\\\?[\"'`]?(?:[ \\t]*\\+?[:=]+|[ \\t]*\\{)[ \\t]*\\\\?[\"'`]?([^\\n]*)")
	// filled matches a value that a template engine gives, or a variable.
	filled = pattern.Of(`^[^,}"']*(?:\{\{|\{%|<%|\$\{|\$\()|^(?:var|local|each|params|data)\.`)
	// quoted matches a text in quotes in such a value.
	quoted = pattern.Of(`["']([^"']+)["']`)
	// remark matches a line that is a comment.
	remark = pattern.Of(`^[ \t]*(?:#|//|\{\{-?[ \t]*/\*|\{#|<%#|\* |\*/)`)
)

// keyNames are the keys that keyed matches.
var keyNames = []string{"apiVersion", "kind", "metadata", "spec", "data", "name", "current", "selector"}

// key is a key of an object in a text.
type key struct {
	name, value  string
	line, column int
	// opens says that a text in quotes begins with the key, so that its column says nothing.
	opens bool
}

// InTemplate returns what a text makes that is no YAML before something renders it: each kind of
// object once, with the line of the first. An object has apiVersion and kind in one line, or in one column. A
// reference, which has only a name beside them, is none. Comments count for nothing.
func InTemplate(text []byte, want Want) []Hit {
	var out []Hit
	var keys []key
	flush := func() {
		for _, h := range headings {
			if !want.wanted(h.what) || slices.ContainsFunc(out, func(one Hit) bool { return one.What == h.what }) {
				continue
			}
			if line, ok := h.in(keys); ok && (h.needs == "" || bytes.Contains(text, []byte(h.needs))) {
				out = append(out, Hit{What: h.what, Line: line, Text: true})
			}
		}
		keys = keys[:0]
	}
	number := 0
	for line := range bytes.Lines(Plain(text)) {
		number++
		if bytes.HasPrefix(line, []byte("---")) {
			flush()
		}
		if !remark().Match(line) {
			keys = append(keys, keysOf(line, number)...)
		}
	}
	flush()
	return out
}

// keysOf returns the keys of a line.
func keysOf(line []byte, number int) []key {
	if !containsAny(line, keyNames) { // most lines have none, and an expression takes longer
		return nil
	}
	var out []key
	for from := 0; from < len(line); {
		at := keyed().FindSubmatchIndex(line[from:])
		if at == nil {
			break
		}
		begin, end := from+at[2], from+at[3]
		out = append(out, key{
			name: string(line[begin:end]), value: strings.TrimSpace(string(line[from+at[4] : from+at[5]])), line: number, column: begin,
			opens: begin > 0 && isQuote(line[begin-1]) && !isQuote(line[end]) && line[end] != '\\',
		})
		from = end
	}
	return out
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// says reports whether the value of a key is one that an expression matches, and whether a template engine or a
// variable gives it: then a text in quotes may be the value.
func (k key) says(is *regexp.Regexp) (matches, isFilled bool) {
	if isFilled = filled().MatchString(k.value); !isFilled {
		return is.MatchString(k.value), false
	}
	inner := quoted().FindStringSubmatch(k.value)
	return inner != nil && is.MatchString(inner[1]), true
}

// in returns the line of an object with this heading among the keys of a document.
func (h heading) in(keys []key) (int, bool) {
	for _, k := range keys {
		isKind, isFilled := k.says(h.kind())
		if k.name != "kind" || !isKind && !isFilled {
			continue
		}
		isGroup, isNamed, hasBody := false, false, false
		for _, other := range keys {
			if other.line != k.line && other.column != k.column && !other.opens && !k.opens {
				continue // of another object
			}
			switch other.name {
			case "kind":
			case "apiVersion":
				ok, isFilled := other.says(h.group())
				isGroup = isGroup || ok || isKind && isFilled
			case "metadata", "spec", "data":
				hasBody = true
			default:
				isNamed = true
			}
		}
		if isGroup && (hasBody || !isNamed) {
			return k.line, true
		}
	}
	return 0, false
}
