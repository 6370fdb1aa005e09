package transport

import (
	"errors"
	"fmt"
	"net/http"
)

const maxRedirects = 10

var errRedirects = fmt.Errorf("more than %d redirects", maxRedirects)

// redirect returns the request that a redirecting answer requires, or nil if the answer
// is final. Another origin gets no credentials, not even on another port of the same
// host.
func redirect(r Request, resp *Response) (*Request, error) {
	location := resp.Header.Get("Location")
	switch resp.Status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, nil
	}
	if location == "" {
		return nil, nil
	}
	// The Location may contain a signature, so no message shows it.
	target, err := resp.URL.Parse(location)
	if err != nil || target.Host == "" {
		return nil, &HostError{Host: resp.URL.Host, Err: errors.New("redirect to something that is not a URL")}
	}
	target.User, target.Fragment = nil, ""
	same := target.Scheme == resp.URL.Scheme && Origin(target) == Origin(resp.URL)
	if r.Method != http.MethodGet && !same {
		return nil, &HostError{Host: resp.URL.Host, Err: fmt.Errorf("redirect of a %s to %s, which would get the credentials", r.Method, target.Host)}
	}
	if target.Scheme == "http" && resp.URL.Scheme == "http" && same {
		r.PlainHTTP = true
	}
	r.URL = target
	if !same {
		r.Header = r.Header.Clone()
		r.Header.Del("Authorization")
		r.PlainHTTP = false
	}
	return &r, nil
}

// mayAsk refuses a URL with another scheme than https, unless http is allowed, and the
// URL of a host that the transport must not contact.
func (t *Transport) mayAsk(r Request) error {
	if err := t.options.Confine.Host(r.URL.Host); err != nil {
		return &HostError{Host: r.URL.Host, Err: err}
	}
	switch {
	case r.URL.Scheme == "https":
		return nil
	case r.URL.Scheme == "http" && (r.PlainHTTP || t.options.Insecure(r.URL.Host)):
		return nil
	case r.URL.Scheme == "http":
		return &HostError{Host: r.URL.Host, Err: ErrPlainHTTP}
	}
	return &HostError{Host: r.URL.Host, Err: fmt.Errorf("a URL with the scheme %q, which is not https", r.URL.Scheme)}
}
