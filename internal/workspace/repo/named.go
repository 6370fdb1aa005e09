package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/pattern"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Named is a directory that somebody says to be one of a cluster, and who says it.
type Named struct{ Path, By string }

// namedDirectories are the directories that something names in a tree that is scanned.
type namedDirectories struct{ *scan }

// check reports a directory that something names and that the scan has not read: it is hidden and
// holds a CR, it is a submodule that is not there, or it is behind a link that leads out of the tree. A path that
// is not there at all makes its host fail, and what is outside of the tree is not asked for.
func (s namedDirectories) check(path, by string) {
	root := s.real[s.root]
	missing := s.isMissingSubmodule(path)
	if !files.Within(path, root) || s.byPath[path] != nil && !missing {
		return
	}
	var why, do string
	target, err := filepath.EvalSymlinks(path)
	switch {
	case missing:
		why, do = "it is in a submodule that is not checked out", "check the submodules out: git submodule update --init"
	case err != nil:
		return
	case !files.Within(target, root):
		why, do = "it is behind a link that leads out of the directory that is checked", "run the check for the directory that has both"
	case s.byPath[target] == nil && s.isHidden(target) && unreadSearch(s).holdsUnread(target):
		why, do = "it is hidden", "check it by its name: "+console.Command("goldenarch", "check", console.CommandPath(s.shown(path)))
	default:
		return
	}
	f := finding.Finding{
		ID: finding.ClusterUnseen, Severity: finding.Error, Object: finding.Object{File: s.shown(path)},
		Text: fmt.Sprintf("%s names this directory, and goldenarch does not look into it: %s", by, why),
		Do:   do + ", or name it in " + manifest.IgnoreFile,
	}
	if !slices.ContainsFunc(s.out.Unread, func(other finding.Finding) bool { return other.Object == f.Object && other.ID == f.ID }) {
		s.out.Unread = append(s.out.Unread, f)
	}
}

// noteInputs notes the files of spec.inputs of the configurations that kustomizations list: goldenarch reads
// them where it builds the kustomization. Their paths are relative to it.
func (s namedDirectories) noteInputs() {
	for _, dir := range sortedPaths(s.refs) {
		texts := s.textsListedBy(dir)
		for _, plugin := range s.refs[dir].Plugins { // a kustomization of its own may build the configuration
			texts = append(texts, s.textsListedBy(plugin)...)
		}
		for _, text := range texts {
			for _, path := range inputsOf(text) {
				if target, err := filepath.EvalSymlinks(filepath.Join(dir, filepath.FromSlash(path))); err == nil {
					s.named[target], s.built[target] = true, true
				}
			}
		}
	}
}

// textsListedBy returns the texts of the files that the kustomization of a directory lists, and those in itself;
// none if the path is no such directory.
func (s namedDirectories) textsListedBy(dir string) []string {
	refs, ok := s.refs[dir]
	if !ok && kustomize.In(dir) { // outside of what is scanned
		refs = kustomize.ReferencesOf(dir)
	}
	texts := slices.Clone(refs.Inline)
	for _, file := range refs.Local {
		if _, is := s.refs[file]; !is && s.byPath[file] == nil {
			texts = append(texts, string(s.text(file).data))
		}
	}
	return texts
}

// inputsOf returns spec.inputs of the configurations of goldenarch in a text.
func inputsOf(text string) []string {
	if !strings.Contains(text, v1alpha1.Group) || !strings.Contains(text, "inputs") {
		return nil
	}
	items, err := manifest.Parse("", []byte(text))
	if err != nil {
		return nil // reported where it is read
	}
	var out []string
	for _, o := range object.All(items) {
		if o.At.Group() != v1alpha1.Group {
			continue
		}
		for _, entry := range yamlnode.Elements(o.Node.YNode(), "spec", "inputs") {
			out = append(out, entry.Value)
		}
	}
	return out
}

// isHidden reports whether a directory of the tree is hidden and not excluded.
func (s namedDirectories) isHidden(target string) bool {
	return slices.ContainsFunc(s.hidden, func(dir manifest.Dir) bool {
		hidden, err := filepath.EvalSymlinks(dir.Path)
		return err == nil && hidden == target
	})
}

// submodulePath matches the line of .gitmodules that names the directory of a submodule.
var submodulePath = pattern.Of(`(?m)^[ \t]*path[ \t]*=[ \t]*"?([^"\n]+?)"?[ \t]*$`)

// submodulesOf returns the directories of the submodules of a repository.
func submodulesOf(top string) []string {
	data, err := files.Read(filepath.Join(top, ".gitmodules"))
	if err != nil {
		return nil
	}
	var out []string
	for _, found := range submodulePath().FindAllSubmatch(data, -1) {
		if path := filepath.FromSlash(string(found[1])); filepath.IsLocal(path) {
			out = append(out, filepath.Join(top, path))
		}
	}
	return out
}

// isMissingSubmodule reports whether a path is in a submodule that is not checked out: its directory is
// empty, or not there.
func (s namedDirectories) isMissingSubmodule(path string) bool {
	return slices.ContainsFunc(s.submodules, func(submodule string) bool {
		if !files.Within(path, submodule) {
			return false
		}
		entries, err := os.ReadDir(submodule)
		return errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0
	})
}

// checkAll reports the directories that the Fleet and kustomizations name and that the scan has not
// read. Those of Applications and of Flux are reported where they are followed.
func (s namedDirectories) checkAll() {
	for _, one := range s.Options.Directories {
		if below, err := filepath.Rel(s.root, one.Path); err == nil {
			s.check(filepath.Join(s.real[s.root], below), one.By)
		}
	}
	for _, target := range sortedPaths(s.refs) {
		for _, path := range s.refs[target].Missing {
			if s.isMissingSubmodule(path) {
				s.check(path, "the kustomization of "+strings.TrimSuffix(s.shown(target), "/"))
			}
		}
	}
}
