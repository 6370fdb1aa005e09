package registry

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

var (
	errHTML = errors.New("it sent a web page: a captive portal or a proxy answers instead of it")
	errXML  = errors.New("it sent XML: a store or a proxy answers instead of it")
)

// foreign returns what a body is that a registry would not send, or nil.
func foreign(body []byte) error {
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
	return cut(redact(err.Error()), shownWords)
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
