package lock

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/sanitize"
)

// Change is a difference between a lock and the registries.
type Change struct {
	// Locked is what the lock says; nil if the lock has no entry.
	Locked *registry.Image
	// Answer is what the registry says; nil if no template refers to the image any more.
	Answer *registry.Image
}

// Compare returns the changes that the registries' answers make to a lock, and the entries
// to drop, sorted by reference.
func Compare(l Lock, answers []registry.Image, dropped []imageref.Reference) []Change {
	var out []Change
	for _, answer := range answers {
		ref, err := imageref.Parse(answer.Reference)
		if err != nil {
			continue // a Resolver returns only valid references
		}
		switch locked, ok := l.Find(ref); {
		case !ok:
			out = append(out, Change{Answer: &answer})
		case !Same(locked, answer) || locked.Bundle != answer.Bundle:
			out = append(out, Change{Locked: &locked, Answer: &answer})
		}
	}
	for _, ref := range dropped {
		if locked, ok := l.Find(ref); ok {
			out = append(out, Change{Locked: &locked})
		}
	}
	slices.SortFunc(out, func(a, b Change) int { return strings.Compare(a.Reference(), b.Reference()) })
	return out
}

// Reference returns the reference of the changed image.
func (c Change) Reference() string {
	if c.Answer != nil {
		return c.Answer.Reference
	}
	return c.Locked.Reference
}

// what describes the change: "-s390x", or a phrase if the architectures are the same.
func (c Change) what() string {
	switch {
	case c.Answer == nil:
		return "not used"
	case c.Locked == nil:
		return "not in the lock, has " + c.Answer.Platforms.Linux().String()
	}
	var signs []string
	before, after := c.Locked.Platforms, c.Answer.Platforms
	for _, a := range before.Linux().Minus(after.Linux()) {
		signs = append(signs, "-"+string(a))
	}
	for _, a := range after.Linux().Minus(before.Linux()) {
		signs = append(signs, "+"+string(a))
	}
	if len(signs) == 0 {
		signs = variants(before, after)
	}
	switch {
	case len(signs) > 0:
	case c.Answer.Bundle && !c.Locked.Bundle:
		return "an operator bundle image"
	case c.Locked.Bundle && !c.Answer.Bundle:
		return "not an operator bundle image"
	default:
		return "the same architectures, other content"
	}
	return strings.Join(signs, " ")
}

// variants returns the platforms that were removed and added although the architectures are
// the same.
func variants(before, after arch.Platforms) []string {
	var signs []string
	lost := func(sign string, from, to arch.Platforms) {
		for _, p := range from {
			if !slices.ContainsFunc(to, func(q arch.Platform) bool { return p.String() == q.String() }) {
				signs = append(signs, sign+strings.TrimPrefix(p.String(), "linux/"))
			}
		}
	}
	lost("-", before, after)
	lost("+", after, before)
	return signs
}

// digests returns the locked digest and the current one.
func (c Change) digests() string {
	switch {
	case c.Answer == nil:
		return ""
	case c.Locked == nil:
		return ", " + short(c.Answer.Digest)
	case c.Locked.Digest == c.Answer.Digest:
		return ", " + short(c.Answer.Digest) + ": the lock does not say what this digest has"
	}
	return fmt.Sprintf(", %s -> %s", short(c.Locked.Digest), short(c.Answer.Digest))
}

// short returns a digest in its usual short form.
func short(digest string) string {
	const prefix = len("sha256:") + 12
	return digest[:min(prefix, len(digest))]
}

// Text returns a line for each change, for the user:
//
//	rhel10-guest: -s390x (registry.example.com/rhel10-guest:latest, sha256:0123456789ab -> sha256:ba9876543210)
func Text(changes []Change) string {
	names := map[string]int{}
	for _, c := range changes {
		names[name(c.Reference())]++
	}
	var b strings.Builder
	for _, c := range changes {
		called := name(c.Reference())
		if names[called] > 1 {
			called = c.Reference()
		}
		b.WriteString(sanitize.Escape(fmt.Sprintf("%s: %s (%s%s)", called, c.what(), c.Reference(), c.digests())) + "\n")
	}
	return b.String()
}

// name returns the last part of a repository.
func name(reference string) string {
	ref, err := imageref.Parse(reference)
	if err != nil {
		return reference
	}
	return path.Base(ref.Repository())
}
