package shape

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

const (
	// maxExponent is the largest exponent of a quantity, positive or negative. The API
	// server rounds far smaller ones to the largest and the smallest possible quantity.
	maxExponent = 1000
	// maxLength is the maximum number of characters in a quantity.
	maxLength = 1000
)

// Immeasurable returns the quantities of a document that are too large, too small or too
// long to compute with. apimachinery writes out all digits of 1e999999999, which does not
// end (quantity.go: ParseQuantity, through inf.Dec.Cmp). Call it before you decode the
// document into the Go type.
func Immeasurable(path string, data []byte, into any) []Fault {
	if value, err := decode(data); err == nil {
		return immeasurable(path, value, reflect.TypeOf(into))
	}
	return nil
}

func immeasurable(path string, value any, t reflect.Type) []Fault {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeFor[resource.Quantity]() {
		return measure(path, value)
	}
	return ofParts(path, value, t, immeasurable)
}

// measure returns the fault of one quantity, if it has one.
func measure(path string, value any) []Fault {
	text := ""
	switch v := value.(type) {
	case string:
		text = v
	case json.Number:
		text = v.String()
	}
	text = strings.TrimSpace(text)
	shown := text
	if len(shown) > 40 {
		shown = shown[:40] + "…"
	}
	fault := Fault{Path: path, Do: "write a size such as 10Gi", Value: shown}
	if len(text) > maxLength {
		fault.Text = fmt.Sprintf("is a quantity of %d characters, expected at most %d", len(text), maxLength)
		return []Fault{fault}
	}
	at := strings.LastIndexAny(text, "eE")
	if at < 0 {
		return nil
	}
	exponent, err := strconv.ParseInt(text[at+1:], 10, 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange): // Ei, or not a quantity at all
		return nil
	case err == nil && exponent >= -maxExponent && exponent <= maxExponent:
		return nil
	}
	fault.Text = fmt.Sprintf("is the quantity %q, expected an exponent between -%d and %d", shown, maxExponent, maxExponent)
	return []Fault{fault}
}
