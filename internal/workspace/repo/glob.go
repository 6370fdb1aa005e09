package repo

import (
	"regexp"
	"strings"
)

// compileGlob returns a pattern of an Application as a regular expression. {a,b} has
// alternatives, [a-c], [abc] and [!abc] match a character, \ takes the next character as it
// is, and * crosses directories (argo-cd util/glob/glob.go, which calls gobwas/glob without
// separators). It returns nil for a pattern that is not valid, with which Argo CD matches
// nothing.
func compileGlob(glob string) *regexp.Regexp {
	var out strings.Builder
	out.WriteString("(?s)^")
	open := 0
	for rest := glob; rest != ""; {
		var c string
		c, rest = first(rest)
		switch {
		case c == `\`:
			c, rest = first(rest)
			out.WriteString(regexp.QuoteMeta(c))
		case c == "[":
			class, after, valid := characterClass(rest)
			if !valid {
				return nil
			}
			out.WriteString(class)
			rest = after
		case c == "*":
			out.WriteString(".*")
		case c == "?":
			out.WriteString(".")
		case c == "{":
			open++
			out.WriteString("(?:")
		case c == "}" && open > 0:
			open--
			out.WriteString(")")
		case c == "," && open > 0:
			out.WriteString("|")
		default:
			out.WriteString(regexp.QuoteMeta(c))
		}
	}
	out.WriteString(strings.Repeat(")", open) + "$")
	pattern, err := regexp.Compile(out.String())
	if err != nil {
		return nil
	}
	return pattern
}

// characterClass returns what follows a [ as a regular expression, and what follows its ].
// It is either one range, or a list in which - and ^ are characters like others.
func characterClass(text string) (class, after string, valid bool) {
	text, not := strings.CutPrefix(text, "!")
	class = "["
	if not {
		class = "[^"
	}
	low, rest := first(text)
	if between, ok := strings.CutPrefix(rest, "-"); ok {
		high, end := first(between)
		after, valid = strings.CutPrefix(end, "]")
		return class + regexp.QuoteMeta(low) + "-" + regexp.QuoteMeta(high) + "]", after, valid
	}
	list := ""
	for text != "" {
		var c string
		if c, text = first(text); c == "]" {
			return class + list + "]", text, list != ""
		}
		if c == `\` {
			c, text = first(text)
		}
		if c = regexp.QuoteMeta(c); c == "-" { // which QuoteMeta leaves as it is
			c = `\-`
		}
		list += c
	}
	return "", "", false
}

// first returns the first character of a text, and the rest.
func first(text string) (character, rest string) {
	for i := range text {
		if i > 0 {
			return text[:i], text[i:]
		}
	}
	return text, ""
}
