package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/goldenarch/goldenarch/internal/images/credential"
	"github.com/goldenarch/goldenarch/internal/images/transport"
)

// statusError is an answer that is not 200.
type statusError struct {
	status int
	codes  []string
	text   string
	words  string // the server's text, apart from the status
	// part is the part of the image that the client requested; "" is the image itself.
	part string
	// used is the source of the credentials that the client sent, or "".
	used string
	// `withheld` is why the client did not send existing credentials, or "".
	withheld string
	notes    []string
}

func (e *statusError) Error() string { return e.text }

// newStatusError reads the server's answer: the errors of the distribution
// specification, or the beginning of the body. who is "" for the registry itself.
func newStatusError(resp *transport.Response, who string) *statusError {
	var body struct {
		Errors []struct {
			Code    string `json:"code"`
			Message string `json:"message"`
		} `json:"errors"`
	}
	e := &statusError{status: resp.Status}
	most := 200
	var messages []string
	if json.Unmarshal(resp.Body, &body) == nil {
		for _, one := range body.Errors[:min(3, len(body.Errors))] {
			if isCode(one.Code) {
				e.codes = append(e.codes, one.Code)
			}
			messages = append(messages, strings.Trim(one.Code+": "+one.Message, ": "))
		}
	}
	switch {
	case len(messages) > 0:
	case errors.Is(foreign(resp.Body), errHTML):
		messages = []string{errHTML.Error()}
	default:
		// A body without a registry's errors may be a page of any other service.
		messages, most = []string{string(resp.Body)}, shownWords
	}
	answered := fmt.Sprintf("answered %d %s", resp.Status, http.StatusText(resp.Status))
	if who != "" {
		// The user did not choose this server, so goldenarch shows little of its text.
		answered, most = who+" "+answered, shownWords
	}
	e.words = cut(redact(strings.Join(messages, "; ")), most)
	if e.words != "" {
		answered += ": " + e.words
	}
	if after := resp.Header.Get("Retry-After"); after != "" {
		answered += fmt.Sprintf(" (Retry-After: %s)", cut(after, 40))
	}
	e.text = strings.TrimSpace(answered)
	return e
}

// isCode reports whether a text has the form of an error code of the distribution
// specification.
func isCode(s string) bool {
	return s != "" && len(s) <= 40 && !strings.ContainsFunc(s, func(r rune) bool { return (r < 'A' || r > 'Z') && r != '_' })
}

// refusal returns the error of an answer that is not 200, with what is known about the
// credentials that the session used.
func (s *session) refusal(ctx context.Context, resp *transport.Response) error {
	e := newStatusError(resp, "")
	if !s.endpoint.sent(resp) {
		return newStatusError(resp, "redirected to "+resp.URL.Host+", which")
	}
	if resp.Status != http.StatusUnauthorized && resp.Status != http.StatusForbidden && resp.Status != http.StatusNotFound {
		return e
	}
	s.endpoint.mu.Lock()
	c := s.endpoint.challenge
	s.endpoint.mu.Unlock()
	if c == nil {
		c = &challenge{scheme: "basic"}
	}
	found, err := s.credentials(ctx, *c)
	if err != nil {
		found.Notes = append(found.Notes, err.Error())
	}
	if s.again.Load() != nil && resp.Status == http.StatusUnauthorized {
		found.Notes = append(found.Notes, "its token service issued the same token again, and the registry refuses it")
	}
	return withNotes(e, found)
}

// withNotes adds what is known about the user's credentials to a refusal.
func withNotes(err error, found credential.Found) error {
	e, ok := errors.AsType[*statusError](err)
	if !ok {
		return err
	}
	known := *e
	known.notes, known.withheld = found.Notes, found.Withheld
	if !found.Anonymous() {
		known.used = found.Source
	}
	return &known
}
