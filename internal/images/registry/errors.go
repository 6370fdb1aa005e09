package registry

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/goldenarch/goldenarch/internal/console"
)

// The kinds of failure of an [*Error]; test for them with errors.Is.
var (
	ErrReference   = errors.New("the reference names no image in a registry")
	ErrUnreachable = errors.New("the registry did not answer")
	ErrDenied      = errors.New("the registry denies access")
	ErrNotFound    = errors.New("the registry has no such image")
	ErrBusy        = errors.New("the registry has too many requests")
	ErrServer      = errors.New("the registry failed")
	ErrCredentials = errors.New("the credentials cannot be read")
	ErrContent     = errors.New("the registry sent something that is not an image")
	ErrNotImage    = errors.New("the reference names something that is not an image")
	ErrNoPlatform  = errors.New("the image has no platform that can run")
	ErrNotTrue     = errors.New("the image is not what its index says")
	ErrDiffers     = fmt.Errorf("%w: its content does not match its digest", ErrContent)
	ErrBlocked     = errors.New("the mirror policy forbids the registry")
	ErrForbidden   = fmt.Errorf("%w: the settings of this machine refuse the host", ErrUnreachable)
)

// errForbiddenRealm is a challenge that leads to a host that goldenarch must not
// contact.
var errForbiddenRealm = fmt.Errorf("%w: %w", ErrForbidden, ErrContent)

// Error is why a reference could not be resolved. It holds no credential and no query
// of a URL.
type Error struct {
	// Reference is the normalized reference to resolve.
	Reference string
	// Registry is the host of the reference.
	Registry string
	// Kind is one of the Err variables of this package, or the context's
	// error.
	Kind error
	// Status is the HTTP status of the answer, or 0.
	Status int
	// Hint is what the user can try.
	Hint string
	// Err is what happened. All references that failed because of one dead host have
	// the same Err.
	Err error
}

// Error implements error: the image, the registry, its answer, and what the user can
// try.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "image %q: ", e.Reference)
	if e.Registry != "" {
		b.WriteString("registry " + e.Registry + ": ")
	}
	b.WriteString(e.Err.Error())
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	return b.String()
}

// Unwrap returns the kind and the cause.
func (e *Error) Unwrap() []error { return []error{e.Kind, e.Err} }

// contentError is a problem with the content that a registry sent. The text continues
// "registry X: ".
type contentError struct {
	kind error
	text string
	hint string // what to try, if kind does not say it
}

func (e *contentError) Error() string { return e.text }

func badContent(kind error, format string, args ...any) *contentError {
	return &contentError{kind: kind, text: fmt.Sprintf(format, args...)}
}

// reworded is an error with another text than its cause.
type reworded struct {
	text string
	err  error
}

func (e *reworded) Error() string { return e.text }

// Unwrap returns the cause.
func (e *reworded) Unwrap() error { return e.err }

var (
	errHTML = errors.New("it sent a web page: a captive portal or a proxy answers instead of it")
	errXML  = errors.New("it sent XML: a store or a proxy answers instead of it")
)

// errorPage returns what a body is that a registry would not send, or nil.
func errorPage(body []byte) error {
	start := strings.ToLower(strings.TrimLeft(string(body[:min(len(body), 512)]), "\ufeff \t\r\n"))
	for _, page := range []string{"<!doctype html", "<html", "<head", "<!--"} {
		if strings.HasPrefix(start, page) {
			return errHTML
		}
	}
	if strings.HasPrefix(start, "<") {
		return errXML
	}
	return nil
}

// notExpected describes in JSON's words what is wrong with a document. The words of
// encoding/json name Go types.
func notExpected(err error) string {
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		switch {
		case e.Value == secondValue:
			return fmt.Sprintf("it has the field %q more than once", cut(e.Field, 40))
		case e.Field == "":
			return fmt.Sprintf("it is a JSON %s, not an object", e.Value)
		}
		return fmt.Sprintf("%q is a JSON %s, which is the wrong type", cut(e.Field, 40), e.Value)
	}
	return cut(console.Redact(err.Error()), shownWords)
}

// withPart adds which part of an image an answer is about, if the reference does not
// name that part. The client received the other parts.
func withPart(err error, part, digest string) error {
	e, ok := errors.AsType[*statusError](err)
	if !ok {
		return err
	}
	known := *e
	known.part = part
	known.text = fmt.Sprintf("%s (requested: the %s %s)", e.text, part, digest)
	return &known
}

// Note is what a registry reports in addition to its answers and the user must know:
// only a few pulls remain.
type Note struct {
	// Registry is the host, as references name it.
	Registry string
	// Limit is how many pulls Window allows. Remaining is how many are left.
	Limit, Remaining int
	// Window is the period of the limit; 0 if it is unknown.
	Window time.Duration
}

// String returns the note in one line.
func (n Note) String() string {
	within := ""
	if n.Window > 0 {
		within = " in " + shortDuration(n.Window)
	}
	return fmt.Sprintf("registry %s has %d of %d pulls left%s", n.Registry, n.Remaining, n.Limit, within)
}

// shortDuration returns a duration without zeros: 6h, 30m, 1m30s.
func shortDuration(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// isLow reports whether the registry may refuse the next run: less than a tenth of the
// pulls remains, or less than ten.
func (n Note) isLow() bool { return n.Remaining < 10 || n.Remaining*10 < n.Limit }

// noteOf reads the headers in which Docker Hub counts the pulls of an address or a
// user: "ratelimit-limit: 100;w=21600", "ratelimit-remaining: 76;w=21600"
// (docs.docker.com/docker-hub/usage/pulls).
func noteOf(host string, h http.Header) (Note, bool) {
	limit, window, ok := quota(h.Get("Ratelimit-Limit"))
	remaining, _, left := quota(h.Get("Ratelimit-Remaining"))
	n := Note{Registry: host, Limit: limit, Remaining: remaining, Window: window}
	return n, ok && left && limit > 0 && n.isLow()
}

// quota reads "100;w=21600".
func quota(text string) (n int, window time.Duration, ok bool) {
	number, rest, _ := strings.Cut(text, ";")
	n, err := strconv.Atoi(strings.TrimSpace(number))
	if err != nil || n < 0 {
		return 0, 0, false
	}
	if seconds, found := strings.CutPrefix(strings.TrimSpace(rest), "w="); found {
		if s, err := strconv.ParseUint(seconds, 10, 31); err == nil {
			window = time.Duration(s) * time.Second
		}
	}
	return n, window, true
}
