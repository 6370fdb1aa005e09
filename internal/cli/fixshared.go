package cli

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/fleet"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/repo"
	"github.com/goldenarch/goldenarch/internal/sanitize"
	"github.com/goldenarch/goldenarch/internal/write"
)

// placeFix is what the decisions about one cluster of a repository change.
type placeFix struct {
	fleet.Cluster

	edits []write.Change
	found finding.List
	// shared are the files that must change and that others build, too: others whom the run
	// does not cover, or for whom it decides something else.
	shared []*kustomization.SharedError
	has    bool // the place has a CR, or pods that the run is about
	failed bool // nothing is written
}

// placeFixes is what a run decides about all clusters of a repository.
type placeFixes []placeFix

// changes returns what is written: of each cluster all or nothing.
func (all placeFixes) changes() []write.Change {
	byName := map[string]write.Change{}
	for _, one := range all {
		if one.failed {
			continue
		}
		for _, change := range one.edits {
			byName[change.Name] = change // the same for each cluster
		}
	}
	return slices.SortedFunc(maps.Values(byName), func(a, b write.Change) int { return strings.Compare(a.Name, b.Name) })
}

// failed names the clusters of which nothing is written.
func (all placeFixes) failed() []string {
	var out []string
	for _, one := range all {
		if one.failed {
			out = append(out, sanitize.Escape(filepath.ToSlash(one.Path)))
		}
	}
	return out
}

// settle decides which clusters are written. A file that several clusters build changes only
// if the run decides the same for all of them. With keepGoing a cluster that fails takes along
// those that share such a file with it; otherwise its error is enough.
func (all placeFixes) settle(covering *kustomization.Consumers, keepGoing bool) {
	at := map[string]int{} // the clusters by their paths without links
	for i := range all {
		all[i].failed = all[i].found.Failed() || len(all[i].shared) > 0
		if path, err := absoluteDir(all[i].Path); err == nil {
			at[path] = i
		}
	}
	byFile := map[string][]int{}
	after := map[string]map[int][]byte{}
	for i, one := range all {
		for _, change := range one.edits {
			if after[change.Name] == nil {
				after[change.Name] = map[int][]byte{}
			}
			byFile[change.Name] = append(byFile[change.Name], i)
			after[change.Name][i] = change.After
		}
	}
	builders := buildersOf(byFile, at, covering)
	for again := true; again; again = keepGoing && again {
		again = false
		for _, name := range slices.Sorted(maps.Keys(byFile)) {
			if all.agree(byFile[name], builders[name], after[name], keepGoing) {
				continue
			}
			again = true
			for _, i := range byFile[name] {
				if !all[i].failed {
					all[i].failed = true
					all[i].shared = append(all[i].shared, all.sharedBy(name, builders[name], i))
				}
			}
		}
	}
}

// buildersOf returns the clusters that build each file: those that change it, and those that
// build it without a change. at has the clusters by their paths.
func buildersOf(byFile map[string][]int, at map[string]int, covering *kustomization.Consumers) map[string][]int {
	builders := map[string][]int{}
	for name, changing := range byFile {
		builders[name] = slices.Clone(changing)
		for _, path := range covering.Of(name) {
			if i, is := at[path]; is && !slices.Contains(changing, i) {
				builders[name] = append(builders[name], i)
			}
		}
	}
	return builders
}

// agree reports whether the clusters that build a file want the same text of it. Those that
// change it have it in after. With keepGoing a cluster that failed does not agree.
func (all placeFixes) agree(changing, builders []int, after map[int][]byte, keepGoing bool) bool {
	first := slices.IndexFunc(changing, func(i int) bool { return !all[i].failed })
	if first < 0 || len(builders) < 2 {
		return true
	}
	want := after[changing[first]]
	return !slices.ContainsFunc(builders, func(i int) bool {
		text, changes := after[i]
		if all[i].failed {
			return keepGoing
		}
		return !changes || !bytes.Equal(text, want) || (text == nil) != (want == nil)
	})
}

