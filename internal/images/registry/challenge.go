package registry

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/goldenarch/goldenarch/internal/images/confine"
)

// challenge is the authentication that a registry requires: the header WWW-Authenticate
// (RFC 9110, 11.6.1; distribution spec/auth/token).
type challenge struct {
	// scheme is "basic" or "bearer".
	scheme  string
	realm   string
	service string
	scope   string
}

// challengeOf returns the challenge of an answer that goldenarch can meet: a registry
// may offer Negotiate first.
func challengeOf(h http.Header) (challenge, bool) {
	for _, value := range h.Values("WWW-Authenticate") {
		for value != "" {
			var c challenge
			c, value = nextChallenge(value)
			if c.scheme == "basic" || c.scheme == "bearer" && c.realm != "" {
				return c, true
			}
		}
	}
	return challenge{}, false
}

// nextChallenge reads one challenge and returns the rest of the header.
func nextChallenge(s string) (challenge, string) {
	s = strings.TrimLeft(s, " \t,")
	word, rest := token(s)
	if word == "" {
		return challenge{}, ""
	}
	c := challenge{scheme: strings.ToLower(word)}
	for {
		s = strings.TrimLeft(rest, " \t,")
		key, after := token(s)
		after = strings.TrimLeft(after, " \t")
		if key == "" || !strings.HasPrefix(after, "=") {
			// Not a parameter: the next challenge, or a token68.
			if s == rest && key == "" {
				_, s, _ = strings.Cut(s, ",")
			}
			return c, s
		}
		var value string
		value, rest = parameter(strings.TrimLeft(after[1:], " \t"))
		switch strings.ToLower(key) {
		case "realm":
			c.realm = value
		case "service":
			c.service = value
		case "scope":
			c.scope = value
		}
	}
}

// token reads a word up to a blank, a comma, or an equals sign.
func token(s string) (word, rest string) {
	if i := strings.IndexAny(s, " \t,=\""); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// parameter reads a quoted text or a word. Quotes may contain a comma
// (scope="repository:a:pull,push").
func parameter(s string) (value, rest string) {
	if !strings.HasPrefix(s, `"`) {
		if i := strings.IndexAny(s, " \t,"); i >= 0 {
			return s[:i], s[i:]
		}
		return s, ""
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:]
		case s[i] == '\\' && i+1 < len(s):
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String(), ""
}

// parseRealm returns the URL of the token service that a challenge names.
func parseRealm(realm string) (*url.URL, error) {
	u, err := url.Parse(realm)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, invalidRealm(realm)
	}
	u.User, u.Fragment = nil, ""
	return u, nil
}

func invalidRealm(realm string) error {
	return badContent(ErrContent, "", "names a token service that is not an http or https URL (%q)", redact(realm))
}

// checkRealm refuses a token service that is less safe than the registry that
// names it, or that must not be contacted.
func (e *endpoint) checkRealm(from, realm *url.URL) error {
	if realm.Scheme == "http" && from.Scheme != "http" {
		return badContent(ErrContent, "",
			"names a token service over plain HTTP (%s), although the registry itself uses TLS; goldenarch refuses that", realm.Host)
	}
	if err := e.client.confine.Host(realm.Host); err != nil {
		return &contentError{kind: errForbiddenRealm, text: fmt.Sprintf("names the token service %s: %v", realm.Host, err), hint: confine.Advice(err)}
	}
	return nil
}
