package repo

import (
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/pattern"
)

// generator is a generator of an ApplicationSet: what it says, by its kind, such as git or list. goldenarch
// reads the directories of Git and the elements of a list. What the others make only Argo CD knows.
type generator map[string]generates

// generates is what a generator of any kind says.
type generates struct {
	RepoURL     string `json:"repoURL"`
	Directories []struct {
		Path    string `json:"path"`
		Exclude bool   `json:"exclude"`
	} `json:"directories"`
	PathParamPrefix string           `json:"pathParamPrefix"`
	Elements        []map[string]any `json:"elements"`
	// Generators are those of a product, or those that are merged.
	Generators   []generator `json:"generators"`
	ElementsYAML string      `json:"elementsYaml"`
	Template     struct {
		Spec struct {
			Source         stated `json:"source"`
			Sources        stated `json:"sources"`
			SourceHydrator stated `json:"sourceHydrator"`
		} `json:"spec"`
	} `json:"template"`
}

// hasSource reports whether the generator has a source of its own over that of the set.
func (g generator) hasSource() bool {
	for _, one := range g {
		if spec := one.Template.Spec; bool(spec.Source) || bool(spec.Sources) || bool(spec.SourceHydrator) {
			return true
		}
	}
	return false
}

// patterns returns the patterns of the directories that a path may be, which a product of directories of Git and of clusters
// fills in; nil if nothing is known of it.
func (g generator) patterns(path string) []string {
	if name := placeholder().FindStringSubmatch(path); name == nil || name[0] != path || name[1] != "path" && name[1] != "path.path" {
		return nil
	}
	var out []string
	for kind, one := range g {
		switch kind {
		case "git":
			for _, dir := range one.Directories {
				out = append(out, strings.ReplaceAll(dir.Path, "*", anyPath))
			}
		case "matrix":
			for _, below := range one.Generators {
				if _, ok := below["clusters"]; !ok {
					patterns := below.patterns(path)
					if patterns == nil {
						return nil
					}
					out = append(out, patterns...)
				}
			}
		default:
			return nil
		}
	}
	return out
}

// parameters are the values of one Application of an ApplicationSet, by name.
type parameters map[string]string

// work is what a run may still do to follow ApplicationSets: the generators of a few kilobytes may name each
// directory many times.
type work int

const (
	// maxWork bounds the work of a run: 100,000 Applications.
	maxWork work = 10_000_000
	// workOfApplication is the work for an Application, beside that for the length of its source. To compare a
	// directory with a pattern is 1.
	workOfApplication = 100
)

// spend takes from what is left, and reports whether there was enough.
func (w *work) spend(n int) bool {
	*w -= work(n)
	return *w >= 0
}

// applySet notes the directories of the Applications that an ApplicationSet makes.
func (s *scan) applySet(a argo, file string) {
	spec := a.Spec.Template.Spec
	route := spec.route(a.name(file))
	route.set = &applicationSet{TemplatePatch: a.Spec.TemplatePatch}
	route.OnServer = route.OnServer || strings.Contains(a.Spec.TemplatePatch, serverSideApply)
	route.respects = route.respects || strings.Contains(a.Spec.TemplatePatch, respectIgnored)
	if route.set.patchesSource() { // to another path, perhaps
		s.notFollowed(anyPath, route.By)
	}
	for _, from := range a.Spec.Generators {
		if from.hasSource() {
			s.notFollowed(anyPath, route.By)
			continue
		}
		all := s.parameters(from)
		for _, one := range spec.all() {
			if s.repository.is(one.RepoURL) && one.Path != "" && !s.applyTemplate(one, all, route) {
				s.notFollowed(one.Path, route.By, from.patterns(one.Path)...)
			}
		}
		if s.left < 0 {
			s.tooMany(a, file)
		}
	}
}

// applyTemplate notes the directories of one source of the Applications of a generator, each once. It reports whether
// it knows all of them.
func (s *scan) applyTemplate(one applicationSource, all []parameters, route Route) bool {
	text, err := json.Marshal(one)
	if err != nil {
		return false // nothing of a source that was decoded is unknown to JSON
	}
	known, done := true, map[string]bool{}
	for _, values := range all {
		if !s.left.spend(workOfApplication + len(text)) {
			return false
		}
		filled := values.fill(string(text))
		if done[filled] {
			continue
		}
		done[filled] = true
		of := applicationSource{refs: one.refs}
		if json.Unmarshal([]byte(filled), &of) != nil || isTemplate(of.Path) {
			known = false
			continue
		}
		s.applySource(of, route)
	}
	return known
}

