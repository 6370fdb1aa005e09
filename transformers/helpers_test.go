package transformers

import "strings"

// lines makes YAML of lines.
func lines(list ...string) string { return strings.Join(list, "\n") + "\n" }
