package kustomization

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"

	"github.com/goldenarch/goldenarch/internal/bound"
	"github.com/goldenarch/goldenarch/internal/pathname"
	"github.com/goldenarch/goldenarch/internal/pattern"
	"github.com/goldenarch/goldenarch/internal/regular"
)

// pathEntry is an entry of a kustomization that names a file or a directory.
type pathEntry struct {
	entry string // as the kustomization has it
	dir   string // of the kustomization, absolute
}

// buildPaths are the paths that a build has read, or that the kustomizations in it name.
type buildPaths struct {
	given, root string               // the directory of the build: as the user named it, and absolute without links
	entries     map[string]pathEntry // by their absolute paths
	known       map[string]bool      // all of them, with the directories above, and the entries themselves
	inText      []string             // of known, those in an error, the longest first
}

// newBuildPaths returns the paths of a build that has read some files.
func newBuildPaths(given string, read map[string][]byte) *buildPaths {
	p := &buildPaths{given: given, entries: map[string]pathEntry{}, known: map[string]bool{}}
	if root, err := filepath.Abs(given); err == nil {
		p.root = root
		if resolved, err := filepath.EvalSymlinks(root); err == nil {
			p.root = resolved
		}
		p.add(p.root)
	}
	for file, data := range read {
		p.add(file)
		if !slices.Contains(konfig.RecognizedKustomizationFileNames(), filepath.Base(file)) {
			continue
		}
		k, _ := decode(data)
		if set, err := fields(k); err == nil {
			p.collect("", set, filepath.Dir(file))
		}
	}
	return p
}

// add adds a path and the directories above it.
func (p *buildPaths) add(path string) {
	for path = filepath.Clean(path); filepath.IsAbs(path) && !p.known[path] && filepath.Dir(path) != path; path = filepath.Dir(path) {
		p.known[path] = true
	}
}

// collect adds the entries of a kustomization that name paths.
func (p *buildPaths) collect(field string, tree any, dir string) {
	switch tree := tree.(type) {
	case map[string]any:
		for key, value := range tree {
			if !slices.Contains(plainFields, key) {
				p.collect(key, value, dir)
			}
		}
	case []any:
		for _, value := range tree {
			p.collect(field, value, dir)
		}
	case string:
		if !named(pathFields, field) || isInline(tree) || tree == "" {
			return
		}
		entry := tree
		if _, after, is := strings.Cut(tree, "="); is && field == "files" {
			entry = after // of a generator: key=path
		}
		p.known[tree], p.known[entry] = true, true
		absolute := entry
		if !filepath.IsAbs(entry) {
			absolute = filepath.Join(dir, entry)
		}
		p.add(absolute)
		if _, is := p.entries[absolute]; !is {
			p.entries[absolute] = pathEntry{entry: entry, dir: dir}
		}
	}
}

// limit keeps the paths that a text has.
func (p *buildPaths) limit(text string) {
	p.inText = slices.DeleteFunc(longestFirst(p.known), func(path string) bool { return !strings.Contains(text, path) })
}

// at returns the path that stands at a place of a text. A single word is a path only where
// kustomize quotes one: elsewhere it may be a value.
func (p *buildPaths) at(text string, i int) string {
	if p == nil || i > 0 && (isWordByte(text[i-1]) || strings.IndexByte("/.-", text[i-1]) >= 0) {
		return ""
	}
	for _, path := range p.inText {
		rest, is := strings.CutPrefix(text[i:], path)
		if !is || rest != "" && (isWordByte(rest[0]) || rest[0] == '-') {
			continue
		}
		if strings.ContainsAny(path, "/.") || i > 0 && strings.IndexByte("'([", text[i-1]) >= 0 && rest != "" && strings.IndexByte("')],", rest[0]) >= 0 {
			return path
		}
	}
	return ""
}

// show returns a path as the user would write it.
func (p *buildPaths) show(path string) string {
	return filepath.ToSlash(pathname.Named(p.given, p.root, path))
}

// entry names a path by the kustomization that lists it.
func (p *buildPaths) entry(path string) string {
	if l, is := p.entries[path]; is {
		return fmt.Sprintf("%s, listed in %s,", l.entry, p.show(l.dir))
	}
	return p.show(path)
}

// in names an entry by the directory that kustomize was in when it wrote a part of its
// error.
func (p *buildPaths) in(entry, before string) string {
	return p.entry(filepath.Join(p.dirOf(before), entry))
}

// dirOf returns the last directory that the beginning of an error names, or the root.
func (p *buildPaths) dirOf(before string) string {
	all := inDirectory().FindAllStringSubmatch(before, -1)
	if len(all) == 0 {
		return p.root
	}
	return all[len(all)-1][1]
}

// inDirectory matches how kustomize says which directory it builds (kustomize api
// internal/target/kusttarget.go: accumulateDirectory, accumulateResources).
var inDirectory = pattern.Of(`(?:recursed accumulation of path|couldn't make target for path) '([^']*)'`)

