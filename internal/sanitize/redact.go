package sanitize

import (
	"strings"
	"unicode"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

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
