package registry

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// sentSecrets are the secrets that the client sent to registries and token services to
// authenticate. No message shows an answer that repeats one of them: no library that
// goldenarch uses removes secrets from what a server answers.
type sentSecrets struct {
	mu    sync.Mutex
	known map[string]bool
}

// shortestSecret is the length from which a text that repeats a secret is not shown: a
// shorter one occurs in other words.
const shortestSecret = 4

// add records secrets.
func (s *sentSecrets) add(list ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known = map[string]bool{}
	}
	for _, secret := range list {
		if len(secret) >= shortestSecret {
			s.known[secret] = true
		}
	}
}

// repeatedIn reports whether a text repeats a secret or a part of it: as it is, in another
// case, quoted, as URLs write it, in hexadecimal digits, in base64, or in base64 of base64.
func (s *sentSecrets) repeatedIn(text string) bool {
	s.mu.Lock()
	secrets := slices.Collect(maps.Keys(s.known))
	s.mu.Unlock()
	if len(secrets) == 0 {
		return false
	}
	parts := map[string]bool{}
	for part := range partsOf(text) {
		parts[part] = true
	}
	for word := range strings.FieldsSeq(ordinaryWords) {
		for part := range partsOf(word) {
			delete(parts, part)
		}
	}
	return slices.ContainsFunc(secrets, func(secret string) bool {
		return slices.ContainsFunc(forms(secret), func(form string) bool { return repeats(text, parts, form) })
	})
}

// repeats reports whether a text with these parts repeats a form of a secret. A short form
// must be a word of its own.
func repeats(text string, parts map[string]bool, form string) bool {
	if len(characters(form)) < partLength {
		return regexp.MustCompile(`(?i)(^|\W)` + regexp.QuoteMeta(form) + `(\W|$)`).MatchString(text)
	}
	for part := range partsOf(form) {
		if parts[part] {
			return true
		}
	}
	return false
}

// partLength is how many letters and digits do not occur by chance.
const partLength = 8

// ordinaryWords are long words of messages, which a secret may hold, too.
const ordinaryWords = "answered architecture authentication authorization certificate configuration container credentials " +
	"goldenarch insecure kubernetes manifest openshift password platform registry repository unauthorized"

// partsOf returns all parts of a text that have so many letters and digits.
func partsOf(text string) iter.Seq[string] {
	all := characters(text)
	return func(yield func(string) bool) {
		for i := 0; i+partLength <= len(all) && yield(string(all[i:i+partLength])); i++ {
		}
	}
}

// characters returns the letters and digits of a text, in lower case. The others differ
// between the forms of a text.
func characters(text string) []rune {
	return slices.DeleteFunc([]rune(strings.ToLower(text)), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// forms returns a secret in the forms in which a server may repeat it.
func forms(secret string) []string {
	out := []string{secret, url.QueryEscape(secret), hex.EncodeToString([]byte(secret))}
	for _, once := range inBase64(secret) {
		out = append(append(out, once), inBase64(once)...)
	}
	return out
}

// inBase64 returns what the base64 of any text has that holds the secret. It depends on
// how many bytes are before the secret.
func inBase64(secret string) []string {
	var out []string
	for before := range 3 {
		code := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("x", before) + secret))
		out = append(out, code[(8*before+5)/6:])
	}
	return out
}

// notShown takes the place of a text that repeats a secret.
const notShown = "goldenarch does not show the answer, because it repeats credentials"

// withhold takes what repeats a secret out of an Error.
func (s *sentSecrets) withhold(e *Error) *Error {
	if s.repeatedIn(e.Err.Error()) {
		text := notShown
		if e.Status != 0 {
			text = fmt.Sprintf("answered %d %s; %s", e.Status, http.StatusText(e.Status), notShown)
		}
		e.Err = &reworded{text, e.Err}
	}
	if s.repeatedIn(e.Hint) {
		e.Hint = notShown
	}
	return e
}

// shownWords is how many characters of a server's text an error shows, if the server
// may not be the registry that the user chose.
const shownWords = 75

// cut shortens a server's text to one line of at most n characters.
func cut(s string, n int) string {
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "?"), func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	}), " ")
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n]) + "..."
	}
	return s
}
