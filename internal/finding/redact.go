package finding

import (
	"regexp"
	"strings"
	"sync"
)

// userinfo matches "user:password@" before a host. It also matches the digest of a
// reference, which only looks like a host.
var userinfo = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(//[^/@\s"']+|(?:^|["'\s])[^/@\s"':]+:[^/@\s"']+)@(sha(?:256|512):)?`)
})

// signed matches a URL parameter that is a credential. Links that are signed for a
// limited time (AWS, Google, Azure) and links with a token have such parameters.
var signed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)([?&](?:(?:access_|auth_)?token|password|secret|sig|signature|x-amz-(?:signature|credential|` +
		`security-token)|x-goog-(?:signature|credential))=)[^&#\s"']+`)
})

// Redact hides credentials in URLs and image references. Findings and reports show
// values of the user's files, and hosts store them.
func Redact(text string) string {
	if strings.ContainsAny(text, "?&") {
		text = signed().ReplaceAllString(text, "${1}xxxxx")
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

// redactAny hides credentials in a value if it is a string.
func redactAny(value any) any {
	if text, ok := value.(string); ok {
		return Redact(text)
	}
	return value
}
