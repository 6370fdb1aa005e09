package finding

import (
	"fmt"
	"strings"
)

// Count returns a number of things: "1 field", "2 fields".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// FirstOf lists the first few names, and says if there are more.
func FirstOf(list []string) string {
	const shown = 3
	if len(list) > shown {
		return strings.Join(list[:shown], ", ") + ", …"
	}
	return strings.Join(list, ", ")
}