// changesOfBuilds returns the files that must change for several directories that were
// built, beside those of plain files.
func (f *fix) changesOfBuilds(paths []string, plain []write.Change) ([]write.Change, finding.List) {
	tree, err := treeOf(paths)
	if err != nil {
		return nil, finding.List{{ID: finding.EditFile, Severity: finding.Error, Text: err.Error()}}
	}
	f.consumers = kustomization.ConsumersIn(tree.Root(), repo.Applied)
	var dirs []string
	for _, built := range f.builds {
		dirs = append(dirs, built.Path)
	}
	f.covering = f.consumers.Covering(dirs)
	all := placeFixes{{edits: plain}}
	var found finding.List
	for _, built := range f.builds {
		f.shared = nil
		edits, more := f.placed(paths, built)
		one := placeFix{edits: asChanges(edits), found: more, shared: f.shared}
		one.Path = built.Path
		all, found = append(all, one), append(found, more...)
	}
	all.settle(f.covering, false)
	found = append(found, all.sharedFindings(func(names []string) string {
		return sanitize.Command(append([]string{"goldenarch", "fix", "--patch"}, names...)...)
	},
		func(i int) error {
			_, err := f.builds[i-1].PatchEdits(f.kept[f.builds[i-1].Path]...)
			return err
		})...)
	return all.changes(), found
}

// sharedBy says that a file is not right for all clusters that build it.
func (all placeFixes) sharedBy(name string, builders []int, of int) *kustomization.SharedError {
	out := &kustomization.SharedError{File: filepath.ToSlash(name), Of: filepath.ToSlash(all[of].Path)}
	for _, i := range builders {
		if i != of {
			out.By = append(out.By, filepath.ToSlash(all[i].Path))
		}
	}
	return out
}

// cannotWrite takes out the clusters with files that cannot be written, and reports them.
func (all placeFixes) cannotWrite(conflicts []*write.ConflictError, covering *kustomization.Consumers) {
	if len(conflicts) == 0 {
		return
	}
	for i := range all {
		for _, change := range all[i].edits {
			if slices.ContainsFunc(conflicts, func(c *write.ConflictError) bool { return c.Name == change.Name }) {
				all[i].found = append(all[i].found, inCluster(conflictFindings(conflicts), all[i].Path)...)
				break
			}
		}
	}
	all.settle(covering, true)
}

// sharedFindings reports each file that must change for some clusters of a repository and
// that several build: once, with all of them. command returns what gives these clusters
// patches, and patched tries that for the cluster at an index.
func (all placeFixes) sharedFindings(command func(clusters []string) string, patched func(i int) error) finding.List {
	byFile := map[string]*kustomization.SharedError{}
	clusters := map[string][]int{}
	for i, one := range all {
		for _, shared := range one.shared {
			file := byFile[shared.File]
			if file == nil {
				file = &kustomization.SharedError{File: shared.File}
				byFile[shared.File] = file
			}
			file.By = append(append(file.By, shared.Of), shared.By...)
			file.Unknown = append(file.Unknown, shared.Unknown...)
			clusters[shared.File] = append(clusters[shared.File], i)
		}
	}
	tried := map[int]error{}
	var found finding.List
	for _, name := range slices.Sorted(maps.Keys(byFile)) {
		file := byFile[name]
		by, unknown := slices.Compact(slices.Sorted(slices.Values(file.By))), slices.Compact(slices.Sorted(slices.Values(file.Unknown)))
		one := finding.Finding{
			ID: finding.EditShared, Severity: finding.Error, Object: finding.Object{File: name},
			Text: fmt.Sprintf("%d overlays build this file, and goldenarch changes it only if the run decides the same for all of them: %s",
				len(by), strings.Join(by, ", ")),
		}
		if len(unknown) > 0 {
			one.ID, one.Text = finding.EditUnknown, (&kustomization.SharedError{File: name, Unknown: unknown}).Error()
		}
		var names []string
		for _, i := range clusters[name] {
			err, is := tried[i]
			if !is {
				err = patched(i)
				tried[i] = err
			}
			if path := filepath.ToSlash(all[i].Path); err != nil {
				one.Do = fmt.Sprintf("make the edit by hand, because a patch does not help in %s: %s", path, err)
			} else {
				names = append(names, path)
			}
		}
		if one.Do == "" {
			one.Do = "run the command again with --patch (" + command(names) + "): it gives each of them a patch of its own"
		}
		found = append(found, one)
	}
	return found
}

// firstError returns the first error among findings, nil for none.
func firstError(found finding.List) error {
	for _, f := range found {
		if f.Severity == finding.Error {
			return errors.New(f.Text)
		}
	}
	return nil
}
