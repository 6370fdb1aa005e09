package check

import (
	"encoding/json"
	"fmt"
	"strings"
)

// change is a field that has another value after rendering.
type change struct {
	path          string
	before, after any
}

// absent is the value of a missing field.
type absent struct{}

func valueOrAbsent(value any, has bool) any {
	if !has {
		return absent{}
	}
	return value
}

// String returns the path, and the value before and after.
func (c change) String() string {
	return fmt.Sprintf("%s (%s -> %s)", c.path, shown(c.before), shown(c.after))
}

// longestValue is how many characters of a value a message shows.
const longestValue = 80

// shown returns a value as JSON, and shortens a long one.
func shown(value any) string {
	if _, is := value.(absent); is {
		return "not set"
	}
	data, err := json.Marshal(value)
	if err != nil {
		return "another value"
	}
	if text := string(data); len(text) > longestValue {
		return strings.ToValidUTF8(text[:longestValue], "") + "…"
	}
	return string(data)
}
