package repo

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/pattern"
)

// generator is a generator of an ApplicationSet that needs no cluster: directories of
// Git, a list, or a product of generators.
type generator struct {
	Git *struct {
		RepoURL     string `json:"repoURL"`
		Directories []struct {
			Path    string `json:"path"`
			Exclude bool   `json:"exclude"`
		} `json:"directories"`
		PathParamPrefix string `json:"pathParamPrefix"`
	} `json:"git"`
	List *struct {
		Elements []map[string]any `json:"elements"`
	} `json:"list"`
	Matrix *struct {
		Generators []generator `json:"generators"`
	} `json:"matrix"`
	// Selector drops some of the generator's Applications.
	Selector map[string]any `json:"selector"`
}

// parameters are the values of one Application of an ApplicationSet, by name.
type parameters map[string]string

// maxParameters is how many Applications of one ApplicationSet goldenarch follows. A product
// of a few lists can have as many as nobody can read.
const maxParameters = 10_000

// parameters returns the values of all Applications that generators make, as far as
// goldenarch reads them, and whether there are more than [maxParameters]. Of a generator
// that it does not read, there is one without values: one that asks a cluster or reads
// files, and one with a selector.
func (s *scan) parameters(generators []generator, repository checkout) (out []parameters, cut bool) {
	for _, g := range generators {
		if len(out) > maxParameters {
			break
		}
		switch {
		case g.Selector != nil:
			out = append(out, parameters{})
		case g.Git != nil && len(g.Git.Directories) > 0 && repository.is(g.Git.RepoURL):
			out = append(out, s.directories(g, repository)...)
		case g.List != nil && len(g.List.Elements) > 0:
			for _, element := range g.List.Elements {
				out = append(out, flat("", element, parameters{}))
			}
		case g.Matrix != nil:
			product, more := s.product(g.Matrix.Generators, repository)
			out, cut = append(out, product...), cut || more
		default:
			out = append(out, parameters{})
		}
	}
	return out[:min(len(out), maxParameters)], cut || len(out) > maxParameters
}

// product returns each combination of the values of several generators, and whether there
// are more than [maxParameters]. Of two values with one name, the first counts (argo-cd
// applicationset/generators/matrix.go: GenerateParams; without Go templates, Argo CD
// rejects two that differ).
func (s *scan) product(generators []generator, repository checkout) (out []parameters, cut bool) {
	out = []parameters{{}}
	for _, g := range generators {
		all, more := s.parameters([]generator{g}, repository)
		cut = cut || more
		var next []parameters
		for _, before := range out {
			for _, one := range all {
				if len(next) == maxParameters {
					cut = true
					break
				}
				both := maps.Clone(one)
				maps.Copy(both, before)
				next = append(next, both)
			}
		}
		out = next
	}
	return out, cut
}

// tooMany reports an ApplicationSet of which goldenarch does not follow all Applications.
func (s *scan) tooMany(a argo, file string) {
	s.out.Found = append(s.out.Found, finding.Finding{
		ID: finding.ApplicationsCut, Severity: finding.Warning, Object: finding.Object{File: file, Kind: a.Kind, Name: a.Metadata.Name},
		Text: fmt.Sprintf("the ApplicationSet makes more than %d Applications, and goldenarch follows the first %d: it may miss directories that the others apply",
			maxParameters, maxParameters),
		Do: "pass the directories of the others to goldenarch check one by one",
	})
}

// unnamed matches the characters that Kubernetes does not accept in a name.
var unnamed = pattern.Of(`[^-a-z0-9.]`)

// normalized returns a text as a name that Kubernetes accepts (argo-cd
// applicationset/utils/template_functions.go: SanitizeName).
func normalized(text string) string {
	return strings.Trim(unnamed().ReplaceAllString(strings.ToLower(text), "-"), "-.")
}

// directories returns the directories of the tree that a generator names (argo-cd
// applicationset/generators/git.go: filterApps, generateParamsFromApps). The root is not
// one of them (argo-cd reposerver/repository/repository.go: GetGitDirectories).
func (s *scan) directories(g generator, repository checkout) []parameters {
	var out []parameters
	for _, dir := range s.dirs {
		below, err := filepath.Rel(repository.top, s.real[dir.Path])
		if err != nil || !filepath.IsLocal(below) || below == "." {
			continue
		}
		at, named := filepath.ToSlash(below), false
		for _, one := range g.Git.Directories {
			is, err := path.Match(one.Path, at)
			if err == nil && is {
				named = !one.Exclude
				if one.Exclude {
					break
				}
			}
		}
		if !named {
			continue
		}
		name := strings.TrimPrefix(g.Git.PathParamPrefix+".path", ".")
		values := parameters{name: at, name + ".path": at, name + ".basename": path.Base(at), name + ".basenameNormalized": normalized(path.Base(at))}
		for i, part := range strings.Split(at, "/") {
			values[fmt.Sprintf("%s[%d]", name, i)] = part
		}
		out = append(out, values)
	}
	return out
}

// flat adds the single values of an element, by their paths.
func flat(prefix string, value any, into parameters) parameters {
	if m, is := value.(map[string]any); is {
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

// fill returns a text with the values in it, and false if one is not known.
func (p parameters) fill(text string) (string, bool) {
	known := true
	out := placeholder().ReplaceAllStringFunc(text, func(found string) string {
		value, is := p[placeholder().FindStringSubmatch(found)[1]]
		known = known && is
		return value
	})
	return out, known && !strings.Contains(out, "{{")
}
