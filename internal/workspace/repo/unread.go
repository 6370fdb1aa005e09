package repo

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/manifest/unread"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// content says what the files of a name have.
type content int

const (
	prose      content = iota // for people: nothing in it gets to a cluster
	code                      // what a person or a pipeline runs, or tests
	manifests                 // YAML and JSON
	sourceText                // what makes manifests: templates, Terraform, CUE, Jsonnet
)

var (
	// pages are the ends of the names of files for people.
	pages = []string{".md", ".markdown", ".adoc", ".asciidoc", ".rst", ".txt", ".html", ".htm", ".drawio", ".svg", ".css", ".csv", ".log"}
	// makers are those of files that make manifests, beside the templates.
	makers = []string{".tf", ".tfvars", ".hcl", ".cue", ".jsonnet", ".libsonnet"}
	// tried are directories with tests and their data, and with what a pipeline runs.
	tried = []string{
		"test", "tests", "testing", "testdata", "e2e", "fixtures", "fixture", "__tests__", "__fixtures__", "molecule",
		".github", ".gitlab", ".tekton", ".circleci", ".ci", ".buildkite", ".woodpecker", ".forgejo", ".gitea",
	}
	// pipelines are files of pipelines.
	pipelines = []string{".gitlab-ci", ".travis", ".drone", ".woodpecker", "azure-pipelines", "cloudbuild", "bitbucket-pipelines", ".pre-commit-config"}
)

// contentOf returns what a file has, by its name and by the directories that it is in below the root.
func (s unreadSearch) contentOf(file string) content {
	made, isTemplate := manifest.TemplateOf(filepath.Base(file))
	end, stem := strings.ToLower(filepath.Ext(made)), strings.TrimSuffix(made, filepath.Ext(made))
	var out content
	switch {
	case slices.Contains(pages, end):
		return prose
	case isTemplate && (end == "" || isManifestName(end)), slices.Contains(makers, end):
		out = sourceText
	case isManifestName(end):
		out = manifests
	default:
		return code
	}
	below, err := filepath.Rel(s.root, file)
	if err != nil {
		return out
	}
	parts := strings.Split(filepath.ToSlash(filepath.Dir(below)), "/")
	if slices.ContainsFunc(parts, func(part string) bool { return slices.Contains(tried, strings.ToLower(part)) }) || slices.Contains(pipelines, stem) {
		return code
	}
	return out
}

func isManifestName(end string) bool { return end == ".yaml" || end == ".yml" || end == ".json" }

// unreadSearch looks for what the run has not read in a tree that is scanned.
type unreadSearch struct{ *scan }

