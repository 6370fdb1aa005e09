package workspace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/kustomize/edit"
)

// advisePatches gives findings another command where fix would refuse theirs. If several clusters build the file, and not all of them
// need the same edit, each of these that does gets a patch. If one cluster has an error, fix writes the others with a flag.
func (c *Checker) advisePatches(root string, clusters []clusterCheck) {
	builders, needs := map[string]int{}, map[string]map[string]int{} // needs by what changes
	for _, one := range clusters {
		files := map[string]bool{}
		for _, cr := range one.CRs {
			files[cr.Object.File] = true
		}
		for file := range files {
			builders[file]++
		}
		for file, changes := range one.filesToFix() {
			if needs[file] == nil {
				needs[file] = map[string]int{}
			}
			needs[file][changes]++
		}
	}
	words := []string{console.CommandPath(root)}
	if slices.ContainsFunc(clusters, func(one clusterCheck) bool { return !one.Rendered }) {
		words = slices.Insert(words, 0, "--keep-going")
	}
	fix, whole, patch := c.Commands.fix(root), c.Commands.line("fix", words...), c.Commands.line("fix", slices.Insert(words, 0, "--patch")...)
	for _, one := range clusters {
		files := one.filesToFix()
		for i, f := range one.Findings {
			file := f.Object.File
			changes, isFixed := files[file]
			differ := isFixed && builders[file] > 1 && builders[file] != needs[file][changes]
			switch {
			case f.Run == "":
			case f.Run == fix && differ:
				one.Findings[i] = f.WithCommand(patch)
			case f.Run == fix:
				one.Findings[i] = f.WithCommand(whole)
			case differ && f.Run == c.Commands.fix(one.Path):
				one.Findings[i] = f.WithCommand(c.Commands.patch("fix", one.Path))
			}
		}
	}
}

// adviseByHand gives findings another fix where fix would refuse to write the rendered items into the files that were read: a merge
// key or a replacement may set what must change. A patch of goldenarch that is there already is written in any case.
func (c *Checker) adviseByHand(in input, t target, found finding.List) {
	command := in.function.FixCommand
	isAdvised := func(f finding.Finding) bool { return f.Run != "" && f.Run == command }
	if !slices.ContainsFunc(found, isAdvised) || in.hasPatch() {
		return
	}
	fixer := clusterFixer{Fixer: &Fixer{Options: c.Options, Patch: command == c.Commands.patch("fix", t.paths...)}, paths: t.paths}
	fixer.Commands.Verb = "fix"
	fixer.consumers, fixer.covering = c.consumers, c.consumers
	trial := editor{clusterFixer: &fixer, in: in.reader, place: func(e *editor, built kustomize.Built) ([]files.Change, finding.List) {
		if !edit.MayRefuse(built, c.consumers) {
			return nil, nil
		}
		return e.builtEdits(built)
	}}
	_, refused := trial.changes(in.items, in.items)
	i := slices.IndexFunc(refused, func(f finding.Finding) bool { return f.ID == finding.EditUnsafe || f.ID == finding.EditNoPlace })
	if i < 0 {
		return
	}
	for j, f := range found {
		if isAdvised(f) {
			found[j].Do, found[j].Run = strings.Replace(f.Do, "run "+f.Run+", and commit what it writes", refused[i].Message(), 1), ""
		}
	}
}

// filesToFix returns what an advised command would change, by the files of CRs.
func (c clusterCheck) filesToFix() map[string]string {
	changes := map[string][]string{}
	for _, f := range c.Findings {
		for _, one := range f.Changes {
			if f.Run != "" {
				changes[f.Object.File] = append(changes[f.Object.File], fmt.Sprint(one))
			}
		}
	}
	out := map[string]string{}
	for file, list := range changes {
		slices.Sort(list)
		out[file] = strings.Join(slices.Compact(list), "\n")
	}
	return out
}

// dropUsedFlags takes away that a flag of the run states something about an image that a cluster does not have, where another
// cluster has the image. It takes the findings of each cluster.
func dropUsedFlags(clusters []*finding.List) {
	isUnused := func(f finding.Finding) bool {
		return f.ID == finding.OverrideUnused && f.Object == finding.Object{Cluster: f.Object.Cluster}
	}
	unused := map[string]int{}
	for _, found := range clusters {
		for _, f := range *found {
			if isUnused(f) {
				unused[f.Text]++
			}
		}
	}
	for _, found := range clusters {
		*found = slices.DeleteFunc(*found, func(f finding.Finding) bool { return isUnused(f) && unused[f.Text] < len(clusters) })
	}
}
