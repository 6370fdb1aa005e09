package console

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

// SafeLine returns a text as a part of one line: its words with single blanks between them,
// without credentials, and escaped as [Escape] does.
func SafeLine(text string) string {
	return Escape(Redact(strings.Join(strings.Fields(text), " ")))
}

// SafeLines does the same for a text of several lines, such as the message of an error. It
// keeps the lines and the blanks in them.
func SafeLines(text string) string {
	return EachLine(text, func(line string) string { return Escape(Redact(line)) })
}

// Quotations returns a text with each of its quotations replaced. Libraries quote in their
// errors what a server sent.
func Quotations(text string, with func(quoted string) string) string {
	return quotation().ReplaceAllStringFunc(text, with)
}

// quotation matches a text as %q writes it.
var quotation = pattern.Of("\"(?:[^\"\\\\\n]|\\\\.)*\"?|`[^`\n]*`?")

// Escape returns a text from a manifest, a file name or a server's answer in a form that
// is safe in a line of output. It escapes line ends, escape sequences and characters that
// reverse the direction of text, as Go quotes them. It also escapes the first character of
// a command of a CI system: "\x23#[group]", "\x3a:error::". Text that is escaped already
// stays as it is.
func Escape(text string) string {
	if isPlain(text) {
		return text
	}
	var b strings.Builder
	start := commandAtStart(text)
	for i := 0; i < len(text); {
		r, width := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && width == 1, i == start, r == '#' && isCommand(text[i:]):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case hidden(r):
			quoted := fmt.Sprintf("%+q", string(r))
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
		i += width
	}
	return b.String()
}

// isPlain reports whether a text is safe as it is: most are.
func isPlain(text string) bool {
	return utf8.ValidString(text) && strings.IndexFunc(text, hidden) < 0 && !strings.Contains(text, "#") &&
		commandAtStart(text) < 0
}

func hidden(r rune) bool {
	if r < utf8.RuneSelf { // most are
		return r != '\t' && (r < ' ' || r == '\x7f')
	}
	return !unicode.IsPrint(r) && r != '\u00a0'
}

// isCommand reports whether a text that begins with "#" begins with a command of Azure
// Pipelines ("##vso[", "##[group]"), of GitHub's first syntax ("##[") or of TeamCity
// ("##teamcity["). Azure's agent and GitHub's runner search the whole line for it
// (azure-pipelines-agent Command.cs: TryParse, actions/runner ActionCommand.cs: TryParse).
func isCommand(text string) bool {
	rest := strings.TrimLeftFunc(text[1:], ignorable)
	if !strings.HasPrefix(rest, "#") {
		return false
	}
	rest = strings.TrimLeftFunc(rest[1:], func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || ignorable(r)
	})
	return strings.HasPrefix(rest, "[")
}

// commandAtStart returns the place of the first colon of "::" if a text begins with it, or
// -1. GitHub's runner trims the line (actions/runner ActionCommand.cs: TryParseV2).
func commandAtStart(text string) int {
	rest := strings.TrimLeftFunc(text, func(r rune) bool { return unicode.IsSpace(r) || ignorable(r) })
	if !strings.HasPrefix(rest, ":") || !strings.HasPrefix(strings.TrimLeftFunc(rest[1:], ignorable), ":") {
		return -1
	}
	return len(text) - len(rest)
}

// ignorable reports whether a comparison of texts in .NET ignores a character: the runners
// compare with the rules of the language, where variation selectors and fillers count for
// nothing (Unicode: Default_Ignorable_Code_Point).
func ignorable(r rune) bool {
	return unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) || unicode.Is(unicode.Cf, r) || unicode.IsControl(r)
}

// Command returns a command line of words for a message, so that a user can copy it into a
// shell: a word with a character that a shell reads is quoted. The names of files in a pull
// request are chosen by whoever sent it, and "lock x;reboot" would be two commands.
func Command(words ...string) string {
	out := make([]string, len(words))
	for i, word := range words {
		out[i] = quotedForShell(word)
	}
	return strings.Join(out, " ")
}