// find looks, by their bytes, at all files that the run has not read as objects, and notes what
// in them goldenarch checks.
func (s unreadSearch) find() error {
	for _, dir := range s.dirs {
		chart := ""
		if dir.Chart || dir.OfChart {
			chart = s.chartOf(dir.Path)
		}
		for _, file := range dir.Files {
			s.lookAgain(file)
		}
		for _, file := range slices.Concat(dir.Templates, dir.Others) {
			if err := s.lookAt(file, chart); err != nil {
				return err
			}
		}
	}
	for _, dir := range s.hidden {
		for _, file := range slices.Concat(dir.Files, dir.Templates, dir.Others) {
			if err := s.lookAt(file, ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// chartOf returns the chart that a directory is in, or is.
func (s unreadSearch) chartOf(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if d := s.byPath[s.real[at]]; d != nil && d.Chart || at == filepath.Dir(at) {
			return at
		}
	}
}

// wanted is what the run checks beside CRs.
func (s unreadSearch) wanted() unread.Want { return unread.Want{Machines: true, Pods: s.Pods} }

// lookAgain looks at a manifest that the scan has read. Of one that is in a place, the check reads the
// objects, and only what is no object counts. Of what a kustomization builds, nothing does.
func (s unreadSearch) lookAgain(file string) {
	target := s.real[file]
	t := s.texts[target]
	if t == nil || !t.mayHold || s.looked[target] || s.built[target] || s.odd[target] || slices.Contains(s.Named, target) {
		return
	}
	s.looked[target] = true
	data, err := files.Read(target)
	if err != nil {
		return // reported where the scan has read it
	}
	isRead := s.isListed(file)
	if !isRead {
		isRead = s.lookAtObjects(file, data)
	}
	for _, hit := range unread.InManifests(data, s.wanted(), isRead) {
		if !s.isStated(file, hit) {
			s.noteUnread(file, hit, s.contentOf(file))
		}
	}
}

// lookAtObjects looks at the objects of a manifest that is in no place, and reports whether it could read them. Machines
// and pods are noted elsewhere.
func (s unreadSearch) lookAtObjects(file string, data []byte) bool {
	reader := manifest.Reader{Lenient: true}
	items, err := reader.Parse(filepath.ToSlash(file), data)
	if err != nil {
		return false
	}
	all := object.All(items)
	for _, f := range kinds.ReportUnread(all) {
		switch {
		case s.isStated(file, unread.Hit{Path: f.Field}):
			continue
		case f.Severity == finding.Info || s.contentOf(file) == code:
			f.Severity = finding.Warning
		default:
			f.Severity = finding.Error
		}
		s.out.Unread = append(s.out.Unread, f)
	}
	if i := slices.IndexFunc(all, kinds.IsCR); i >= 0 && !s.outside[s.real[file]] {
		s.noteUnread(file, unread.Hit{What: unread.CR, Line: all[i].Line("")}, manifests)
	}
	return true
}

// isStated reports whether a person states that the CR is in this place of the file.
func (s unreadSearch) isStated(file string, hit unread.Hit) bool {
	places, target := s.CRPaths, s.real[file]
	if target == "" { // of a template, which is no manifest
		target, _ = files.Real(file)
	}
	if s.inFile[file] {
		place, _ := s.CRPath(file)
		place.File = target
		places = append(slices.Clip(places), place)
	}
	at := fieldpath.Steps(hit.Path)
	return slices.ContainsFunc(places, func(place fieldpath.Place) bool {
		return place.File == target && len(at) >= len(place.Steps) && slices.Equal(at[:len(place.Steps)], place.Steps)
	})
}

// largestCode is how many bytes of a script or a program are looked at.
const largestCode = 1 << 20

// lookAt looks at a file that is in no place. chart is the chart that it is in, "" for none.
func (s unreadSearch) lookAt(file, chart string) error {
	is := s.contentOf(file)
	target, err := files.Real(file)
	if err != nil || is == prose || s.looked[target] || s.named[target] || slices.Contains(s.Named, target) {
		return nil //nolint:nilerr // a file that is gone holds nothing
	}
	s.looked[target] = true
	data, err := s.bytesOf(file, is)
	switch {
	case errors.Is(err, files.ErrTooMany):
		return err
	case err != nil && is != code:
		s.out.Unread = append(s.out.Unread, Unreadable(file, err))
	}
	want := s.wanted()
	if err != nil || !unread.MayHold(data) && !want.MayHold(data) {
		return nil //nolint:nilerr // reported above, or a program that is too long to look at
	}
	find := unread.InTemplate
	if is == manifests || is == sourceText || chart != "" { // a template that is valid YAML says what it makes
		find = func(data []byte, want unread.Want) []unread.Hit { return unread.InManifests(data, want, false) }
	}
	for _, hit := range find(data, want) {
		switch {
		case s.isStated(file, hit):
		case chart != "" && is != code && isOfTemplates(chart, file):
			s.noteInChart(chart, hit.What)
		default:
			s.noteUnread(file, hit, is)
		}
	}
	return nil
}

// bytesOf reads a file. One that cannot hide a CR counts for no limit.
func (s unreadSearch) bytesOf(file string, is content) ([]byte, error) {
	if is == code {
		data, err := files.ReadUpTo(file, largestCode)
		return data, err
	}
	return s.hiddenBudget.Read(file)
}

// isOfTemplates reports whether helm renders a file of a chart: the other files are values, and what helm
// does not read.
func isOfTemplates(chart, file string) bool {
	below, err := filepath.Rel(chart, file)
	if err != nil {
		return false
	}
	parts := strings.Split(filepath.ToSlash(below), "/")
	return slices.Contains(parts[:len(parts)-1], "templates") || slices.Contains(parts[:len(parts)-1], "crds")
}

// noteInChart notes what helm makes of a chart.
func (s unreadSearch) noteInChart(chart string, what unread.What) {
	if s.inCharts[chart] == nil {
		s.inCharts[chart] = map[unread.What]bool{}
	}
	s.inCharts[chart][what] = true
}

// noteUnread notes what is in a file and that nobody reads.
func (s unreadSearch) noteUnread(file string, hit unread.Hit, is content) {
	shown := filepath.ToSlash(file)
	sample := hit.Sample || is == code
	switch hit.What {
	case unread.Machine:
		if !sample && s.isInDirectory(file) {
			s.out.UnreadMachines = appendOnce(s.out.UnreadMachines, shown)
		} else {
			s.out.Machines = appendOnce(s.out.Machines, shown)
		}
		return
	case unread.Pods:
		if !sample {
			s.out.UnreadPods = appendOnce(s.out.UnreadPods, shown)
		}
		return
	case unread.CR, unread.Templates:
	}
	at := finding.Object{File: shown}
	if sample {
		s.out.Unread = append(s.out.Unread, finding.Finding{
			ID: finding.CRUnread, Severity: finding.Warning, Object: at, Line: hit.Line,
			Text: "the file has the text of a HyperConverged CR, and goldenarch does not look into scripts, programs, pipelines, examples and tests",
			Do:   "if a cluster gets the CR, keep it in a manifest of its own",
		})
		return
	}
	f := finding.Finding{ID: finding.CRUnread, Severity: finding.Error, Object: at, Field: hit.Path, Line: hit.Line}
	const orIgnore = ", or name the file in " + manifest.IgnoreFile
	switch {
	case hit.Path == "" && (hit.Text || is == sourceText):
		f.ID = finding.Undecodable
		f.Text = "the file makes a HyperConverged CR, and only what something renders of it is YAML. It is in no cluster, so nobody checks it"
		f.Do = "pass what it renders to goldenarch check -" + orIgnore
	case hit.What == unread.Templates:
		f.Text = "the file has templates of a HyperConverged CR, and goldenarch does not see the CR that is made with them, so nobody checks them"
		f.Do = placeAdvice(shown, hit) + orIgnore
	case hit.Path == "":
		f.Text = "the file has a HyperConverged CR that is in no cluster, so nobody checks it: " + s.whyUnread(file)
		f.Do = "keep it in a manifest that a cluster includes" + orIgnore
	default:
		f.Text = fmt.Sprintf("the file holds a HyperConverged CR in %s, where goldenarch does not read it, so nobody checks it", hit.Path)
		f.Do = placeAdvice(shown, hit) + orIgnore
	}
	s.out.Unread = append(s.out.Unread, f)
}

// whyUnread says why a file that is a manifest is in no cluster.
func (s unreadSearch) whyUnread(file string) string {
	switch {
	case slices.ContainsFunc(s.hidden, func(dir manifest.Dir) bool { return files.Within(file, dir.Path) }), strings.HasPrefix(filepath.Base(file), "."):
		return "goldenarch does not look into hidden files and directories"
	case s.named[s.real[file]]:
		return "no kustomization that goldenarch builds includes the one that lists it"
	}
	return "its kind or its group comes from a variable"
}

// placeAdvice says how goldenarch can read what is in a file.
func placeAdvice(file string, hit unread.Hit) string {
	if hit.Place == "" {
		return "pass what is rendered with it to goldenarch check -"
	}
	return hit.Naming(file)
}

// isInDirectory reports whether the files around a file are those of a cluster, so that a manifest in its
// place would be checked.
func (s unreadSearch) isInDirectory(file string) bool {
	return slices.ContainsFunc(s.out.Places, func(p Place) bool { return p.Kind == Directory && files.Within(file, p.Path) })
}

func appendOnce(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// holdsUnread reports whether a path, or a file below it, has what would be an error if nobody read it.
func (s unreadSearch) holdsUnread(path string) bool {
	return slices.ContainsFunc(filesAt(path), func(file string) bool {
		if is := s.contentOf(file); is == prose || is == code {
			return false
		}
		data, err := s.hiddenBudget.Read(file)
		return err == nil && unread.MayHold(data) &&
			slices.ContainsFunc(unread.InManifests(data, unread.Want{}, false), func(hit unread.Hit) bool { return !hit.Sample })
	})
}

// filesAt returns a path that is a regular file, or those below a directory. What cannot be listed is
// reported where it counts.
func filesAt(path string) []string {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return nil
	case info.Mode().IsRegular():
		return []string{path}
	case !info.IsDir():
		return nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil
	}
	var out []string
	for _, entry := range entries {
		out = append(out, filesAt(filepath.Join(path, entry.Name()))...)
	}
	return out
}
