package imageref

import (
	"fmt"
	"strings"
)

// ParseError says why a text is not a reference to an image in a registry.
type ParseError struct {
	// Text is the text to read, without any password in it.
	Text string
	// Transport is set if the text names an image that is not in a registry: "oci-archive",
	// "docker-daemon", "https".
	Transport string
	// Reason says what is wrong and what was expected.
	Reason string
}

// Error implements error.
func (e *ParseError) Error() string {
	return fmt.Sprintf("image reference %q: %s", e.Text, e.Reason)
}

func parseError(text, reason string) error {
	return &ParseError{Text: withoutUser(text), Reason: reason}
}

func transportError(text, transport string) error {
	return &ParseError{
		Text:      withoutUser(text),
		Transport: strings.ToLower(transport),
		Reason:    fmt.Sprintf("%q is not an image in a registry; expected docker://host/repository:tag", transport+":"),
	}
}

// withoutUser hides what may be "user:password@": the part before an "@" that is not
// followed by a digest.
func withoutUser(text string) string {
	scheme := ""
	if i := strings.Index(text, "://"); i >= 0 {
		scheme = text[:i+len("://")]
	}
	if authority, _, found := strings.Cut(text[len(scheme):], "/"); found && strings.Contains(authority, "@") {
		return scheme + "xxxxx" + text[len(scheme)+strings.LastIndexByte(authority, '@'):]
	}
	at := strings.LastIndexByte(text, '@')
	if at < 0 || strings.HasPrefix(text[at+1:], "sha") && !strings.ContainsAny(text[at:], "/") {
		return text
	}
	prefix := ""
	if i := strings.Index(text, "://"); i >= 0 && i < at {
		prefix = text[:i+len("://")]
	}
	return prefix + "xxxxx" + text[at:]
}