// parameters returns the values of the Applications that a generator makes. Those without values are the Applications that
// only Argo CD knows: all of them have the directory of a path without placeholders.
func (s *scan) parameters(g generator) []parameters {
	unknown := []parameters{{}}
	_, selects := g["selector"] // drops some of them
	git, list := g["git"], g["list"]
	switch {
	case selects:
	case len(git.Directories) > 0 && git.PathParamPrefix == "" && s.repository.is(git.RepoURL):
		return s.directories(git)
	case len(list.Elements) > 0:
		var out []parameters
		for _, element := range list.Elements {
			out = append(out, flat("", element, parameters{}))
		}
		if list.ElementsYAML != "" {
			out = append(out, unknown...)
		}
		return out
	}
	return unknown
}

// tooMany reports the first ApplicationSet of which goldenarch does not follow all
// Applications. It does not follow the later ones either.
func (s *scan) tooMany(a argo, file string) {
	if s.cut {
		return
	}
	s.cut = true
	s.out.Found = append(s.out.Found, finding.Finding{
		ID: finding.ApplicationsCut, Severity: finding.Warning, Object: finding.Object{File: file, Kind: a.Kind, Name: a.Metadata.Name},
		Text: fmt.Sprintf("the ApplicationSets up to this one make more than %d Applications, and goldenarch follows the first ones: "+
			"it may miss directories that the others apply", maxWork/workOfApplication),
		Do: "pass the directories of the others to goldenarch check one by one",
	})
}

// directories returns the directories of the tree that a generator names, as far as there is work left (argo-cd
// applicationset/generators/git.go: filterApps, generateParamsFromApps). The root is not
// one of them (argo-cd reposerver/repository/repository.go: GetGitDirectories).
func (s *scan) directories(g generates) []parameters {
	var out []parameters
	for _, dir := range s.dirs {
		below, err := filepath.Rel(s.repository.top, s.real[dir.Path])
		if err != nil || !filepath.IsLocal(below) || below == "." {
			continue
		}
		if !s.left.spend(len(g.Directories)) {
			break
		}
		at := filepath.ToSlash(below)
		if !g.names(at) {
			continue
		}
		values := parameters{"path": at, "path.path": at, "path.basename": path.Base(at)}
		for i, part := range strings.Split(at, "/") {
			values[fmt.Sprintf("path[%d]", i)] = part
		}
		out = append(out, values)
	}
	return out
}

// names reports whether the generator names a directory. An entry that excludes it counts wherever it is.
func (g generates) names(dir string) bool {
	named := false
	for _, one := range g.Directories {
		if ok, err := path.Match(one.Path, dir); err != nil || !ok {
			continue
		}
		if one.Exclude {
			return false
		}
		named = true
	}
	return named
}

// flat adds the single values of an element, by their paths.
func flat(prefix string, value any, into parameters) parameters {
	if m, ok := value.(map[string]any); ok {
		for key, below := range m {
			flat(strings.TrimPrefix(prefix+"."+key, "."), below, into)
		}
		return into
	}
	into[prefix] = fmt.Sprint(value)
	return into
}

// placeholder matches a value that an ApplicationSet fills in, with Go templates or not.
var placeholder = pattern.Of(`\{\{-?\s*\.?([\w.\[\]-]+)\s*-?\}\}`)

// isTemplate reports whether a text has what only Argo CD fills in.
func isTemplate(text string) bool { return strings.Contains(text, "{{") }

// fill returns a text of JSON with the values in it (argo-cd applicationset/utils/utils.go: RenderTemplateParams).
func (p parameters) fill(text string) string {
	if !isTemplate(text) {
		return text
	}
	return placeholder().ReplaceAllStringFunc(text, func(found string) string {
		value, ok := p[placeholder().FindStringSubmatch(found)[1]]
		quoted, err := json.Marshal(value)
		if !ok || err != nil {
			return found
		}
		return string(quoted[1 : len(quoted)-1])
	})
}
