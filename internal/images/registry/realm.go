package registry

import (
	"fmt"
	"net/url"

	"github.com/goldenarch/goldenarch/internal/images/confine"
)

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
	return &contentError{kind: ErrContent, text: fmt.Sprintf("names a token service that is not an http or https URL (%q)", redact(realm))}
}

// checkRealm refuses a token service that is less safe than the registry that
// names it, or that must not be contacted.
func (e *endpoint) checkRealm(from, realm *url.URL) error {
	if realm.Scheme == "http" && from.Scheme != "http" {
		return &contentError{
			kind: ErrContent,
			text: fmt.Sprintf("names a token service over plain HTTP (%s), although the registry itself uses TLS; goldenarch refuses that", realm.Host),
		}
	}
	if err := e.client.confine.Host(realm.Host); err != nil {
		return &contentError{kind: errForbiddenRealm, text: fmt.Sprintf("names the token service %s: %v", realm.Host, err), hint: confine.Advice(err)}
	}
	return nil
}