// causes are the frequent reasons for which a build fails, as kustomize's errors have them
// (kustomize api, v0.21.2), and what goldenarch says about them. kustomize's own errors
// begin with every directory on the way, and end with the cause.
var causes = []struct {
	at  func() *regexp.Regexp
	say func(p *buildPaths, before string, found []string) string
}{
	{
		// api/internal/loader/fileloader.go, kyaml filesys/fsondisk.go
		pattern.Of(`evalsymlink failure on '([^']*)' : lstat [^:]*: no such file or directory`),
		func(p *buildPaths, _ string, found []string) string { return p.entry(found[1]) + " does not exist" },
	},
	{
		pattern.Of(`evalsymlink failure on '([^']*)' : (?:lstat [^:]*: )?not a directory`),
		func(p *buildPaths, _ string, found []string) string {
			return p.entry(found[1]) + " leads through a file, expected a directory"
		},
	},
	{
		pattern.Of(`unable to find one of [^:]* in directory '([^']*)'`),
		func(p *buildPaths, _ string, found []string) string {
			return p.entry(found[1]) + " is a directory without a kustomization.yaml"
		},
	},
	{
		pattern.Of(`cycle detected: candidate root '([^']*)'`),
		func(p *buildPaths, _ string, found []string) string {
			return fmt.Sprintf("%s refers to itself through the directories that it lists", p.show(found[1]))
		},
	},
	{
		pattern.Of(`security; file '([^']*)' is not in or below '([^']*)'`),
		func(p *buildPaths, _ string, found []string) string {
			return fmt.Sprintf("%s is outside %s, and kustomize reads files only in or below the directory of the kustomization", p.entry(found[1]), p.show(found[2]))
		},
	},
	{
		pattern.Of(`MalformedYAMLError: yaml: line (\d+): (.*?) in File: ([^' ]+)`),
		func(p *buildPaths, before string, found []string) string {
			return fmt.Sprintf("%s is not valid YAML: line %s: %s", p.show(filepath.Join(p.dirOf(before), found[3])), found[1], found[2])
		},
	},
	{
		pattern.Of(`invalid Kustomization: (?:json: unknown field "([^"]*)"|yaml: line (\d+): ([^':]*))`),
		func(p *buildPaths, before string, found []string) string {
			dir := p.show(p.dirOf(before))
			if found[1] != "" {
				return fmt.Sprintf("the kustomization in %s has the unknown field %q", dir, found[1])
			}
			return fmt.Sprintf("the kustomization in %s is not valid YAML: line %s: %s", dir, found[2], strings.TrimSpace(found[3]))
		},
	},
	{
		pattern.Of(`merging resources from '([^']*)': may not add resource with an already registered id: ([^' ]+)`),
		func(p *buildPaths, before string, found []string) string {
			return fmt.Sprintf("%s has %s, which another entry has, too", p.in(found[1], before), objectOf(found[2]))
		},
	},
	{
		pattern.Of(`no matches for Id ([^;]+); failed to find unique target for patch`),
		func(p *buildPaths, before string, found []string) string {
			return fmt.Sprintf("a patch in %s is for %s, which is not among its resources", p.show(p.dirOf(before)), objectOf(found[1]))
		},
	},
	{
		pattern.Of(`accumulating resources from '([^']*)': missing Resource metadata`),
		func(p *buildPaths, before string, found []string) string {
			return p.in(found[1], before) + " has an object without metadata"
		},
	},
}

// objectOf returns an id of kustomize (kyaml resid/resid.go: String) as a kind and a name:
// "ConfigMap.v1.[noGrp]/c.[noNs]".
func objectOf(id string) string {
	kind, name, _ := strings.Cut(id, "/")
	kind, _, _ = strings.Cut(kind, ".")
	if at := strings.LastIndex(name, "."); at >= 0 {
		if namespace := name[at+1:]; namespace != "[noNs]" {
			return fmt.Sprintf("%s %q in the namespace %q", kind, name[:at], namespace)
		}
		name = name[:at]
	}
	return fmt.Sprintf("%s %q", kind, name)
}

// cause returns the cause of an error without contents of files, or "".
func (p *buildPaths) cause(text string) string {
	for _, c := range causes {
		if at := c.at().FindStringIndex(text); at != nil {
			return c.say(p, text[:at[0]], c.at().FindStringSubmatch(text))
		}
	}
	return ""
}

// Failure is the error of a build in a form that one process can pass to another.
type Failure struct { //nolint:errname // what a worker passes on, which is an error too
	Text string
	// Kinds are the numbers of the errors that the error wraps, of those in kinds.
	Kinds []int
}

// kinds are the errors by which callers tell builds that failed from each other.
var kinds = []error{
	ErrMemory, errRemote, errFunction, errCrash, errAgain, errChain, errOutside,
	bound.ErrAnchors, bound.ErrDepth, regular.ErrTooLarge, regular.ErrTooMany, fs.ErrNotExist,
}

// NewFailure returns an error as a Failure.
func NewFailure(err error) *Failure {
	out := &Failure{Text: err.Error()}
	for i, kind := range kinds {
		if errors.Is(err, kind) {
			out.Kinds = append(out.Kinds, i)
		}
	}
	return out
}

// Error implements error.
func (f *Failure) Error() string { return f.Text }

// Is reports whether the error was one of those that callers know.
func (f *Failure) Is(target error) bool {
	for _, i := range f.Kinds {
		if i >= 0 && i < len(kinds) && errors.Is(kinds[i], target) {
			return true
		}
	}
	return false
}
