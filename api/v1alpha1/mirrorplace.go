package v1alpha1

import (
	"regexp"
	"strings"
	"sync"
)

// label is a part of a host's name, and part is a part of a repository's (distribution
// reference grammar).
const (
	label = `[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?`
	part  = `[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*`
)

var (
	locationPattern = lazily(`^(?:\[[0-9a-fA-F:.]+\]|` + label + `(?:\.` + label + `)*)(?::[0-9]{1,5})?(?:/` + part + `)*$`)
	domainPattern   = lazily(`^\*(?:\.` + label + `)+$`)
)

// CheckMirrorSource says why a text cannot be the source of mirrors. It returns "" for a
// location, or "*.example.com".
func CheckMirrorSource(text string) string {
	if domainPattern().MatchString(text) {
		return ""
	}
	if strings.HasPrefix(text, "*") {
		return "expected \"*.\" and a domain, without port and path"
	}
	return CheckMirror(text)
}

// CheckMirror says why a text cannot be a mirror. It returns "" for a registry, with or
// without the beginning of a repository's name.
func CheckMirror(text string) string {
	host, _, _ := strings.Cut(text, "/")
	switch {
	case text == "":
		return "expected a registry, or a namespace or repository in one"
	case strings.Contains(text, "://"):
		return "expected no scheme"
	case strings.HasSuffix(text, "/"):
		return "expected no slash at the end"
	case !locationPattern().MatchString(text):
		return "expected host[:port][/namespace[/repository]], without tag and digest"
	case !strings.ContainsAny(host, ".:") && host != "localhost":
		// A reference without a registry belongs to Docker Hub.
		return "does not begin with a registry: a host has a dot or a port"
	}
	return ""
}

// lazily compiles an expression when it is first needed: few runs need one, and hosts
// start a function for every build of a package.
func lazily(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
