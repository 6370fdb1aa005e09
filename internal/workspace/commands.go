package workspace

import (
	"slices"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/manifest"
)

// Commands are the commands that findings advise. They decide what this run decides: they have the flags that were given.
type Commands struct {
	// Verb is the verb of the run, and Path how a user writes it with the name of the program.
	Verb, Path string
	// Given are the flags that were given, by the verb that has them, too.
	Given map[string][]GivenFlag
}

// GivenFlag is a flag that was given: its name, or that of the option that --set states, and it as words of a command line.
type GivenFlag struct {
	Name  string
	Words []string
}

// untold are the flags that say what one run writes and where, and whom it trusts. An advised
// command has its own.
var untold = []string{"check", "diff", "patch", "base", "untrusted"}

// words returns the flags that were given and that a verb has, too, but for some, as words.
func (c Commands) words(verb string, without ...string) []string {
	var out []string
	for _, flag := range c.Given[verb] {
		if !slices.Contains(without, flag.Name) {
			out = append(out, flag.Words...)
		}
	}
	return out
}

// line returns a command with a verb. words are its other flags and its paths.
func (c Commands) line(verb string, words ...string) string {
	return console.Command(slices.Concat([]string{"goldenarch", verb}, words, c.words(verb, untold...))...)
}

// patch returns the command of a verb that gives paths patches of their own.
func (c Commands) patch(verb string, paths ...string) string {
	return c.line(verb, append([]string{"--patch"}, console.CommandPaths(paths)...)...)
}

// fix returns the command that writes what a check of paths misses; "" if there is no file to write.
func (c Commands) fix(paths ...string) string {
	if slices.Contains(paths, manifest.Stdin) {
		return ""
	}
	return c.line("fix", console.CommandPaths(paths)...)
}

// fromStdin returns the command that reads standard input, as a user writes it, without the "-". Verbs that edit files cannot
// write there, and lock needs the name of its file.
func (c Commands) fromStdin() string {
	switch c.Verb {
	case "", "fix", "customize", "init":
		return "goldenarch render"
	case "lock":
		return c.Path + " --file " + LockFile
	default:
		return c.Path
	}
}