// CommandPath returns a path as a word of a command, with slashes: not one that begins like a flag. "-" stays, which is
// standard input.
func CommandPath(path string) string {
	if strings.HasPrefix(path, "-") && path != "-" {
		path = "./" + path
	}
	return filepath.ToSlash(path)
}

// CommandPaths returns paths as [CommandPath] does.
func CommandPaths(paths []string) []string {
	out := make([]string, len(paths))
	for i, path := range paths {
		out[i] = CommandPath(path)
	}
	return out
}

func quotedForShell(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./,:=+@%", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// SafeJSON returns JSON with the same values, and escapes the characters that [Escape]
// replaces. Encoders do not escape some of them: those that reverse the direction of text,
// and C1 controls. A "#" that begins a command of a CI system becomes \u0023. "::" needs no
// escape: a line of JSON begins with a bracket, a quote, a number or a word.
func SafeJSON(data []byte) []byte {
	if !slices.ContainsFunc(data, func(b byte) bool { return b == '#' || b >= utf8.RuneSelf || hiddenInJSON(rune(b)) }) {
		return data // no rune needs to be decoded
	}
	var out bytes.Buffer
	for len(data) > 0 {
		r, width := utf8.DecodeRune(data)
		switch {
		case r == '#' && isCommand(firstOf(data)):
			out.WriteString(`\u0023`)
		case !hiddenInJSON(r):
			out.Write(data[:width])
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
		data = data[width:]
	}
	return out.Bytes()
}

// firstOf returns the text up to the end of its line.
func firstOf(data []byte) string {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return string(line)
}

// hiddenInJSON reports whether to escape a character. It keeps the white space between
// values.
func hiddenInJSON(r rune) bool { return r != '\n' && r != utf8.RuneError && hidden(r) }

// userinfo matches "user:password@" before a host. It also matches the digest of a
// reference, which only looks like a host.
var userinfo = pattern.Of(`(//[^/@\s"']+|(?:^|["'\s])[^/@\s"':]+:[^/@\s"']+)@(sha(?:256|512):)?`)

// signed matches a URL parameter that is a credential. Links that are signed for a
// limited time (AWS, Google, Azure) and links with a token have such parameters.
var signed = pattern.Of(`(?i)([?&](?:(?:access_|auth_)?token|password|secret|sig|signature|x-amz-(?:signature|credential|` +
	`security-token)|x-goog-(?:signature|credential))=)[^&#\s"']+`)

// authorization matches the value of an Authorization header. The scheme is also a word of
// messages: see isToken.
var authorization = pattern.Of(`(?i)(?:^|[\s"':])(?:basic|bearer) +[a-z0-9+/._~-]{8,}=*`)

// Redact hides credentials in URLs, image references and headers. Findings and reports show
// values of the user's files, and hosts store them.
func Redact(text string) string {
	if strings.ContainsAny(text, "?&") {
		text = signed().ReplaceAllString(text, "${1}xxxxx")
	}
	if strings.Contains(text, "asic ") || strings.Contains(text, "earer ") || strings.Contains(text, "BASIC ") || strings.Contains(text, "BEARER ") {
		text = authorization().ReplaceAllStringFunc(text, func(found string) string {
			at := strings.LastIndex(found, " ") + 1
			if !isToken(found[at:]) {
				return found
			}
			return found[:at] + "xxxxx"
		})
	}
	if !strings.Contains(text, "@") {
		return text
	}
	return userinfo().ReplaceAllStringFunc(text, func(found string) string {
		if strings.HasSuffix(found, "@sha256:") || strings.HasSuffix(found, "@sha512:") {
			return found
		}
		start := 0
		switch {
		case strings.HasPrefix(found, "//"):
			start = len("//")
		case strings.ContainsAny(found[:1], "\"' \t\n"):
			start = 1
		}
		return found[:start] + "xxxxx@"
	})
}

// isToken reports whether a word is a token or a login in base64, and not a word of a
// language.
func isToken(word string) bool {
	rest := word[1:]
	return strings.ContainsAny(word, "0123456789=") ||
		strings.ContainsFunc(rest, unicode.IsUpper) && strings.ContainsFunc(rest, unicode.IsLower)
}
