package finding

import (
	"regexp"
	"strings"
	"sync"
)

// userinfo matches "user:password@" before a host, and a digest that only looks
// like a host.
var userinfo = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(//[^/@\s"']+|(?:^|["'\s])[^/@\s"':]+:[^/@\s"']+)@(sha(?:256|512):)?`)
})

// redact hides credentials in a URL or an image reference. A finding shows what
// stands in the user's files, and its results are kept by hosts.
func redact(text string) string {
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

// redactAny hides credentials in a value, if it is a text.
func redactAny(value any) any {
	if text, ok := value.(string); ok {
		return redact(text)
	}
	return value
}
