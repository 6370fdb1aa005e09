package registry

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

// sentSecrets are the secrets that the client sent to registries and token services to
// authenticate.
type sentSecrets struct {
	mu    sync.Mutex
	known map[string]bool
}

const (
	// shortestSecret is the length from which a word does not occur by chance.
	shortestSecret = 8
	// shortestShown is the length from which messages hide a secret: hiding a shorter
	// one would remove letters from unrelated words.
	shortestShown = 4
)

// add records secrets.
func (s *sentSecrets) add(list ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known = map[string]bool{}
	}
	for _, secret := range list {
		if len(secret) >= shortestShown {
			s.known[secret] = true
		}
	}
}

// all returns the secrets, the longest first.
func (s *sentSecrets) all() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.SortedFunc(maps.Keys(s.known), func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) })
}

// hidden replaces a secret.
const hidden = "xxxxx"

// encoded matches text that may be base64 or hexadecimal digits. escaped matches text
// with characters as URLs write them.
var (
	encoded = pattern.Of(`[A-Za-z0-9+/_-]{6,}={0,2}`)
	escaped = pattern.Of(`[^\s"'<>]*%[0-9A-Fa-f]{2}[^\s"'<>]*`)
)

// clean removes from a text the secrets that the client sent and a server may repeat.
// It finds them as they are, quoted, in base64, as URLs write them, in hexadecimal
// digits, in another case, or cut off.
func (s *sentSecrets) clean(text string) string {
	secrets := s.all()
	if len(secrets) == 0 {
		return text
	}
	for _, runs := range []*regexp.Regexp{escaped(), encoded()} {
		text = runs.ReplaceAllStringFunc(text, func(run string) string { return withoutCoded(run, secrets) })
	}
	for _, secret := range secrets {
		for _, form := range forms(secret) {
			text = regexp.MustCompile(`(?i)`+regexp.QuoteMeta(form)).ReplaceAllLiteralString(text, hidden)
		}
	}
	return withoutCut(text, secrets)
}

// forms returns the ways in which our own messages write a secret, the longest first.
// If a server turns the secret into a URL, they write only its host.
func forms(secret string) []string {
	list := []string{secret, cut(secret, len(secret)), strings.Trim(strconv.Quote(secret), `"`), strings.Trim(strconv.Quote(cut(secret, len(secret))), `"`)}
	for _, piece := range strings.FieldsFunc(secret, func(r rune) bool { return strings.ContainsRune(`/\?#@:`, r) }) {
		if len(piece) >= shortestSecret {
			list = append(list, piece)
		}
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return slices.DeleteFunc(slices.Compact(list), func(s string) bool { return len(s) < shortestShown })
}

// withoutCoded hides a run of characters that holds a secret once it is decoded.
func withoutCoded(run string, secrets []string) string {
	for _, plain := range decodings(run, 3) {
		for _, secret := range secrets {
			if strings.Contains(strings.ToLower(plain), strings.ToLower(secret)) {
				return hidden
			}
		}
	}
	return run
}

// decodings returns what a run may mean, decoded up to depth times. Base64 may begin
// before the run, or end after it.
func decodings(run string, depth int) []string {
	var out []string
	add := func(plain string, err error) {
		if err == nil && plain != run && len(plain) >= shortestShown {
			out = append(out, plain)
			if depth > 1 {
				out = append(out, decodings(plain, depth-1)...)
			}
		}
	}
	if strings.Contains(run, "%") {
		add(url.PathUnescape(run))
		return out
	}
	for _, piece := range append(strings.FieldsFunc(run, func(r rune) bool { return strings.ContainsRune("/+-_=", r) }), run) {
		plain, err := hex.DecodeString(piece[:len(piece)/2*2])
		add(string(plain), err)
	}
	standard := strings.TrimRight(strings.NewReplacer("-", "+", "_", "/").Replace(run), "=")
	for from := range min(4, len(standard)) {
		part := standard[from:]
		if len(part)%4 == 1 {
			part = part[:len(part)-1]
		}
		plain, err := base64.RawStdEncoding.DecodeString(part)
		add(string(plain), err)
	}
	return out
}

// withoutCut hides the beginning of a secret at the end of a text that was cut off.
func withoutCut(text string, secrets []string) string {
	var list []string
	for _, secret := range secrets {
		list = append(list, forms(secret)...)
		list = append(list, base64.StdEncoding.EncodeToString([]byte(secret)), base64.URLEncoding.EncodeToString([]byte(secret)),
			url.QueryEscape(secret), hex.EncodeToString([]byte(secret)))
	}
	for at := 0; ; {
		i := strings.Index(text[at:], "...")
		if i < 0 {
			return text
		}
		end := at + i
		most := 0
		for _, form := range list {
			for n := min(len(form), end); n >= shortestShown && n > most; n-- {
				if strings.EqualFold(text[end-n:end], form[:n]) {
					most = n
				}
			}
		}
		if most > 0 {
			text = text[:end-most] + hidden + text[end:]
			end += len(hidden) - most
		}
		at = end + len("...")
	}
}

// cleanError cleans all fields of an Error that it shows.
func (s *sentSecrets) cleanError(e *Error) *Error {
	if text := e.Err.Error(); s.clean(text) != text {
		e.Err = &reworded{s.clean(text), e.Err}
	}
	e.Hint = s.clean(e.Hint)
	return e
}

// secretPatterns match possible secrets: the user of a URL, the query of a URL, the
// word after Bearer and Basic, and JSON web tokens. They are compiled on first use.
var secretPatterns = sync.OnceValue(func() []replacement {
	return []replacement{
		{regexp.MustCompile(`//[^/@\s"']+@`), "//xxxxx@"},
		{regexp.MustCompile(`(://[^\s?"']*)\?[^\s"'>]*`), "$1?xxxxx"},
		{regexp.MustCompile(`(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}`), "$1 xxxxx"},
		{regexp.MustCompile(`\beyJ[A-Za-z0-9._=-]{10,}`), "xxxxx"},
		{regexp.MustCompile(`(?i)\b((?:access_|refresh_|identity_?)?token|password|secret|signature|authorization)(["']?\s*[=:]\s*["']?)[^\s"'&,;]+`), "$1${2}xxxxx"},
	}
})

type replacement struct {
	pattern *regexp.Regexp
	with    string
}

// redact removes possible secrets from the text of a server.
func redact(s string) string {
	for _, r := range secretPatterns() {
		s = r.pattern.ReplaceAllString(s, r.with)
	}
	return s
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
