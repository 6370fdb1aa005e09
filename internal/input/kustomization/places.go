package kustomization

import (
	"regexp"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

// knownPlaces are the messages in which kustomize prints content of files (kustomize api,
// v0.21.2), with their replacements.
var knownPlaces = []struct {
	at      func() *regexp.Regexp
	instead string
}{
	// internal/target/kusttarget.go: configureBuiltinPlugin
	{pattern.Of("(?s) with config: `\n.*\n`"), ""},
	// internal/builtins/PatchTransformer.go
	{pattern.Of(`(?s)\[patch: .*\]`), inline},
	{pattern.Of(`(?s)(must specify one of patch and path|patch and path can't be set at the same time)(?: in)?\n.*`), "$1"},
	// internal/builtins/PatchJson6902Transformer.go
	{pattern.Of(`(?s)(must specify a target for patch) .*`), "$1"},
	{pattern.Of(`(?s)\bdecoding \S.*: `), "decoding " + inline + ": "},
	// kv/kv.go
	{pattern.Of(`(?s)(literal sources) \[.*\]: `), "$1: "},
	{pattern.Of(`(?s)invalid literal source .*, expected key=value`), "a literal is not of the form key=value"},
	{pattern.Of(`(?s)line .* has invalid utf8 bytes : .*`), "a line is not UTF-8"},
	// filters/replacement/replacement.go
	{pattern.Of(`(?s)(options\.index -?\d+ is out of bounds) for value .*`), "$1"},
	// filters/refvar/refvar.go
	{pattern.Of(`(?s)(invalid map key): .*`), "$1"},
	// internal/target/kusttarget.go: a generator as Go prints it, with addresses
	{pattern.Of(`(?s)generator &\{.*\}: `), "a generator: "},
	// resmap/reswrangler.go: an id as Go prints it
	{pattern.Of(`id resid\.ResId\{Gvk:resid\.Gvk\{[^}]*Kind:"([^"]*)"[^}]*\}, Name:"([^"]*)", Namespace:"[^"]*"\}`), `$1 "$2"`},
	// the YAML and JSON readers
	{pattern.Of(`(?s)unknown anchor '.*' referenced`), "an alias has no anchor"},
	{pattern.Of(`(?s)cannot unmarshal (!!\w+) .*? into`), "cannot unmarshal $1 into"},
	{pattern.Of(`(?s)(strconv\.\w+): parsing ".*": `), "$1: "},
}
